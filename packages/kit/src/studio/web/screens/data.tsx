import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Design, Failure, FoundItem, IndexView } from '../../api/contract.ts'
import { Empty, EntityTag, FailureView, Skeleton } from '../parts/basics.tsx'
import { arrange, columnChoice, columnsOf, toggleHidden, togglePinned } from '../parts/columns.ts'
import { ItemTable } from '../parts/item-table.tsx'
import { storedName } from '../parts/stored-name.ts'
import { call, failureIn } from '../state/api.ts'
import { BANDS_ROWS_MAX, drawBands } from '../state/draw-bands.ts'
import { countText, visible } from '../state/format.ts'
import { keyText } from '../state/keys.ts'
import { change, route } from '../state/route.ts'
import { type Picture, savePng, saveSvg } from '../state/save-drawing.ts'
import { useKeys } from '../state/shortcuts.ts'
import { dataVersion, lastSpent, newItem } from '../state/studio-state.ts'

const PAGE_ITEMS = 200

/** What was read of an index, or of one of its partitions. */
interface Pages {
  readonly place: string
  readonly items: readonly FoundItem[]
  readonly cursor: string | null
  readonly failure?: Failure
  readonly isBusy: boolean
}

function nothingOf(place: string): Pages {
  return { place, items: [], cursor: null, isBusy: true }
}

