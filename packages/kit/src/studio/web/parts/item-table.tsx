import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { EntityView, FoundItem, StoredItem } from '../../api/contract.ts'
import { valueText } from '../state/format.ts'
import { joinedKey } from '../state/keys.ts'
import { design, entitiesByName, inspect, inspected, keyOf } from '../state/studio-state.ts'
import { CHOSEN_ID, LinePool, type TableView } from './line-pool.ts'
import { lineAt, linesOf } from './lines.ts'
import { SelectionBar } from './selection-bar.tsx'

/** Lines beyond those in sight, for the frames until the next one is drawn. */
const SPARE_LINES = 4
/** Without a scroll event for so long, the table is at rest. */
const REST_MS = 150
/** More is read when the end is as near as this. */
const MORE_PX = 840
const HEAD_PX = 30
const CHARACTER_PX = 7.3
const COLUMN_PX_MIN = 64
const COLUMN_PX_MAX = 280
/** Rows that decide how wide columns are. */
const MEASURED_ROWS = 200

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
  const body = useRef<HTMLDivElement>(null)
  const pool = useRef<LinePool | null>(null)
  const seen = useRef({ top: 0, height: 600, rest: 0 })
  const chosen = useSignal(-1)
  const selected = useSignal<ReadonlySet<string>>(new Set())
  const lines = useMemo(
    () => linesOf(items, view?.hash ?? [], folded.value),
    [items, view, folded.value],
  )
  const total = lines.tops.at(-1) ?? 0
  const { columns, widths, template, table } = useMemo(() => {
    const columns = columnsOf(items, hidden)
    const widths = [
      sortWidth(items, view?.sort ?? []),
      entityWidth(items),
      ...columns.map((name) => widthOf(name, items)),
    ]
    const table: TableView | undefined = view && { index: view, columns, storedName }
    return { columns, widths, template: widths.map((px) => `${px}px`).join(' '), table }
  }, [items, view, [...(hidden ?? [])].join()])

  /** Writes the lines in sight into the page; scrolling does nothing else. */
  const draw = (): void => {
    const element = scroller.current
    if (element === null || body.current === null || table === undefined) return
    pool.current ??= new LinePool(body.current)
    const { scrollTop: top, clientHeight: height } = element
    const moved = Math.abs(top - seen.current.top)
    const spare = moved > height ? 0 : SPARE_LINES
    seen.current.top = top
    const inspectedId = inspected.value && JSON.stringify(inspected.value)
    pool.current.draw({
      view: table,
      lines,
      first: Math.max(0, lineAt(lines, top) - spare),
      last: Math.min(lines.list.length, lineAt(lines, top + height) + 1 + spare),
      chosen: chosen.value,
      isSelected: (found) => selected.value.size > 0 && selected.value.has(idOf(found)),
      isInspected: (found) => inspectedId !== undefined && idOf(found) === inspectedId,
    })
  }
  const scroll = (): void => {
    draw()
    const element = scroller.current
    if (element === null) return
    // Pinned cells have layers of their own, which cost time in each frame: only where needed.
    element.classList.toggle('is-shifted', element.scrollLeft > 0)
    if (more && element.scrollTop + element.clientHeight > total - MORE_PX) more()
    clearTimeout(seen.current.rest)
    seen.current.rest = setTimeout(() => {
      draw()
      pool.current?.settle()
    }, REST_MS)
  }
  useLayoutEffect(() => {
    draw()
    pool.current?.settle()
  })
  useLayoutEffect(scroll, [items, index])
  useEffect(() => {
    addEventListener('resize', scroll)
    return () => removeEventListener('resize', scroll)
  })
  useEffect(() => () => clearTimeout(seen.current.rest), [])

  const open = (at: number): void => {
    const line = lines.list[at]
    if (line?.kind === 'item') inspect(keyOf(line.found.item))
    if (line?.kind === 'band') fold(line.partition)
  }
  const fold = (partition: string): void => {
    const next = new Set(folded.value)
    if (!next.delete(partition)) next.add(partition)
    folded.value = next
  }
  const move = (by: number): void => {
    const at = Math.max(0, Math.min(lines.list.length - 1, chosen.value + by))
    chosen.value = at
    const element = scroller.current
    if (element === null) return
    const [top = 0, bottom = 0] = [lines.tops[at], lines.tops[at + 1]]
    if (top < element.scrollTop) element.scrollTop = top
    else if (bottom + HEAD_PX > element.scrollTop + element.clientHeight) {
      element.scrollTop = bottom + HEAD_PX - element.clientHeight
    }
  }
  const choose = (at: number): void => {
    const line = lines.list[at]
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
    else if (event.key === 'Home') move(-lines.list.length)
    else if (event.key === 'End') move(lines.list.length)
    else if (event.key === 'Enter' && chosen.value >= 0) open(chosen.value)
    else if (event.key === 'x' && chosen.value >= 0) choose(chosen.value)
    else return
    event.preventDefault()
  }
  /** One listener for all lines. */
  const click = (event: MouseEvent): void => {
    const target = event.target as HTMLElement
    const at = pool.current?.lineOf(target)
    const line = at === undefined ? undefined : lines.list[at]
    if (at === undefined || line === undefined) return
    if (target.matches('.row-check')) choose(at)
    else if (line.kind === 'item') {
      chosen.value = at
      open(at)
    } else if (target.closest('.band-fold')) fold(line.partition)
    else if (target.closest('.band-key') && line.items[0]) onPartition?.(line.items[0])
  }

  return (
    <>
      {chosenItems.length > 0 && (
        <SelectionBar items={chosenItems} clear={() => (selected.value = new Set())} />
      )}
      <div
        ref={scroller}
        class="table"
        role="grid"
        aria-rowcount={lines.list.length + 1}
        aria-label={`Items of ${index}`}
        aria-activedescendant={chosen.value >= 0 ? CHOSEN_ID : undefined}
        tabIndex={0}
        onScroll={scroll}
        onKeyDown={press}
        data-more={isMoreBusy ? 'busy' : undefined}
        style={{ '--columns': template }}
      >
        <div class="table-head" role="row">
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
          ref={body}
          class="table-body"
          style={{ height: `${total}px`, width: `${widths.reduce((sum, px) => sum + px, 0)}px` }}
          role="rowgroup"
          onClick={click}
        />
      </div>
    </>
  )
}

function idOf({ item }: FoundItem): string {
  return JSON.stringify(keyOf(item))
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
