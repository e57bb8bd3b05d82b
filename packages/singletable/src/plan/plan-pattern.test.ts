import { expect, test } from 'vitest'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import { compileSchema } from './compile-schema.ts'
import { type PatternPlan, planPattern } from './plan-pattern.ts'

const BASE = {
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
    byAge: { hash: 'pk', sort: 'age', type: 'local' },
  },
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'PROFILE' },
      attributes: { username: { type: String, required: true }, age: { type: Number } },
      stats: { count: 1000, itemBytes: 5000 },
    },
    Post: {
      key: { pk: 'USER#${username}', sk: 'POST#${day}#${number:pad(4)}' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: '${likes:pad(6):desc}' },
      attributes: {
        username: { type: String, required: true },
        day: { type: String, required: true },
        number: { type: Number, required: true },
        status: { type: String },
        likes: { type: Number },
        title: { type: String },
      },
      stats: { itemBytes: 200, perPartition: { average: 50 } },
    },
    Reaction: {
      key: { pk: 'USER#${username}', sk: 'POST#${day}#${number:pad(4)}#REACTION#${by}' },
      attributes: {
        username: { type: String, required: true },
        day: { type: String, required: true },
        number: { type: Number, required: true },
        by: { type: String, required: true },
      },
    },
    Metric: {
      key: { pk: 'M#${server}#${at:day}#${shard}', sk: 'AT#${at}' },
      shard: { count: 4, by: ['server', 'at'] },
      attributes: { server: { type: String, required: true }, at: { type: Date, required: true } },
    },
  },
} satisfies SchemaDefinition

function planOf(pattern: object, input?: object): PatternPlan {
  const definition = { ...BASE, patterns: { asked: pattern } } as unknown as SchemaDefinition
  return planPattern(compileSchema(definition).patterns.get('asked')!, input)
}

const posts = { op: 'query', entity: 'Post', by: ['username'], range: 'day' }

test('a plan is plain data, the same whatever the input', () => {
  const plan = planOf({ ...posts, order: 'desc', limit: 20, filter: { likes: { gte: '$least' } } })
  expect(plan).toEqual({
    pattern: 'asked',
    op: 'Query',
    index: 'primary',
    entities: ['Post'],
    key: {
      pk: { eq: 'USER#${username}' },
      sk: {
        between: ['POST#${day.from}', 'POST#${day.to}#\u{10FFFF}'],
        else: { beginsWith: 'POST#' },
      },
    },
    order: 'desc',
    limit: 20,
    filter: { likes: { gte: '$least' } },
    consistency: 'eventual',
    sharesPartitionWith: ['User', 'Reaction'],
    alsoReads: ['Reaction'],
    requests: 1,
    cost: { rru: 1.5, basis: '50 × 200 B → 12 KB → 1.5 RRU' },
  })
  expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
})

test.each([
  [{ username: 'a' }, { beginsWith: 'POST#' }],
  [{ username: 'a', day: {} }, { beginsWith: 'POST#' }],
  [{ username: 'a', day: '1' }, { beginsWith: 'POST#${day}#' }],
  [{ username: 'a', day: { beginsWith: '1' } }, { beginsWith: 'POST#${day.beginsWith}' }],
  [{ username: 'a', day: { from: '1' } }, { between: ['POST#${day.from}', 'POST#\u{10FFFF}'] }],
  [{ username: 'a', day: { to: '1' } }, { between: ['POST#', 'POST#${day.to}#\u{10FFFF}'] }],
  [
    { username: 'a', day: { gt: '1', lt: '2' } },
    // Plain text has no order that keys keep to the letter, so that a filter leaves out the ends.
    { between: ['POST#${day.gt}', 'POST#${day.lt}#\u{10FFFF}'] },
  ],
])('with %j the plan shows the range of that call', (input, sk) => {
  expect(planOf(posts, input).key?.sk).toEqual(sk)
})

