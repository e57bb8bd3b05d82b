import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { StoredItem } from '../../api/contract.ts'
import { parseItem, printItem } from '../state/item-json.ts'

const ROWS_MIN = 8
const ROWS_MAX = 28

/** An item in DynamoDB's JSON. Numbers are in quotes, so that no digit is lost. */
export function RawEditor({
  item,
  label,
  stage,
  close,
}: {
  readonly item: StoredItem
  readonly label: string
  readonly stage: (item: StoredItem) => void
  readonly close: () => void
}): JSX.Element {
  const start = printItem(item)
  const text = useSignal(start)
  const area = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  useLayoutEffect(() => area.current?.focus(), [])
  const parsed = parseItem(text.value)
  const isChanged = text.value !== start
  const submit = (event: Event): void => {
    event.preventDefault()
    if (parsed.item && isChanged) stage(parsed.item)
  }
  return (
    <form
      class="form"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(event)
      }}
    >
      <div class={`field${isChanged ? ' is-changed' : ''}`}>
        <label for={id}>{label}</label>
        <textarea
          ref={area}
          id={id}
          class="raw"
          spellcheck={false}
          rows={Math.max(ROWS_MIN, Math.min(ROWS_MAX, start.split('\n').length + 2))}
          value={text.value}
          aria-invalid={parsed.problem !== undefined}
          aria-describedby={`${id}-note`}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
        <p id={`${id}-note`} class={`note${parsed.problem ? ' is-bad' : ''}`} role="status">
          {parsed.problem ??
            'An attribute is {"S": "text"}, {"N": "12.5"}, {"BOOL": true}, {"SS": […]}, {"L": […]}, {"M": {…}} or {"B": "base64"}.'}
        </p>
      </div>
      <div class="buttons is-sticky">
        <button type="submit" class="button is-main" disabled={!parsed.item || !isChanged}>
          Stage the item
        </button>
        <button
          type="button"
          class="button"
          disabled={!parsed.item}
          onClick={() => (text.value = printItem(parsed.item ?? item))}
        >
          Format
        </button>
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  )
}
