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

/** What follows such a gap is a column of its own, if the gap is not too far to the right. */
const GAP = / {2,}/g
const ROOM_MIN = 24

/**
 * Breaks lines that are too wide for the terminal. They continue below their last column:
 * descriptions below descriptions, and the rest of an indented line below its start.
 */
export function wrapLines(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => {
      if (textColumns(line) <= columns) return line
      const ends = [...line.matchAll(GAP)].map(({ 0: gap, index }) => index + gap.length)
      const end =
        ends.findLast((each) => columns - textColumns(line.slice(0, each)) >= ROOM_MIN) ?? 0
      const indent = textColumns(line.slice(0, end))
      const lines = wrapText(line.slice(end), columns - indent)
      return line.slice(0, end) + lines.join(`\n${' '.repeat(indent)}`)
    })
    .join('\n')
}
