import { expect, test } from 'vitest'
import {
  GLOBAL_INDEXES_MAX,
  LOCAL_INDEXES_MAX,
  PROJECTED_PER_TABLE_MAX,
} from '../../values/limits.ts'
import type { CreateTableRequest, GlobalSecondaryIndex } from '../../wire/table-operations.ts'
import {
  GLOBAL_KEY_ROLE_MAX,
  PROJECTED_PER_INDEX_MAX,
  TAGS_MAX,
  THROUGHPUT_MAX,
} from '../limits/table-limits.ts'
import { validateTableDefinition } from './table-definition.ts'

function names(count: number, prefix = 'name'): string[] {
  return Array.from({ length: count }, (_, position) => prefix + position)
}
function table(members: Partial<CreateTableRequest> = {}): CreateTableRequest {
  return {
    TableName: 'table',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    ...members,
  }
}
function index(IndexName: string, members: Partial<GlobalSecondaryIndex> = {}) {
  return {
    IndexName,
    KeySchema: table().KeySchema,
    Projection: { ProjectionType: 'ALL' },
    ...members,
  } as const
}
function validating(members: Partial<CreateTableRequest>): () => void {
  return () => validateTableDefinition(table(members))
}

test.each([LOCAL_INDEXES_MAX - 1, LOCAL_INDEXES_MAX])('%i local indexes are fine', (count) => {
  validating({ LocalSecondaryIndexes: names(count).map((name) => index(name)) })()
})
test('one local index more than the limit is refused', () => {
  const LocalSecondaryIndexes = names(LOCAL_INDEXES_MAX + 1).map((name) => index(name))
  expect(validating({ LocalSecondaryIndexes })).toThrow('exceeds per-table limit of 5')
})

test.each([GLOBAL_INDEXES_MAX - 1, GLOBAL_INDEXES_MAX])('%i global indexes are fine', (count) => {
  validating({ GlobalSecondaryIndexes: names(count).map((name) => index(name)) })()
})
test('one global index more than the limit is refused', () => {
  const GlobalSecondaryIndexes = names(GLOBAL_INDEXES_MAX + 1).map((name) => index(name))
  expect(validating({ GlobalSecondaryIndexes })).toThrow('exceeds the per-table limit of 20')
})

function projecting(count: number): Partial<CreateTableRequest> {
  const GlobalSecondaryIndexes: GlobalSecondaryIndex[] = []
  for (let left = count; left > 0; left -= PROJECTED_PER_INDEX_MAX) {
    const NonKeyAttributes = names(Math.min(left, PROJECTED_PER_INDEX_MAX))
    GlobalSecondaryIndexes.push(
      index(`index${left}`, { Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes } }),
    )
  }
  return { GlobalSecondaryIndexes }
}
test.each([PROJECTED_PER_TABLE_MAX - 1, PROJECTED_PER_TABLE_MAX])(
  '%i projected attributes in all indexes are fine',
  (count) => {
    validating(projecting(count))()
  },
)
test('one projected attribute more than the limit of a table is refused', () => {
  expect(validating(projecting(PROJECTED_PER_TABLE_MAX + 1))).toThrow('per-table limit of 100')
})

function globalKey(partition: number, sort: number): Partial<CreateTableRequest> {
  const hashes = names(partition, 'hash')
  const ranges = names(sort, 'range')
  const KeySchema = [
    ...hashes.map((AttributeName) => ({ AttributeName, KeyType: 'HASH' }) as const),
    ...ranges.map((AttributeName) => ({ AttributeName, KeyType: 'RANGE' }) as const),
  ]
  return {
    AttributeDefinitions: [
      ...table().AttributeDefinitions,
      ...KeySchema.map(({ AttributeName }) => ({ AttributeName, AttributeType: 'N' }) as const),
    ],
    GlobalSecondaryIndexes: [index('global', { KeySchema })],
  }
}
test.each([
  [1, 0],
  [GLOBAL_KEY_ROLE_MAX - 1, GLOBAL_KEY_ROLE_MAX - 1],
  [GLOBAL_KEY_ROLE_MAX, GLOBAL_KEY_ROLE_MAX],
])('a global index of %i partition and %i sort attributes is fine', (partition, sort) => {
  validating(globalKey(partition, sort))()
})
test('one partition attribute more than the limit is refused', () => {
  expect(validating(globalKey(GLOBAL_KEY_ROLE_MAX + 1, 0))).toThrow('number of HASH key attributes')
})
test('one sort attribute more than the limit is refused', () => {
  expect(validating(globalKey(1, GLOBAL_KEY_ROLE_MAX + 1))).toThrow(
    'number of RANGE key attributes',
  )
})

function provisioned(ReadCapacityUnits: number): Partial<CreateTableRequest> {
  return {
    BillingMode: 'PROVISIONED',
    ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits: 1 },
  }
}
test.each([THROUGHPUT_MAX - 1, THROUGHPUT_MAX])('%i units are fine', (count) => {
  validating(provisioned(count))()
})
test('one unit more than the limit is refused', () => {
  expect(validating(provisioned(THROUGHPUT_MAX + 1))).toThrow('out of bounds')
})

test.each([TAGS_MAX - 1, TAGS_MAX])('%i tags are fine', (count) => {
  validating({ Tags: names(count).map((Key) => ({ Key, Value: '' })) })()
})
test('one tag more than the limit is refused', () => {
  const Tags = names(TAGS_MAX + 1).map((Key) => ({ Key, Value: '' }))
  expect(validating({ Tags })).toThrow('Number of Tags exceed')
})

test('mistakes in the billing are reported before mistakes in the keys', () => {
  expect(validating({ BillingMode: 'PROVISIONED', KeySchema: [] })).toThrow('ReadCapacityUnits')
})
test('mistakes in the keys are reported before mistakes in the indexes', () => {
  const request = {
    KeySchema: [{ AttributeName: 'pk', KeyType: 'RANGE' } as const],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' } as const],
    LocalSecondaryIndexes: [],
  }
  expect(validating(request)).toThrow('The first KeySchemaElement is not a HASH')
})
test('mistakes in local indexes are reported before mistakes in global ones', () => {
  expect(validating({ LocalSecondaryIndexes: [], GlobalSecondaryIndexes: [] })).toThrow(
    'List of LocalSecondaryIndexes is empty',
  )
})
test('an attribute called __proto__ can be a key', () => {
  validating({
    AttributeDefinitions: [{ AttributeName: '__proto__', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: '__proto__', KeyType: 'HASH' }],
  })()
})
