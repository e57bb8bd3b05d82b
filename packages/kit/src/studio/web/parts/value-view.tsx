import type { JSX } from 'preact'
import type { StoredValue } from '../../api/contract.ts'
import { agoText, valueText, visible } from '../state/format.ts'

const LINE_CHARACTERS_MAX = 400
const ISO_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** A stored value in one line of a table. Nothing is rounded: numbers are strings. */
export function ValueCell({
  value,
}: {
  readonly value: StoredValue | undefined
}): JSX.Element | null {
  if (value === undefined) return null
  const text = valueText(value)
  if (value.S !== undefined && ISO_DATE.test(value.S)) {
    return (
      <time dateTime={value.S} title={value.S}>
        {agoText(new Date(value.S))}
      </time>
    )
  }
  if (value.S === '') return <span class="value-empty">empty text</span>
  const kind =
    value.N !== undefined ? 'value-number' : value.BOOL !== undefined ? 'value-word' : undefined
  const isCut = text.length > LINE_CHARACTERS_MAX
  return (
    <span class={kind} title={visible(isCut ? `${text.slice(0, 2000)}…` : text)}>
      {visible(isCut ? `${text.slice(0, LINE_CHARACTERS_MAX)}…` : text)}
    </span>
  )
}

/** A stored value with all that is in it, as a tree. */
export function ValueTree({ value }: { readonly value: StoredValue }): JSX.Element {
  if (value.M) {
    return (
      <ul class="tree">
        {Object.entries(value.M).map(([name, each]) => (
          <li key={name}>
            <span class="tree-name">{visible(name)}</span> <ValueTree value={each} />
          </li>
        ))}
      </ul>
    )
  }
  if (value.L) {
    return (
      <ol class="tree" start={0}>
        {value.L.map((each, at) => (
          <li key={at}>
            <ValueTree value={each} />
          </li>
        ))}
      </ol>
    )
  }
  return <span class="tree-value">{visible(valueText(value))}</span>
}
