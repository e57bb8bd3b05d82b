import type { GlobalSecondaryIndexUpdate, UpdateTableRequest } from '../../wire/table-operations.ts'
import { validationError } from '../messages/request-messages.ts'
import {
  INDEX_UPDATE_EMPTY,
  INDEX_UPDATE_SEVERAL,
  INDEX_WITH_STREAM,
  INDEX_WITH_THROUGHPUT,
  indexUpdatedTwice,
  mustBeOnlyChange,
  NOTHING_TO_UPDATE,
  ON_DEMAND_WITH_OTHER,
  oneIndexAtATime,
  STREAM_WITH_THROUGHPUT,
  UPDATE_STREAM_WITHOUT_VIEW,
  UPDATE_VIEW_WITHOUT_STREAM,
} from '../messages/table-messages.ts'
import { refuseMembers, unsupportedInUpdateTable } from '../shapes/unsupported-members.ts'
import { validateDefinitions } from './key-schema.ts'
import { validateEncryption, validateStream } from './table-definition.ts'
import { validateThroughput } from './table-throughput.ts'

/** Changes that AWS makes only by themselves. */
const LONE_CHANGES = [
  ['SSESpecification', 'Server-Side Encryption modification'],
  ['TableClass', 'TableClass modification'],
  ['DeletionProtectionEnabled', 'DeletionProtection modification'],
  ['WarmThroughput', 'WarmThroughput'],
] as const

const CHANGES = [
  'ProvisionedThroughput',
  'BillingMode',
  'StreamSpecification',
  'GlobalSecondaryIndexUpdates',
  'OnDemandThroughput',
  'ReplicaUpdates',
  'GlobalTableWitnessUpdates',
  ...LONE_CHANGES.map(([member]) => member),
] as const

/** Everything about a change of a table that can be checked from the request alone. */
export function validateTableUpdate(request: UpdateTableRequest): void {
  refuseMembers(request, unsupportedInUpdateTable)
  const updates = request.GlobalSecondaryIndexUpdates ?? []
  const changes = CHANGES.filter((member) =>
    /Updates$/.test(member)
      ? (request[member] as readonly unknown[] | undefined)?.length
      : request[member] !== undefined,
  )
  if (changes.length === 0) throw validationError(NOTHING_TO_UPDATE)
  for (const [member, change] of LONE_CHANGES) {
    if (request[member] !== undefined && changes.length > 1) {
      throw validationError(mustBeOnlyChange(change))
    }
  }
  validateCombination(request, updates)
  validateStream(request.StreamSpecification, {
    withoutView: UPDATE_STREAM_WITHOUT_VIEW,
    withView: UPDATE_VIEW_WITHOUT_STREAM,
  })
  validateEncryption(request.SSESpecification)
  if (request.ProvisionedThroughput !== undefined) validateThroughput(request.ProvisionedThroughput)
  validateDefinitions(request.AttributeDefinitions ?? [])
  validateIndexUpdates(updates)
}

function validateCombination(
  request: UpdateTableRequest,
  updates: readonly GlobalSecondaryIndexUpdate[],
): void {
  const throughput = request.ProvisionedThroughput !== undefined
  const stream = request.StreamSpecification !== undefined
  const onlineIndex = updates.some((update) => update.Create ?? update.Delete)
  if (request.OnDemandThroughput !== undefined && (throughput || stream || updates.length > 0)) {
    throw validationError(ON_DEMAND_WITH_OTHER)
  }
  if (stream && throughput) throw validationError(STREAM_WITH_THROUGHPUT)
  if (onlineIndex && throughput) throw validationError(INDEX_WITH_THROUGHPUT)
  if (onlineIndex && stream) throw validationError(INDEX_WITH_STREAM)
}

function validateIndexUpdates(updates: readonly GlobalSecondaryIndexUpdate[]): void {
  const names = new Set<string>()
  for (const { Create, Update, Delete } of updates) {
    const actions = [Create, Update, Delete].filter((action) => action !== undefined)
    const [action] = actions
    if (action === undefined) throw validationError(INDEX_UPDATE_EMPTY)
    if (actions.length > 1) throw validationError(INDEX_UPDATE_SEVERAL)
    if (names.has(action.IndexName)) throw validationError(indexUpdatedTwice(action.IndexName))
    names.add(action.IndexName)
    const throughput = (Create ?? Update)?.ProvisionedThroughput
    if (throughput !== undefined) validateThroughput(throughput, action.IndexName)
  }
  const online = updates.filter((update) => update.Create ?? update.Delete)
  if (online.length > 1) throw oneIndexAtATime()
}
