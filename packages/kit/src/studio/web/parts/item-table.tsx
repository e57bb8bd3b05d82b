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
  placeColumns,
  rangeOf,
  setWidth,
  sortWidth,
  togglePinned,
  widthOf,
} from './columns.ts'
import { LinePool } from './line-pool.ts'
import { CHOSEN_ID } from './line-slot.ts'
import { lineAt, linesOf } from './lines.ts'
import type { TableView } from './row-strings.ts'
import { SelectionBar } from './selection-bar.tsx'
import { storedName } from './stored-name.ts'
import { TableHead } from './table-head.tsx'

/** Lines beyond those in sight, for the frames until the next one is drawn. */
const SPARE_LINES = 4
/** Without a scroll event for so long, the table is at rest. */
const REST_MS = 150
/** More is read when the end is as near as this. */
const MORE_PX = 840
const HEAD_PX = 30
/** Columns beyond those in sight that are drawn. */
const SPARE_PX = 160
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
  const seen = useRef({ top: 0, height: 0, width: 0, rest: 0, isShifted: false })
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
  const { columns, table } = useMemo(() => {
    const columns = arrange(all, choice)
    const own = columns.map((name) => choice.widths.get(name) ?? natural.columns.get(name) ?? 0)
    const pinned = columns.filter((name) => choice.pinned.includes(name)).length
    const table = view && placeColumns({ ...natural, index: view, columns, own, pinned })
    return { columns, table }
  }, [all, natural, JSON.stringify([[...choice.hidden], choice.pinned, [...choice.widths]])])
  const places = table?.columns ?? []
  const pinned = table?.pinned ?? 0
  const column = useSignal(-1)
  /** Shows a width while it is dragged. */
  const resize = (at: number, px: number): void => {
    if (table === undefined) return
    const own = places.map(({ width }, place) =>
      place === at ? Math.max(COLUMN_PX_MIN, px) : width,
    )
    const shown = placeColumns({ ...natural, index: table.index, columns, own, pinned })
    scroller.current?.style.setProperty('--columns', templateOf(shown))
    draw(shown)
  }

  /** Writes what is in sight into the page; scrolling does nothing else. */
  const draw = (shown: TableView | undefined = table): void => {
    const element = scroller.current
    if (element === null || body.current === null || shown === undefined) return
    pool.current ??= new LinePool(body.current)
    // Read before anything is written: afterwards, the browser would lay out the page at once.
    const { scrollTop: top, scrollLeft: left } = element
    const { height, width, isShifted } = seen.current
    const moved = Math.abs(top - seen.current.top)
    const spare = moved > height ? 0 : SPARE_LINES
    seen.current.top = top
    const inspectedId = inspected.value && JSON.stringify(inspected.value)
    pool.current.draw({
      view: shown,
      lines,
      first: Math.max(0, lineAt(lines, top) - spare),
      last: Math.min(lines.list.length, lineAt(lines, top + height - HEAD_PX) + 1 + spare),
      range: rangeOf(shown, left - SPARE_PX, left + width + SPARE_PX),
      chosen: chosen.value,
      column: column.value,
      isSelected: (found) => selected.value.size > 0 && selected.value.has(idOf(found)),
      isInspected: (found) => inspectedId !== undefined && idOf(found) === inspectedId,
    })
    // Pinned cells have layers of their own, which cost time in each frame: only where needed.
    if (left > 0 !== isShifted) {
      seen.current.isShifted = left > 0
      element.classList.toggle('is-shifted', left > 0)
    }
    if (more && top + height > total - MORE_PX) more()
  }
  const settle = (): void => {
    draw()
    pool.current?.settle()
  }
  const scroll = (): void => {
    draw()
    clearTimeout(seen.current.rest)
    seen.current.rest = setTimeout(settle, REST_MS)
  }
  /** Reads how large the table is, which scrolling does not change. */
  const measure = (): void => {
    const { clientHeight = 0, clientWidth = 0 } = scroller.current ?? {}
    seen.current.height = clientHeight
    seen.current.width = clientWidth
  }
  useLayoutEffect(() => {
    measure()
    settle()
  })
  const resized = useRef(settle)
  resized.current = () => {
    measure()
    settle()
  }
  useEffect(() => {
    const observer = new ResizeObserver(() => resized.current())
    if (scroller.current) observer.observe(scroller.current)
    return () => {
      observer.disconnect()
      clearTimeout(seen.current.rest)
    }
  }, [])

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
    const place = places[at]
    if (element === null || place === undefined || at < pinned) return
    const last = places[pinned - 1]
    const fixed = last ? last.left + last.width : natural.sort
    const right = place.left + place.width
    if (place.left - fixed < element.scrollLeft) element.scrollLeft = place.left - fixed
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
      setWidth(name, (places[column.value]?.width ?? 0) + step)
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
        aria-colcount={columns.length + 2}
        style={{ '--columns': table && templateOf(table) }}
      >
        <TableHead
          sort={view?.sort.join(' · ') || view?.hash.join(' · ') || ''}
          columns={columns}
          lefts={places.slice(0, pinned).map(({ left }) => left)}
          chosen={column.value}
          resize={resize}
        />
        <div
          ref={body}
          class="table-body"
          style={{ height: `${total}px`, width: `${table?.width ?? 0}px` }}
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

/** Widths of the head, in the order of the page. */
function templateOf({ sortWidth, columns, pinned, entity }: TableView): string {
  const own = columns.map(({ width }) => width)
  const widths = [sortWidth, ...own.slice(0, pinned), entity.width, ...own.slice(pinned)]
  return widths.map((px) => `${px}px`).join(' ')
}
