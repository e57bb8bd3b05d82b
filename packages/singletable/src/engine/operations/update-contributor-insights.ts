import type {
  ContributorInsightsSummary,
  UpdateContributorInsightsRequest,
} from '../../wire/contributor-insights-operations.ts'
import { transitionStatus } from '../catalog/table.ts'
import type { ContributorInsights } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
import { summarizeInsights } from '../contributor-insights/describe-insights.ts'
import {
  insightsOf,
  type Monitored,
  requireMonitored,
  withInsights,
} from '../contributor-insights/monitored.ts'
import { insightsNeedActive } from '../messages/contributor-insights-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { tableNameShape } from '../shapes/item-shapes.ts'
import { oneOf, structure } from '../shapes/shape.ts'
import { indexName } from '../shapes/table-shapes.ts'
import type { Operation } from './operation.ts'

const DEFAULT_MODE = 'ACCESSED_AND_THROTTLED_KEYS'

/** A request for what is so already is answered and changes nothing, as was seen on AWS. */
export const updateContributorInsights: Operation<
  UpdateContributorInsightsRequest,
  ContributorInsightsSummary
> = {
  shape: structure({
    TableName: { required: tableNameShape },
    IndexName: indexName,
    ContributorInsightsAction: { required: oneOf('ENABLE', 'DISABLE') },
    ContributorInsightsMode: oneOf(DEFAULT_MODE, 'THROTTLED_KEYS'),
  }),
  run(context, request) {
    return context.catalog.change((transaction) => {
      const monitored = requireMonitored(context, request)
      const insights =
        request.ContributorInsightsAction === 'ENABLE'
          ? enabled(context, monitored, request.ContributorInsightsMode ?? DEFAULT_MODE)
          : disabled(context, monitored)
      const summary = summarizeInsights(context, monitored)
      if (insights === undefined) return summary
      context.catalog.put(transaction, withInsights(monitored, insights))
      return {
        ...summary,
        ContributorInsightsStatus: insights.enabled ? 'ENABLING' : 'DISABLING',
        ContributorInsightsMode: insights.mode,
      }
    })
  },
}

/** Without a mode it is the default again. Another mode keeps the names of the rules. */
function enabled(
  context: EngineContext,
  monitored: Monitored,
  mode: ContributorInsights['mode'],
): ContributorInsights | undefined {
  requireActive(context, monitored)
  const current = insightsOf(monitored)
  const period = periodOf(context, monitored)
  if (current?.enabled !== true) {
    return { enabled: true, mode, rulesMs: period.changedMs, ...period }
  }
  if (current.mode === mode) return undefined
  return { enabled: true, mode, rulesMs: current.rulesMs, ...period }
}

/** A mode in the request has no effect. */
function disabled(context: EngineContext, monitored: Monitored): ContributorInsights | undefined {
  const current = insightsOf(monitored)
  if (current?.enabled !== true) return undefined
  const { mode, rulesMs } = current
  return { enabled: false, mode, rulesMs, ...periodOf(context, monitored) }
}

/** Changes take as long as those of the table. */
function periodOf(
  { environment, delays }: EngineContext,
  { table }: Monitored,
): Pick<ContributorInsights, 'changedMs' | 'endsMs'> {
  const changedMs = environment.now()
  const durationMs = delays.transitionMs(table.name)
  return durationMs > 0 ? { changedMs, endsMs: changedMs + durationMs } : { changedMs }
}

/** A table or index that is being updated is as good as an active one. */
function requireActive({ environment }: EngineContext, { table, index }: Monitored): void {
  const isReady = (record: typeof table | NonNullable<typeof index>): boolean =>
    ['ACTIVE', 'UPDATING'].includes(transitionStatus(record, environment.now()))
  if (!isReady(table)) throw validationError(insightsNeedActive('TableStatus'))
  if (index && !isReady(index)) throw validationError(insightsNeedActive('IndexStatus'))
}
