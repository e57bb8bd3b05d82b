import { getOwn } from '../values/own.ts'
import type {
  CreateTableRequest,
  GlobalSecondaryIndex,
  KeySchemaElement,
  LocalSecondaryIndex,
  Projection,
} from '../wire/table-operations.ts'
import { keyAttributes } from './index-keys.ts'
import type { Index, Schema } from './model.ts'
import type { CapacityDefinition } from './schema-definition.ts'

export const STREAM_VIEWS = {
  keys: 'KEYS_ONLY',
  new: 'NEW_IMAGE',
  old: 'OLD_IMAGE',
  'new-and-old': 'NEW_AND_OLD_IMAGES',
} as const

/** What makes the table with all its indexes. Time to live and point-in-time recovery are set once it is there. */
export function createTableRequest(schema: Schema, tableName: string): CreateTableRequest {
  const { billing, stream, deletionProtection, tableClass, tags } = schema.definition.table ?? {}
  const view = stream && STREAM_VIEWS[stream]
  const provisioned = typeof billing === 'object' ? billing : undefined
  const throughput = provisioned && throughputOf(provisioned)
  const global: GlobalSecondaryIndex[] = []
  const local: LocalSecondaryIndex[] = []
  for (const index of schema.indexes.values()) {
    const request = {
      IndexName: index.name,
      KeySchema: keySchema(index),
      Projection: projection(index, schema),
    }
    if (index.type === 'local') local.push(request)
    else if (index.type === 'global') {
      const own = getOwn(provisioned?.indexes ?? {}, index.name)
      global.push({ ...request, ...(own ? throughputOf(own) : throughput) })
    }
  }
  return {
    TableName: tableName,
    // DynamoDB refuses definitions of attributes that are in no key.
    AttributeDefinitions: [...schema.keyTypes].map(([AttributeName, AttributeType]) => {
      return { AttributeName, AttributeType }
    }),
    KeySchema: keySchema(schema.primary),
    ...(global.length > 0 && { GlobalSecondaryIndexes: global }),
    ...(local.length > 0 && { LocalSecondaryIndexes: local }),
    BillingMode: throughput ? 'PROVISIONED' : 'PAY_PER_REQUEST',
    ...throughput,
    ...(view && { StreamSpecification: { StreamEnabled: true, StreamViewType: view } }),
    ...(deletionProtection && { DeletionProtectionEnabled: true }),
    ...(tableClass === 'infrequent-access' && { TableClass: 'STANDARD_INFREQUENT_ACCESS' }),
    ...(tags && { Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) }),
  }
}

function throughputOf({ readCapacityUnits, writeCapacityUnits }: CapacityDefinition) {
  return {
    ProvisionedThroughput: {
      ReadCapacityUnits: readCapacityUnits,
      WriteCapacityUnits: writeCapacityUnits,
    },
  }
}

function keySchema(index: Index): KeySchemaElement[] {
  return keyAttributes(index).map((AttributeName) => {
    return { AttributeName, KeyType: index.hash.includes(AttributeName) ? 'HASH' : 'RANGE' }
  })
}

/** Keys are always in an index, and may not be listed beside. */
function projection(index: Index, { primary }: Schema): Projection {
  const { project } = index
  if (project === 'all') return { ProjectionType: 'ALL' }
  if (project === 'keys') return { ProjectionType: 'KEYS_ONLY' }
  const keys = [...keyAttributes(primary), ...keyAttributes(index)]
  return {
    ProjectionType: 'INCLUDE',
    NonKeyAttributes: project.filter((name) => !keys.includes(name)),
  }
}
