import { defineSchema } from 'singletable'
import type { Item, SchemaDefinition } from 'singletable/tools'
import { describe, expect, test } from 'vitest'
import { blogSchema } from '../../examples/blog/schema.ts'
import { filesSchema } from '../../examples/files/schema.ts'
import { metricsSchema } from '../../examples/metrics/schema.ts'
import { saasSchema } from '../../examples/saas/schema.ts'
import { shopSchema } from '../../examples/shop/schema.ts'
import { socialSchema } from '../../examples/social/schema.ts'
import { readDesign } from '../../packages/kit/src/check/design/design.ts'
import { PrimerSchema } from '../reference/3-schema.ts'
import { SocialSchema } from '../reference/4-schema.ts'
import { ShopSchema } from '../reference/5-schema.ts'
import { BlogSchema } from '../reference/blog-schema.ts'
import type { Exercise, ExerciseFailure } from './exercise.ts'
import { type ExerciseOptions, exercisePatterns } from './exercise-patterns.ts'
import { type Sabotage, sabotaged } from './sabotage.ts'

// A long run: EXERCISE_SEEDS=40. A failure names its seed.
const seeds = Array.from({ length: Number(process.env.EXERCISE_SEEDS ?? 1) }, (_, at) => at + 1)
const TIMEOUT_MS = 120_000 + 30_000 * seeds.length

function exercise(schema: unknown, options?: ExerciseOptions): Promise<Exercise> {
  // The types of the schemas here differ, and a design takes any.
  return exercisePatterns(readDesign(schema as SchemaDefinition), options)
}

