import { defineSchema } from 'singletable'
import type { SchemaDefinition } from 'singletable/tools'
import { readSchema } from 'singletable/tools'
import { describe, expect, test } from 'vitest'
import { blogSchema } from '../../../examples/blog/schema.ts'
import { shopSchema } from '../../../examples/shop/schema.ts'
import type { Exercise } from '../../../packages/kit/src/check/evidence/exercise.ts'
import {
  type ExerciseOptions,
  exercisePatterns,
} from '../../../packages/kit/src/check/exercise/exercise-patterns.ts'
import { type Sabotage, sabotaged } from '../../oracle/sabotage.ts'
import { PrimerSchema } from '../../reference/3-schema.ts'
import { SocialSchema } from '../../reference/4-schema.ts'
import { ShopSchema } from '../../reference/5-schema.ts'

const TIMEOUT_MS = 120_000

function exercise(schema: unknown, options?: ExerciseOptions): Promise<Exercise> {
  // The types of the schemas here differ, and any can be read.
  return exercisePatterns(readSchema(schema as SchemaDefinition), options)
}

const lab = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'PROFILE' },
      attributes: {
        username: { type: String, required: true },
        email: { type: String, required: true, unique: true },
        posts: { type: Number, counts: 'Post' },
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
        views: { type: Number },
        expires: { type: Date, ttl: true },
      },
      stats: { itemBytes: 1_000, perPartition: { average: 40 } },
    },
    Reading: {
      key: { pk: 'READING#${at:day}', sk: '${at}' },
      attributes: { at: { type: Date, required: true, start: '2026-01-01' } },
    },
    Shop: {
      key: { pk: 'SHOP#${shopId}', sk: 'SHOP' },
      attributes: { shopId: { type: String, required: true }, name: { type: String } },
      copies: { ShownShop: { key: { pk: 'SHOWN', sk: '${shopId}' } } },
    },
  },
  patterns: {
    getUser: { op: 'get', entity: 'User', by: ['username'] },
    byEmail: { op: 'getByUnique', entity: 'User', by: ['email'] },
    users: { op: 'batchGet', entity: 'User', by: ['username'] },
    both: {
      op: 'transactGet',
      entity: 'Post',
      by: ['username', 'postId'],
      expect: { itemsRead: 20 },
    },
    posts: {
      op: 'query',
      entity: 'Post',
      by: ['username'],
      range: 'postId',
      expect: { itemsRead: 40 },
    },
    best: {
      op: 'query',
      entity: 'Post',
      index: 'gsi1',
      by: ['status'],
      range: 'rank',
      order: 'desc',
      filter: { views: { gte: '$least' } },
    },
    feed: { op: 'query', entity: ['User', 'Post'], by: ['username'] },
    shown: { op: 'query', entity: 'ShownShop', by: [] },
    allPosts: { op: 'scan', entity: 'Post', reason: 'report' },
    readings: { op: 'query', entity: 'Reading', by: [], range: 'at' },
    register: { op: 'create', entity: 'User' },
    save: { op: 'put', entity: 'Shop' },
    publish: { op: 'update', entity: 'Post', by: ['username', 'postId'], set: ['rank'] },
    viewed: { op: 'update', entity: 'Post', by: ['username', 'postId'], add: ['views'] },
    discard: { op: 'delete', entity: 'Post', by: ['username', 'postId'] },
    forget: { op: 'delete', entity: 'Reading', by: ['at'] },
    liveOnes: {
      op: 'query',
      entity: 'Post',
      index: 'gsi1',
      by: [],
      in: ['status'],
      range: 'rank',
      where: { views: { gte: '$least?' } },
    },
    howMany: { op: 'count', entity: 'Post', by: ['username'], where: { rank: { lt: '$most?' } } },
    hasPosts: { op: 'exists', entity: 'Post', by: ['username'], range: 'postId' },
    keep: { op: 'upsert', entity: 'Shop', by: ['shopId'], set: ['name'] },
    raise: {
      op: 'update',
      entity: 'Post',
      by: ['username', 'postId'],
      set: ['rank'],
      where: { status: 'draft', rank: { lt: '$rank' } },
    },
    swap: { op: 'put', entity: 'Shop', where: { name: { ne: '$not' } } },
    discardOld: {
      op: 'delete',
      entity: 'Post',
      by: ['username', 'postId'],
      where: { rank: { lte: '$rank' } },
    },
    erase: {
      op: 'transact',
      steps: {
        shop: { op: 'check', entity: 'Shop', by: ['shopId'], where: { name: '$name' } },
        user: { op: 'delete', entity: 'User', by: ['username'], given: ['email'] },
      },
    },
    write: {
      op: 'transact',
      steps: {
        author: { op: 'check', entity: 'User', by: ['username'] },
        shop: { op: 'update', entity: 'Shop', by: ['shopId'], set: ['name'] },
      },
    },
  },
})

