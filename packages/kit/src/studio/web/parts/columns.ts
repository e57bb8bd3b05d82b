import type { EntityView, FoundItem, IndexView, StoredItem } from '../../api/contract.ts'
import { valueText } from '../state/format.ts'
import { joinedKey } from '../state/keys.ts'
import { change, route } from '../state/route.ts'
import { design } from '../state/studio-state.ts'
import type { TableView } from './row-strings.ts'
import { storedName } from './stored-name.ts'

const CHARACTER_PX = 7.3
export const COLUMN_PX_MIN = 48
const COLUMN_PX_START_MIN = 64
const COLUMN_PX_START_MAX = 280
const COLUMN_PX_MAX = 1200
/** Rows that decide which columns come first, and how wide they are. */
const MEASURED_ROWS = 200

/** How somebody wants the columns; it is part of the address. */
export interface ColumnChoice {
  readonly hidden: ReadonlySet<string>
  /** In their order, next to the sort key. */
  readonly pinned: readonly string[]
  readonly widths: ReadonlyMap<string, number>
}

export function columnChoice(): ColumnChoice {
  const { parameters } = route.value
  const pinned = read(parameters.get('pin'), Array.isArray, [] as readonly string[])
  // Attributes can have any name, so that an object would not do.
  const widths = read(parameters.get('width'), Array.isArray, [] as readonly [string, number][])
  const hidden = (parameters.get('hide') ?? '').split(',').filter(Boolean)
  return { hidden: new Set(hidden), pinned, widths: new Map(widths) }
}

function read<TValue>(
  text: string | undefined,
  is: (value: unknown) => boolean,
  otherwise: TValue,
): TValue {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return is(value) ? (value as TValue) : otherwise
  } catch {
    return otherwise
  }
}

export function toggleHidden(name: string): void {
  const next = new Set(columnChoice().hidden)
  if (!next.delete(name)) next.add(name)
  change({ hide: [...next].join(',') }, false)
}

export function togglePinned(name: string): void {
  const { pinned } = columnChoice()
  const next = pinned.includes(name) ? pinned.filter((each) => each !== name) : [...pinned, name]
  change({ pin: next.length === 0 ? undefined : JSON.stringify(next) }, false)
}

export function setWidth(name: string, px: number): void {
  const width = Math.round(Math.max(COLUMN_PX_MIN, Math.min(COLUMN_PX_MAX, px)))
  const widths = new Map(columnChoice().widths).set(name, width)
  change({ width: JSON.stringify([...widths]) }, false)
}

/**
 * All attributes of the items shown but the keys of this index: what most items have comes first,
 * otherwise the order of the schema; then keys of other indexes, and what no item has.
 */
export function columnsOf(items: readonly FoundItem[], index: IndexView | undefined): string[] {
  const shown = new Set(items.map(({ entity }) => entity))
  const entities: readonly EntityView[] = design.value?.entities ?? []
  const own = new Set([...(index?.hash ?? []), ...(index?.sort ?? []), design.value?.typeField])
  const known = new Set<string>()
  for (const { name, attributes } of entities) {
    if (shown.has(name)) for (const attribute of attributes) known.add(attribute.name)
  }
  const stored = new Set(
    entities.flatMap(({ attributes }) => attributes.map((attribute) => attribute.stored)),
  )
  for (const { item } of items) {
    for (const name of Object.keys(item)) if (!own.has(name) && !stored.has(name)) known.add(name)
  }
  const keys = new Set(design.value?.indexes.flatMap(({ hash, sort }) => [...hash, ...sort]))
  const measured = items.slice(0, MEASURED_ROWS)
  const weight = new Map(
    [...known].map((name) => {
      const count = measured.filter(({ item, entity }) => item[storedName(entity, name)]).length
      const isKey = keys.has(name) && !stored.has(name)
      return [name, count === 0 ? -1 : isKey ? 0 : count]
    }),
  )
  return [...known].sort((one, other) => (weight.get(other) ?? 0) - (weight.get(one) ?? 0))
}

/**
 * Columns in the order of the page: those that are pinned, then the others; hidden ones are left
 * out.
 */
export function arrange(columns: readonly string[], { hidden, pinned }: ColumnChoice): string[] {
  const shown = columns.filter((name) => !hidden.has(name))
  const first = pinned.filter((name) => shown.includes(name))
  return [...first, ...shown.filter((name) => !first.includes(name))]
}

/** Where each column is: the sort key, what is pinned, the entity, then all others. */
export function placeColumns({
  index,
  columns,
  own,
  pinned,
  sort,
  entity,
}: {
  readonly index: IndexView
  readonly columns: readonly string[]
  /** The width of each of them. */
  readonly own: readonly number[]
  /** How many of them are pinned; these come first. */
  readonly pinned: number
  readonly sort: number
  readonly entity: number
}): TableView {
  let left = sort
  let entityLeft = left
  const places = columns.map((name, at) => {
    if (at === pinned) {
      entityLeft = left
      left += entity
    }
    const place = { name, left, width: own[at] ?? 0 }
    left += place.width
    return place
  })
  if (pinned >= columns.length) {
    entityLeft = left
    left += entity
  }
  return {
    index,
    sortWidth: sort,
    entity: { left: entityLeft, width: entity },
    columns: places,
    pinned,
    width: left,
  }
}

/** The columns between two places, pinned ones left out. */
export function rangeOf(
  { columns, pinned }: TableView,
  from: number,
  to: number,
): { readonly first: number; readonly last: number } {
  let first = pinned
  while (first < columns.length && endOf(columns[first]) <= from) first++
  let last = first
  while (last < columns.length && (columns[last]?.left ?? 0) < to) last++
  return { first, last }
}

function endOf(place: TableView['columns'][number] | undefined): number {
  return place ? place.left + place.width : 0
}

export function widthOf(name: string, items: readonly FoundItem[]): number {
  const longest = items.slice(0, MEASURED_ROWS).reduce((max, { item, entity }) => {
    const value = item[storedName(entity, name)]
    const isDate = value?.S !== undefined && /^\d{4}-\d\d-\d\dT/.test(value.S)
    return Math.max(max, value === undefined ? 0 : isDate ? 10 : valueText(value).length)
  }, name.length)
  const px = longest * CHARACTER_PX + 20
  return Math.round(Math.max(COLUMN_PX_START_MIN, Math.min(COLUMN_PX_START_MAX, px)))
}

export function entityWidth(items: readonly FoundItem[]): number {
  const longest = items.reduce((max, { entity }) => Math.max(max, entity?.length ?? 9), 6)
  return Math.round(Math.min(COLUMN_PX_START_MAX, longest * 8.2 + 32))
}

export function sortWidth(items: readonly FoundItem[], sort: readonly string[]): number {
  const longest = items
    .slice(0, MEASURED_ROWS)
    .reduce((max, { item }) => Math.max(max, joinedKey(item as StoredItem, sort).length), 12)
  return Math.round(Math.min(420, longest * 7.6 + 48))
}
