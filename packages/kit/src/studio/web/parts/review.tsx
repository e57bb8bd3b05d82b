import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Edit, EditOutcome, StoredItem } from '../../api/contract.ts'
import { call, failureIn } from '../state/api.ts'
import { countText, formText, visible } from '../state/format.ts'
import {
  dataVersion,
  design,
  entitiesByName,
  isReviewOpen,
  type StagedEdit,
  staged,
  undoable,
} from '../state/studio-state.ts'
import { EntityTag, FailureView } from './basics.tsx'
import { Dialog } from './dialog.tsx'
import { isConfirmed, TypeTableName } from './type-table-name.tsx'
import { ValueText } from './value-view.tsx'

type Outcomes = ReadonlyMap<number, EditOutcome>

/** What waits to be saved, with the write that each change will send, and what became of it. */
export function Review(): JSX.Element {
  const outcomes = useSignal<Outcomes>(new Map())
  const isBusy = useSignal(false)
  const typed = useSignal('')
  const close = (): void => {
    isReviewOpen.value = false
  }
  const send = async (each: StagedEdit, isDryRun: boolean): Promise<EditOutcome> => {
    try {
      return await call('/api/change', { change: each.change, isDryRun, table: typed.value })
    } catch (error) {
      return { state: 'failed', failure: failureIn(error) }
    }
  }
  const plan = async (each: StagedEdit): Promise<void> => {
    outcomes.value = new Map(outcomes.value).set(each.id, await send(each, true))
  }
  useEffect(() => {
    void (async () => {
      for (const each of staged.value) await plan(each)
    })()
  }, [])
  const replace = async (old: StagedEdit, change: Edit): Promise<void> => {
    const next = { ...old, change }
    staged.value = staged.value.map((each) => (each.id === old.id ? next : each))
    await plan(next)
  }
  const save = async (): Promise<void> => {
    isBusy.value = true
    const saved = new Set<number>()
    const undo: StagedEdit[] = []
    for (const each of staged.value) {
      const outcome = await send(each, false)
      outcomes.value = new Map(outcomes.value).set(each.id, outcome)
      if (outcome.state !== 'saved') continue
      saved.add(each.id)
      if (outcome.undo) undo.push({ ...each, change: outcome.undo })
    }
    staged.value = staged.value.filter(({ id }) => !saved.has(id))
    if (saved.size > 0) {
      dataVersion.value++
      undoable.value = undo
    }
    isBusy.value = false
    if (staged.value.length === 0) close()
  }
  return (
    <Dialog title="Staged changes" close={close}>
      {staged.value.length === 0 && <p class="note">Nothing is staged.</p>}
      <ul class="changes">
        {staged.value.map((each) => (
          <li key={each.id}>
            <header>
              <span class={`change-kind is-${kindOf(each.change)}`}>{kindOf(each.change)}</span>{' '}
              <EntityTag name={each.change.entity} />
              <code>{visible(keyOfLabel(each))}</code>
              <button
                type="button"
                class="quiet-button"
                aria-label={`Discard the change of ${each.label}`}
                onClick={() => (staged.value = staged.value.filter(({ id }) => id !== each.id))}
              >
                ✕
              </button>
            </header>
            <ChangeRows change={each.change} />
            <OutcomeView
              change={each.change}
              outcome={outcomes.value.get(each.id)}
              discard={() => (staged.value = staged.value.filter(({ id }) => id !== each.id))}
              replace={(change) => void replace(each, change)}
            />
          </li>
        ))}
      </ul>
      {staged.value.length > 0 && <TypeTableName typed={typed} />}
      <div class="buttons is-sticky">
        <button
          type="button"
          class="button is-main"
          autofocus
          disabled={
            isBusy.value ||
            staged.value.length === 0 ||
            design.value?.isReadOnly === true ||
            !isConfirmed(typed.value)
          }
          onClick={() => void save()}
        >
          Save {countText(staged.value.length, 'change')}
        </button>
        <button type="button" class="button" onClick={close}>
          Back
        </button>
      </div>
    </Dialog>
  )
}

function keyOfLabel({ label, change }: StagedEdit): string {
  const start = `${change.entity ?? 'item'} `
  return label.startsWith(start) ? label.slice(start.length) : label
}