/** The items of an index under their partitions: all of them, or those of one partition. */
export function Data({ design }: { readonly design: Design }): JSX.Element {
  const { parameters } = route.value
  const index =
    design.indexes.find(({ name }) => name === parameters.get('index')) ?? design.indexes[0]
  const partition = readPartition(parameters.get('pk'))
  const wrong = wrongPlace(design, parameters)
  const entity = parameters.get('entity')
  const isAsked = useSignal(!design.isAws)
  const turn = useRef(0)
  const name = index?.name ?? 'primary'
  const place = JSON.stringify([name, partition])
  const all = useSignal<Pages>(nothingOf(place))
  // The items of another index are not shown under the partitions of this one.
  const pages = all.value.place === place ? all.value : nothingOf(place)
  const question = JSON.stringify([place, dataVersion.value, isAsked.value])

  const read = async (cursor: string | null): Promise<void> => {
    const mine = turn.current
    try {
      const shared = { index: name, limit: PAGE_ITEMS, ...(cursor !== null && { cursor }) }
      const page = partition
        ? await call('/api/query', { ...shared, hash: partition })
        : await call('/api/scan', shared)
      if (mine !== turn.current) return
      lastSpent.value = page.spent
      const before = cursor === null ? [] : all.peek().items
      const items = [...before, ...page.items]
      all.value = { place, items, cursor: page.cursor, isBusy: false }
    } catch (error) {
      if (mine === turn.current)
        all.value = { ...all.peek(), isBusy: false, failure: failureIn(error) }
    }
  }
  useEffect(() => {
    turn.current++
    if (!partition && !isAsked.value) return
    all.value = { ...pages, isBusy: true }
    void read(null)
  }, [question])
  useKeys((event) => {
    const isTyping = (event.target as HTMLElement).matches('input, textarea, select')
    if (isTyping || event.metaKey || event.ctrlKey) return
    const at = design.indexes.findIndex((each) => each.name === name)
    const by = event.key === ']' ? 1 : event.key === '[' ? -1 : 0
    const next = design.indexes[(at + by + design.indexes.length) % design.indexes.length]
    if (by !== 0 && next) change({ index: next.name, pk: undefined })
    if (event.key === 'n' && !design.isReadOnly) openNewItem()
  })
  const more = (): void => {
    const { cursor, isBusy } = all.peek()
    if (all.peek().place !== place || cursor === null || isBusy) return
    all.value = { ...all.peek(), isBusy: true }
    void read(cursor)
  }
  const openNewItem = (): void => {
    newItem.value = { ...(entity !== undefined && { entity }), strings: {} }
  }
  const { items, failure, isBusy, cursor } = pages
  const isRead = partition !== undefined || isAsked.value
  const hidesGuards = parameters.get('guards') === 'hidden'
  const shown = useMemo(
    () =>
      items.filter(
        (each) =>
          (entity === undefined || each.entity === entity) &&
          !(hidesGuards && each.kept === 'guard'),
      ),
    [items, entity, hidesGuards],
  )
  const entities = [...new Set(items.map((each) => each.entity))].filter((each) => each !== null)
  return (
    <div class="screen is-full">
      <h1 class="unseen">Data</h1>
      <div class="toolbar">
        <div class="choices" role="group" aria-label="Index">
          {design.indexes.map((each) => (
            <button
              key={each.name}
              type="button"
              class="choice"
              aria-pressed={each.name === name}
              onClick={() => change({ index: each.name, pk: undefined })}
            >
              {each.name === 'primary' ? 'base table' : each.name}
            </button>
          ))}
        </div>
        <Crumb />
        <PartitionBox design={design} index={name} partition={partition} />
        <div class="toolbar-end">
          <ColumnMenu columns={columnsOf(shown, index)} />
          {index && shown.length > 0 && (
            <PictureMenu items={shown} index={index} title={titleOf(design, name, partition)} />
          )}
          {!design.isReadOnly && (
            <button type="button" class="button" onClick={openNewItem}>
              New item <kbd>n</kbd>
            </button>
          )}
        </div>
      </div>
      <div class="toolbar is-second">
        <div class="choices" role="group" aria-label="Entities">
          <button
            type="button"
            class="choice"
            aria-pressed={entity === undefined}
            onClick={() => change({ entity: undefined })}
          >
            all entities
          </button>
          {entities.map((each) => (
            <button
              key={each}
              type="button"
              class="choice is-tag"
              aria-pressed={entity === each}
              onClick={() => change({ entity: entity === each ? undefined : each })}
            >
              <EntityTag name={each} />
            </button>
          ))}
          {items.some(({ kept }) => kept === 'guard') && (
            <button
              type="button"
              class="choice"
              aria-pressed={!hidesGuards}
              title="Items that keep unique values"
              onClick={() => change({ guards: hidesGuards ? undefined : 'hidden' })}
            >
              guards
            </button>
          )}
        </div>
        <span class="quiet" role="status">
          {isRead &&
            (items.length > 0 || !(isBusy || failure)
              ? countText(shown.length, 'item')
              : isBusy && 'reading…')}
          {cursor !== null && ' so far, more when you scroll'}
        </span>
      </div>
      {wrong !== undefined && <p class="banner">{wrong}</p>}
      {failure && <FailureView failure={failure} />}
      {!isRead && (
        <Empty title="Nothing is read on AWS until you ask for it.">
          A page is up to {PAGE_ITEMS} items.{' '}
          <button type="button" class="button" onClick={() => (isAsked.value = true)}>
            Read the first page
          </button>
        </Empty>
      )}
      {isRead && isBusy && items.length === 0 && !failure && <Skeleton rows={16} />}
      {!isBusy && shown.length === 0 && !failure && isRead && (
        <Empty title={partition ? 'This partition has no items.' : 'There are no items.'}>
          {partition
            ? 'Look for another, or show all.'
            : 'Fill the table with singletable seed, or write the first item.'}
        </Empty>
      )}
      {shown.length > 0 && (
        <ItemTable
          key={`${name} ${JSON.stringify(partition)}`}
          items={shown}
          index={name}
          more={cursor === null ? undefined : more}
          isMoreBusy={isBusy}
          onPartition={(found) =>
            change({ pk: JSON.stringify(index?.hash.map((each) => keyText(found.item[each]))) })
          }
        />
      )}
    </div>
  )
}

/** Goes to a partition by its stored key, or back to all of them. */
function PartitionBox({
  design,
  index,
  partition,
}: {
  readonly design: Design
  readonly index: string
  readonly partition: readonly string[] | undefined
}): JSX.Element {
  const view = design.indexes.find(({ name }) => name === index)
  const typed = useSignal<readonly string[]>(partition ?? [])
  useEffect(() => {
    typed.value = partition ?? []
  }, [JSON.stringify(partition), index])
  const submit = (event: Event): void => {
    event.preventDefault()
    const hash = (view?.hash ?? []).map((_, at) => typed.value[at] ?? '')
    const isAll = hash.every((each) => each === '')
    // Of a key of several attributes, each is needed.
    const empty = hash.indexOf('')
    const inputs = (event.currentTarget as HTMLFormElement).querySelectorAll('input')
    const missing = isAll ? undefined : inputs[empty]
    if (missing) {
      missing.setCustomValidity(`A partition needs ${(view?.hash ?? []).join(' and ')}.`)
      missing.reportValidity()
      return
    }
    change({ pk: isAll ? undefined : JSON.stringify(hash) })
  }
  return (
    <form class="partition" onSubmit={submit}>
      {(view?.hash ?? []).map((name, at) => (
        <input
          key={name}
          id={at === 0 ? 'filter' : undefined}
          type="text"
          spellcheck={false}
          aria-label={`Partition key ${name}`}
          placeholder={`${name} = …   /`}
          value={typed.value[at] ?? ''}
          onInput={(event) => {
            const next = [...typed.value]
            next[at] = event.currentTarget.value
            event.currentTarget.setCustomValidity('')
            typed.value = next
          }}
        />
      ))}
      {partition && (
        <button type="button" class="quiet-button" onClick={() => change({ pk: undefined })}>
          Show all
        </button>
      )}
    </form>
  )
}

