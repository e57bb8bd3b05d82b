import { textColumns } from './text-columns.ts'

/** Breaks a text at spaces into lines of up to `room` columns; `used` columns are taken on the
 * first one. */
export function wrapText(text: string, room: number, used = 0): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const before = lines.length === 0 ? used : 0
    if (line !== '' && before + textColumns(line) + 1 + textColumns(word) > room) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** Breaks the paragraphs of a text for another width. What is indented, such as code, stays as it
 * is. */
export function reflow(text: string, room: number): string {
  return text
    .split('\n\n')
    .map((paragraph) =>
      /^\s/m.test(paragraph)
        ? paragraph
        : wrapText(paragraph.replaceAll('\n', ' '), room).join('\n'),
    )
    .join('\n\n')
}