test('what is fixed narrows the sort key and what leaks into it', () => {
  const day = planOf({ ...posts, by: ['username', 'day'], range: 'number' })
  expect(day.key?.sk).toEqual({
    between: ['POST#${day}#${number.from:pad(4)}', 'POST#${day}#${number.to:pad(4)}'],
    else: { beginsWith: 'POST#${day}#' },
  })
  expect(day.alsoReads).toEqual(['Reaction'])
  const one = planOf({ op: 'query', entity: 'Post', by: ['username', 'day', 'number'] })
  expect(one.key?.sk).toEqual({ eq: 'POST#${day}#${number:pad(4)}' })
  expect(one.alsoReads).toEqual([])
})

test('of values that are ordered downwards the range begins with the greatest', () => {
  const plan = planOf({
    op: 'query',
    entity: 'Post',
    index: 'gsi1',
    by: ['status'],
    range: 'likes',
  })
  expect(plan.key).toEqual({
    gsi1pk: { eq: 'STATUS#${status}' },
    gsi1sk: { between: ['${likes.to:pad(6):desc}', '${likes.from:pad(6):desc}'] },
  })
  expect([plan.sharesPartitionWith, plan.alsoReads]).toEqual([[], []])
})

test('an attribute that is a key as it is stands for itself', () => {
  const byAge = { op: 'query', entity: 'User', index: 'byAge', by: ['username'] }
  expect(planOf(byAge).key).toEqual({ pk: { eq: 'USER#${username}' } })
  expect(planOf({ ...byAge, range: 'age' }).key?.age).toEqual({
    between: ['${age.from}', '${age.to}'],
  })
  expect(planOf({ ...byAge, by: ['username', 'age'] }).key?.age).toEqual({ eq: '${age}' })
})

test('shards and buckets of time are counted up', () => {
  const plan = planOf({ op: 'query', entity: 'Metric', by: ['server'], range: 'at' })
  expect(plan.key).toEqual({
    pk: { eq: 'M#${server}#${at:day}#${shard}' },
    sk: { between: ['AT#${at.from}', 'AT#${at.to}'] },
  })
  expect(plan.requests).toBe(4)
  const moment = planOf({ op: 'query', entity: 'Metric', by: ['server', 'at'] })
  expect(moment.requests).toBe(1)
})

test('each shard costs half a unit at least', () => {
  const declared = { itemsRead: 10, itemBytes: 100 }
  const all = planOf({
    op: 'query',
    entity: 'Metric',
    by: ['server'],
    range: 'at',
    expect: declared,
  })
  expect(all.cost?.rru).toBe(2)
  const one = planOf({ op: 'query', entity: 'Metric', by: ['server', 'at'], expect: declared })
  expect(one.cost?.rru).toBe(0.5)
})

test('a range of several entities leaks what sorts between them', () => {
  const plan = planOf({ op: 'query', entity: ['User', 'Post'], by: ['username'] })
  expect(plan.entities).toEqual(['User', 'Post'])
  expect(plan.key?.sk).toEqual({ between: ['POST#', 'PROFILE'] })
  const same = planOf({ op: 'query', entity: ['Post', 'Reaction'], by: ['username', 'day'] })
  expect(same.key?.sk).toEqual({ beginsWith: 'POST#${day}#' })
  expect(plan.sharesPartitionWith).toEqual(['Reaction'])
  expect(plan.alsoReads).toEqual(['Reaction'])
})

