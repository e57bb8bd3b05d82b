import type { CreateTableRequest, TableDescriptionResponse } from '../../wire/table-operations.ts'
import type { Billing, IndexRecord, TableRecord } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
import { tableExists } from '../messages/table-messages.ts'
import { checkConstraints } from '../shapes/check-constraints.ts'
import { validateNewTableName } from '../shapes/new-table-name.ts'
import { boolean, structure, text } from '../shapes/shape.ts'
import {
  attributeDefinitions,
  billingMode,
  encryptionSpecification,
  globalIndexes,
  keySchema,
  localIndexes,
  onDemandThroughput,
  provisionedThroughput,
  streamSpecification,
  tableClass,
  tags,
  warmThroughput,
} from '../shapes/table-shapes.ts'
import { unsupportedInCreateTable } from '../shapes/unsupported-members.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { openStream } from '../streams/open-stream.ts'
import { describeTable } from '../tables/describe-table.ts'
import { encryptionOf } from '../tables/encryption-of.ts'
import { boundsOf, indexRecord, throughputOf, warmthOf } from '../tables/index-record.ts'
import { newRecord } from '../tables/new-record.ts'
import { validateTableDefinition } from '../tables/table-definition.ts'
import { announced } from '../tables/transition.ts'
import type { Operation } from './operation.ts'

export const createTable: Operation<CreateTableRequest, TableDescriptionResponse> = {
  shape: structure({
    TableName: text(),
    AttributeDefinitions: { required: attributeDefinitions },
    KeySchema: { required: keySchema },
    BillingMode: billingMode,
    ProvisionedThroughput: provisionedThroughput,
    LocalSecondaryIndexes: localIndexes,
    GlobalSecondaryIndexes: globalIndexes,
    StreamSpecification: streamSpecification,
    SSESpecification: encryptionSpecification,
    TableClass: tableClass,
    DeletionProtectionEnabled: boolean,
    OnDemandThroughput: onDemandThroughput,
    WarmThroughput: warmThroughput,
    Tags: tags,
    ...unsupportedInCreateTable,
  }),
  check(shape, request) {
    validateNewTableName(request.TableName)
    checkConstraints(shape, request)
  },
  async run(context, request) {
    validateTableDefinition(request)
    const record = await context.catalog.change((transaction) => {
      if (context.catalog.find(request.TableName) !== undefined) {
        throw tableExists(request.TableName)
      }
      const created = withStream(
        context,
        transaction,
        request,
        requestedRecord(context, transaction, request),
      )
      context.catalog.put(transaction, created)
      return created
    })
    return {
      TableDescription: describeTable(context, { ...record, transition: announced('CREATING') }),
    }
  },
}

function requestedRecord(
  context: EngineContext,
  transaction: StorageTransaction,
  request: CreateTableRequest,
): TableRecord {
  const nowMs = context.environment.now()
  return {
    ...newRecord(context, transaction, {
      name: request.TableName,
      keySchema: request.KeySchema,
      attributeDefinitions: request.AttributeDefinitions,
      billing: newBilling(request, nowMs),
      indexes: newIndexes(request),
    }),
    tags: request.Tags ?? [],
    deletionProtection: request.DeletionProtectionEnabled ?? false,
    ...(request.TableClass && { tableClass: { name: request.TableClass, updatedMs: nowMs } }),
    ...encryptionOf(context, request.SSESpecification),
    ...(request.OnDemandThroughput && {
      onDemandThroughput: boundsOf(request.OnDemandThroughput),
    }),
    ...(request.WarmThroughput && { warmThroughput: warmthOf(request.WarmThroughput) }),
  }
}

function newBilling(request: CreateTableRequest, nowMs: number): Billing {
  const named = request.BillingMode !== undefined
  if (request.ProvisionedThroughput === undefined) {
    return { mode: 'PAY_PER_REQUEST', named, read: 0, write: 0, onDemandMs: nowMs }
  }
  return { mode: 'PROVISIONED', named, ...throughputOf(request.ProvisionedThroughput) }
}

/** Id 0 is the primary index. */
function newIndexes(request: CreateTableRequest): IndexRecord[] {
  const indexes: IndexRecord[] = []
  for (const definition of request.LocalSecondaryIndexes ?? []) {
    indexes.push(indexRecord(definition, { id: indexes.length + 1, kind: 'local' }))
  }
  for (const definition of request.GlobalSecondaryIndexes ?? []) {
    indexes.push(indexRecord(definition, { id: indexes.length + 1, kind: 'global' }))
  }
  return indexes
}

function withStream(
  context: EngineContext,
  transaction: StorageTransaction,
  request: CreateTableRequest,
  record: TableRecord,
): TableRecord {
  const viewType = request.StreamSpecification?.StreamViewType
  if (viewType === undefined) return record
  return { ...record, stream: openStream(context, transaction, record, viewType) }
}
