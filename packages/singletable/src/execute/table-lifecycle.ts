import { DefinitionError } from '../errors/definition-error.ts'
import { createTableRequest, recoveryRequest, replicaRequests } from '../schema/table-request.ts'
import type { TableDescription } from '../wire/table-operations.ts'
import { type Call, sleep } from './call.ts'
import { READ, send } from './send.ts'
import type { TableContext } from './table-context.ts'

/** What DynamoDB takes; calls on a table that exists may also have its ARN. */
const NAME = /^[\w.-]{3,255}$/
const ONCE = { write: true, idempotent: false }
const POLL_MS_FIRST = 20
const POLL_MS_MAX = 5_000

/** Makes the table with all its indexes and settings, and waits until it can be used. */
export async function createTable(context: TableContext, call: Call): Promise<void> {
  const { name: TableName, schema } = context
  if (!NAME.test(TableName)) {
    throw new DefinitionError('OPTION_INVALID', {
      what: `DynamoDB does not accept the table name "${TableName}".`,
      where: call.place,
      fix: 'use 3 to 255 of the characters a-z A-Z 0-9 _ . -',
    })
  }
  await send(context, call, 'CreateTable', createTableRequest(schema, TableName), ONCE)
  await waitUntil(context, call, isReady)
  const { table = {} } = schema.definition
  for (const request of replicaRequests(table, TableName)) {
    await send(context, call, 'UpdateTable', request, ONCE)
    await waitUntil(context, call, isReady)
  }
  if (schema.ttl !== undefined) {
    const TimeToLiveSpecification = { AttributeName: schema.ttl, Enabled: true }
    await send(context, call, 'UpdateTimeToLive', { TableName, TimeToLiveSpecification }, ONCE)
  }
  if (table.pointInTimeRecovery) {
    const PointInTimeRecoverySpecification = recoveryRequest(table)
    const request = { TableName, PointInTimeRecoverySpecification }
    await send(context, call, 'UpdateContinuousBackups', request, ONCE)
  }
}

/** Deletes the table with everything in it, and waits until it is gone. */
export async function deleteTable(context: TableContext, call: Call): Promise<void> {
  await send(context, call, 'DeleteTable', { TableName: context.name }, ONCE)
  await waitUntil(context, call, (table) => table === undefined)
}

export async function tableExists(context: TableContext, call: Call): Promise<boolean> {
  return ((await describe(context, call))?.TableStatus ?? 'DELETING') !== 'DELETING'
}

/** Whether the table, its indexes and its replicas are there. */
function isReady(table: TableDescription | undefined): boolean {
  return [
    table?.TableStatus,
    ...(table?.GlobalSecondaryIndexes ?? []).map(({ IndexStatus }) => IndexStatus),
    ...(table?.Replicas ?? []).map(({ ReplicaStatus }) => ReplicaStatus),
  ].every((status) => status === 'ACTIVE')
}

async function waitUntil(
  context: TableContext,
  call: Call,
  reached: (table: TableDescription | undefined) => boolean,
): Promise<void> {
  for (let pauseMs = POLL_MS_FIRST; ; pauseMs = Math.min(POLL_MS_MAX, pauseMs * 2)) {
    if (reached(await describe(context, call))) return
    await sleep(context, call, pauseMs)
  }
}

/** The table as it is, or `undefined` if there is none. */
async function describe(context: TableContext, call: Call): Promise<TableDescription | undefined> {
  try {
    return (await send(context, call, 'DescribeTable', { TableName: context.name }, READ)).Table
  } catch (error) {
    if ((error as { code?: unknown }).code === 'TABLE_NOT_FOUND') return undefined
    throw error
  }
}
