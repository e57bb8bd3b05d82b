import type { Operations } from 'singletable/engine'
import type { Index } from 'singletable/tools'
import type { CloudWatch } from './cloudwatch.ts'
import type { InsightsReport, InsightsView } from './contract.ts'
import type { StudioSource } from './studio-source.ts'

/** The kinds of rules that DynamoDB makes, by the middle of their names. */
const RULES = [
  ['PKC', 'accessed', 'partition'],
  ['SKC', 'accessed', 'item'],
  ['PKT', 'throttled', 'partition'],
  ['SKT', 'throttled', 'item'],
] as const
const CONTRIBUTORS_MAX = 25
const MINUTE_MS = 60_000

type Described = Operations['DescribeContributorInsights']['response']

/** What CloudWatch has of the keys of an index, if Contributor Insights is enabled for it. */
export async function insightsOf(
  source: StudioSource,
  index: Index,
  minutes: number,
): Promise<InsightsView> {
  const { cloudWatch, transport, tableName: TableName } = source.connection
  const nothing = { isThrottledOnly: false, minutes, problem: null, reports: [] }
  if (cloudWatch === undefined) return { ...nothing, state: 'unavailable' }
  // A local index has no rules of its own: its keys count for the table.
  if (index.type === 'local') return { ...nothing, state: 'local-index' }
  const described = await transport.send('DescribeContributorInsights', {
    TableName,
    ...(index.type === 'global' && { IndexName: index.name }),
  })
  const view: InsightsView = { ...nothing, ...statusOf(described) }
  if (view.state !== 'enabled') return view
  const endMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
  const time = { startMs: endMs - minutes * MINUTE_MS, endMs, contributorsMax: CONTRIBUTORS_MAX }
  const found = RULES.flatMap(([kind, what, of]) => {
    const start = `DynamoDBContributorInsights-${kind}-`
    const rule = described.ContributorInsightsRuleList?.find((each) => each.startsWith(start))
    return rule === undefined ? [] : [{ rule, what, of }]
  })
  const reports = await Promise.all(
    found.map(({ rule, what, of }) => readReport(cloudWatch, { ...time, rule }, { what, of })),
  )
  return { ...view, reports }
}

export function statusOf(
  described: Described,
): Pick<InsightsView, 'state' | 'isThrottledOnly' | 'problem'> {
  return {
    state: STATES[described.ContributorInsightsStatus] ?? 'disabled',
    isThrottledOnly: described.ContributorInsightsMode === 'THROTTLED_KEYS',
    problem: described.FailureException?.ExceptionDescription ?? null,
  }
}

const STATES: Readonly<Record<string, InsightsView['state']>> = {
  ENABLED: 'enabled',
  ENABLING: 'enabling',
  DISABLING: 'disabled',
  DISABLED: 'disabled',
  FAILED: 'failed',
}

async function readReport(
  cloudWatch: CloudWatch,
  question: Parameters<CloudWatch['report']>[0],
  { what, of }: Pick<InsightsReport, 'what' | 'of'>,
): Promise<InsightsReport> {
  const { total, uniqueCount, contributors } = await cloudWatch.report(question)
  return { what, of, total, uniqueCount, contributors }
}