describe('running the patterns of', () => {
  test.each<readonly [name: string, schema: unknown]>([
    ['the laboratory', lab],
    ['the blog', blogSchema],
    ['the shop', shopSchema],
    ['the third reference text', PrimerSchema],
    ['the fourth reference text', SocialSchema],
    ['the fifth reference text', ShopSchema],
  ])(
    '%s finds nothing wrong',
    async (_, schema) => {
      for (const seed of [1, 2]) {
        const { patterns } = await exercise(schema, { seed })
        expect(patterns.filter(({ failures }) => failures.length > 0)).toEqual([])
        const idle = patterns.filter(({ skipped }) => skipped !== undefined)
        expect(idle.filter(({ pattern }) => !/^search/.test(pattern))).toEqual([])
        for (const { runs, matching } of patterns.filter((each) => !idle.includes(each))) {
          expect([runs > 0, matching > 0]).toEqual([true, true])
        }
      }
    },
    TIMEOUT_MS,
  )
})

describe('it finds', () => {
  test.each<readonly [what: string, sabotage: Sabotage, found: Readonly<Record<string, RegExp>>]>([
    [
      'an item that is missing',
      {
        response: (operation, response) =>
          /Query|Scan/.test(operation)
            ? { ...response, Items: response.Items?.slice(1) ?? [] }
            : response,
      },
      { posts: /without Post \{/, feed: /without/, allPosts: /without Post/, shown: /without/ },
    ],
    [
      'an item that is there twice',
      {
        response: (operation, response) =>
          operation === 'Query'
            ? { ...response, Items: [...(response.Items ?? []), ...(response.Items ?? [])] }
            : response,
      },
      { posts: /twice Post \{/ },
    ],
    [
      'items of another partition',
      {
        request: (operation, request) =>
          operation === 'Query'
            ? JSON.parse(JSON.stringify(request).replace(/STATUS#\w+/, 'STATUS#other'))
            : request,
      },
      { best: /without|among them/ },
    ],
    [
      'the wrong order',
      {
        request: (operation, request) =>
          operation === 'Query' ? { ...request, ScanIndexForward: true } : request,
      },
      { best: /out of order/ },
    ],
    [
      'a read that costs more than the schema expects',
      {
        response: (_, response) =>
          response.ConsumedCapacity
            ? { ...response, ConsumedCapacity: { CapacityUnits: 100 } }
            : response,
      },
      { posts: /^100$/, both: /^100$/ },
    ],
    [
      'an error',
      {
        request: (operation, request) =>
          operation === 'GetItem' ? { ...request, TableName: 'Nowhere' } : request,
      },
      { getUser: /not.*found|no table|Nowhere|exist/i },
    ],
    [
      'an item that is not found by its key',
      { response: (operation, response) => (operation === 'GetItem' ? {} : response) },
      { getUser: /no item/ },
    ],
    [
      'a batch that lacks an item',
      {
        response: (operation, response) =>
          operation === 'BatchGetItem' ? { ...response, Responses: {} } : response,
      },
      { users: /no item/ },
    ],
    [
      'a value that is not stored',
      {
        request: (operation, request) =>
          operation === 'UpdateItem'
            ? JSON.parse(JSON.stringify(request).replaceAll(/\{"N":"\d+"\}/g, '{"N":"77777"}'))
            : request,
      },
      { publish: /77777/ },
    ],
    [
      'an update of a missing item that is done',
      {
        request: (operation, { ConditionExpression, ...request }) =>
          operation === 'UpdateItem'
            ? request
            : { ...request, ...(ConditionExpression ? { ConditionExpression } : {}) },
      },
      { viewed: /it was done|ITEM_NOT_FOUND|Unused|unused/ },
    ],
    [
      'an item that is not deleted',
      {
        request: (operation, request) =>
          operation === 'DeleteItem'
            ? JSON.parse(JSON.stringify(request).replaceAll('READING#', 'OTHER#'))
            : request,
      },
      { forget: /no item|at: / },
    ],
    [
      'a step of a transaction that is left out',
      {
        request: (operation, request) =>
          operation === 'TransactWriteItems'
            ? {
                ...request,
                TransactItems: (request.TransactItems as object[]).filter(
                  (each) => !('ConditionCheck' in each),
                ),
              }
            : request,
      },
      { write: /it was done/ },
    ],
  ])(
    '%s',
    async (_, sabotage, found) => {
      const patterns = Object.fromEntries(
        Object.entries(lab.patterns).filter(([name]) => Object.hasOwn(found, name)),
      )
      const result = await exercise({ ...lab, patterns }, { around: sabotaged(sabotage) })
      for (const [name, got] of Object.entries(found)) {
        const strings = result.patterns
          .filter(({ pattern }) => pattern === name)
          .flatMap(({ failures }) => failures.map((each) => each.got))
        expect({ name, strings: strings.filter((text) => got.test(text)).slice(0, 1) }).toEqual({
          name,
          strings: [expect.stringMatching(got)],
        })
      }
    },
    TIMEOUT_MS,
  )

  test('and names the call', async () => {
    const patterns = { getUser: lab.patterns.getUser }
    const response: Sabotage['response'] = (operation, each) =>
      operation === 'GetItem' ? {} : each
    const result = await exercise({ ...lab, patterns }, { around: sabotaged({ response }) })
    expect(result.patterns[0]?.failures[0]).toEqual({
      expected: expect.stringMatching(/^User \{ username: '\w+'.* \}$/),
      got: 'no item',
      call: expect.stringMatching(/^getUser\(\{ username: '\w+' \}\)$/),
    })
  })
})

test('the same seed gives the same runs, another one other items', async () => {
  const sentWith = async (seed: number): Promise<string> => {
    const sent: unknown[] = []
    const around = sabotaged({
      request(_, request) {
        sent.push(request)
        return request
      },
    })
    return JSON.stringify([await exercise(lab, { seed, around }), sent])
  }
  expect(await sentWith(7)).toBe(await sentWith(7))
  expect(await sentWith(7)).not.toBe(await sentWith(8))
})

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
        others: 0,
        failures: [],
        units: 0,
        skipped: 'OpenSearch answers it: full text',
        elsewhere: true,
      },
    ])
  })

  test('because no value could be made for an attribute', async () => {
    const { patterns } = await exercise(user({ validate: isKnown }))
    expect(patterns[0]?.skipped).toBe(
      'No value was found for User.email that its definition accepts: list valid values as examples: [...] in the schema, or give items of your own with --fixtures',
    )
  })

  test.each([
    ['an enum', { enum: ['ann@home'], validate: isKnown }, []],
    ['an example', { examples: ['ann@home'], validate: isKnown }, []],
    ['a default', { default: 'ann@home', validate: isKnown }, []],
    [
      'an item of the project',
      { validate: isKnown },
      [{ entity: 'User', input: { username: 'ann', email: 'ann@home' } }],
    ],
  ])('unless there is %s', async (_, email, fixtures) => {
    const { patterns } = await exercise(user(email), { fixtures })
    expect([patterns[0]?.skipped, patterns[0]?.failures]).toEqual([undefined, []])
  })
})

test('it reports its progress, and ends when it is aborted', async () => {
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
    [0, 25, 'getUser'],
    [1, 25, 'byEmail'],
  ])
})
