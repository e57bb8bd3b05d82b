import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { FoundItem, StoredValue } from '../../api/contract.ts'
import { valueText } from '../state/format.ts'
import { design, inspect, inspected, keyOf } from '../state/studio-state.ts'
import { followCell } from './cell-links.ts'
import {
  arrange,
  COLUMN_PX_MIN,
  columnChoice,
  columnsOf,
  entityWidth,
  setWidth,
  sortWidth,
  storedName,
  togglePinned,
  widthOf,
} from './columns.ts'
import { CHOSEN_ID, LinePool, type TableView } from './line-pool.ts'
import { lineAt, linesOf } from './lines.ts'
import { SelectionBar } from './selection-bar.tsx'
import { TableHead } from './table-head.tsx'

/** Lines beyond those in sight, for the frames until the next one is drawn. */
const SPARE_LINES = 4
/** Without a scroll event for so long, the table is at rest. */
const REST_MS = 150
/** More is read when the end is as near as this. */
const MORE_PX = 840
const HEAD_PX = 30
/** How much a key press changes the width of a column. */
const WIDTH_STEP_PX = 24

export interface ItemTableProps {
  readonly items: readonly FoundItem[]
  readonly index: string
  /** Called when the end comes into sight. */
  readonly more?: (() => void) | undefined
  readonly isMoreBusy?: boolean
  /** Opens a partition by itself. */
  readonly onPartition?: ((found: FoundItem) => void) | undefined
}

/**
 * Items under the head of their partition, in the order in which they came. Only what is in sight
 * is in the page.
 */
export function ItemTable({
  items,
  index,
  more,
  isMoreBusy,
  onPartition,
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
  const choice = columnChoice()
  const all = useMemo(() => columnsOf(items, view), [items, view])
  const natural = useMemo(
    () => ({
      sort: sortWidth(items, view?.sort ?? []),
      entity: entityWidth(items),
      columns: new Map(all.map((name) => [name, widthOf(name, items)])),
    }),
    [all],
  )
  const { columns, widths, template, table, lefts } = useMemo(() => {
    const columns = arrange(all, choice)
    const own = columns.map((name) => choice.widths.get(name) ?? natural.columns.get(name) ?? 0)
    const pinned = columns.filter((name) => choice.pinned.includes(name)).length
    const lefts = own
      .slice(0, pinned)
      .map((_, at) => own.slice(0, at).reduce((sum, px) => sum + px, natural.sort))
    const widths = [natural.sort, natural.entity, ...own]
    const table: TableView | undefined = view && { index: view, columns, storedName, lefts }
    return { columns, widths, table, lefts, template: templateOf(widths) }
  }, [all, natural, JSON.stringify([[...choice.hidden], choice.pinned, [...choice.widths]])])
  const column = useSignal(-1)
  const resize = (at: number, px: number): void => {
    const shown = widths.map((each, place) =>
      place === at + 2 ? Math.max(COLUMN_PX_MIN, px) : each,
    )
    scroller.current?.style.setProperty('--columns', templateOf(shown))
  }

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
      column: column.value,
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
  /** Goes to another column; -1 is the whole row. */
  const moveAcross = (by: number): void => {
    const at = Math.max(-1, Math.min(columns.length - 1, column.value + by))
    column.value = at
    const element = scroller.current
    if (element === null || at < lefts.length) return
    const left = widths.slice(0, at + 2).reduce((sum, px) => sum + px, 0)
    const right = left + (widths[at + 2] ?? 0)
    const fixed = widths.slice(2, 2 + lefts.length).reduce((sum, px) => sum + px, widths[0] ?? 0)
    if (left - fixed < element.scrollLeft) element.scrollLeft = left - fixed
    else if (right > element.scrollLeft + element.clientWidth) {
      element.scrollLeft = right - element.clientWidth
    }
  }
  /** The stored value of a cell. */
  const valueAt = (at: number, place: number): StoredValue | undefined => {
    const line = lines.list[at]
    const name = columns[place]
    if (line?.kind !== 'item' || name === undefined) return undefined
    return line.found.item[storedName(line.found.entity, name)]
  }
  /** Where the value of a cell leads: to the item it names, or to the partition of an index. */
  const follow = (at: number, place: number): boolean => {
    const line = lines.list[at]
    const name = columns[place]
    const isLink = line?.kind === 'item' && name !== undefined && followCell(line.found, name)
    return isLink === true
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
    if (event.target !== event.currentTarget) return
    const value = valueAt(chosen.value, column.value)
    const name = columns[column.value]
    if (event.metaKey || event.ctrlKey) {
      if (event.key === 'c' && value && getSelection()?.isCollapsed !== false) {
        void navigator.clipboard.writeText(JSON.stringify(value))
        event.preventDefault()
      }
      return
    }
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
    else if (event.shiftKey && /^Arrow(Left|Right)$/.test(event.key) && name !== undefined) {
      const step = event.key === 'ArrowLeft' ? -WIDTH_STEP_PX : WIDTH_STEP_PX
      setWidth(name, (widths[column.value + 2] ?? 0) + step)
    } else if (event.key === 'ArrowLeft') moveAcross(-1)
    else if (event.key === 'ArrowRight') moveAcross(1)
    else if (event.key === 'p' && name !== undefined) {
      togglePinned(name)
      column.value = arrange(all, columnChoice()).indexOf(name)
    } else if (event.key === 'c' && value) void navigator.clipboard.writeText(valueText(value))
    else if (event.key === 'Enter' && chosen.value >= 0) {
      if (!follow(chosen.value, column.value)) open(chosen.value)
    } else if (event.key === 'x' && chosen.value >= 0) choose(chosen.value)
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
    else if (target.matches('.is-link') && follow(at, pool.current?.columnOf(target) ?? -1)) return
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
        <TableHead
          sort={view?.sort.join(' · ') || view?.hash.join(' · ') || ''}
          columns={columns}
          pinned={lefts.length}
          lefts={lefts}
          chosen={column.value}
          resize={resize}
        />
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

function templateOf(widths: readonly number[]): string {
  return widths.map((px) => `${px}px`).join(' ')
}