test('items by key cost each for itself, queries the sum', () => {
  const key = { entity: 'User', by: ['username'] }
  expect(planOf({ op: 'get', ...key }).cost?.rru).toBe(1)
  expect(planOf({ op: 'get', ...key, consistent: true }).cost?.rru).toBe(2)
  expect(planOf({ op: 'batchGet', ...key, expect: { itemsRead: 10 } }).cost?.rru).toBe(10)
  expect(planOf({ op: 'transactGet', ...key, expect: { itemsRead: 10 } }).cost?.rru).toBe(40)
  const own = { ...posts, range: undefined, by: ['username', 'day', 'number'] }
  expect(planOf({ ...own, limit: 20 }).cost?.rru).toBe(0.5)
  // Reactions are among the posts, so a filter leaves out items and all posts are read.
  expect(planOf({ ...posts, limit: 20 }).cost?.rru).toBe(1.5)
  expect(planOf({ ...posts, limit: 20, expect: { itemBytes: 1000 } }).cost?.rru).toBe(6.5)
  // A scan reads the other models as well, and nothing is declared of them.
  expect(planOf({ op: 'scan', entity: 'User', reason: 'x' }).cost).toBeNull()
  const then = { op: 'batchGet', entity: 'User' }
  const hydrated = planOf({ ...posts, limit: 20, then })
  expect([hydrated.cost?.rru, hydrated.requests, hydrated.then]).toEqual([21.5, 2, 'User'])
  expect(planOf({ op: 'query', entity: 'Reaction', by: ['username'] }).cost).toBeNull()
  expect(planOf({ op: 'create', entity: 'User' }).cost).toBeNull()
})

test('an update that has to read first says so', () => {
  const key = { op: 'update', entity: 'Post', by: ['username', 'day', 'number'] }
  expect(planOf({ ...key, set: ['title'] }).requests).toBe(1)
  expect(planOf({ ...key, set: ['status'] }).requests).toBe(2)
  expect(planOf({ ...key, set: ['status', 'likes'] }).requests).toBe(1)
})

test('a transaction has the plans of its steps, and what is answered elsewhere its reason', () => {
  const user = { entity: 'User', by: ['username'] }
  const plan = planOf({
    op: 'transact',
    steps: { there: { op: 'check', ...user }, gone: { op: 'delete', ...user } },
  })
  expect([plan.op, plan.index, plan.key]).toEqual(['TransactWriteItems', null, null])
  expect(plan.steps?.there).toMatchObject({ op: 'ConditionCheck', pattern: 'asked.there' })
  expect(plan.steps?.gone).toMatchObject({
    op: 'DeleteItem',
    key: { pk: { eq: 'USER#${username}' }, sk: { eq: 'PROFILE' } },
  })
  const external = planOf({ op: 'external', service: 'OpenSearch', reason: 'full text' })
  expect(external).toMatchObject({ op: 'none', service: 'OpenSearch', reason: 'full text' })
})

test('a write that takes others along is a transaction', () => {
  const definition = {
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      Order: {
        key: { pk: 'ORDER#${id}', sk: 'ORDER' },
        attributes: {
          id: { type: String, required: true },
          user: { type: String, required: true },
          note: { type: String },
        },
        copies: { UserOrder: { key: { pk: 'USER#${user}', sk: 'ORDER#${id}' }, attributes: [] } },
      },
    },
    patterns: {
      place: { op: 'create', entity: 'Order' },
      replace: { op: 'put', entity: 'Order' },
      hand: { op: 'update', entity: 'Order', by: ['id'], set: ['user'] },
      note: { op: 'update', entity: 'Order', by: ['id'], set: ['note'] },
      cancel: { op: 'delete', entity: 'Order', by: ['id'] },
      ofUser: { op: 'query', entity: 'UserOrder', by: ['user'] },
    },
  } as const satisfies SchemaDefinition
  const plans = [...compileSchema(definition).patterns.values()].map((pattern) =>
    planPattern(pattern),
  )
  expect(plans.map(({ pattern, op, requests }) => `${pattern}: ${op} ${requests}`)).toEqual([
    'place: TransactWriteItems 1',
    'replace: TransactWriteItems 2',
    'hand: TransactWriteItems 2',
    'note: UpdateItem 1',
    'cancel: TransactWriteItems 2',
    'ofUser: Query 1',
  ])
})

