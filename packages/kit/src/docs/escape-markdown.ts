/** Text in one line: what would end it or can't be seen is a space. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
}

/** Any text as Markdown that shows just that text, also in a cell of a table. */
export function escapeMarkdown(text: string): string {
  const escaped = oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    // A pair of dollars would be a formula.
    .replaceAll(/[\\`*_[\]|~$]/g, String.raw`\$&`)
  // What would make a heading, a list or a rule of the line.
  return escaped.replace(/^(\s*)(?:([#+=-])|(\d+)([.)])(?=\s|$))/, (_, space, sign, digits, end) =>
    sign === undefined ? `${space}${digits}\\${end}` : `${space}\\${sign}`,
  )
}

/** Any text as code. Where the signs of Markdown could be mistaken, HTML says it. */
export function markdownCode(text: string): string {
  const line = oneLine(text)
  if (line.trim() === '' || /[`\\]|<!--|^\s|\s$/.test(line)) {
    return `<code>${entities(line)}</code>`
  }
  return `\`${line.replaceAll('|', String.raw`\|`)}\``
}

/** Everything but letters, digits and spaces by number: nothing of it can mean anything. */
function entities(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} ]/gu, (character) => `&#${character.codePointAt(0) ?? 32};`)
}

/** Any text in the quotation marks of a Mermaid diagram: its own signs by number. */
export function escapeMermaid(text: string): string {
  return oneLine(text).replaceAll(
    /[^\p{L}\p{N} .,:=_-]/gu,
    (character) => `#${character.codePointAt(0) ?? 32};`,
  )
}
