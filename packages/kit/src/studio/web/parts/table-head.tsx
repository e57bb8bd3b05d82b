import type { JSX } from 'preact'
import { setWidth, togglePinned } from './columns.ts'

/** Names of the columns; each can be pinned, and dragged to another width. */
export function TableHead({
  sort,
  columns,
  lefts,
  chosen,
  resize,
}: {
  readonly sort: string
  readonly columns: readonly string[]
  /** Where each pinned one is; these come first. */
  readonly lefts: readonly number[]
  readonly chosen: number
  /** Shows a width while it is dragged. */
  readonly resize: (column: number, px: number) => void
}): JSX.Element {
  const drag = (event: PointerEvent, at: number, name: string): void => {
    const handle = event.currentTarget as HTMLElement
    const start = event.clientX
    const width = handle.parentElement?.offsetWidth ?? 0
    handle.setPointerCapture(event.pointerId)
    const move = ({ clientX }: PointerEvent): void => resize(at, width + clientX - start)
    handle.addEventListener('pointermove', move)
    handle.addEventListener(
      'pointerup',
      ({ clientX }) => {
        handle.removeEventListener('pointermove', move)
        setWidth(name, width + clientX - start)
      },
      { once: true },
    )
    event.preventDefault()
  }
  const heads = columns.map((name, at) => {
    const isPinned = at < lefts.length
    return (
      <span
        key={name}
        role="columnheader"
        title={name}
        class={`${isPinned ? 'is-pinned' : ''}${at === chosen ? ' is-chosen' : ''}`}
        style={isPinned ? { left: `${lefts[at]}px` } : undefined}
      >
        {name}
        <button
          type="button"
          class="column-pin"
          tabIndex={-1}
          aria-pressed={isPinned}
          aria-label={`Pin ${name}`}
          onClick={() => togglePinned(name)}
        >
          <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
            <path d="M4 1h4v4l2 2H2l2-2zM6 7v4" fill="none" stroke="currentColor" />
          </svg>
        </button>
        <span
          class="column-resize"
          aria-hidden="true"
          onPointerDown={(event) => drag(event, at, name)}
        />
      </span>
    )
  })
  return (
    <div class="table-head" role="row">
      <span role="columnheader" class="table-sort">
        {sort}
      </span>
      {heads.slice(0, lefts.length)}
      <span key=" entity" role="columnheader">
        entity
      </span>
      {heads.slice(lefts.length)}
    </div>
  )
}
