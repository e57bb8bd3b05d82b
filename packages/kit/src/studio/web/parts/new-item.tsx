import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Design } from '../../api/contract.ts'
import { stage } from '../state/studio-state.ts'
import { Dialog } from './dialog.tsx'
import { AttributeInput } from './inputs.tsx'

/** A form for a new item of an entity. */
export function NewItem({
  design,
  close,
}: {
  readonly design: Design
  readonly close: () => void
}): JSX.Element {
  const own = design.entities.filter(({ copyOf }) => copyOf === null)
  const chosen = useSignal(own[0]?.name ?? '')
  const strings = useSignal<Readonly<Record<string, string | null>>>({})
  const entity = own.find(({ name }) => name === chosen.value)
  const submit = (event: Event): void => {
    event.preventDefault()
    const given = Object.entries(strings.value).filter(
      (each): each is [string, string] => each[1] !== null,
    )
    stage(
      { kind: 'create', entity: chosen.value, strings: Object.fromEntries(given) },
      `new ${chosen.value} ${given.map(([, text]) => text).join(' ')}`,
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
