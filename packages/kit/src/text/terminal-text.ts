/** Text in colours, or as it is where nobody sees colours. */
export type Colors = Readonly<
  Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>
>

/** What data says must not move the cursor or change the terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    if (character === '\n') return '↵'
    if (character === '\t') return ' '
    return '\ufffd'
  })
}
