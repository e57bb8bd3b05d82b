import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { design } from '../state/studio-state.ts'

/** Whether changes need the name of the table: they do on AWS. */
export function needsTypedName(): boolean {
  return design.value?.isAws === true && design.value.isReadOnly === false
}

export function isConfirmed(typed: string): boolean {
  return !needsTypedName() || typed === design.value?.table
}

/** On AWS, whoever changes something types the name of the table first. */
export function TypeTableName({ typed }: { readonly typed: Signal<string> }): JSX.Element | null {
  const id = useId()
  if (!needsTypedName()) return null
  return (
    <div class="field">
      <label for={id}>
        This table is on AWS: {design.value?.place}. Type its name, {design.value?.table}.
      </label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
      />
    </div>
  )
}
