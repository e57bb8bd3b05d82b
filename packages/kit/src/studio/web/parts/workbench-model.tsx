import type { JSX } from 'preact'
import type { WorkbenchView } from '../../api/contract.ts'
import { countText, visible } from '../state/format.ts'
import { CodeBlock } from './basics.tsx'

/** A model of NoSQL Workbench: what its tables have, and the schema that its facets suggest. */
export function WorkbenchModel({
  tables,
  chosen,
  choose,
}: {
  readonly tables: readonly WorkbenchView[]
  readonly chosen: number
  readonly choose: (at: number) => void
}): JSX.Element | null {
  const table = tables[chosen]
  if (table === undefined) return null
  return (
    <>
      {tables.length > 1 && (
        <div class="choices" role="group" aria-label="Tables of the model">
          {tables.map(({ name }, at) => (
            <button
              key={name}
              type="button"
              class="choice"
              aria-pressed={at === chosen}
              onClick={() => choose(at)}
            >
              {visible(name)}
            </button>
          ))}
        </div>
      )}
      <p class="note">
        {countText(table.items, 'sample item')} in {visible(table.name)}, with the keys{' '}
        <code>{visible(table.keys.join(', '))}</code>
        {table.unreadable > 0 &&
          `; ${countText(table.unreadable, 'other')} without these keys can't be imported`}
        .{' '}
        {!table.isSameKey &&
          'The table that is shown has other keys, so that they can not be imported into it.'}
      </p>
      {table.facets.length > 0 && (
        <div class="panel is-scroll" tabIndex={0} role="region" aria-label="Facets of the model">
          <table class="plain">
            <thead>
              <tr>
                <th>Facet</th>
                <th>Keys</th>
              </tr>
            </thead>
            <tbody>
              {table.facets.map(({ name, aliases }) => (
                <tr key={name}>
                  <td>{visible(name)}</td>
                  <td>
                    <code>{visible(aliases.join(' · '))}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <details class="suggested">
        <summary>Suggested schema</summary>
        <p class="note">A draft to copy. The studio writes no file of yours.</p>
        <CodeBlock label="schema.ts" text={table.draft} />
      </details>
    </>
  )
}
