import {
  BASIS_MARKS,
  basisWords,
  type Cell,
  elementId,
  type Inline,
  type Line,
} from './document.ts'
import { escapeHtml } from './escape-html.ts'
import { keyPieces } from './shown-key.ts'

/** What parts of the HTML need to know about the whole document. */
export interface HtmlPlace {
  /** The hue of each entity. */
  readonly colors: ReadonlyMap<string, number>
}

export function cellHtml(cell: Cell, place: HtmlPlace): string {
  const lines = cell.map((line) => lineHtml(line, place))
  return lines.length < 2 ? lines.join('') : lines.map((line) => `<div>${line}</div>`).join('')
}

export function lineHtml(line: Line, place: HtmlPlace): string {
  return line.map((inline) => inlineHtml(inline, place)).join('')
}

function inlineHtml(inline: Inline, place: HtmlPlace): string {
  if (typeof inline === 'string') return escapeHtml(inline)
  switch (inline.kind) {
    case 'code':
      return `<code>${escapeHtml(inline.text)}</code>`
    case 'key':
      return keyHtml(inline.text)
    case 'strong':
      return `<strong>${escapeHtml(inline.text)}</strong>`
    case 'entity':
      return entityHtml(inline.name, place)
    case 'link':
      return `<a href="#${inline.to}">${escapeHtml(inline.text)}</a>`
    case 'figure': {
      const { text, basis, formula } = inline
      const why = formula ? `${basisWords(basis)}: ${formula}` : basisWords(basis)
      return `<span class="figure" title="${escapeHtml(why)}">${escapeHtml(text)}<sup>${BASIS_MARKS[basis]}</sup></span>`
    }
  }
}

const KEY_CHARACTERS_MAX = 34

/** A key whose placeholders look different from its literals. */
export function keyHtml(text: string): string {
  if (text.length <= KEY_CHARACTERS_MAX) return `<code>${keyWord(text)}</code>`
  // A long key wraps at its spaces only.
  const words = text.split(/ (?![^{]*\})/).map((word) => `<span>${keyWord(word)}</span>`)
  return `<code class="long">${words.join(' ')}</code>`
}

function keyWord(text: string): string {
  return keyPieces(text)
    .map(({ text: piece, isPlaceholder }) =>
      isPlaceholder ? `<var>&lt;${escapeHtml(piece)}&gt;</var>` : escapeHtml(piece),
    )
    .join('')
}

export function entityHtml(name: string, { colors }: HtmlPlace): string {
  return `<a class="entity" style="--hue:${colors.get(name) ?? 0}" href="#${elementId('entity', name)}">${escapeHtml(name)}</a>`
}
