import type { FoundItem, IndexView } from '../../api/contract.ts'
import { bytesText, countText } from '../state/format.ts'
import { joinedKey, keyPieces, type ShownPiece } from '../state/keys.ts'
import { design, entitiesByName, hueOf } from '../state/studio-state.ts'
import { isCellLink } from './cell-links.ts'
import type { BandLine, ItemLine, Line, Lines } from './lines.ts'
import { type CellText, cellText, cellTitle } from './value-view.tsx'

/** What the lines of a table show. Another object means that all of them are written again. */
export interface TableView {
  readonly index: IndexView
  readonly columns: readonly string[]
  /** The name under which an entity stores a column. */
  readonly storedName: (entity: string | null, column: string) => string
  /** Where each pinned column is; these come first. */
  readonly lefts: readonly number[]
}

/** What is drawn: some lines, and which of them are marked. */
export interface Drawing {
  readonly view: TableView
  readonly lines: Lines
  readonly first: number
  readonly last: number
  readonly chosen: number
  /** The column that the keyboard is at; -1 is the whole row. */
  readonly column: number
  readonly isSelected: (found: FoundItem) => boolean
  readonly isInspected: (found: FoundItem) => boolean
}

const OUT_OF_SIGHT_PX = -1000
/** The id of the line that the keyboard is at. */
export const CHOSEN_ID = 'chosen-line'

/**
 * The lines in sight. Elements that leave at one end are used again at the other, and only what
 * differs is written into them: a table that scrolls makes no elements and no component renders.
 * Markup is never parsed, so that items can contain any text.
 */
export class LinePool {
  readonly #body: HTMLElement
  readonly #shown = new Map<number, RowSlot | BandSlot>()
  readonly #spare = { item: [] as RowSlot[], band: [] as BandSlot[] }
  #lines: Lines | undefined