describe('the patterns of', () => {
  const schemas = {
    'the blog': blogSchema,
    'the shop': shopSchema,
    'the first reference text': {
      ...BlogSchema,
      patterns: blogPatterns(),
    },
    'the third reference text': PrimerSchema,
    'the fourth reference text': SocialSchema,
    'the fifth reference text': ShopSchema,
    'the files': {
      ...filesSchema,
      patterns: {
        file: { op: 'get', entity: 'File', by: ['disk', 'path'] },
        filesOfDisk: { op: 'query', entity: 'File', by: ['disk'] },
        save: { op: 'put', entity: 'File' },
        rename: { op: 'update', entity: 'File', by: ['disk', 'path'], set: ['content'] },
        versions: { op: 'query', entity: 'Version', by: ['fileId'], range: 'version' },
        newest: { op: 'query', entity: 'Version', by: ['fileId'], limit: 1 },
      },
    },
    'the metrics': {
      ...metricsSchema,
      patterns: {
        readings: { op: 'query', entity: 'Reading', by: [], range: 'at' },
        ofServer: {
          op: 'query',
          entity: 'Reading',
          index: 'byServer',
          by: ['server'],
          range: 'at',
          order: 'desc',
          limit: 5,
        },
        latest: { op: 'query', entity: 'Latest', by: [] },
        measure: { op: 'put', entity: 'Reading' },
      },
    },
    'the tenants': {
      ...saasSchema,
      patterns: {
        members: { op: 'query', entity: 'Member', by: ['tenantId'] },
        project: { op: 'query', entity: ['Project', 'Ticket'], by: ['tenantId', 'projectId'] },
        tickets: {
          op: 'query',
          entity: 'Ticket',
          by: ['tenantId', 'projectId'],
          range: 'number',
          filter: { status: '$status', title: { beginsWith: '$start' } },
        },
        assigned: {
          op: 'query',
          entity: 'Ticket',
          index: 'byAssignee',
          by: ['tenantId', 'assignee'],
          project: ['projectId', 'number', 'title', 'tenantId'],
        },
        openTicket: { op: 'create', entity: 'Ticket' },
        assign: {
          op: 'update',
          entity: 'Ticket',
          by: ['tenantId', 'projectId', 'number'],
          set: ['assignee', 'status'],
        },
        closeTicket: { op: 'delete', entity: 'Ticket', by: ['tenantId', 'projectId', 'number'] },
        everyone: { op: 'scan', entity: 'Member', reason: 'nightly report' },
      },
    },
    // Small items in several shards cost as many requests as there are shards.
    'a list in shards': {
      indexes: { primary: { hash: 'pk' }, newest: { hash: 'newestPk', sort: 'createdAt' } },
      models: {
        Photo: {
          key: { pk: '${id}' },
          index: { newestPk: 'P#${shard}' },
          shard: { count: 4 },
          attributes: {
            id: { type: String, required: true },
            createdAt: { type: Number, required: true },
          },
        },
      },
      patterns: {
        newest: {
          op: 'query',
          entity: 'Photo',
          index: 'newest',
          by: [],
          order: 'desc',
          expect: { itemsRead: 40, itemBytes: 100 },
        },
      },
    },
    // Ranges of what a sort key begins with, of booleans and of an attribute that is the key
    // itself.
    'the switches': {
      indexes: {
        primary: { hash: 'pk', sort: 'sk' },
        byState: { hash: 'statePk', sort: 'stateSk' },
        byPower: { hash: 'statePk', sort: 'watts' },
      },
      models: {
        Lamp: {
          key: { pk: 'ROOM#${room}', sk: '${on}#${id}' },
          index: { statePk: 'ROOM#${room}', stateSk: '${on}' },
          attributes: {
            room: { type: String, required: true },
            on: { type: Boolean, required: true },
            id: { type: String, required: true },
            // An attribute that is a key under the name it is stored by.
            power: { type: Number, required: true, map: 'watts' },
          },
        },
      },
      patterns: {
        lamps: { op: 'query', entity: 'Lamp', by: ['room'], range: 'on' },
        byState: { op: 'query', entity: 'Lamp', index: 'byState', by: ['room'], range: 'on' },
        byPower: { op: 'query', entity: 'Lamp', index: 'byPower', by: ['room'], range: 'power' },
      },
    },
    // Two counts of one parent are one write.
    'the groups': {
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        Group: {
          key: { pk: 'GROUP#${groupId}', sk: 'GROUP' },
          attributes: {
            groupId: { type: String, required: true },
            members: { type: Number, counts: 'Member' },
            all: { type: Number, counts: 'Member' },
          },
        },
        Member: {
          key: { pk: 'GROUP#${groupId}', sk: 'MEMBER#${userId}' },
          attributes: {
            groupId: { type: String, required: true },
            userId: { type: String, required: true },
          },
        },
      },
      patterns: {
        join: { op: 'create', entity: 'Member' },
        leave: { op: 'delete', entity: 'Member', by: ['groupId', 'userId'] },
        found: { op: 'put', entity: 'Group' },
        disband: { op: 'delete', entity: 'Group', by: ['groupId'] },
      },
    },
    'the social network': {
      ...socialSchema,
      patterns: {
        follows: { op: 'query', entity: 'Follow', by: ['follower'], range: 'followed' },
        followers: { op: 'query', entity: 'Follow', index: 'inverted', by: ['followed'] },
        likesOfPost: { op: 'query', entity: 'Like', index: 'inverted', by: ['author', 'postId'] },
        profile: { op: 'query', entity: ['User', 'Post', 'Follow'], by: [] },
        users: { op: 'batchGet', entity: 'User', by: ['username'] },
        like: { op: 'create', entity: 'Like' },
        unfollow: { op: 'delete', entity: 'Follow', by: ['follower', 'followed'] },
      },
    },
  }
  const cases = Object.entries(schemas).flatMap(([name, schema]) =>
    seeds.map((seed) => [name, seed, schema] as const),
  )
  test.each(cases)(
    '%s do what they say (seed %i)',
    async (_, seed, schema) => {
      const { patterns } = await exercise(schema, { seed })
      expect(patterns.filter(({ failures }) => failures.length > 0)).toEqual([])
      const skipped = patterns.flatMap((each) => (each.skipped === undefined ? [] : [each.pattern]))
      expect(skipped.filter((name) => !/^search/.test(name))).toEqual([])
      for (const { pattern, runs, matching } of patterns) {
        if (!skipped.includes(pattern)) expect([runs > 0, matching > 0]).toEqual([true, true])
      }
    },
    TIMEOUT_MS,
  )
})

/** Questions that the keys of the text answer. */
function blogPatterns(): object {
  return {
    user: { op: 'get', entity: 'User', by: ['username'] },
    feed: { op: 'query', entity: ['User', 'Post'], by: ['username'], order: 'desc' },
    published: { op: 'query', entity: 'Post', index: 'gsi1', by: ['published'], range: 'postId' },
    comments: { op: 'query', entity: 'Comment', by: ['postId'], limit: 3 },
    both: { op: 'transactGet', entity: 'PostTag', by: ['postId', 'tag'] },
  }
}

/** A schema for harm: a partition with several entities, two indexes with the same keys, and
 * patterns of all kinds. */
