import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Design } from '../../api/contract.ts'
import { Empty, FailureView, Skeleton } from '../parts/basics.tsx'
import { call } from '../state/api.ts'
import { bytesText } from '../state/format.ts'
import { useLoad } from '../state/load.ts'
import { hashOf } from '../state/route.ts'
import { dataVersion, lastSpent } from '../state/studio-state.ts'

/** All tables of the endpoint. */
export function Tables({ design }: { readonly design: Design }): JSX.Element {
  const wanted = useSignal('')
  const load = useLoad(async () => {
    const answer = await call('/api/tables')
    lastSpent.value = answer.spent
    return answer
  }, [dataVersion.value])
  const { result, failure } = load.value
  const shown = result?.tables.filter(({ name }) =>
    name.toLowerCase().includes(wanted.value.trim().toLowerCase()),
  )
  return (
    <div class="screen">
      <h1>Tables</h1>
      <p class="lead">
        All tables of {design.place}. The schema of a table without one is guessed from its items.
      </p>
      {failure && <FailureView failure={failure} />}
      {!result && !failure && <Skeleton rows={6} />}
      {result && (
        <>
          <div class="toolbar is-plain">
            <input
              id="filter"
              type="text"
              spellcheck={false}
              aria-label="Find a table"
              placeholder="Find a table…   /"
              value={wanted.value}
              onInput={(event) => (wanted.value = event.currentTarget.value)}
            />
          </div>
          {shown?.length === 0 ? (
            <Empty title="No table has such a name." />
          ) : (
            <div class="panel is-scroll" tabIndex={0} role="region" aria-label="Tables">
              <table class="plain">
                <thead>
                  <tr>
                    <th>Table</th>
                    <th class="right">Items</th>
                    <th class="right">Size</th>
                    <th>Key</th>
                    <th>Indexes</th>
                    <th>Capacity</th>
                    <th>Stream</th>
                    <th>State</th>
                  </tr>
                </thead>
                <tbody>
                  {shown?.map((each) => (
                    <tr key={each.name}>
                      <td>
                        <a href={hashOf('overview', { table: each.name })}>{each.name}</a>
                        {each.name === design.table && <span class="quiet"> shown</span>}
                      </td>
                      <td class="right">{each.itemCount.toLocaleString('en-US')}</td>
                      <td class="right">{bytesText(each.sizeBytes)}</td>
                      <td>
                        <code>{each.keys.join(', ')}</code>
                      </td>
                      <td>{each.indexes.join(', ') || <span class="quiet">none</span>}</td>
                      <td>{each.billing}</td>
                      <td>{each.hasStream ? 'on' : <span class="quiet">off</span>}</td>
                      <td>{each.status.toLowerCase()}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </>
      )}
    </div>
  )
}
