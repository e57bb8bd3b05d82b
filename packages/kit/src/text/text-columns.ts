import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** How many columns of a terminal a text takes: wide characters take two, combining ones and
 * colours none. */
export function textColumns(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  // Loaded when it is needed: its list of emoji takes longer to read than most commands to run.
  const { default: stringWidth } = require('string-width') as typeof import('string-width')
  return stringWidth(text)
}

/** The text with spaces up to a number of columns. */
export function padText(text: string, columns: number, align?: 'right'): string {
  const pad = ' '.repeat(Math.max(0, columns - textColumns(text)))
  return align === 'right' ? pad + text : text + pad
}

/** The text if it fits, or as much of it as fits with a sign that it was cut. */
export function cutText(text: string, columns: number): string {
  if (textColumns(text) <= columns) return text
  const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })
  let cut = ''
  let used = 1
  for (const { segment } of characters.segment(text)) {
    used += textColumns(segment)
    if (used > columns) break
    cut += segment
  }
  // A part of the text may have been cut at this very place.
  return `${cut.replace(/…$/, '')}…`
}
