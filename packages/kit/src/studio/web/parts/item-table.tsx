import { useComputed, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { EntityView, FoundItem, StoredItem } from '../../api/contract.ts'
import { bytesText, countText, valueText } from '../state/format.ts'
import { joinedKey } from '../state/keys.ts'
import { design, entitiesByName, hueOf, inspect, inspected, keyOf } from '../state/studio-state.ts'
import { EntityTag } from './basics.tsx'
import { KeyView } from './key-view.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { ValueCell } from './value-view.tsx'

const ROW_PX = 28
const BAND_PX = 36
const SPARE_ROWS = 12
const CHARACTER_PX = 7.3
const COLUMN_PX_MIN = 64
const COLUMN_PX_MAX = 280
/** Rows that decide how wide columns are. */
const MEASURED_ROWS = 200

/** A line of the table: the head of a partition, or an item of it. */
type Line =
  | {
      readonly kind: 'band'
      readonly partition: string
      readonly items: readonly FoundItem[]
      readonly isFolded: boolean
    }
  | { readonly kind: 'item'; readonly found: FoundItem; readonly partition: string }

export interface ItemTableProps {
  readonly items: readonly FoundItem[]
  readonly index: string
  /** Called when the end comes into sight. */
  readonly more?: (() => void) | undefined
  readonly isMoreBusy?: boolean
  /** Opens a partition by itself. */
  readonly onPartition?: ((found: FoundItem) => void) | undefined
  readonly hidden?: ReadonlySet<string> | undefined
}

/** Items under the head of their partition, in the order in which they came. Only what is in sight is in the page. */
export function ItemTable({
  items,
  index,
  more,
  isMoreBusy,
  onPartition,
  hidden,
}: ItemTableProps): JSX.Element {
  const view = design.value?.indexes.find(({ name }) => name === index)
  const folded = useSignal<ReadonlySet<string>>(new Set())
  const scroller = useRef<HTMLDivElement>(null)
  const seen = useSignal({ top: 0, height: 600 })
  const chosen = useSignal(-1)
  // Scrolling renders again: what depends on all items is computed only when they are others.
  const { lines, tops, total } = useMemo(() => {
    const lines = linesOf(items, view?.hash ?? [], folded.value)
    const tops = topsOf(lines)
    return { lines, tops, total: (tops.at(-1) ?? 0) + heightOf(lines.at(-1)) }
  }, [items, view, folded.value])
  const { columns, widths, template } = useMemo(() => {
    const columns = columnsOf(items, hidden)
    const widths = [
      sortWidth(items, view?.sort ?? []),
      entityWidth(items),
      ...columns.map((name) => widthOf(name, items)),
    ]
    return { columns, widths, template: widths.map((px) => `${px}px`).join(' ') }
  }, [items, view, [...(hidden ?? [])].join()])

  const look = (): void => {
    const element = scroller.current
    if (element === null) return
    seen.value = { top: element.scrollTop, height: element.clientHeight }
    if (more && element.scrollTop + element.clientHeight > total - 30 * ROW_PX) more()
  }
  useLayoutEffect(look, [items, index])
  useEffect(() => {
    addEventListener('resize', look)
    return () => removeEventListener('resize', look)
  })

  const first = Math.max(0, lineAt(tops, seen.value.top) - SPARE_ROWS)
  const last = Math.min(lines.length, lineAt(tops, seen.value.top + seen.value.height) + SPARE_ROWS)
  const open = (at: number): void => {
    const line = lines[at]
    if (line?.kind === 'item') inspect(keyOf(line.found.item))
    if (line?.kind === 'band') fold(line.partition)
  }
  const fold = (partition: string): void => {
    const next = new Set(folded.value)
    if (!next.delete(partition)) next.add(partition)
    folded.value = next
  }
  const move = (by: number): void => {
    const at = Math.max(0, Math.min(lines.length - 1, chosen.value + by))
    chosen.value = at
    const element = scroller.current
    const top = tops[at] ?? 0
    if (element === null) return
    const head = 30
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + ROW_PX + head > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + ROW_PX + head - element.clientHeight
    }
  }
  const selected = useSignal<ReadonlySet<string>>(new Set())
  const choose = (at: number): void => {
    const line = lines[at]
    if (line === undefined) return
    const keys = (line.kind === 'item' ? [line.found] : line.items).map(idOf)
    const next = new Set(selected.value)
    const isAll = keys.every((key) => next.has(key))
    for (const key of keys) {
      if (isAll) next.delete(key)
      else next.add(key)
    }
    selected.value = next
  }
  const chosenItems =
    selected.value.size === 0 ? [] : items.filter((each) => selected.value.has(idOf(each)))
  const press = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey) return
    const steps: Record<string, number> = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      PageDown: 20,
      PageUp: -20,
    }
    const by = steps[event.key]
    if (by !== undefined) move(by)
    else if (event.key === 'Home') move(-lines.length)
    else if (event.key === 'End') move(lines.length)
    else if (event.key === 'Enter' && chosen.value >= 0) open(chosen.value)
    else if (event.key === 'x' && chosen.value >= 0) choose(chosen.value)
    else return
    event.preventDefault()
  }
  const inspectedText = useComputed(() => inspected.value && JSON.stringify(inspected.value))

  return (
    <>
      {chosenItems.length > 0 && (
        <SelectionBar items={chosenItems} clear={() => (selected.value = new Set())} />
      )}
      <div
        ref={scroller}
        class="table"
        role="grid"
        aria-rowcount={lines.length}
        aria-label={`Items of ${index}`}
        aria-activedescendant={chosen.value >= 0 ? `line-${chosen.value}` : undefined}
        tabIndex={0}
        onScroll={look}
        onKeyDown={press}
        data-more={isMoreBusy ? 'busy' : undefined}
      >
        <div class="table-head" role="row" style={{ gridTemplateColumns: template }}>
          <span role="columnheader" class="table-sort">
            {view?.sort.join(' · ') || view?.hash.join(' · ')}
          </span>
          <span role="columnheader">entity</span>
          {columns.map((name) => (
            <span key={name} role="columnheader" title={name}>
              {name}
            </span>
          ))}
        </div>
        <div
          class="table-body"
          style={{ height: `${total}px`, width: `${widths.reduce((sum, px) => sum + px, 0)}px` }}
          role="rowgroup"
        >
          {lines.slice(first, last).map((line, offset) => {
            const at = first + offset
            const top = tops[at] ?? 0
            if (line.kind === 'band') {
              const [found] = line.items
              return (
                <div
                  key={`band ${line.partition}`}
                  id={`line-${at}`}
                  class={`band${at === chosen.value ? ' is-chosen' : ''}`}
                  role="row"
                  style={{ transform: `translateY(${top}px)` }}
                >
                  <span role="gridcell" class="band-cell">
                    <button
                      type="button"
                      tabIndex={-1}
                      class="band-fold"
                      aria-expanded={!line.isFolded}
                      aria-label={`${line.isFolded ? 'Show' : 'Hide'} the items of ${line.partition}`}
                      onClick={() => fold(line.partition)}
                    >
                      {line.isFolded ? '▸' : '▾'}
                    </button>
                    <button
                      type="button"
                      tabIndex={-1}
                      class="band-key"
                      onClick={() => found && onPartition?.(found)}
                    >
                      {found && (
                        <KeyView
                          item={found.item}
                          entity={found.entity}
                          index={index}
                          names={view?.hash ?? []}
                        />
                      )}
                    </button>
                    <span class="band-facts">
                      {countText(line.items.length, 'item')} ·{' '}
                      {bytesText(line.items.reduce((sum, { bytes }) => sum + bytes, 0))} ·{' '}
                      {[
                        ...new Set(
                          line.items.map(({ entity, kept }) => entity ?? kept ?? 'no entity'),
                        ),
                      ].join(', ')}
                    </span>
                  </span>
                </div>
              )
            }
            const { found } = line
            const isInspected = inspectedText.value === JSON.stringify(keyOf(found.item))
            return (
              <div
                key={`item ${joinedKey(keyOf(found.item), Object.keys(keyOf(found.item)))}`}
                id={`line-${at}`}
                class={`row${at === chosen.value ? ' is-chosen' : ''}${isInspected ? ' is-inspected' : ''}`}
                role="row"
                style={{
                  transform: `translateY(${top}px)`,
                  gridTemplateColumns: template,
                  '--hue': hueOf(found.entity),
                }}
                onClick={() => {
                  chosen.value = at
                  open(at)
                }}
              >
                <span role="gridcell" class="cell table-sort">
                  <input
                    type="checkbox"
                    tabIndex={-1}
                    class="row-check"
                    aria-label={`Select ${joinedKey(found.item, view?.sort.length ? view.sort : (view?.hash ?? []))}`}
                    checked={selected.value.has(idOf(found))}
                    onClick={(event) => event.stopPropagation()}
                    onChange={() => choose(at)}
                  />
                  <KeyView
                    item={found.item}
                    entity={found.entity}
                    index={index}
                    names={view?.sort.length ? view.sort : (view?.hash ?? [])}
                  />
                </span>
                <span role="gridcell" class="cell">
                  <EntityTag name={found.entity} kept={found.kept} />
                </span>
                {columns.map((name) => (
                  <span key={name} role="gridcell" class="cell">
                    <ValueCell value={found.item[storedName(found.entity, name)]} />
                  </span>
                ))}
              </div>
            )
          })}
        </div>
      </div>
    </>
  )
}

