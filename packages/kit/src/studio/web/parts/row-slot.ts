import type { FoundItem } from '../../api/contract.ts'
import { LineSlot, make, TextPart } from './line-slot.ts'
import type { ItemLine } from './lines.ts'
import {
  type CellString,
  type Fonts,
  type RowStrings,
  rowStrings,
  type TableView,
} from './row-strings.ts'
import { cellTitle } from './value-view.tsx'

/** The columns in sight; pinned ones always are. */
export interface ColumnRange {
  readonly first: number
  readonly last: number
}

export interface RowState {
  readonly isSelected: boolean
  readonly isInspected: boolean
  /** The column that the keyboard is at, in this row. */
  readonly marked: number
}

/** The row of an item. It has cells for the columns in sight of which the item has a value. */
export class RowSlot extends LineSlot {
  readonly #fixed = make('div', 'row-fixed')
  readonly #check = make('input', 'row-check') as HTMLInputElement
  readonly #sort = make('span', 'cell table-sort', 'gridcell')
  readonly #entity = make('span', 'cell', 'gridcell')
  readonly #tag = new TextPart('span', 'tag')
  readonly #cells = new Map<number, TextPart>()
  #found: FoundItem | undefined
  #view: TableView | undefined
  #range: ColumnRange = { first: 0, last: 0 }
  #strings: RowStrings | undefined
  #hue = -1
  #isKeyWide = false
  #isInspected = false
  #isSettled = true
  #marked = -1

  constructor() {
    super('row')
    this.#check.type = 'checkbox'
    this.#check.tabIndex = -1
    this.#sort.ariaColIndex = '1'
    this.#sort.append(this.#check, this.key)
    this.#entity.append(this.#tag.element)
    this.#fixed.append(this.#sort)
    this.element.append(this.#fixed, this.#entity)
  }

  get found(): FoundItem | undefined {
    return this.#found
  }

  columnOf(cell: HTMLElement): number {
    for (const [at, { element }] of this.#cells) if (element === cell) return at
    return -1
  }

  write({ found }: ItemLine, view: TableView, range: ColumnRange, fonts: Fonts): void {
    const isMoved = range.first !== this.#range.first || range.last !== this.#range.last
    if (found === this.#found && view === this.#view && !isMoved) return
    if (view !== this.#view) this.#place(view)
    if (isMoved) this.#forget(range, view)
    const isOther = found !== this.#found || this.#strings?.shape.view !== view
    this.#found = found
    if (isOther) this.#writeItem(rowStrings(found, view, fonts))
    this.#writeCells(false)
  }

  mark({ isSelected, isInspected, marked }: RowState): void {
    if (this.#check.checked !== isSelected) this.#check.checked = isSelected
    if (isInspected !== this.#isInspected) {
      this.#isInspected = isInspected
      this.element.classList.toggle('is-inspected', isInspected)
    }
    if (marked === this.#marked) return
    const before = this.#marked
    this.#marked = marked
    for (const at of [before, marked]) {
      if (this.#cells.has(at) || (at === marked && this.#isInSight(at))) {
        this.#writeCell(at, this.#isSettled)
      }
    }
  }

  /** At rest a cell has its whole string, for assistive software and to search in the page. */
  settle(): void {
    if (!this.#isSettled) this.#writeCells(true)
  }

  protected override titleOf(target: HTMLElement): string | undefined {
    const stored = this.#strings?.shape.stored[this.columnOf(target)]
    return stored === undefined ? undefined : cellTitle(this.#found?.item[stored])
  }

  #isInSight(at: number): boolean {
    return (
      (at >= 0 && at < (this.#view?.pinned ?? 0)) ||
      (at >= this.#range.first && at < this.#range.last)
    )
  }

  /** Other columns, or other widths: the cells are made again. */
  #place(view: TableView): void {
    this.#view = view
    for (const { element } of this.#cells.values()) element.remove()
    this.#cells.clear()
    const last = view.columns[view.pinned - 1]
    this.#fixed.style.width = `${last ? last.left + last.width : view.sortWidth}px`
    this.#sort.style.width = `${view.sortWidth}px`
    this.#entity.style.left = `${view.entity.left}px`
    this.#entity.style.width = `${view.entity.width}px`
    this.#entity.ariaColIndex = String(view.pinned + 2)
  }

  /** Cells that go out of sight are taken away: nothing in the page is of another item. */
  #forget(range: ColumnRange, view: TableView): void {
    this.#range = range
    for (const [at, { element }] of this.#cells) {
      if (at < view.pinned || (at >= range.first && at < range.last)) continue
      element.remove()
      this.#cells.delete(at)
    }
  }

  #writeItem(strings: RowStrings): void {
    const { pieces, label, isKeyWide, shape } = strings
    this.#strings = strings
    this.writeKey(pieces)
    this.#check.ariaLabel = label
    if (isKeyWide !== this.#isKeyWide) {
      this.#isKeyWide = isKeyWide
      this.#sort.classList.toggle('is-wide', isKeyWide)
    }
    if (shape.hue !== this.#hue) {
      this.#hue = shape.hue
      this.#sort.style.setProperty('--hue', String(shape.hue))
      this.#tag.element.style.setProperty('--hue', String(shape.hue))
    }
    this.#tag.write(shape.entity ?? this.#found?.kept ?? 'no entity', shape.tagLook)
  }

  #writeCells(isAtRest: boolean): void {
    this.#isSettled = isAtRest
    const { first, last } = this.#range
    const pinned = this.#view?.pinned ?? 0
    for (let at = 0; at < pinned; at++) this.#writeCell(at, isAtRest)
    for (let at = Math.max(first, pinned); at < last; at++) this.#writeCell(at, isAtRest)
  }

  #writeCell(at: number, isAtRest: boolean): void {
    const string = this.#strings?.cell(at) ?? null
    let part = this.#cells.get(at)
    if (part === undefined) {
      if (string === null && at !== this.#marked) return
      part = this.#makeCell(at)
    }
    const text = string === null ? '' : isAtRest ? string.text : string.short
    part.write(text, this.#lookOf(at, string, isAtRest))
  }

  #lookOf(at: number, string: CellString | null, isAtRest: boolean): string {
    let look = 'cell'
    if (string !== null) {
      if (string.look !== '') look += ` ${string.look}`
      // The browser cuts what was not cut before.
      if (string.isWide && (isAtRest || string.short === string.text)) look += ' is-wide'
    }
    if (at < (this.#view?.pinned ?? 0)) look += ' is-pinned'
    if (at === this.#marked) look += ' is-marked'
    return look
  }

  #makeCell(at: number): TextPart {
    const part = new TextPart('span', 'cell', 'gridcell')
    const { columns = [], pinned = 0 } = this.#view ?? {}
    const place = columns[at]
    part.element.style.left = `${place?.left}px`
    part.element.style.width = `${place?.width}px`
    part.element.ariaColIndex = String(at + (at < pinned ? 2 : 3))
    const parent = at < pinned ? this.#fixed : this.element
    // In the order of the columns, in which assistive software reads them.
    let next: Element | null = null
    let nearest = Number.POSITIVE_INFINITY
    for (const [other, { element }] of this.#cells) {
      if (other > at && other < nearest && other < pinned === at < pinned) {
        next = element
        nearest = other
      }
    }
    parent.insertBefore(part.element, next)
    this.#cells.set(at, part)
    return part
  }
}
