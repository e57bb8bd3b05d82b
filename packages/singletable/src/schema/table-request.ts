import type {
  CreateTableRequest,
  GlobalSecondaryIndex,
  KeySchemaElement,
  LocalSecondaryIndex,
  Projection,
  ProvisionedThroughput,
  StreamViewType,
} from '../wire/table-operations.ts'
import { keyAttributes } from './index-keys.ts'
import type { Index, Schema } from './model.ts'
import { refuseSchema } from './refuse-schema.ts'
import type { TableDefinition } from './schema-definition.ts'

const STREAM_VIEWS = new Map<unknown, StreamViewType>([
  ['keys', 'KEYS_ONLY'],
  ['new', 'NEW_IMAGE'],
  ['old', 'OLD_IMAGE'],
  ['new-and-old', 'NEW_AND_OLD_IMAGES'],
])

/** What makes the table with all its indexes. Time to live and point-in-time recovery are set once it is there. */
export function createTableRequest(schema: Schema, tableName: string): CreateTableRequest {
  const { stream, deletionProtection, tableClass, tags }: TableDefinition =
    schema.definition.table ?? {}
  const throughput = throughputOf(schema)
  const global: GlobalSecondaryIndex[] = []
  const local: LocalSecondaryIndex[] = []
  for (const index of schema.indexes.values()) {
    if (index.type === 'primary') continue
    const request = {
      IndexName: index.name,
      KeySchema: keySchema(index),
      Projection: projection(index, schema),
    }
    if (index.type === 'local') local.push(request)
    else global.push({ ...request, ...throughput })
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
    BillingMode: throughput === undefined ? 'PAY_PER_REQUEST' : 'PROVISIONED',
    ...throughput,
    ...(stream !== undefined && {
      StreamSpecification: { StreamEnabled: true, StreamViewType: streamView(stream) },
    }),
    ...(deletionProtection && { DeletionProtectionEnabled: true }),
    ...(tableClass === 'infrequent-access' && {
      TableClass: 'STANDARD_INFREQUENT_ACCESS' as const,
    }),
    ...(tags !== undefined && {
      Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
    }),
  }
}

function throughputOf({
  definition,
}: Schema): { readonly ProvisionedThroughput: ProvisionedThroughput } | undefined {
  const billing = definition.table?.billing
  if (typeof billing !== 'object') return undefined
  const { readCapacityUnits: ReadCapacityUnits, writeCapacityUnits: WriteCapacityUnits } = billing
  return { ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits } }
}

function keySchema({ hash, sort }: Index): KeySchemaElement[] {
  return [
    ...hash.map((AttributeName) => ({ AttributeName, KeyType: 'HASH' as const })),
    ...sort.map((AttributeName) => ({ AttributeName, KeyType: 'RANGE' as const })),
  ]
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

function streamView(stream: string): StreamViewType {
  return (
    STREAM_VIEWS.get(stream) ??
    refuseSchema(
      'schema, table',
      `"${stream}" is no view of a stream`,
      'use keys, new, old or new-and-old',
    )
  )
}