function ColumnMenu({ columns }: { readonly columns: readonly string[] }): JSX.Element {
  const isOpen = useSignal(false)
  const { hidden, pinned } = columnChoice()
  return (
    <details class="menu" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary class="button">Columns{hidden.size > 0 ? ` (${hidden.size} hidden)` : ''}</summary>
      <div class="menu-body">
        {(isOpen.value ? columns : []).map((name) => (
          <div class="menu-row" key={name}>
            <label>
              <input
                type="checkbox"
                checked={!hidden.has(name)}
                onChange={() => toggleHidden(name)}
              />{' '}
              {visible(name)}
            </label>
            <button
              type="button"
              class="quiet-button"
              aria-pressed={pinned.includes(name)}
              aria-label={`Pin ${name}`}
              onClick={() => togglePinned(name)}
            >
              {pinned.includes(name) ? 'pinned' : 'pin'}
            </button>
          </div>
        ))}
        <button
          type="button"
          class="quiet-button"
          onClick={() => change({ hide: undefined, pin: undefined, width: undefined }, false)}
        >
          Reset all columns
        </button>
      </div>
    </details>
  )
}

/** The bands as a picture, for a document or a colleague. */
function PictureMenu({
  items,
  index,
  title,
}: {
  readonly items: readonly FoundItem[]
  readonly index: IndexView
  readonly title: string
}): JSX.Element {
  const menu = useRef<HTMLDetailsElement>(null)
  const draw = (): Picture => {
    menu.current?.removeAttribute('open')
    const columns = arrange(columnsOf(items, index), columnChoice())
    return drawBands({ title, items, index, columns, storedName })
  }
  const file = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)
  return (
    <details class="menu" ref={menu}>
      <summary class="button">Picture</summary>
      <div class="menu-body">
        <button type="button" class="quiet-button" onClick={() => saveSvg(draw(), file)}>
          Save as SVG
        </button>
        <button type="button" class="quiet-button" onClick={() => void savePng(draw(), file)}>
          Save as PNG
        </button>
        {items.length > BANDS_ROWS_MAX && <p class="note">The first {BANDS_ROWS_MAX} items.</p>}
      </div>
    </details>
  )
}

/** What the address names that does not exist, with what is shown in its place. */
function wrongPlace(design: Design, parameters: ReadonlyMap<string, string>): string | undefined {
  const [index, pk] = [parameters.get('index'), parameters.get('pk')]
  if (index !== undefined && !design.indexes.some(({ name }) => name === index)) {
    return `There is no index "${visible(index)}". This is the base table.`
  }
  if (pk === undefined || readPartition(pk)) return undefined
  return "The partition of this address can't be read. These are all partitions."
}

function titleOf(
  { table }: Design,
  index: string,
  partition: readonly string[] | undefined,
): string {
  const parts = [table, ...(index === 'primary' ? [] : [index]), ...(partition ?? [])]
  return parts.map(visible).join(' · ')
}

/** Where a link of this screen was followed from. */
function Crumb(): JSX.Element | null {
  const from = route.value.parameters.get('from')
  if (from === undefined || !from.startsWith('#/')) return null
  const parameters = new URLSearchParams(from.split('?')[1] ?? '')
  const hash = readPartition(parameters.get('pk') ?? undefined)
  const place = hash?.join(' · ') ?? parameters.get('index') ?? 'all partitions'
  return (
    <a class="crumb" href={from}>
      ‹ {visible(place)}
    </a>
  )
}

/** The partition key of an address. */
export function readPartition(text: string | undefined): readonly string[] | undefined {
  try {
    const values: unknown = JSON.parse(text ?? 'null')
    return Array.isArray(values) ? values.map(String) : undefined
  } catch {
    return undefined
  }
}