const lab = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
    gsi2: { hash: 'gsi1pk', sort: 'sk' },
  },
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'PROFILE' },
      attributes: {
        username: { type: String, required: true },
        posts: { type: Number, default: 0 },
      },
    },
    Post: {
      key: { pk: 'USER#${username}', sk: 'POST#${postId}' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: '${rank:pad(5)}#${postId}' },
      attributes: {
        username: { type: String, required: true },
        postId: { type: String, required: true },
        status: { type: String, enum: ['draft', 'live'], required: true },
        rank: { type: Number, required: true },
        title: { type: String, required: true },
      },
      stats: { itemBytes: 1_000, perPartition: { average: 40 } },
    },
    Reading: {
      key: { pk: 'READING#${at:day}', sk: '${at}' },
      attributes: { at: { type: Date, required: true, start: '2026-01-01' } },
    },
    Shop: {
      key: { pk: 'SHOP#${shopId}', sk: 'SHOP' },
      attributes: {
        shopId: { type: String, required: true },
        name: { type: String, required: true, unique: true },
      },
      copies: { ShownShop: { key: { pk: 'SHOWN', sk: '${shopId}' } } },
    },
  },
  patterns: {
    getUser: { op: 'get', entity: 'User', by: ['username'] },
    users: { op: 'batchGet', entity: 'User', by: ['username'] },
    posts: { op: 'query', entity: 'Post', by: ['username'], range: 'postId' },
    byRank: { op: 'query', entity: 'Post', index: 'gsi1', by: ['status'], order: 'desc' },
    feed: { op: 'query', entity: ['User', 'Post'], by: ['username'] },
    allPosts: { op: 'scan', entity: 'Post', reason: 'report' },
    register: { op: 'create', entity: 'User' },
    save: { op: 'put', entity: 'Post' },
    publish: {
      op: 'update',
      entity: 'Post',
      by: ['username', 'postId'],
      set: ['status', 'rank'],
    },
    discard: { op: 'delete', entity: 'Post', by: ['username', 'postId'] },
    readings: { op: 'query', entity: 'Reading', by: [], range: 'at' },
    openShop: { op: 'create', entity: 'Shop' },
    renameShop: { op: 'update', entity: 'Shop', by: ['shopId'], set: ['name'] },
    closeShop: { op: 'delete', entity: 'Shop', by: ['shopId'] },
    write: {
      op: 'transact',
      steps: {
        author: { op: 'check', entity: 'User', by: ['username'] },
        post: { op: 'create', entity: 'Post' },
      },
    },
  },
})

test(
  'the schema passes while no bug is planted',
  async () => {
    expect(await failuresOf({}, Object.keys(lab.patterns))).toEqual([])
  },
  TIMEOUT_MS,
)

/** Users before posts. */
function byType(one: Item, other: Item): number {
  return (one._type?.S ?? '') > (other._type?.S ?? '') ? -1 : 1
}

function units(CapacityUnits: number): { readonly CapacityUnits: number } {
  return { CapacityUnits }
}

/** What is found when harm is done to some of the patterns. */
async function failuresOf(
  sabotage: Sabotage,
  names: readonly string[],
): Promise<readonly (ExerciseFailure & { pattern: string })[]> {
  const wanted = Object.entries(lab.patterns).filter(([name]) => names.includes(name))
  const schema = { ...lab, patterns: Object.fromEntries(wanted) }
  const { patterns } = await exercise(schema, { around: sabotaged(sabotage) })
  return patterns.flatMap(({ pattern, failures }) => failures.map((each) => ({ ...each, pattern })))
}

