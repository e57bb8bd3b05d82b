import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Design } from '../../api/contract.ts'
import { Empty, EntityTag, FailureView, Skeleton, Tabs } from '../parts/basics.tsx'
import { call } from '../state/api.ts'
import { bytesText, countText, visible } from '../state/format.ts'
import { useLoad } from '../state/load.ts'
import { change, hashOf, route } from '../state/route.ts'
import { dataVersion, lastSpent } from '../state/studio-state.ts'

const KINDS = ['stored bytes', 'requests'] as const

/** Where the data of an index is, and where its requests go. */
export function Heat({ design }: { readonly design: Design }): JSX.Element {
  const { parameters } = route.value
  const name = parameters.get('index') ?? design.indexes[0]?.name ?? 'primary'
  const kind = parameters.get('by') === 'requests' ? 'requests' : 'stored bytes'
  return (
    <div class="screen">
      <h1>Heat</h1>
      <Tabs
        names={KINDS}
        chosen={kind}
        label="What is shown"
        choose={(next) => change({ by: next === 'requests' ? next : undefined })}
      />
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
      {kind === 'requests' ? (
        <Requests name={name} />
      ) : (
        <Bytes name={name} version={design.version} isAws={design.isAws} />
      )}
    </div>
  )
}

const REQUESTS_MS = 2000

/** Reads and writes of the last minutes. */
function Requests({ name }: { readonly name: string }): JSX.Element {
  const turn = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => turn.value++, REQUESTS_MS)
    return () => clearInterval(timer)
  }, [])
  const load = useLoad(() => call('/api/traffic', { index: name }), [name, turn.value])
  const { result, failure } = load.value
  const most = Math.max(1, ...(result?.partitions ?? []).map((each) => each.reads + each.writes))
  return (
    <>
      <p class="lead">
        {result?.isShared
          ? 'Requests of all programs that use singletable dev, and of this studio.'
          : 'Requests of this studio. For those of your application, see watchKeys() of singletable/limits, or run it against singletable dev.'}{' '}
        A partition key serves 3,000 reads and 1,000 writes in a second.
      </p>
      {failure && <FailureView failure={failure} />}
      {!result && !failure && <Skeleton rows={6} />}
      {result && result.partitions.length === 0 && (
        <Empty title={`No partition was asked for in the last ${result.minutes} minutes.`}>
          Open one in Data, or run a pattern. A scan has no partition.
        </Empty>
      )}
      <ol class="heat">
        {result?.partitions.map(({ hash, reads, writes }) => (
          <Partition key={hash.join(' ')} index={name} hash={hash} share={(reads + writes) / most}>
            {countText(reads, 'read')} · {countText(writes, 'write')}
          </Partition>
        ))}
      </ol>
    </>
  )
}

function Partition({
  index,
  hash,
  share,
  children,
}: {
  readonly index: string
  readonly hash: readonly string[]
  readonly share: number
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <li>
      <a
        href={hashOf('data', { index, pk: JSON.stringify(hash) })}
        title={visible(hash.join(' · '))}
      >
        <span class="heat-bar" style={{ width: `${Math.max(1, share * 100)}%` }} />
        <code>{visible(hash.join(' · '))}</code>
      </a>
      <span class="heat-facts">{children}</span>
    </li>
  )
}

/** The largest partitions, and how uneven they are. */
function Bytes({
  name,
  version,
  isAws,
}: {
  readonly name: string
  readonly version: number
  readonly isAws: boolean
}): JSX.Element {
  const isAsked = useSignal(!isAws)
  const load = useLoad(async () => {
    if (!isAsked.value) return undefined
    const heat = await call('/api/heat', { index: name })
    lastSpent.value = heat.spent
    return heat
  }, [name, version, dataVersion.value, isAsked.value])
  const { result, failure, isBusy } = load.value
  const largest = result?.partitions[0]?.bytes ?? 1
  const average = result && result.partitionCount > 0 ? result.bytes / result.partitionCount : 0
  return (
    <>
      <p class="lead">Stored bytes by partition, from the items at the beginning of the index.</p>
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
              <Partition key={hash.join(' ')} index={name} hash={hash} share={bytes / largest}>
                {entities.map((entity) => (
                  <EntityTag key={entity} name={entity} />
                ))}
                {countText(items, 'item')} · {bytesText(bytes)}
              </Partition>
            ))}
          </ol>
        </>
      )}
    </>
  )
}
