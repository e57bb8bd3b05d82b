/** A string on one line: line ends and invisible characters become spaces. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
}

/** Escapes any string for Markdown, also for the cell of a table. */
export function escapeMarkdown(text: string): string {
  const escaped = oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    // A pair of dollars would be a formula.
    .replaceAll(/[\\`*_[\]|~$]/g, String.raw`\$&`)
  // Characters that would make the line a heading, a list or a rule.
  return escaped.replace(/^(\s*)(?:([#+=-])|(\d+)([.)])(?=\s|$))/, (_, space, sign, digits, end) =>
    sign === undefined ? `${space}${digits}\\${end}` : `${space}\\${sign}`,
  )
}

/** Any string as code; as HTML if Markdown could misread its characters. */
export function markdownCode(text: string): string {
  const line = oneLine(text)
  if (line.trim() === '' || /[`\\]|<!--|^\s|\s$/.test(line)) {
    return `<code>${entities(line)}</code>`
  }
  return `\`${line.replaceAll('|', String.raw`\|`)}\``
}

/**
 * Writes everything but letters, digits and spaces as numeric entities, which have no other
 * meaning.
 */
function entities(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} ]/gu, (character) => `&#${character.codePointAt(0) ?? 32};`)
}

/** Any string inside the quotes of a Mermaid diagram: special characters become numbers. */
export function escapeMermaid(text: string): string {
  return oneLine(text).replaceAll(
    /[^\p{L}\p{N} .,:=_-]/gu,
    (character) => `#${character.codePointAt(0) ?? 32};`,
  )
}
