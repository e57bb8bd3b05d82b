import type {
  ContributorInsightsStatus,
  ContributorInsightsSummary,
  DescribeContributorInsightsResponse,
} from '../../wire/contributor-insights-operations.ts'
import type { ContributorInsights } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
import { seconds } from '../tables/describe-table.ts'
import { insightsOf, type Monitored } from './monitored.ts'

/** What lists and answers to changes show. */
export function summarizeInsights(
  { environment }: EngineContext,
  monitored: Monitored,
): ContributorInsightsSummary {
  const { table, index } = monitored
  const insights = insightsOf(monitored)
  return {
    TableName: table.name,
    ...(index && { IndexName: index.name }),
    ContributorInsightsStatus: statusOf(insights, environment.now()),
    ...(insights && { ContributorInsightsMode: insights.mode }),
  }
}

export function describeInsights(
  context: EngineContext,
  monitored: Monitored,
): DescribeContributorInsightsResponse {
  const summary = summarizeInsights(context, monitored)
  const insights = insightsOf(monitored)
  if (insights === undefined) return summary
  const { changedMs, endsMs = changedMs } = insights
  const isChanging = context.environment.now() < endsMs
  return {
    ...summary,
    // What AWS lists while rules are being created or deleted is not known.
    ...(insights.enabled &&
      !isChanging && { ContributorInsightsRuleList: rulesOf(monitored, insights) }),
    LastUpdateDateTime: seconds(isChanging ? changedMs : endsMs),
  }
}

function statusOf(
  insights: ContributorInsights | undefined,
  nowMs: number,
): ContributorInsightsStatus {
  if (insights === undefined) return 'DISABLED'
  const isChanging = insights.endsMs !== undefined && nowMs < insights.endsMs
  if (insights.enabled) return isChanging ? 'ENABLING' : 'ENABLED'
  return isChanging ? 'DISABLING' : 'DISABLED'
}

/**
 * Two rules count what partition keys consume (C) and how often they are throttled (T), two more
 * the same of items where there is a sort key. (AWS Developer Guide, Contributor Insights rules;
 * the rules of an index are named after the table and the index.)
 */
function rulesOf({ table, index }: Monitored, { mode, rulesMs }: ContributorInsights): string[] {
  const resource = index === undefined ? table.name : `${table.name}-${index.name}`
  const hasSortKey = (index ?? table).keySchema.some(({ KeyType }) => KeyType === 'RANGE')
  return (mode === 'THROTTLED_KEYS' ? ['T'] : ['C', 'T'])
    .flatMap((measure) => (hasSortKey ? [`PK${measure}`, `SK${measure}`] : [`PK${measure}`]))
    .map((kind) => `DynamoDBContributorInsights-${kind}-${resource}-${rulesMs}`)
}
