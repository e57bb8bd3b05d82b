import type { Basis } from '../cost/figure.ts'
import type { Collection } from './collections.ts'
import type { DocumentOrigin } from './document-origin.ts'
import type { Relation } from './relations.ts'
import { shownKey } from './shown-key.ts'

/** The living document without a format: every renderer uses this and nothing else. */
export interface LivingDocument {
  readonly title: string
  readonly origin: DocumentOrigin
  /** In reading order. */
  readonly sections: readonly Section[]
  /** All models and copies, in the order of the schema: renderers give each a colour. */
  readonly entities: readonly string[]
}

/** A part with a stable id: links and markers in other files use it. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly blocks: readonly Block[]
  /** What the table of contents lists below it. */
  readonly entries?: readonly Entry[] | undefined
  /** The day of the sample that figures are from. */
  readonly sampledOn?: string | undefined
}

/** A target of the table of contents. */
export interface Entry {
  readonly id: string
  readonly line: Line
  /** Other words by which it is found. */
  readonly words?: readonly string[] | undefined
}

export type Block =
  | { readonly kind: 'paragraph'; readonly line: Line }
  | { readonly kind: 'list'; readonly items: readonly Line[] }
  | { readonly kind: 'heading'; readonly id: string; readonly line: Line }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [label: string, value: Cell])[] }
  | TableBlock
  | { readonly kind: 'collection'; readonly collection: Collection; readonly readBy: Line }
  | CallBlock
  | RelationsBlock

export interface TableBlock {
  readonly kind: 'table'
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
}

/** How a pattern is called, and the request it sends. */
export interface CallBlock {
  readonly kind: 'call'
  readonly id: string
  readonly title: string
  /** What it is, in a few words. */
  readonly line: Line
  /** TypeScript. */
  readonly code: string
  readonly operation: string
  /** JSON. */
  readonly request: string
}

export interface RelationsBlock {
  readonly kind: 'relations'
  readonly entities: readonly RelatedEntity[]
  readonly relations: readonly Relation[]
}

/** An entity as a box of the diagram. */
export interface RelatedEntity {
  readonly name: string
  /** The attributes of the primary key, then some others. */
  readonly attributes: readonly {
    readonly name: string
    readonly type: string
    readonly isKey: boolean
  }[]
}

export interface Column {
  readonly title: string
  readonly align?: 'right' | 'center' | undefined
  /** Whether its cells can be below those of the previous column to save space. */
  readonly below?: boolean | undefined
}

export interface Row {
  /** The target of links to the row. */
  readonly id?: string | undefined
  readonly cells: readonly Cell[]
}

/** Lines below each other; an empty cell has none. */
export type Cell = readonly Line[]
export type Line = readonly Inline[]

/** A piece of text. Plain strings can be from the user: renderers escape them. */
export type Inline =
  | string
  | { readonly kind: 'code'; readonly text: string }
  /** Keys with placeholders, such as `USER#${username}`. */
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'strong'; readonly text: string }
  | { readonly kind: 'entity'; readonly name: string }
  | { readonly kind: 'link'; readonly to: string; readonly text: string }
  /** A number and its basis. */
  | {
      readonly kind: 'figure'
      readonly text: string
      readonly basis: Basis
      readonly formula?: string | undefined
    }

/** The mark after a figure, which shows its basis. */
export const BASIS_MARKS: { readonly [basis in Basis]: string } = {
  declared: 'd',
  sampled: 's',
  default: 'a',
}

const BASIS_WORDS: { readonly [basis in Basis]: string } = {
  declared: 'declared in the schema, or computed from that',
  sampled: 'from a sample of the table',
  default: 'assumed, because the schema does not declare it',
}

/** What a mark means. */
export function basisWords(basis: Basis, { sampledOn }: Pick<Section, 'sampledOn'> = {}): string {
  const day = basis === 'sampled' && sampledOn !== undefined ? `, taken on ${sampledOn}` : ''
  return BASIS_WORDS[basis] + day
}

export function code(text: string): Inline {
  return { kind: 'code', text }
}

export function key(text: string): Inline {
  return { kind: 'key', text }
}

export function strong(text: string): Inline {
  return { kind: 'strong', text }
}

export function entity(name: string): Inline {
  return { kind: 'entity', name }
}

export function link(to: string, text: string): Inline {
  return { kind: 'link', to, text }
}

export function paragraph(...line: Line): Block {
  return { kind: 'paragraph', line }
}

/** A line without its marks. */
export function plainText(line: Line): string {
  return line
    .map((inline) => {
      if (typeof inline === 'string') return inline
      if (inline.kind === 'entity') return inline.name
      return inline.kind === 'key' ? shownKey(inline.text) : inline.text
    })
    .join('')
}

/** A cell with one line. */
export function cell(...line: Line): Cell {
  return line.length === 0 ? [] : [line]
}

/** An empty cell. */
export const NONE: Cell = [['–']]

/** A list with commas. */
export function listed(pieces: readonly Inline[], separator = ', '): Line {
  return pieces.flatMap((piece, at) => (at === 0 ? [piece] : [separator, piece]))
}

/** Makes the id of an HTML element from any string; different strings have different ids. */
export function elementId(kind: string, text: string): string {
  const safe = text.replace(
    /[^A-Za-z0-9_-]/gu,
    (character) => `.${(character.codePointAt(0) ?? 0).toString(16)}.`,
  )
  return `${kind}-${safe}`
}

/** `postsByUser` as words: `Posts by user`. */
export function wordsOf(name: string): string {
  const words = name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[_\s-]+/g, ' ')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A count with its noun in the singular or plural. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${groupDigits(count)} ${count === 1 ? one : many}`
}

/** `20000` as `20,000`. */
export function groupDigits(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 })
}

/** Sizes as people say them. */
export function printBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let value = bytes
  let at = 0
  while (value >= 1024 && at < units.length - 1) {
    value /= 1024
    at++
  }
  return `${Number(value.toPrecision(3))} ${units[at]}`
}
