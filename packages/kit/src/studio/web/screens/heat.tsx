import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Design, InsightsReport } from '../../api/contract.ts'
import { CodeBlock, Empty, EntityTag, FailureView, Skeleton, Tabs } from '../parts/basics.tsx'
import { call } from '../state/api.ts'
import { bytesText, countText, visible } from '../state/format.ts'
import { useLoad } from '../state/load.ts'
import { change, hashOf, route } from '../state/route.ts'
import { dataVersion, lastSpent } from '../state/studio-state.ts'

const KINDS = ['stored bytes', 'requests', 'Contributor Insights'] as const
/** Periods of a report, in minutes. */
const PERIODS = { '15': '15 minutes', '60': 'hour', '180': '3 hours', '1440': 'day' } as const

/** Where the data of an index is, and where its requests go. */
export function Heat({ design }: { readonly design: Design }): JSX.Element {
  const { parameters } = route.value
  const name = parameters.get('index') ?? design.indexes[0]?.name ?? 'primary'
  const kind = KINDS.find((each) => each === parameters.get('by')) ?? 'stored bytes'
  return (
    <div class="screen">
      <h1>Heat</h1>
      <Tabs
        // CloudWatch has only tables on AWS.
        names={design.isAws ? KINDS : KINDS.slice(0, 2)}
        chosen={kind}
        label="What is shown"
        choose={(next) => change({ by: next === 'stored bytes' ? undefined : next })}
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
      {kind === 'requests' && <Requests name={name} />}
      {kind === 'stored bytes' && (
        <Bytes name={name} version={design.version} isAws={design.isAws} />
      )}
      {kind === 'Contributor Insights' && <Insights name={name} design={design} />}
    </div>
  )
}

const REQUESTS_MS = 2000
/** What one partition key serves in a second. */
const READ_UNITS_MAX = 3000
const WRITE_UNITS_MAX = 1000

/** Reads and writes of the last minutes, in capacity units. */
function Requests({ name }: { readonly name: string }): JSX.Element {
  const turn = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => turn.value++, REQUESTS_MS)
    return () => clearInterval(timer)
  }, [])
  const chosen = route.value.parameters.get('minute')
  const minutesAgo = chosen === undefined ? undefined : Number(chosen)
  const load = useLoad(
    () => call('/api/traffic', { index: name, ...(minutesAgo !== undefined && { minutesAgo }) }),
    [name, minutesAgo, turn.value],
  )
  const { result, failure } = load.value
  const most = Math.max(0.5, ...(result?.partitions ?? []).map(weightOf))
  return (
    <>
      <p class="lead">
        {result?.isShared
          ? 'Recorded: requests of all programs that use singletable dev, and of this studio.'
          : 'Recorded: requests of this studio. For those of your application, see watchKeys() of singletable/limits, or run it against singletable dev.'}{' '}
        A partition key serves 3,000 read units and 1,000 write units in a second.
      </p>
      {failure && <FailureView failure={failure} />}
      {!result && !failure && <Skeleton rows={6} />}
      {result && (
        <Minutes
          history={result.history}
          chosen={minutesAgo}
          choose={(next) =>
            change({ minute: next === undefined ? undefined : String(next) }, false)
          }
        />
      )}
      {result && result.partitions.length === 0 && (
        <Empty
          title={
            minutesAgo === undefined
              ? `No partition was asked for in the last ${result.history.length} minutes.`
              : 'No partition was asked for in this minute.'
          }
        >
          Open one in Data, or run a pattern. A scan has no partition.
        </Empty>
      )}
      <ol class="heat">
        {result?.partitions.map((each) => (
          <Partition
            key={each.hash.join(' ')}
            index={name}
            hash={each.hash}
            share={weightOf(each) / most}
          >
            {countText(each.reads, 'read')}, {countText(rounded(each.readUnits), 'unit')} ·{' '}
            {countText(each.writes, 'write')}, {countText(rounded(each.writeUnits), 'unit')}
            <Peak read={each.readPeak} write={each.writePeak} />
          </Partition>
        ))}
      </ol>
    </>
  )
}

/** How near its busiest second came to what a partition key serves. */
function Peak({ read, write }: { readonly read: number; readonly write: number }): JSX.Element {
  const share = Math.max(read / READ_UNITS_MAX, write / WRITE_UNITS_MAX)
  const tone = share >= 1 ? ' is-bad' : share >= 0.5 ? ' is-warn' : ''
  return (
    <span
      class={`heat-peak${tone}`}
      title={`Busiest second: ${rounded(read)} of 3,000 read units, ${rounded(write)} of 1,000 write units`}
    >
      peak {share < 0.01 ? '< 1' : Math.round(share * 100)} % of the limit
    </span>
  )
}

/** The last minutes as columns, and a slider that chooses one of them. */
function Minutes({
  history,
  chosen,
  choose,
}: {
  readonly history: readonly { readonly reads: number; readonly writes: number }[]
  readonly chosen: number | undefined
  readonly choose: (minutesAgo: number | undefined) => void
}): JSX.Element {
  const most = Math.max(1, ...history.map(({ reads, writes }) => reads + writes))
  const last = history.length - 1
  return (
    <div class="minutes">
      <div class="minutes-columns" aria-hidden="true">
        {history.map(({ reads, writes }, at) => (
          <span
            key={at}
            class={`minute${chosen === last - at ? ' is-chosen' : ''}`}
            title={`${agoOf(last - at)}: ${rounded(reads)} read and ${rounded(writes)} write units`}
          >
            <span class="minute-writes" style={{ height: `${(writes / most) * 100}%` }} />
            <span class="minute-reads" style={{ height: `${(reads / most) * 100}%` }} />
          </span>
        ))}
      </div>
      <input
        type="range"
        min={0}
        max={last}
        aria-label="Minute"
        aria-valuetext={chosen === undefined ? 'all minutes' : agoOf(chosen)}
        value={last - (chosen ?? 0)}
        onInput={(event) => choose(last - Number(event.currentTarget.value))}
      />
      <span class="minutes-text">
        {chosen === undefined ? `the last ${history.length} minutes` : agoOf(chosen)}
        <span class="minutes-legend">
          <span class="minute-reads" /> read units <span class="minute-writes" /> write units
        </span>
        {chosen !== undefined && (
          <button type="button" class="quiet-button" onClick={() => choose(undefined)}>
            Show all minutes
          </button>
        )}
      </span>
    </div>
  )
}