function idOf({ item }: FoundItem): string {
  return JSON.stringify(keyOf(item))
}

function linesOf(
  items: readonly FoundItem[],
  hash: readonly string[],
  folded: ReadonlySet<string>,
): readonly Line[] {
  const bands = new Map<string, FoundItem[]>()
  for (const found of items) {
    const partition = joinedKey(found.item, hash)
    const band = bands.get(partition)
    if (band) band.push(found)
    else bands.set(partition, [found])
  }
  return [...bands].flatMap(([partition, members]): Line[] => {
    const isFolded = folded.has(partition)
    const band: Line = { kind: 'band', partition, items: members, isFolded }
    return isFolded
      ? [band]
      : [band, ...members.map((found): Line => ({ kind: 'item', found, partition }))]
  })
}

function heightOf(line: Line | undefined): number {
  return line === undefined ? 0 : line.kind === 'band' ? BAND_PX : ROW_PX
}

function topsOf(lines: readonly Line[]): readonly number[] {
  let top = 0
  return lines.map((line) => {
    const at = top
    top += heightOf(line)
    return at
  })
}

/** The line at a height, found by halving. */
function lineAt(tops: readonly number[], height: number): number {
  let [low, high] = [0, tops.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((tops[middle] ?? 0) <= height) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

/** All attributes of the items shown, those of the schema first and in its order. */
export function columnsOf(
  items: readonly FoundItem[],
  hidden?: ReadonlySet<string>,
): readonly string[] {
  const keys = new Set(design.value?.indexes.flatMap(({ hash, sort }) => [...hash, ...sort]))
  const typeField = design.value?.typeField
  const known = new Set<string>()
  const shown = new Set(items.map(({ entity }) => entity))
  const entities: readonly EntityView[] = design.value?.entities ?? []
  for (const { name, attributes } of entities) {
    if (shown.has(name)) for (const attribute of attributes) known.add(attribute.name)
  }
  const stored = new Set(
    entities.flatMap(({ attributes }) => attributes.map((attribute) => attribute.stored)),
  )
  for (const { item } of items) {
    for (const name of Object.keys(item)) {
      if (!keys.has(name) && name !== typeField && !stored.has(name)) known.add(name)
    }
  }
  return [...known].filter((name) => !hidden?.has(name))
}

function storedName(entity: string | null, name: string): string {
  const attributes = entitiesByName.value.get(entity ?? '')?.attributes
  return attributes?.find((each) => each.name === name)?.stored ?? name
}

function widthOf(name: string, items: readonly FoundItem[]): number {
  const longest = items.slice(0, MEASURED_ROWS).reduce((max, { item, entity }) => {
    const value = item[storedName(entity, name)]
    const isDate = value?.S !== undefined && /^\d{4}-\d\d-\d\dT/.test(value.S)
    return Math.max(max, value === undefined ? 0 : isDate ? 10 : valueText(value).length)
  }, name.length)
  return Math.round(Math.max(COLUMN_PX_MIN, Math.min(COLUMN_PX_MAX, longest * CHARACTER_PX + 20)))
}

function entityWidth(items: readonly FoundItem[]): number {
  const longest = items.reduce((max, { entity }) => Math.max(max, entity?.length ?? 9), 6)
  return Math.round(Math.min(COLUMN_PX_MAX, longest * 7.6 + 32))
}

function sortWidth(items: readonly FoundItem[], sort: readonly string[]): number {
  const longest = items
    .slice(0, MEASURED_ROWS)
    .reduce((max, { item }) => Math.max(max, joinedKey(item as StoredItem, sort).length), 12)
  return Math.round(Math.min(420, longest * 7.6 + 48))
}