  constructor(body: HTMLElement) {
    this.#body = body
    body.addEventListener('pointerover', ({ target }) => this.#explain(target as HTMLElement))
  }

  draw(drawing: Drawing): void {
    const { lines, first, last } = drawing
    for (const [at, slot] of this.#shown) {
      const isKept = at >= first && at < last && lines === this.#lines
      if (!isKept) this.#release(at, slot)
    }
    this.#lines = lines
    for (let at = first; at < last; at++) {
      const line = lines.list[at]
      if (line === undefined) break
      const slot = this.#shown.get(at) ?? this.#take(line)
      this.#shown.set(at, slot)
      slot.move(at, lines.tops[at] ?? 0, at === drawing.chosen)
      if (line.kind === 'item') (slot as RowSlot).write(line, drawing, at === drawing.chosen)
      else (slot as BandSlot).write(line, drawing)
    }
    for (const slot of [...this.#spare.item, ...this.#spare.band]) slot.hide()
  }

  /** Puts the elements into the order of the lines, in which assistive software reads them. */
  settle(): void {
    for (const slot of [...this.#spare.item, ...this.#spare.band]) slot.element.remove()
    const ordered = [...this.#shown].sort(([a], [b]) => a - b)
    for (const [at, [, { element }]] of ordered.entries()) {
      const now = this.#body.children[at]
      if (now !== element) this.#body.insertBefore(element, now ?? null)
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
  #take(line: Line): RowSlot | BandSlot {
    const { item: rows, band: bands } = this.#spare
    let slot: RowSlot | BandSlot | undefined
    if (line.kind === 'item') {
      const same = rows.findIndex(({ entity }) => entity === line.found.entity)
      slot = rows.splice(Math.max(0, same), 1)[0] ?? new RowSlot()
    } else slot = bands.shift() ?? new BandSlot()
    if (!slot.element.isConnected) this.#body.append(slot.element)
    return slot
  }

  #release(at: number, slot: RowSlot | BandSlot): void {
    this.#shown.delete(at)
    if (slot instanceof RowSlot) this.#spare.item.push(slot)
    else this.#spare.band.push(slot)
  }

  /** Titles are written when somebody points at a cell: nobody reads thousands of them. */
  #explain(target: HTMLElement): void {
    const at = this.lineOf(target)
    if (at !== undefined) this.#shown.get(at)?.explain(target)
  }
}

abstract class Slot {
  readonly element: HTMLElement
  readonly key: HTMLElement = make('span', 'key')
  #pieces: readonly ShownPiece[] = []
  #top: number | undefined
  #isChosen = false
  #explained: HTMLElement | undefined

  constructor(name: string) {
    this.element = make('div', name, 'row')
  }

  move(at: number, top: number, isChosen: boolean): void {
    if (top !== this.#top) {
      this.element.style.transform = `translateY(${top}px)`
      this.element.ariaRowIndex = String(at + 2)
      this.#top = top
    }
    if (isChosen === this.#isChosen) return
    this.#isChosen = isChosen
    this.element.classList.toggle('is-chosen', isChosen)
    if (isChosen) this.element.id = CHOSEN_ID
    else this.element.removeAttribute('id')
  }

  /** Out of sight: to hide it would compute the style of all that is in it. */
  hide(): void {
    if (this.#top !== OUT_OF_SIGHT_PX) this.move(0, OUT_OF_SIGHT_PX, false)
  }

  explain(target: HTMLElement): void {
    const piece = this.#pieces[[...this.key.children].indexOf(target)]
    const title = piece?.title ?? this.titleOf(target)
    if (title === undefined) return
    target.title = title
    this.#explained = target
  }

  protected titleOf(_target: HTMLElement): string | undefined {
    return undefined
  }

  protected writeKey(pieces: readonly ShownPiece[]): void {
    this.#explained?.removeAttribute('title')
    this.#explained = undefined
    const { children } = this.key
    for (const [at, { text, look }] of pieces.entries()) {
      const element = children[at] ?? this.key.appendChild(make('span', ''))
      if (element.className !== look) element.className = look
      setText(element, text)
    }
    while (children.length > pieces.length) this.key.lastChild?.remove()
    this.#pieces = pieces
  }
}

/** An item. */
class RowSlot extends Slot {
  readonly #check = make('input', 'row-check') as HTMLInputElement
  readonly #sort = make('span', 'cell table-sort', 'gridcell')
  readonly #tag = make('span', 'tag')
  readonly #cells: HTMLElement[] = []
  #found: FoundItem | undefined
  #view: TableView | undefined
  #hue = -1
  #isInspected = false
  #marked: HTMLElement | undefined

  columnOf(cell: HTMLElement): number {
    return this.#cells.indexOf(cell)
  }

  get entity(): string | null | undefined {
    return this.#found?.entity
  }

  constructor() {
    super('row')
    this.#check.type = 'checkbox'
    this.#check.tabIndex = -1
    this.#sort.append(this.#check, this.key)
    const entity = make('span', 'cell', 'gridcell')
    entity.append(this.#tag)
    this.element.append(this.#sort, entity)
  }

  write(
    { found }: ItemLine,
    { view, column, isSelected, isInspected }: Drawing,
    isChosen: boolean,
  ): void {
    if (found !== this.#found || view !== this.#view) this.#fill(found, view)
    const marked = isChosen ? this.#cells[column] : undefined
    if (marked !== this.#marked) {
      this.#marked?.classList.remove('is-marked')
      marked?.classList.add('is-marked')
      this.#marked = marked
    }
    const isChecked = isSelected(found)
    if (this.#check.checked !== isChecked) this.#check.checked = isChecked
    if (isInspected(found) !== this.#isInspected) {
      this.#isInspected = !this.#isInspected
      this.element.classList.toggle('is-inspected', this.#isInspected)
    }
  }

  #fill(found: FoundItem, view: TableView): void {
    this.#found = found
    this.#view = view
    const { pieces, label, cells } = stringsOf(found, view)
    this.#marked = undefined
    this.writeKey(pieces)
    this.#check.ariaLabel = label
    const hue = hueOf(found.entity)
    if (hue !== this.#hue) {
      this.#sort.style.setProperty('--hue', String(hue))
      this.#tag.style.setProperty('--hue', String(hue))
      this.#hue = hue
    }
    const isCopy = entitiesByName.value.get(found.entity ?? '')?.copyOf
    const look = found.entity === null ? 'tag tag-unknown' : isCopy ? 'tag is-copy' : 'tag'
    if (this.#tag.className !== look) this.#tag.className = look
    setText(this.#tag, found.entity ?? found.kept ?? 'no entity')
    while (this.#cells.length > cells.length) this.#cells.pop()?.remove()
    for (const [at, { text, look: kind }] of cells.entries()) {
      let cell = this.#cells[at]
      if (cell === undefined) {
        cell = make('span', 'cell', 'gridcell')
        this.#cells.push(cell)
        this.element.append(cell)
      }
      const left = view.lefts[at]
      const className = `cell${kind && ` ${kind}`}${left === undefined ? '' : ' is-pinned'}`
      if (cell.className !== className) cell.className = className
      const place = left === undefined ? '' : `${left}px`
      if (cell.style.left !== place) cell.style.left = place
      setText(cell, text)
    }
  }

  protected override titleOf(target: HTMLElement): string | undefined {
    const column = this.#view?.columns[this.#cells.indexOf(target)]
    if (column === undefined || !this.#found || !this.#view) return undefined
    return cellTitle(this.#found.item[this.#view.storedName(this.#found.entity, column)])
  }
}

/** The head of a partition. */
class BandSlot extends Slot {
  readonly #fold = make('button', 'band-fold') as HTMLButtonElement
  readonly #facts = make('span', 'band-facts')
  #line: BandLine | undefined
  #view: TableView | undefined

  constructor() {
    super('band')
    const open = make('button', 'band-key') as HTMLButtonElement
    for (const button of [this.#fold, open]) {
      button.type = 'button'
      button.tabIndex = -1
    }
    open.append(this.key)
    const cell = make('span', 'band-cell', 'gridcell')
    cell.append(this.#fold, open, this.#facts)
    this.element.append(cell)
  }

  write(line: BandLine, { view }: Drawing): void {
    if (line === this.#line && view === this.#view) return
    this.#line = line
    this.#view = view
    const { items, isFolded, partition } = line
    const [found] = items
    const entity = entitiesByName.value.get(found?.entity ?? '')
    this.writeKey(found ? keyPieces(found.item, entity, view.index.name, view.index.hash) : [])
    this.#fold.ariaExpanded = String(!isFolded)
    this.#fold.ariaLabel = `${isFolded ? 'Show' : 'Hide'} the items of ${partition}`
    setText(this.#fold, isFolded ? '▸' : '▾')
    setText(this.#facts, factsOf(line))
  }
}

interface RowStrings {
  readonly pieces: readonly ShownPiece[]
  readonly label: string
  readonly cells: readonly CellText[]
}

/** Strings of rows that were shown before, for as long as the table shows the same columns. */
const known = new WeakMap<TableView, WeakMap<FoundItem, RowStrings>>()

function stringsOf(found: FoundItem, view: TableView): RowStrings {
  let rows = known.get(view)
  if (rows === undefined) {
    rows = new WeakMap()
    known.set(view, rows)
  }
  const before = rows.get(found)
  if (before) return before
  const { item, entity } = found
  const { name, hash, sort } = view.index
  const names = sort.length > 0 ? sort : hash
  const strings: RowStrings = {
    pieces: keyPieces(item, entitiesByName.value.get(entity ?? ''), name, names),
    label: `Select ${joinedKey(item, names)}`,
    cells: view.columns.map((column) => {
      const cell = cellText(item[view.storedName(entity, column)])
      return cell.text !== '' && isCellLink(found, column) ? { ...cell, look: 'is-link' } : cell
    }),
  }
  rows.set(found, strings)
  return strings
}

const ITEM_BYTES_MAX = 400 * 1024
/** With a local index, the items of a partition key have this much room. */
const COLLECTION_BYTES_MAX = 10 * 1024 ** 3

function shareText(bytes: number, max: number): string {
  const percent = (bytes / max) * 100
  return percent < 0.1 ? '< 0.1%' : `${Number(percent.toPrecision(2))}%`
}

const facts = new WeakMap<BandLine, string>()

function factsOf(line: BandLine): string {
  const before = facts.get(line)
  if (before !== undefined) return before
  const { items } = line
  const bytes = items.reduce((sum, each) => sum + each.bytes, 0)
  const largest = items.reduce((max, each) => Math.max(max, each.bytes), 0)
  const isBounded = design.value?.indexes.some(({ type }) => type === 'local')
  const text = [
    countText(items.length, 'item'),
    isBounded
      ? `${bytesText(bytes)}, ${shareText(bytes, COLLECTION_BYTES_MAX)} of 10 GB`
      : bytesText(bytes),
    ...(largest > ITEM_BYTES_MAX / 10
      ? [`largest item ${shareText(largest, ITEM_BYTES_MAX)} of 400 KB`]
      : []),
    [...new Set(items.map(({ entity, kept }) => entity ?? kept ?? 'no entity'))].join(', '),
  ].join(' · ')
  facts.set(line, text)
  return text
}

/** An empty text is not laid out, so that to fill it takes much longer than to change it. */
const BLANK = '\u00a0'

/** Text nodes alone, written only if they differ. */
function setText(element: Element, text: string): void {
  const node = element.firstChild as Text | null
  if (node === null) element.append(text || BLANK)
  else if (node.data !== (text || BLANK)) node.data = text || BLANK
}

function make(name: string, className: string, role?: string): HTMLElement {
  const element = document.createElement(name)
  element.className = className
  if (role !== undefined) element.role = role
  return element
}
