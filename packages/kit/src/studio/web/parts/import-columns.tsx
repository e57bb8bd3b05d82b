import type { JSX } from 'preact'
import type { Design, FileView } from '../../api/contract.ts'
import { visible } from '../state/format.ts'
import { Empty } from './basics.tsx'

/** The choice of a column that becomes nothing. No attribute is called that. */
export const LEFT_OUT = '.'

/** The entity that rows become, and by column an attribute, `LEFT_OUT`, or nothing yet. */
export interface ColumnChoices {
  readonly entity: string
  readonly columns: { readonly [column: string]: string }
}

/** What the names of the columns say; the rest is for the reader to choose. */
export function proposedChoices(
  design: Design,
  view: FileView,
  entity = view.proposals[0]?.entity ?? design.entities[0]?.name ?? '',
): ColumnChoices {
  const found = view.proposals.find((each) => each.entity === entity)?.columns ?? {}
  return {
    entity,
    columns: Object.fromEntries(view.columns.map(({ name }) => [name, found[name] ?? ''])),
  }
}

/** Which column of the file is which attribute. Each column is mapped, or left out by name. */
export function ImportColumns({
  design,
  view,
  choices,
  choose,
}: {
  readonly design: Design
  readonly view: FileView
  readonly choices: ColumnChoices
  readonly choose: (next: ColumnChoices) => void
}): JSX.Element {
  const entities = design.entities.filter(({ copyOf }) => copyOf === null)
  const entity = entities.find(({ name }) => name === choices.entity)
  if (entity === undefined || view.columns.length === 0) {
    return <Empty title="The file has no columns." />
  }
  const given = view.proposals.find((each) => each.entity === entity.name)?.attributes ?? []
  const attributes = entity.attributes.filter(({ name }) => given.includes(name))
  const used = new Set(Object.values(choices.columns))
  const missing = attributes.filter(({ name, isKept }) => !isKept && !used.has(name))
  const names = Object.keys(choices.columns)
  const set = (column: string, choice: string): void =>
    choose({ ...choices, columns: { ...choices.columns, [column]: choice } })
  return (
    <>
      <div class="toolbar is-plain">
        <label>
          Each row becomes an item of{' '}
          <select
            aria-label="Entity of the rows"
            value={entity.name}
            onChange={(event) => choose(proposedChoices(design, view, event.currentTarget.value))}
          >
            {entities.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          class="quiet-button"
          disabled={!Object.values(choices.columns).includes('')}
          onClick={() =>
            choose({
              ...choices,
              columns: Object.fromEntries(
                Object.entries(choices.columns).map(([name, each]) => [name, each || LEFT_OUT]),
              ),
            })
          }
        >
          Leave out all others
        </button>
      </div>
      <div class="panel is-scroll" tabIndex={0} role="region" aria-label="Columns of the file">
        <table class="plain mapping">
          <thead>
            <tr>
              <th>Column</th>
              <th>Has</th>
              <th>Examples</th>
              <th>Attribute of {entity.name}</th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => {
              const column = view.columns.find((each) => each.name === name)
              const choice = choices.columns[name] ?? ''
              return (
                <tr key={name}>
                  <td>
                    <code class="cut" title={visible(name)}>
                      {visible(name)}
                    </code>
                  </td>
                  <td class="quiet">{column?.type}</td>
                  <td>
                    <span class="cut quiet" title={visible(column?.examples.join(', ') ?? '')}>
                      {visible(column?.examples.join(', ') ?? '')}
                    </span>
                  </td>
                  <td>
                    <select
                      aria-label={`Attribute for ${name}`}
                      class={choice === '' ? 'is-open' : undefined}
                      value={choice}
                      onChange={(event) => set(name, event.currentTarget.value)}
                    >
                      <option value="">choose…</option>
                      <option value={LEFT_OUT}>left out</option>
                      {attributes.map((each) => (
                        <option
                          key={each.name}
                          value={each.name}
                          disabled={each.name !== choice && used.has(each.name)}
                        >
                          {each.name} · {each.type}
                        </option>
                      ))}
                    </select>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {missing.length > 0 && (
        <p class="note">
          Without a column:{' '}
          {missing.map((each, at) => (
            <span key={each.name}>
              {at > 0 && ', '}
              {each.isRequired ? (
                <strong class="is-missing">{each.name} (required)</strong>
              ) : (
                each.name
              )}
            </span>
          ))}
        </p>
      )}
    </>
  )
}
