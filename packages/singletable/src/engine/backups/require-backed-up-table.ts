import { type Table, transitionStatus } from '../catalog/table.ts'
import { tableNameOf } from '../context/arn.ts'
import type { EngineContext } from '../context/context.ts'
import { backedUpTableBusy, backedUpTableNotFound } from '../messages/backup-messages.ts'

/** The table for an operation on backups; these have their own errors for a table that is missing
 * or not ready. */
export function requireBackedUpTable(context: EngineContext, nameOrArn: string): Table {
  const name = tableNameOf(nameOrArn)
  const table = context.catalog.find(name)
  const status = table && transitionStatus(table.record, context.environment.now())
  if (table === undefined || status === 'DELETING') throw backedUpTableNotFound(name)
  if (status === 'CREATING') throw backedUpTableBusy(name)
  return table
}
