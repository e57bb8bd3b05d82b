import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Design, EntityView, StoredItem, StoredValue } from '../../api/contract.ts'
import { call } from '../state/api.ts'
import { visible } from '../state/format.ts'
import { joinedKey } from '../state/keys.ts'
import { useLoad } from '../state/load.ts'
import { keyOf, type NewItemDraft, newItem, stage } from '../state/studio-state.ts'
import { Dialog } from './dialog.tsx'
import { AttributeInput } from './inputs.tsx'
import { RawEditor } from './raw-editor.tsx'

const RAW = ''

/** A form for a new item of an entity, or of none. */
export function NewItem({
  design,
  draft,
}: {
  readonly design: Design
  readonly draft: NewItemDraft
}): JSX.Element {
  const own = design.entities.filter(({ copyOf }) => copyOf === null && !design.isGuessed)
  const given = own.find(({ name }) => name === draft.entity) ?? own[0]
  const chosen = useSignal(draft.raw ? RAW : (given?.name ?? RAW))
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
  const choice = (
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
        <option value={RAW}>no entity: DynamoDB JSON</option>
      </select>
    </div>
  )
  if (chosen.value === RAW) {
    return (
      <Dialog title="New item" close={close}>
        {choice}
        <RawEditor
          item={draft.raw ?? emptyItem(design)}
          label="The new item in DynamoDB JSON"
          stage={(after) => {
            const key = keyOf(after)
            stage(
              { kind: 'raw', entity: null, before: null, after },
              `item ${joinedKey(key, Object.keys(key))}`,
            )
            close()
          }}
          close={close}
        />
      </Dialog>
    )
  }
  return (
    <Dialog title="New item" close={close}>
      <form class="form" onSubmit={submit}>
        {choice}
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

/** The key attributes without values. */
function emptyItem({ indexes }: Design): StoredItem {
  const primary = indexes.find(({ type }) => type === 'primary')
  const names = [...(primary?.hash ?? []), ...(primary?.sort ?? [])]
  return Object.fromEntries(
    names.map((name): [string, StoredValue] => {
      const type = primary?.keyTypes[name]
      return [name, type === 'N' ? { N: '0' } : type === 'B' ? { B: '' } : { S: '' }]
    }),
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
