import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Design } from '../../api/contract.ts'
import { Empty, EntityTag, FailureView, Skeleton } from '../parts/basics.tsx'
import { call } from '../state/api.ts'
import { bytesText, countText, visible } from '../state/format.ts'
import { useLoad } from '../state/load.ts'
import { change, hashOf, route } from '../state/route.ts'
import { dataVersion, lastSpent } from '../state/studio-state.ts'

/** Where the data of an index is: its largest partitions, and how uneven they are. */
export function Heat({ design }: { readonly design: Design }): JSX.Element {
  const name = route.value.parameters.get('index') ?? design.indexes[0]?.name ?? 'primary'
  const isAsked = useSignal(!design.isAws)
  const load = useLoad(async () => {
    if (!isAsked.value) return undefined
    const heat = await call('/api/heat', { index: name })
    lastSpent.value = heat.spent
    return heat
  }, [name, design.version, dataVersion.value, isAsked.value])
  const { result, failure, isBusy } = load.value
  const largest = result?.partitions[0]?.bytes ?? 1
  const average = result && result.partitionCount > 0 ? result.bytes / result.partitionCount : 0
  return (
    <div class="screen">
      <h1>Heat</h1>
      <p class="lead">
        Stored bytes by partition, from the items at the beginning of the index. Requests are not
        counted here: singletable recorder has those of your tests.
      </p>
      <div class="choices" role="group" aria-label="Index">
        {design.indexes.map((each) => (
          <button
            key={each.name}
            type="button"
            class="choice"
            aria-pressed={each.name === name}
            onClick={() => change({ index: each.name })}
          >
            {each.name === 'primary' ? 'base table' : each.name}
          </button>
        ))}
      </div>
      {failure && <FailureView failure={failure} />}
      {!isAsked.value && (
        <Empty title="Nothing is read on AWS until you ask for it.">
          <button type="button" class="button" onClick={() => (isAsked.value = true)}>
            Read up to 20,000 items
          </button>
        </Empty>
      )}
      {isBusy && !result && isAsked.value && <Skeleton rows={12} />}
      {result && result.items === 0 && <Empty title="The index has no items." />}
      {result && result.items > 0 && (
        <>
          <p class="note">
            {countText(result.partitionCount, 'partition')}, {countText(result.items, 'item')},{' '}
            {bytesText(result.bytes)}
            {result.isWhole ? '' : ', the first of the index'}. The largest has{' '}
            {(largest / average).toFixed(1)} times the average of {bytesText(Math.round(average))}.
          </p>
          <ol class="heat">
            {result.partitions.map(({ hash, items, bytes, entities }) => (
              <li key={hash.join(' ')}>
                <a
                  href={hashOf('data', { index: name, pk: JSON.stringify(hash) })}
                  title={visible(hash.join(' · '))}
                >
                  <span
                    class="heat-bar"
                    style={{ width: `${Math.max(1, (bytes / largest) * 100)}%` }}
                  />
                  <code>{visible(hash.join(' · '))}</code>
                </a>
                <span class="heat-facts">
                  {entities.map((entity) => (
                    <EntityTag key={entity} name={entity} />
                  ))}
                  {countText(items, 'item')} · {bytesText(bytes)}
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}