function kindOf(change: Edit): 'create' | 'update' | 'delete' {
  if (change.kind !== 'raw') return change.kind
  return change.after === null ? 'delete' : change.before === null ? 'create' : 'update'
}

function ChangeRows({ change }: { readonly change: Edit }): JSX.Element {
  if (change.kind === 'delete' || (change.kind === 'raw' && change.after === null))
    return <p class="note">The item is deleted if it is still as it was read.</p>
  if (change.kind === 'create' && change.restores) {
    return <RawRows before={{}} after={change.restores} />
  }
  if (change.kind === 'raw') return <RawRows before={change.before ?? {}} after={change.after} />
  const attributes = entitiesByName.value.get(change.entity)?.attributes ?? []
  const values = change.kind === 'update' ? Object.entries(change.values ?? {}) : []
  const rows = [
    ...Object.entries(change.strings),
    ...values.map(([name, value]) => [name, value && formText(value)] as const),
  ]
  return (
    <table class="plain">
      <tbody>
        {rows.map(([name, text]) => {
          const stored = attributes.find((each) => each.name === name)?.stored ?? name
          const before = change.kind === 'update' ? change.before[stored] : undefined
          return (
            <tr key={name}>
              <td>{name}</td>
              <td class="removed">{before && <ValueText text={formText(before)} />}</td>
              <td class="added">
                {text === null ? (
                  <span class="value-empty">removed</span>
                ) : (
                  <ValueText text={text} />
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Attributes that differ, as they are stored. */
function RawRows({
  before,
  after,
}: {
  readonly before: StoredItem
  readonly after: StoredItem | null
}): JSX.Element {
  const textOf = (item: StoredItem | null, name: string): string =>
    item && Object.hasOwn(item, name) ? JSON.stringify(item[name]) : ''
  const names = [...new Set([...Object.keys(before), ...Object.keys(after ?? {})])]
  const changed = names.filter((name) => textOf(before, name) !== textOf(after, name))
  return (
    <table class="plain">
      <tbody>
        {changed.map((name) => (
          <tr key={name}>
            <td>{visible(name)}</td>
            <td class="removed">
              <code>{visible(textOf(before, name))}</code>
            </td>
            <td class="added">
              {textOf(after, name) === '' ? (
                <span class="value-empty">removed</span>
              ) : (
                <code>{visible(textOf(after, name))}</code>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The same change of the item as it is now. */
function changeOf(change: Edit, now: StoredItem): Edit {
  if (change.kind === 'create') return change
  if (change.kind !== 'raw' || change.after === null) return { ...change, before: now }
  const { before, after } = change
  const isOwn = (name: string): boolean =>
    JSON.stringify(before?.[name]) !== JSON.stringify(after[name])
  const kept = Object.entries(now).filter(([name]) => !isOwn(name))
  const own = Object.entries(after).filter(([name]) => isOwn(name))
  return { ...change, before: now, after: Object.fromEntries([...kept, ...own]) }
}

function OutcomeView({
  change,
  outcome,
  discard,
  replace,
}: {
  readonly change: Edit
  readonly outcome: EditOutcome | undefined
  readonly discard: () => void
  /** Stages another change in place of this one. */
  readonly replace: (change: Edit) => void
}): JSX.Element | null {
  if (outcome === undefined) return null
  if (!('failure' in outcome)) {
    const writes = outcome.writes.join(', ') || 'nothing: the item is like this already'
    return (
      <p class="note">
        {[outcome.state === 'saved' ? 'saved' : `sends ${writes}`, ...outcome.notes].join(' · ')}
      </p>
    )
  }
  if (outcome.state !== 'conflict') return <FailureView failure={outcome.failure} />
  const { now } = outcome
  const before = 'before' in change ? change.before : null
  return (
    <>
      <FailureView failure={outcome.failure} />
      {now && before && (
        <section aria-label="What was changed meanwhile">
          <p class="note">What was changed meanwhile, from what you saw to what it is now:</p>
          <RawRows before={before} after={now} />
        </section>
      )}
      <div class="buttons">
        {now && (
          <button type="button" class="button" onClick={() => replace(changeOf(change, now))}>
            Change the item as it is now
          </button>
        )}
        <button
          type="button"
          class="button"
          onClick={() => {
            discard()
            dataVersion.value++
          }}
        >
          Discard my change and read the item again
        </button>
      </div>
    </>
  )
}
