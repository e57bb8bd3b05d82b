import type { JSX } from 'preact'
import type { Design, FilterCondition } from '../../api/contract.ts'

const OPERATORS: readonly FilterCondition['op'][] = [
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'begins_with',
  'contains',
  'between',
  'exists',
  'not exists',
]
const TYPES = { S: 'text', N: 'number', BOOL: 'true or false' } as const

/** Conditions on any attribute, as DynamoDB has it. */
export function Filters({
  design,
  filters,
  set,
}: {
  readonly design: Design
  readonly filters: readonly FilterCondition[]
  readonly set: (filters: readonly FilterCondition[]) => void
}): JSX.Element {
  const change = (at: number, part: Partial<FilterCondition>): void =>
    set(filters.map((each, place) => (place === at ? { ...each, ...part } : each)))
  const names = new Set(
    design.entities.flatMap(({ attributes }) => attributes.map(({ stored }) => stored)),
  )
  return (
    <div class="filters" role="group" aria-label="Filters">
      {filters.map(({ attribute, op, type, values }, at) => {
        const count = op.endsWith('exists') ? 0 : op === 'between' ? 2 : 1
        return (
          <div class="filter" key={at}>
            <input
              type="text"
              spellcheck={false}
              list="filter-attributes"
              aria-label={`Attribute of filter ${at + 1}`}
              placeholder="attribute"
              value={attribute}
              onInput={(event) => change(at, { attribute: event.currentTarget.value })}
            />
            <select
              aria-label={`Operator of filter ${at + 1}`}
              value={op}
              onChange={(event) =>
                change(at, { op: OPERATORS[event.currentTarget.selectedIndex] ?? '=' })
              }
            >
              {OPERATORS.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
            {count > 0 && (
              <select
                aria-label={`Type of filter ${at + 1}`}
                value={type}
                onChange={(event) =>
                  change(at, { type: event.currentTarget.value as FilterCondition['type'] })
                }
              >
                {Object.entries(TYPES).map(([each, words]) => (
                  <option key={each} value={each}>
                    {words}
                  </option>
                ))}
              </select>
            )}
            {Array.from({ length: count }, (_, place) => (
              <input
                key={place}
                type="text"
                spellcheck={false}
                aria-label={`${place === 0 ? 'Value' : 'Upper value'} of filter ${at + 1}`}
                placeholder={type === 'BOOL' ? 'true' : 'value'}
                value={values[place] ?? ''}
                onInput={(event) => {
                  const next = Array.from({ length: count }, (__, each) => values[each] ?? '')
                  next[place] = event.currentTarget.value
                  change(at, { values: next })
                }}
              />
            ))}
            <button
              type="button"
              class="quiet-button"
              aria-label={`Remove filter ${at + 1}`}
              onClick={() => set(filters.filter((_, place) => place !== at))}
            >
              ✕
            </button>
          </div>
        )
      })}
      <datalist id="filter-attributes">
        {[...names].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <button
        type="button"
        class="quiet-button"
        onClick={() => set([...filters, { attribute: '', op: '=', type: 'S', values: [''] }])}
      >
        + Filter
      </button>
      {filters.length > 0 && (
        <span class="quiet">What a filter leaves out is read and paid for.</span>
      )}
    </div>
  )
}

/** Filters of an address. */
export function readFilters(text: string): readonly FilterCondition[] {
  try {
    const list: unknown = JSON.parse(text || '[]')
    return Array.isArray(list) ? (list as FilterCondition[]) : []
  } catch {
    return []
  }
}
