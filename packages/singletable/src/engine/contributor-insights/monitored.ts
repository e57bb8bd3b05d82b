import { transitionStatus } from '../catalog/table.ts'
import type { ContributorInsights, IndexRecord, TableRecord } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
import { indexNotFound } from '../messages/resource-messages.ts'
import { requireTableByName } from '../tables/require-table.ts'

/** What Contributor Insights is enabled for: a table, or one of its global indexes. */
export interface Monitored {
  readonly table: TableRecord
  /** Undefined for the table itself. */
  readonly index?: IndexRecord
}

/** The table and its global indexes, by name. Local indexes have no rules of their own. An index
 * that is being deleted is among them until it is gone, as was seen on AWS. */
export function monitoredOf({ environment }: EngineContext, table: TableRecord): Monitored[] {
  const leaving = (table.indexesLeaving ?? []).filter(
    (index) => transitionStatus(index, environment.now()) === 'DELETING',
  )
  const indexes = [...table.indexes, ...leaving]
    .filter((index) => index.kind === 'global')
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  return [{ table }, ...indexes.map((index) => ({ table, index }))]
}

/** What a request names. */
export function requireMonitored(
  context: EngineContext,
  request: { readonly TableName: string; readonly IndexName?: string },
): Monitored {
  const { record } = requireTableByName(context, request.TableName)
  const { IndexName: name } = request
  const found = monitoredOf(context, record).find(({ index }) => index?.name === name)
  if (found === undefined) throw indexNotFound(name ?? '', record.name)
  return found
}

/** Undefined until it is enabled for the first time. */
export function insightsOf({ table, index }: Monitored): ContributorInsights | undefined {
  return (index ?? table).contributorInsights
}

/** The record of the table with this change. */
export function withInsights(
  { table, index }: Monitored,
  contributorInsights: ContributorInsights,
): TableRecord {
  if (index === undefined) return { ...table, contributorInsights }
  const changed = (indexes: readonly IndexRecord[]): IndexRecord[] =>
    indexes.map((each) => (each.id === index.id ? { ...each, contributorInsights } : each))
  return {
    ...table,
    indexes: changed(table.indexes),
    ...(table.indexesLeaving && { indexesLeaving: changed(table.indexesLeaving) }),
  }
}
