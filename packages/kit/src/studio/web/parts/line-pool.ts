import type { FoundItem } from '../../api/contract.ts'
import { BandSlot } from './band-slot.ts'
import type { Line, Lines } from './lines.ts'
import { type ColumnRange, RowSlot } from './row-slot.ts'
import type { Fonts, TableView } from './row-strings.ts'
import { type Measure, TextFit } from './text-fit.ts'

/** What is drawn: some lines and columns, and which of them are marked. */
export interface Drawing {
  readonly view: TableView
  readonly lines: Lines
  readonly first: number
  readonly last: number
  readonly range: ColumnRange
  readonly chosen: number
  /** The column that the keyboard is at; -1 is the whole row. */
  readonly column: number
  readonly isSelected: (found: FoundItem) => boolean
  readonly isInspected: (found: FoundItem) => boolean
}

/** Rows of an entity are kept for it, until there are this many times the rows in sight. */
const SPARE_FACTOR = 2

/**
 * The lines in sight. Elements that leave at one end are used again at the other: a table that
 * scrolls makes no elements, and no component renders.
 */
export class LinePool {
  readonly #body: HTMLElement
  readonly #shown = new Map<number, RowSlot | BandSlot>()
  readonly #spareRows: RowSlot[] = []
  readonly #spareBands: BandSlot[] = []
  #fonts: Fonts | undefined
  #lines: Lines | undefined

  constructor(body: HTMLElement) {
    this.#body = body
    body.addEventListener('pointerover', ({ target }) => {
      const at = this.lineOf(target)
      if (at !== undefined) this.#shown.get(at)?.explain(target as HTMLElement)
    })
  }

  draw(drawing: Drawing): void {
    const { lines, first, last, view, range } = drawing
    this.#fonts ??= this.#readFonts()
    const fonts = this.#fonts
    for (const [at, slot] of this.#shown) {
      const isKept = at >= first && at < last && lines === this.#lines
      if (!isKept) this.#release(at, slot)
    }
    this.#lines = lines
    const rowsMax = (last - first) * SPARE_FACTOR
    for (let at = first; at < last; at++) {
      const line = lines.list[at]
      if (line === undefined) break
      const slot = this.#shown.get(at) ?? this.#take(line, rowsMax)
      this.#shown.set(at, slot)
      const isChosen = at === drawing.chosen
      slot.move(at, lines.tops[at] ?? 0, isChosen)
      if (line.kind === 'item' && slot instanceof RowSlot) {
        slot.write(line, view, range, fonts)
        slot.mark({
          isSelected: drawing.isSelected(line.found),
          isInspected: drawing.isInspected(line.found),
          marked: isChosen ? drawing.column : -1,
        })
      } else if (line.kind === 'band' && slot instanceof BandSlot) slot.write(line, view)
    }
    for (const slot of this.#spareRows) slot.hide()
    for (const slot of this.#spareBands) slot.hide()
  }

  /**
   * At rest the page has the lines in sight and no others, in the order in which assistive software
   * reads them, with their whole strings.
   */
  settle(): void {
    for (const slot of [...this.#spareRows, ...this.#spareBands]) slot.element.remove()
    const ordered = [...this.#shown].sort(([a], [b]) => a - b)
    for (const [at, [, slot]] of ordered.entries()) {
      const now = this.#body.children[at]
      if (now !== slot.element) this.#body.insertBefore(slot.element, now ?? null)
      if (slot instanceof RowSlot) slot.settle()
    }
  }

  /** The line of an element, and what part of the line it is. */
  lineOf(target: EventTarget | null): number | undefined {
    const element = (target as HTMLElement | null)?.closest?.('[role=row]')
    for (const [at, slot] of this.#shown) if (slot.element === element) return at
    return undefined
  }

  /** The column of a cell. */
  columnOf(target: HTMLElement): number {
    const at = this.lineOf(target)
    const slot = at === undefined ? undefined : this.#shown.get(at)
    return slot instanceof RowSlot ? slot.columnOf(target) : -1
  }

  /**
   * Rows of the same entity have the same colours and kinds of cells, so that only strings differ.
   */
  #take(line: Line, rowsMax: number): RowSlot | BandSlot {
    const slot =
      line.kind === 'item'
        ? (this.#takeRow(line.found.entity, rowsMax) ?? new RowSlot())
        : (this.#spareBands.pop() ?? new BandSlot())
    if (!slot.element.isConnected) this.#body.append(slot.element)
    return slot
  }

  #takeRow(entity: string | null, rowsMax: number): RowSlot | undefined {
    const spare = this.#spareRows
    for (let at = spare.length - 1; at >= 0; at--) {
      if (spare[at]?.found?.entity === entity) return spare.splice(at, 1)[0]
    }
    return spare.length + this.#shown.size < rowsMax ? undefined : spare.shift()
  }

  #release(at: number, slot: RowSlot | BandSlot): void {
    this.#shown.delete(at)
    if (slot instanceof RowSlot) this.#spareRows.push(slot)
    else this.#spareBands.push(slot)
  }

  #readFonts(): Fonts {
    const probe = new RowSlot()
    this.#body.append(probe.element)
    const key = probe.key.appendChild(document.createElement('span'))
    key.className = 'key-value'
    const fonts = {
      cell: new TextFit(measureWith(probe.element)),
      key: new TextFit(measureWith(key)),
    }
    probe.element.remove()
    return fonts
  }
}

/** Measures with the font of an element. */
function measureWith(element: Element): Measure {
  const context = document.createElement('canvas').getContext('2d')
  if (context) context.font = getComputedStyle(element).font
  return (text) => context?.measureText(text).width ?? text.length * 8
}
