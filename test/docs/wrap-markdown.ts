const COLUMNS_MAX = 100
/** Lines that are not prose: tables, headings, comments, HTML, definitions of links. */
const FIXED = /^\s*(?:\||#{1,6} |<|\[[^\]]+\]: |(?:-{3,}|={3,})\s*$)/
const ITEM = /^(\s*)((?:[-*+]|\d+[.)]) +)?/
/** What would start a list, a heading or a quote at the beginning of a line. */
const MARK = /^(?:[-+*>=|]|#{1,6}|\d+[.)])$/

/**
 * Wraps the prose of a Markdown page at 100 columns. Paragraphs and list items that fit already
 * stay as they are; code, tables, headings and HTML are never changed.
 */
export function wrapMarkdown(page: string): string {
  const result: string[] = []
  let paragraph: string[] = []
  let fence: string | undefined
  const flush = (): void => {
    result.push(...(paragraph.some(isLong) ? wrapParagraph(paragraph) : paragraph))
    paragraph = []
  }
  for (const line of page.split('\n')) {
    const [, mark] = /^\s*(```+|~~~+)/.exec(line) ?? []
    if (fence !== undefined || mark !== undefined) {
      flush()
      result.push(line)
      if (fence === undefined) fence = mark
      else if (mark === fence) fence = undefined
    } else if (line.trim() === '' || FIXED.test(line)) {
      flush()
      result.push(line)
    } else {
      if (ITEM.exec(line)?.[2] !== undefined) flush()
      paragraph.push(line)
      // A hard line break ends what may be joined.
      if (/(?: {2}|\\)$/.test(line)) flush()
    }
  }
  flush()
  return result.join('\n')
}

function isLong(line: string): boolean {
  return line.length > COLUMNS_MAX
}

function wrapParagraph(lines: readonly string[]): readonly string[] {
  const [, indent = '', mark = ''] = ITEM.exec(lines[0]!) ?? []
  const hanging = lines.length > 1 ? (/^\s*/.exec(lines[1]!)?.[0] ?? '') : ''
  const margin = mark === '' ? indent : hanging || `${indent}${' '.repeat(mark.length)}`
  const text = lines
    .map((line) => line.trim())
    .join(' ')
    .slice(mark.length)
  const wrapped: string[] = []
  let current = `${indent}${mark}`
  let isEmpty = true
  for (const word of wordsOf(text)) {
    if (isEmpty) current += word
    else if (current.length + 1 + word.length <= COLUMNS_MAX) current += ` ${word}`
    else {
      wrapped.push(current)
      current = `${margin}${word}`
    }
    isEmpty = false
  }
  return [...wrapped, current]
}

/** Words, with code kept whole, and marks kept behind the word before them. */
function wordsOf(text: string): readonly string[] {
  const words: string[] = []
  for (const [word] of text.matchAll(/(?:`+[^`]*`+|[^\s`]|`(?![^`]*`))+/g)) {
    if (MARK.test(word) && words.length > 0) words[words.length - 1] += ` ${word}`
    else words.push(word)
  }
  return words
}
