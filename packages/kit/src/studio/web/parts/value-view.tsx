import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { StoredValue } from '../../api/contract.ts'
import { agoText, countText, shownText, valueText, visible } from '../state/format.ts'

const LINE_CHARACTERS_MAX = 400
const TITLE_CHARACTERS_MAX = 2000
/** Longer strings are cut, until the reader asks for all of it. */
const LONG_CHARACTERS = 2000
const ISO_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** A stored value in one line of a table, and how it looks. */
export interface CellText {
  readonly text: string
  readonly look: '' | 'value-empty' | 'value-number' | 'value-word' | 'is-link'
}

const NO_CELL: CellText = { text: '', look: '' }

/** Nothing is rounded: numbers are strings. */
export function cellText(value: StoredValue | undefined): CellText {
  if (value === undefined) return NO_CELL
  if (value.S === '') return { text: 'empty text', look: 'value-empty' }
  if (value.S !== undefined && ISO_DATE.test(value.S)) {
    return { text: agoText(new Date(value.S)), look: '' }
  }
  return {
    text: cut(valueText(value), LINE_CHARACTERS_MAX),
    look: value.N !== undefined ? 'value-number' : value.BOOL !== undefined ? 'value-word' : '',
  }
}

/** What a cell says when somebody points at it. */
export function cellTitle(value: StoredValue | undefined): string {
  return value === undefined ? '' : cut(valueText(value), TITLE_CHARACTERS_MAX)
}

function cut(text: string, charactersMax: number): string {
  return shownText(text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text)
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
  return (
    <span class="tree-value">
      <ValueText text={valueText(value)} />
    </span>
  )
}

/** A value as it is; one without characters is named, because nothing could be seen of it. */
export function ValueText({ text }: { readonly text: string }): JSX.Element {
  return text === '' ? <span class="value-empty">empty text</span> : <LongText text={text} />
}

/** A text as it is; of a very long one the beginning, until the rest is asked for. */
export function LongText({ text }: { readonly text: string }): JSX.Element {
  const isWhole = useSignal(false)
  if (text.length <= LONG_CHARACTERS || isWhole.value) return <>{shownText(text)}</>
  return (
    <>
      {visible(text.slice(0, LONG_CHARACTERS / 2))}…{' '}
      <button type="button" class="link" onClick={() => (isWhole.value = true)}>
        Show all {countText(text.length, 'character')}
      </button>
    </>
  )
}
