import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { AttributeView, InputView } from '../../api/contract.ts'

/** A field of the editor. A text that is null is not set, which is not the same as empty. */
export function AttributeInput({
  attribute,
  text,
  isChanged,
  isDisabled,
  onText,
}: {
  readonly attribute: AttributeView
  readonly text: string | null
  readonly isChanged: boolean
  readonly isDisabled: boolean
  readonly onText: (text: string | null) => void
}): JSX.Element {
  const id = useId()
  const { name, type, isRequired } = attribute
  const isBinary = type.includes('Uint8Array')
  return (
    <div class={`field${isChanged ? ' is-changed' : ''}`}>
      <label for={id}>
        {name}
        {isRequired && (
          <span class="field-mark" title="required">
            {' '}
            *
          </span>
        )}
        <span class="field-type">
          {type}
          {isBinary && ', as base64'}
        </span>
      </label>
      <div class="field-input">
        <ValueInput
          id={id}
          input={attribute.input}
          options={attribute.options}
          text={text}
          isDisabled={isDisabled}
          onText={onText}
          isRequired={isRequired}
        />
        {!isRequired && !isDisabled && text !== null && (
          <button
            type="button"
            class="quiet-button"
            aria-label={`Remove ${name}`}
            onClick={() => onText(null)}
          >
            ✕
          </button>
        )}
      </div>
    </div>
  )
}

export function ValueInput({
  id,
  input,
  options,
  text,
  isDisabled = false,
  isRequired = false,
  placeholder,
  onText,
}: {
  readonly id: string
  readonly input: InputView['input']
  readonly options: readonly string[]
  readonly text: string | null
  readonly isDisabled?: boolean
  readonly isRequired?: boolean
  readonly placeholder?: string
  readonly onText: (text: string | null) => void
}): JSX.Element {
  const shared = { id, disabled: isDisabled, spellcheck: false }
  if (input === 'select' || input === 'boolean') {
    return (
      <select
        {...shared}
        value={text ?? ''}
        onChange={(event) => onText(event.currentTarget.value || null)}
      >
        {(!isRequired || text === null) && <option value="">–</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    )
  }
  if (input === 'json') {
    return (
      <textarea
        {...shared}
        rows={Math.min(10, (text ?? '').split('\n').length + 1)}
        value={text ?? ''}
        placeholder={placeholder ?? 'JSON'}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    )
  }
  const hint =
    placeholder ?? (text === null ? 'not set' : input === 'date' ? '2026-11-16T12:00:00Z' : '')
  return (
    <input
      {...shared}
      type="text"
      inputMode={input === 'number' ? 'decimal' : 'text'}
      value={text ?? ''}
      placeholder={hint}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}
