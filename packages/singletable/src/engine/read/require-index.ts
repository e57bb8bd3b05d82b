import type { Index, Table } from '../catalog/table.ts'
import { transitionStatus } from '../catalog/table.ts'
import type { EngineContext } from '../context/context.ts'
import {
  CONSISTENT_READ_ON_GLOBAL_INDEX,
  indexMissing,
  indexNotReady,
} from '../messages/query-messages.ts'
import { validationError } from '../messages/request-messages.ts'

/** The index a read goes to: the named one, or the primary index. */
export function requireIndex(
  context: EngineContext,
  table: Table,
  name: string | undefined,
): Index {
  if (name === undefined) return table.primary
  const index = table.secondary.find((candidate) => candidate.name === name)
  if (index === undefined) throw validationError(indexMissing(name))
  const status = transitionStatus(index.record ?? {}, context.environment.now())
  if (status === 'DELETING') throw validationError(indexMissing(name))
  if (status === 'CREATING') throw validationError(indexNotReady(name))
  return index
}

export function refuseConsistentRead(index: Index, consistent: boolean | undefined): void {
  if (index.kind === 'global' && consistent === true) {
    throw validationError(CONSISTENT_READ_ON_GLOBAL_INDEX)
  }
}
