import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Edit, EditOutcome } from '../../api/contract.ts'
import { call, failureIn } from '../state/api.ts'
import { countText, valueText, visible } from '../state/format.ts'
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

type Outcomes = ReadonlyMap<number, EditOutcome>

/** What waits to be saved, with the write that each change will send, and what became of it. */
export function Review(): JSX.Element {
  const outcomes = useSignal<Outcomes>(new Map())
  const isBusy = useSignal(false)
  const typed = useSignal('')
  const isOnAws = design.value?.isAws === true && design.value.isReadOnly === false
  const isConfirmed = !isOnAws || typed.value === design.value?.table
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
  useEffect(() => {
    void (async () => {
      for (const each of staged.value) {
        outcomes.value = new Map(outcomes.value).set(each.id, await send(each, true))
      }
    })()
  }, [])
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
              <span class={`change-kind is-${each.change.kind}`}>{each.change.kind}</span>{' '}
              <EntityTag name={each.change.entity} />
              <code>{visible(each.label.replace(`${each.change.entity} `, ''))}</code>
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
              outcome={outcomes.value.get(each.id)}
              discard={() => (staged.value = staged.value.filter(({ id }) => id !== each.id))}
            />
          </li>
        ))}
      </ul>
      {isOnAws && staged.value.length > 0 && (
        <div class="field">
          <label for="confirm-table">
            This table is on AWS: {design.value?.place}. Type its name, {design.value?.table}.
          </label>
          <input
            id="confirm-table"
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={typed.value}
            onInput={(event) => (typed.value = event.currentTarget.value)}
          />
        </div>
      )}
      <div class="buttons is-sticky">
        <button
          type="button"
          class="button is-main"
          autofocus
          disabled={
            isBusy.value ||
            staged.value.length === 0 ||
            design.value?.isReadOnly === true ||
            !isConfirmed
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

function ChangeRows({ change }: { readonly change: Edit }): JSX.Element {
  if (change.kind === 'delete')
    return <p class="note">The item is deleted if it is still as it was read.</p>
  const attributes = entitiesByName.value.get(change.entity)?.attributes ?? []
  return (
    <table class="plain">
      <tbody>
        {Object.entries(change.strings).map(([name, text]) => {
          const stored = attributes.find((each) => each.name === name)?.stored ?? name
          const before = change.kind === 'update' ? change.before[stored] : undefined
          return (
            <tr key={name}>
              <td>{name}</td>
              <td class="removed">{before ? visible(valueText(before)) : ''}</td>
              <td class="added">
                {text === null ? <span class="value-empty">removed</span> : visible(text)}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function OutcomeView({
  outcome,
  discard,
}: {
  readonly outcome: EditOutcome | undefined
  readonly discard: () => void
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
  return (
    <>
      <FailureView failure={outcome.failure} />
      {outcome.state === 'conflict' && (
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
      )}
    </>
  )
}
