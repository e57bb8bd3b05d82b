import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { AttributeView, Failure, FoundItem } from '../../api/contract.ts'
import { call, failureIn } from '../state/api.ts'
import { countText } from '../state/format.ts'
import { joinedKey } from '../state/keys.ts'
import { saveFile } from '../state/save-file.ts'
import { design, entitiesByName, keyOf, stage } from '../state/studio-state.ts'
import { FailureView } from './basics.tsx'
import { ValueInput } from './inputs.tsx'

/** What can be done to all items that are selected. Nothing is sent: the review shows it first. */
export function SelectionBar({
  items,
  clear,
}: {
  readonly items: readonly FoundItem[]
  readonly clear: () => void
}): JSX.Element {
  const attribute = useSignal('')
  const text = useSignal<string | null>(null)
  const failure = useSignal<Failure | undefined>(undefined)
  const isGuessed = design.value?.isGuessed === true
  const writable = items.filter(
    ({ entity }) => !isGuessed && entitiesByName.value.get(entity ?? '')?.copyOf === null,
  )
  const stray = items.filter(({ entity, kept }) => (entity === null || isGuessed) && kept === null)
  const deletable = [...writable, ...stray]
  const common = stray.length > 0 ? [] : commonAttributes(writable)
  const chosen = common.find(({ name }) => name === attribute.value)
  const stageAll = (
    change: (found: FoundItem, entity: string) => Parameters<typeof stage>[0],
  ): void => {
    for (const found of deletable) {
      const key = keyOf(found.item)
      const label = `${found.entity ?? 'item'} ${joinedKey(key, Object.keys(key))}`
      const { entity, item: before } = found
      stage(
        entity === null || isGuessed
          ? { kind: 'raw', entity, before, after: null }
          : change(found, entity),
        label,
      )
    }
    clear()
  }
  const saveFixture = async (): Promise<void> => {
    try {
      const file = await call('/api/fixture', { items: items.map(({ item }) => item) })
      failure.value = undefined
      saveFile(file.name, [file.text], 'text/typescript')
    } catch (error) {
      failure.value = failureIn(error)
    }
  }
  return (
    <div class="selection" role="group" aria-label="Selected items">
      <strong>{countText(items.length, 'item')} selected</strong>
      {deletable.length < items.length && (
        <span class="quiet">
          {countText(items.length - deletable.length, 'of them is', 'of them are')} kept by the
          library
        </span>
      )}
      {design.value?.isReadOnly !== true && deletable.length > 0 && (
        <>
          <button
            type="button"
            class="button is-danger"
            onClick={() =>
              stageAll((found, entity) => ({ kind: 'delete', entity, before: found.item }))
            }
          >
            Stage deletes
          </button>
          <select
            aria-label="Attribute to set"
            disabled={common.length === 0}
            value={attribute.value}
            onChange={(event) => {
              attribute.value = event.currentTarget.value
              text.value = null
            }}
          >
            <option value="">Set an attribute…</option>
            {common.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          {chosen && (
            <>
              <label class="unseen" for="selection-value">
                Value of {chosen.name}
              </label>
              <ValueInput
                id="selection-value"
                input={chosen.input}
                options={chosen.options}
                text={text.value}
                onText={(next) => (text.value = next)}
              />
              <button
                type="button"
                class="button"
                onClick={() =>
                  stageAll((found, entity) => ({
                    kind: 'update',
                    entity,
                    before: found.item,
                    strings: { [chosen.name]: text.value },
                  }))
                }
              >
                Stage updates
              </button>
            </>
          )}
        </>
      )}
      <button type="button" class="button" onClick={() => saveLines(items)}>
        Export JSON lines
      </button>
      <button type="button" class="button" onClick={() => void saveFixture()}>
        Save as fixture
      </button>
      {failure.value && <FailureView failure={failure.value} />}
      <button type="button" class="quiet-button" onClick={clear}>
        Clear
      </button>
    </div>
  )
}

/** Attributes that all of the entities have, and that may change. */
function commonAttributes(items: readonly FoundItem[]): readonly AttributeView[] {
  const [first, ...others] = [...new Set(items.map(({ entity }) => entity ?? ''))].map(
    (name) => entitiesByName.value.get(name)?.attributes ?? [],
  )
  return (first ?? []).filter(
    ({ name, isKey, isKept }) =>
      !isKey && !isKept && others.every((each) => each.some((other) => other.name === name)),
  )
}

/** DynamoDB's JSON, one item in a line, as `singletable load` reads it. */
function saveLines(items: readonly FoundItem[]): void {
  const lines = items.map(({ item }) => `${JSON.stringify({ Item: item })}\n`)
  saveFile(`${design.value?.table ?? 'items'}.jsonl`, lines, 'application/jsonl')
}
