import { bytesText, countText } from '../state/format.ts'
import { keyPieces } from '../state/keys.ts'
import { design, entitiesByName } from '../state/studio-state.ts'
import { LineSlot, make, TextPart } from './line-slot.ts'
import type { BandLine } from './lines.ts'
import type { TableView } from './row-strings.ts'

/** The head of a partition. */
export class BandSlot extends LineSlot {
  readonly #fold = new TextPart('button', 'band-fold')
  readonly #facts = new TextPart('span', 'band-facts')
  #line: BandLine | undefined
  #view: TableView | undefined

  constructor() {
    super('band')
    const open = make('button', 'band-key')
    for (const button of [this.#fold.element, open] as HTMLButtonElement[]) {
      button.type = 'button'
      button.tabIndex = -1
    }
    open.append(this.key)
    const cell = make('span', 'band-cell', 'gridcell')
    cell.append(this.#fold.element, open, this.#facts.element)
    this.element.append(cell)
  }

  write(line: BandLine, view: TableView): void {
    if (line === this.#line && view === this.#view) return
    this.#line = line
    this.#view = view
    const { items, isFolded, partition } = line
    const [found] = items
    const entity = entitiesByName.value.get(found?.entity ?? '')
    this.writeKey(found ? keyPieces(found.item, entity, view.index.name, view.index.hash) : [])
    this.#fold.element.ariaExpanded = String(!isFolded)
    this.#fold.element.ariaLabel = `${isFolded ? 'Show' : 'Hide'} the items of ${partition}`
    this.#fold.write(isFolded ? '▸' : '▾', 'band-fold')
    this.#facts.write(factsOf(line), 'band-facts')
  }
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
