import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Design, EntityView } from '../../api/contract.ts'
import { call } from '../state/api.ts'
import { visible } from '../state/format.ts'
import { joinedKey } from '../state/keys.ts'
import { useLoad } from '../state/load.ts'
import { type NewItemDraft, newItem, stage } from '../state/studio-state.ts'
import { Dialog } from './dialog.tsx'
import { AttributeInput } from './inputs.tsx'

/** A form for a new item of an entity. */
export function NewItem({
  design,
  draft,
}: {
  readonly design: Design
  readonly draft: NewItemDraft
}): JSX.Element {
  const own = design.entities.filter(({ copyOf }) => copyOf === null)
  const given = own.find(({ name }) => name === draft.entity) ?? own[0]
  const chosen = useSignal(given?.name ?? '')
  const strings = useSignal(draft.strings)
  const close = (): void => {
    newItem.value = undefined
  }
  const entity = own.find(({ name }) => name === chosen.value)
  const submit = (event: Event): void => {
    event.preventDefault()
    const filled = Object.entries(strings.value).filter(
      (each): each is [string, string] => each[1] !== null,
    )
    stage(
      { kind: 'create', entity: chosen.value, strings: Object.fromEntries(filled) },
      `new ${chosen.value} ${filled.map(([, text]) => text).join(' ')}`,
    )
    close()
  }
  return (
    <Dialog title="New item" close={close}>
      <form class="form" onSubmit={submit}>
        <div class="field">
          <label for="new-entity">entity</label>
          <select
            id="new-entity"
            autofocus
            value={chosen.value}
            onChange={(event) => {
              chosen.value = event.currentTarget.value
              strings.value = {}
            }}
          >
            {own.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </div>
        {entity?.attributes
          .filter(({ isKept }) => !isKept)
          .map((attribute) => (
            <AttributeInput
              key={`${chosen.value} ${attribute.name}`}
              attribute={attribute}
              text={strings.value[attribute.name] ?? null}
              isChanged={false}
              isDisabled={false}
              onText={(text) => (strings.value = { ...strings.value, [attribute.name]: text })}
            />
          ))}
        {entity && <KeyPreview entity={entity} strings={strings.value} />}
        <div class="buttons is-sticky">
          <button type="submit" class="button is-main">
            Stage the item
          </button>
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** The primary key as it will be stored, while it is being typed. */
function KeyPreview({
  entity,
  strings,
}: {
  readonly entity: EntityView
  readonly strings: NewItemDraft['strings']
}): JSX.Element {
  const typed = Object.fromEntries(
    entity.attributes.flatMap(({ name, isKey }) =>
      isKey && strings[name] != null ? [[name, strings[name]]] : [],
    ),
  )
  const isWhole = entity.attributes.every(({ name, isKey }) => !isKey || typed[name])
  const load = useLoad(
    async () => (isWhole ? call('/api/key', { entity: entity.name, strings: typed }) : undefined),
    [entity.name, JSON.stringify(typed)],
  )
  const { result } = load.value
  return (
    <p class="note" role="status">
      {result ? (
        <code>{visible(joinedKey(result.key, Object.keys(result.key)))}</code>
      ) : (
        'The key is shown here when its attributes are filled in; generated ids come when it is saved.'
      )}
    </p>
  )
}