function agoOf(minutes: number): string {
  return minutes === 0 ? 'this minute' : countText(minutes, 'minute ago', 'minutes ago')
}

function weightOf({
  readUnits,
  writeUnits,
}: {
  readonly readUnits: number
  readonly writeUnits: number
}): number {
  return readUnits + writeUnits * (READ_UNITS_MAX / WRITE_UNITS_MAX)
}

function rounded(units: number): number {
  return Math.round(units * 10) / 10
}

function Partition({
  index,
  hash,
  text = hash.join(' · '),
  share,
  children,
}: {
  readonly index: string
  readonly hash: readonly string[]
  readonly text?: string
  readonly share: number
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <li>
      <a href={hashOf('data', { index, pk: JSON.stringify(hash) })} title={visible(text)}>
        <span class="heat-bar" style={{ width: `${Math.max(1, share * 100)}%` }} />
        <code>{visible(text)}</code>
      </a>
      <span class="heat-facts">{children}</span>
    </li>
  )
}

/** What CloudWatch counts of all programs, where somebody has enabled it. */
function Insights({
  name,
  design: { table, indexes },
}: {
  readonly name: string
  readonly design: Design
}): JSX.Element {
  const hashCount = indexes.find((each) => each.name === name)?.hash.length ?? 1
  const minutes = route.value.parameters.get('minutes') ?? '60'
  const load = useLoad(
    () => call('/api/insights', { index: name, minutes: Number(minutes) }),
    [name, minutes],
  )
  const { result, failure, isBusy } = load.value
  const indexOption = name === 'primary' ? '' : ` --index-name ${name}`
  const command = `aws dynamodb update-contributor-insights --table-name ${table}${indexOption} --contributor-insights-action ENABLE`
  return (
    <>
      <p class="lead">
        CloudWatch Contributor Insights: the keys for which all programs consumed most capacity, and
        those that were throttled most. Figures are approximate, and some minutes late.
      </p>
      <div class="choices" role="group" aria-label="Period">
        {Object.entries(PERIODS).map(([value, text]) => (
          <button
            key={value}
            type="button"
            class="choice"
            aria-pressed={value === minutes}
            onClick={() => change({ minutes: value })}
          >
            last {text}
          </button>
        ))}
      </div>
      {failure && <FailureView failure={failure} />}
      {isBusy && !result && <Skeleton rows={6} />}
      {result?.state === 'disabled' && (
        <Empty title="Contributor Insights is not enabled here.">
          CloudWatch charges for each event that it counts.
        </Empty>
      )}
      {result?.state === 'disabled' && <CodeBlock label="To enable it" text={command} />}
      {result?.state === 'enabling' && (
        <Empty title="Contributor Insights is being enabled.">
          The first figures come some minutes later.
        </Empty>
      )}
      {result?.state === 'failed' && (
        <Empty title="DynamoDB could not enable Contributor Insights.">{result.problem}</Empty>
      )}
      {result?.state === 'local-index' && (
        <Empty title="A local index has no figures of its own.">
          Its requests count for the base table.
        </Empty>
      )}
      {result?.state === 'unavailable' && (
        <Empty title="CloudWatch can't be asked for this table.">
          The studio needs --aws or --profile, and a region.
        </Empty>
      )}
      {result?.state === 'enabled' && result.isThrottledOnly && (
        <p class="note">Only throttled requests are counted: that is the mode that was chosen.</p>
      )}
      {result?.state === 'enabled' &&
        result.reports.map((report) => (
          <InsightsList
            key={`${report.what} ${report.of}`}
            index={name}
            hashCount={hashCount}
            report={report}
          />
        ))}
    </>
  )
}

const REPORT_TITLES = {
  accessed: { partition: 'Partitions with most capacity', item: 'Items with most capacity' },
  throttled: { partition: 'Partitions throttled most', item: 'Items throttled most' },
} as const

function InsightsList({
  index,
  hashCount,
  report: { what, of, total, uniqueCount, contributors },
}: {
  readonly index: string
  readonly hashCount: number
  readonly report: InsightsReport
}): JSX.Element {
  const most = Math.max(1, ...contributors.map(({ value }) => value))
  const unit = what === 'accessed' ? 'unit' : 'throttled request'
  return (
    <section>
      <h2>{REPORT_TITLES[what][of]}</h2>
      {contributors.length === 0 ? (
        <p class="note">
          {what === 'throttled' ? 'Nothing was throttled.' : 'Nothing was asked for.'}
        </p>
      ) : (
        <p class="note">
          {countText(Math.round(total), unit)} of about {countText(uniqueCount, 'key')}
        </p>
      )}
      <ol class="heat">
        {contributors.map(({ keys, value }) => (
          <Partition
            key={keys.join(' ')}
            index={index}
            // The partition key comes first.
            hash={keys.slice(0, hashCount)}
            text={keys.join(' · ')}
            share={value / most}
          >
            {countText(rounded(value), unit)}
          </Partition>
        ))}
      </ol>
    </section>
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
      <p class="lead">
        Sampled: stored bytes by partition, from the items at the beginning of the index.
      </p>
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