test('what a put keeps of the item before, and what a delete gives of it, may have to be read', () => {
  const attributes = { id: { type: String, required: true }, user: { type: String } } as const
  const copies = { Shown: { key: { pk: 'SHOWN#${id}', sk: 'SHOWN' } } }
  const definition = {
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      // The key alone says where its copy is.
      Shop: { key: { pk: 'SHOP#${id}', sk: 'SHOP' }, attributes, copies },
      User: {
        key: { pk: 'USER#${id}', sk: 'USER' },
        attributes: {
          ...attributes,
          orders: { type: Number, counts: { model: 'Order', by: { id: 'user' } } },
        },
      },
      Order: {
        key: { pk: 'USER#${user}', sk: 'ORDER#${id}' },
        attributes: { ...attributes, user: { type: String, required: true } },
      },
      Versioned: {
        key: { pk: 'V#${id}', sk: 'V' },
        attributes: {
          ...attributes,
          email: { type: String, unique: true },
          version: { type: Number, version: true },
        },
      },
    },
    patterns: {
      putShop: { op: 'put', entity: 'Shop' },
      deleteShop: { op: 'delete', entity: 'Shop', by: ['id'] },
      putUser: { op: 'put', entity: 'User' },
      deleteUser: { op: 'delete', entity: 'User', by: ['id'] },
      putVersioned: { op: 'put', entity: 'Versioned' },
    },
  }
  const plans = [...compileSchema(definition as SchemaDefinition).patterns.values()].map(
    (pattern) => planPattern(pattern),
  )
  expect(plans.map(({ pattern, op, requests }) => `${pattern}: ${op} ${requests}`)).toEqual([
    'putShop: TransactWriteItems 1',
    'deleteShop: TransactWriteItems 2',
    'putUser: PutItem 2',
    'deleteUser: DeleteItem 1',
    'putVersioned: TransactWriteItems 1',
  ])
})

test('an update first reads what index keys need and neither its key nor its changes have', () => {
  const definition = {
    indexes: {
      primary: { hash: 'pk', sort: 'sk' },
      gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
    },
    models: {
      Note: {
        // The key says the month of a note, and not when it was written.
        key: { pk: 'NOTE#${at:month}', sk: '${id}' },
        index: { gsi1pk: 'LABEL#${label}', gsi1sk: '${at}' },
        attributes: {
          at: { type: Date, required: true },
          id: { type: String, required: true },
          label: { type: String },
          text: { type: String },
        },
      },
    },
    patterns: {
      label: { op: 'update', entity: 'Note', by: ['at', 'id'], set: ['label'] },
      unlabel: { op: 'update', entity: 'Note', by: ['at', 'id'], remove: ['label'] },
      write: { op: 'update', entity: 'Note', by: ['at', 'id'], set: ['text'] },
    },
  }
  const plans = [...compileSchema(definition as SchemaDefinition).patterns.values()].map(
    (pattern) => planPattern(pattern),
  )
  expect(plans.map(({ pattern, requests }) => `${pattern}: ${requests}`)).toEqual([
    'label: 2',
    'unlabel: 1',
    'write: 1',
  ])
})

test('an update whose time is copied is a transaction', () => {
  const definition = {
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      Shop: {
        key: { pk: 'SHOP#${id}', sk: 'SHOP' },
        attributes: {
          id: { type: String, required: true },
          name: { type: String },
          note: { type: String },
        },
        copies: {
          Shown: { key: { pk: 'SHOWN', sk: '${id}' }, attributes: ['name', 'updatedAt'] },
        },
      },
    },
    patterns: { note: { op: 'update', entity: 'Shop', by: ['id'], set: ['note'] } },
    params: { timestamps: true },
  }
  const pattern = compileSchema(definition as SchemaDefinition).patterns.get('note')!
  expect(planPattern(pattern)).toMatchObject({ op: 'TransactWriteItems', requests: 2 })
})
