import type { FoundItem, IndexView } from '../../api/contract.ts'
import { joinedKey, keyPieces, type ShownPiece } from '../state/keys.ts'
import { entitiesByName, hueOf } from '../state/studio-state.ts'
import { isLink, type LinkRule, linkRule } from './cell-links.ts'
import { storedName } from './stored-name.ts'
import type { TextFit } from './text-fit.ts'
import { type CellText, cellText } from './value-view.tsx'

/** A column of a table, and where it is. */
export interface ColumnPlace {
  readonly name: string
  readonly left: number
  readonly width: number
}

/** What the rows of a table show. Another object means that all of them are written again. */
export interface TableView {
  readonly index: IndexView
  readonly sortWidth: number
  readonly entity: { readonly left: number; readonly width: number }
  /** In the order of the page; the first ones are pinned. */
  readonly columns: readonly ColumnPlace[]
  readonly pinned: number
  /** Of all columns together. */
  readonly width: number
}

/** How strings are cut: keys have a font of their own. */
export interface Fonts {
  readonly cell: TextFit
  readonly key: TextFit
}

/** Padding of a cell, on both sides together. */
const PADDING_PX = 16
/** What the cell of the sort key has before the key: the mark of the entity and a check box. */
const KEY_LEFT_PX = 32

export interface CellString extends CellText {
  readonly short: string
  readonly isWide: boolean
}

/** The strings of one item, computed when they come into sight. */
export class RowStrings {
  readonly pieces: readonly ShownPiece[]
  readonly isKeyWide: boolean
  readonly label: string
  readonly shape: EntityShape
  readonly #found: FoundItem
  readonly #fonts: Fonts
  readonly #cells: (CellString | null | undefined)[] = []

  constructor(found: FoundItem, shape: EntityShape, fonts: Fonts) {
    const { item, entity } = found
    const { index, sortWidth } = shape.view
    const names = index.sort.length > 0 ? index.sort : index.hash
    this.#found = found
    this.#fonts = fonts
    this.shape = shape
    this.pieces = keyPieces(item, entitiesByName.value.get(entity ?? ''), index.name, names)
    const key = this.pieces.length === 1 ? this.pieces[0]?.text : joinPieces(this.pieces)
    this.isKeyWide = fonts.key.fit(key ?? '', sortWidth - KEY_LEFT_PX - PADDING_PX).isWide
    this.label = `Select ${joinedKey(item, names)}`
  }

  /** The string of a column; null if the item has no such attribute. */
  cell(at: number): CellString | null {
    const before = this.#cells[at]
    if (before !== undefined) return before
    const cell = this.#compute(at)
    this.#cells[at] = cell
    return cell
  }

  #compute(at: number): CellString | null {
    const { view, stored, links } = this.shape
    const value = this.#found.item[stored[at] ?? '']
    const column = view.columns[at]
    if (value === undefined || column === undefined) return null
    const { text, look } = cellText(value)
    const rule = links[at]
    return {
      ...this.#fonts.cell.fit(text, column.width - PADDING_PX),
      look: rule && isLink(this.#found, rule) ? 'is-link' : look,
    }
  }
}

function joinPieces(pieces: readonly ShownPiece[]): string {
  let text = ''
  for (const piece of pieces) text += piece.text
  return text
}

/** What the rows of one entity have in common in a table. */
export interface EntityShape {
  readonly view: TableView
  readonly entity: string | null
  readonly hue: number
  readonly tagLook: string
  /** The names under which the entity stores the columns. */
  readonly stored: readonly string[]
  readonly links: readonly (LinkRule | undefined)[]
}

/** Strings of rows that were shown before, for as long as the table shows the same columns. */
const rowsOfView = new WeakMap<TableView, WeakMap<FoundItem, RowStrings>>()
const shapesOfView = new WeakMap<TableView, Map<string | null, EntityShape>>()

export function rowStrings(found: FoundItem, view: TableView, fonts: Fonts): RowStrings {
  let rows = rowsOfView.get(view)
  if (rows === undefined) {
    rows = new WeakMap()
    rowsOfView.set(view, rows)
  }
  let row = rows.get(found)
  if (row === undefined) {
    row = new RowStrings(found, shapeOf(found.entity, view), fonts)
    rows.set(found, row)
  }
  return row
}

function shapeOf(entity: string | null, view: TableView): EntityShape {
  let shapes = shapesOfView.get(view)
  if (shapes === undefined) {
    shapes = new Map()
    shapesOfView.set(view, shapes)
  }
  let shape = shapes.get(entity)
  if (shape === undefined) {
    const isCopy = entitiesByName.value.get(entity ?? '')?.copyOf
    shape = {
      view,
      entity,
      hue: hueOf(entity),
      tagLook: entity === null ? 'tag tag-unknown' : isCopy ? 'tag is-copy' : 'tag',
      stored: view.columns.map(({ name }) => storedName(entity, name)),
      links: view.columns.map(({ name }) => linkRule(entity, name)),
    }
    shapes.set(entity, shape)
  }
  return shape
}