describe('an exercise finds', () => {
  let last: Item | undefined
  const harms: readonly (readonly [
    what: string,
    sabotage: Sabotage,
    found: { readonly [pattern: string]: RegExp },
  ])[] = [
    [
      'that an item is lost',
      {
        response: (operation, response) =>
          operation === 'Query' ? { ...response, Items: response.Items?.slice(1) ?? [] } : response,
      },
      { posts: /without Post \{/, byRank: /without Post \{/, feed: /without/ },
    ],
    [
      'that an item of one page is there again on the next',
      {
        response(operation, response, request) {
          const { Items = [] } = response
          if (operation !== 'Query') return response
          const again = request.ExclusiveStartKey && last ? [last] : []
          last = Items.at(-1)
          return { ...response, Items: [...again, ...Items] }
        },
      },
      { posts: /twice Post \{/, feed: /twice/ },
    ],
    [
      'that the rest is lost behind a page',
      {
        response: (_, { LastEvaluatedKey, ...response }) => response,
      },
      { posts: /without Post \{/, allPosts: /without Post \{/ },
    ],
    [
      'that a negative example is among the results',
      {
        // Every partition is read under the name of another, which is near to it.
        request: (operation, request) => {
          const values = {
            ...(request.ExpressionAttributeValues as Record<string, { S?: string }>),
          }
          const partition = values[':v0']?.S
          if (operation === 'Query' && partition) values[':v0'] = { S: `${partition}0` }
          return operation === 'Query' ? { ...request, ExpressionAttributeValues: values } : request
        },
      },
      { posts: /among them Post \{/ },
    ],
    [
      'that the order is the other way round',
      {
        request: (operation, request) =>
          operation === 'Query'
            ? { ...request, ScanIndexForward: request.ScanIndexForward === false }
            : request,
      },
      { posts: /Post \{.* before Post \{/, byRank: /before Post/ },
    ],
    [
      'that the order of different entities is another',
      {
        response: (operation, response) =>
          operation === 'Query'
            ? { ...response, Items: [...(response.Items ?? [])].sort(byType) }
            : response,
      },
      { feed: /User \{.* before Post \{/ },
    ],
    [
      'that a partition is read twice',
      { extra: (...call) => (call[0] === 'Query' ? call : undefined) },
      { readings: /^\d+$/, posts: /^2$/ },
    ],
    [
      'that something is read before a write that needs no read',
      {
        extra: (operation, { TableName }) =>
          operation === 'PutItem'
            ? ['GetItem', { TableName, Key: { pk: { S: 'a' }, sk: { S: 'b' } } }]
            : undefined,
      },
      { save: /^GetItem, PutItem$/ },
    ],
    [
      'that an item is written in a transaction that needs none',
      {
        instead(operation, { TableName, Item }) {
          const TransactItems = [{ Put: { TableName, Item } }]
          return operation === 'PutItem' ? ['TransactWriteItems', { TransactItems }] : undefined
        },
      },
      { save: /^TransactWriteItems$/ },
    ],
    [
      'that a write costs more than estimated',
      {
        response: (_, response) =>
          response.ConsumedCapacity ? { ...response, ConsumedCapacity: units(100) } : response,
      },
      { save: /^100$/, register: /^100$/, publish: /^\d+$/, discard: /^100$/, write: /^100$/ },
    ],
    [
      'that a write costs less than estimated',
      {
        response: (_, response) =>
          response.ConsumedCapacity ? { ...response, ConsumedCapacity: units(0.5) } : response,
      },
      { register: /^0\.5$/, openShop: /^0\.5$/, closeShop: /^1$/ },
    ],
    [
      'that another index is read',
      {
        request: (operation, request) =>
          operation === 'Query' && request.IndexName === 'gsi1'
            ? {
                ...request,
                IndexName: 'gsi2',
                // The sort key of the other index.
                KeyConditionExpression: String(request.KeyConditionExpression).replace(
                  / AND .*/,
                  '',
                ),
              }
            : request,
      },
      { byRank: /Query on "gsi2"/ },
    ],
    [
      'that it costs more than planned',
      {
        response: (_, response) =>
          response.ConsumedCapacity ? { ...response, ConsumedCapacity: units(100) } : response,
      },
      { getUser: /^100$/, posts: /^100$/, allPosts: /^100$/ },
    ],
    [
      'that more is read than planned',
      {
        response: (operation, response) =>
          operation === 'Query' ? { ...response, ScannedCount: 500 } : response,
      },
      { posts: /^500$/ },
    ],
    [
      'that an item is not found',
      {
        response: (operation, response) => (operation === 'GetItem' ? {} : response),
      },
      { getUser: /no item/ },
    ],
    [
      'that a batch lacks an item',
      {
        response: (operation, response) =>
          operation === 'BatchGetItem'
            ? {
                ...response,
                Responses: Object.fromEntries(
                  Object.entries(response.Responses ?? {}).map(([name, items]) => [
                    name,
                    items.slice(1),
                  ]),
                ),
              }
            : response,
      },
      { users: /no item/ },
    ],
    [
      'that a create replaces what is there',
      {
        request(operation, { ConditionExpression, ExpressionAttributeNames, ...request }) {
          return operation === 'PutItem'
            ? request
            : { ConditionExpression, ExpressionAttributeNames, ...request }
        },
      },
      { register: /it was done/ },
    ],
    [
      'that an index key is wrong after a write',
      {
        request: (operation, request) =>
          operation === 'PutItem' || operation === 'UpdateItem'
            ? JSON.parse(JSON.stringify(request).replaceAll('STATUS#live', 'STATUS#draft'))
            : request,
      },
      { publish: /"STATUS#draft"/ },
    ],
    [
      'that nothing is deleted',
      {
        request: (operation, request) =>
          operation === 'DeleteItem'
            ? { ...request, Key: { pk: { S: 'nobody' }, sk: { S: 'nothing' } } }
            : request,
      },
      { discard: /no item|Post \{/ },
    ],
    [
      'that a step of a transaction is left out',
      {
        request: (operation, request) =>
          operation === 'TransactWriteItems'
            ? { ...request, TransactItems: (request.TransactItems as object[]).slice(1) }
            : request,
      },
      { write: /it was done/ },
    ],
  ]
  test.each(harms)(
    '%s',
    async (_, sabotage, found) => {
      last = undefined
      const failures = await failuresOf(sabotage, Object.keys(found))
      for (const [pattern, got] of Object.entries(found)) {
        const strings = failures.filter((each) => each.pattern === pattern).map((each) => each.got)
        expect({ pattern, strings: strings.filter((text) => got.test(text)).slice(0, 1) }).toEqual({
          pattern,
          strings: [expect.stringMatching(got)],
        })
      }
    },
    TIMEOUT_MS,
  )
})

test(
  'a failure names the call and the entity of the item that should not be there',
  async () => {
    const failures = await failuresOf(
      {
        response: (operation, response) =>
          operation === 'GetItem' && response.Item
            ? { ...response, Item: { ...response.Item, username: { S: 'somebody' } } }
            : response,
      },
      ['getUser'],
    )
    expect(failures[0]).toMatchObject({
      pattern: 'getUser',
      expected: expect.stringMatching(/^User \{ username: '\w+' \}$/),
      got: expect.stringMatching(/^\{ username: 'somebody', posts: \d+ \}$/),
      call: expect.stringMatching(/^getUser\(\{ username: '\w+' \}\)$/),
    })
  },
  TIMEOUT_MS,
)

test(
  'the same seed gives the same exercise, another one other items',
  async () => {
    const calls = async (seed: number): Promise<unknown> => {
      const sent: unknown[] = []
      const around = sabotaged({
        request(_, request) {
          sent.push(request)
          return request
        },
      })
      const { patterns } = await exercise(lab, { seed, around })
      return [patterns, JSON.stringify(sent)]
    }
    expect(await calls(7)).toEqual(await calls(7))
    expect(await calls(7)).not.toEqual(await calls(8))
  },
  TIMEOUT_MS,
)

describe('a pattern that is not run says why', () => {
  const user = (email: object): SchemaDefinition => ({
    indexes: { primary: { hash: 'pk' } },
    models: {
      User: {
        key: { pk: 'USER#${username}' },
        attributes: {
          username: { type: String, required: true },
          email: { type: String, ...email },
        },
      },
    },
    patterns: { getUser: { op: 'get', entity: 'User', by: ['username'] } },
  })

  // Nothing but this one address, which its source does not say.
  const known = ['ann', 'home'].join('@')
  const isKnown = (text: string): boolean => text === known

  test('because another service answers it', async () => {
    const { patterns } = await exercise({
      ...lab,
      patterns: { search: { op: 'external', service: 'OpenSearch', reason: 'full text' } },
    })
    expect(patterns).toEqual([
      {
        pattern: 'search',
        runs: 0,
        matching: 0,
        negatives: 0,
        failures: [],
        skipped: 'OpenSearch answers it: full text',
      },
    ])
  })

  test('because no sample value could be made for an attribute', async () => {
    const { patterns } = await exercise(user({ validate: isKnown }))
    expect(patterns[0]?.skipped).toBe(
      'No value was found for User.email that its definition accepts: declare an enum or a default for it, or give items of your own by --fixtures',
    )
  })

  test.each([
    ['an enum', { enum: ['ann@home'], validate: isKnown }],
    ['a default', { default: 'ann@home', validate: isKnown }],
  ])('unless there is %s', async (_, email) => {
    const { patterns } = await exercise(user(email))
    expect([patterns[0]?.skipped, patterns[0]?.failures]).toEqual([undefined, []])
  })

  test('unless the project has items of its own', async () => {
    const input = { username: 'ann', email: 'AA-12345678901234567' }
    const options = { fixtures: [{ entity: 'User', input }] }
    const { patterns } = await exercise(user({ validate: /^AA-\d{17}$/ }), options)
    expect([patterns[0]?.skipped, patterns[0]?.failures]).toEqual([undefined, []])
  })
})

test('an exercise reports its progress, and ends when it is aborted', async () => {
  const control = new AbortController()
  const reported: unknown[] = []
  const running = exercise(lab, {
    signal: control.signal,
    onProgress(done, total, pattern) {
      reported.push([done, total, pattern])
      if (done === 1) control.abort(new Error('enough'))
    },
  })
  await expect(running).rejects.toThrow('enough')
  expect(reported).toEqual([
    [0, 15, 'getUser'],
    [1, 15, 'users'],
  ])
})
