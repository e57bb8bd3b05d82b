import { defineSchema, type Explanation, type Item, Table, type Transport } from 'singletable'
import type { Equal, Expect } from './wire-type.ts'

/** Right and wrong use of access patterns. What is here is compiled and never run. */

const base = {
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
    byName: { hash: 'pk', sort: 'name', type: 'local' },
    byRegion: { hash: ['region', 'kind'], sort: ['at', 'name'] },
  },
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'PROFILE' },
      attributes: { username: { type: String, required: true }, score: { type: Number } },
    },
    Post: {
      key: { pk: 'USER#${username}', sk: 'POST#${day}#${number:pad(4)}' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: 'AT#${at}' },
      attributes: {
        username: { type: String, required: true },
        day: { type: String, required: true },
        number: { type: Number, required: true },
        status: { type: String, enum: ['draft', 'live'], required: true },
        at: { type: Date, required: true },
        name: { type: String },
        likes: { type: Number, default: 0 },
        tags: { type: Set, items: { type: String } },
        region: { type: String },
        kind: { type: String },
      },
      copies: {
        Mini: {
          key: { pk: 'DAY#${day}', sk: '${username}#${number:pad(4)}' },
          attributes: ['likes'],
        },
      },
    },
    Tag: {
      key: { pk: 'POST#${postId}', sk: 'TAG#${tag}' },
      index: { gsi1pk: 'TAG#${tag}', gsi1sk: 'POST#${postId}' },
      attributes: { postId: { type: String, required: true }, tag: { type: String } },
    },
    Metric: {
      key: { pk: 'M#${server}#${at:day}#${shard}', sk: '${at}' },
      shard: { count: 4 },
      attributes: {
        server: { type: String, required: true },
        at: { type: Date, required: true },
      },
    },
  },
  params: { timestamps: true },
} as const

const schema = defineSchema({
  ...base,
  patterns: {
    user: { op: 'get', entity: 'User', by: ['username'] },
    score: { op: 'get', entity: 'User', by: ['username'], project: ['score'] },
    users: { op: 'batchGet', entity: 'User', by: ['username'] },
    usersAtOnce: { op: 'transactGet', entity: 'User', by: ['username'] },
    posts: { op: 'query', entity: 'Post', by: ['username'], range: 'day' },
    postsOfDay: { op: 'query', entity: 'Post', by: ['username', 'day'], range: 'number' },
    live: { op: 'query', entity: 'Post', index: 'gsi1', by: ['status'], range: 'at' },
    named: { op: 'query', entity: 'Post', index: 'byName', by: ['username'], range: 'name' },
    regional: {
      op: 'query',
      entity: 'Post',
      index: 'byRegion',
      by: ['region', 'kind', 'at'],
      range: 'name',
      project: ['name', 'createdAt'],
    },
    filtered: {
      op: 'query',
      entity: 'Post',
      by: ['username'],
      filter: {
        likes: { gte: '$least', lt: 100 },
        status: { in: '$statuses' },
        at: { between: ['$first', '$last'] },
        tags: { contains: '$tag' },
        name: { exists: true, ne: '$$' },
        region: '$region',
      },
    },
    tagged: {
      op: 'query',
      entity: 'Tag',
      index: 'gsi1',
      by: ['tag'],
      // biome-ignore lint/suspicious/noThenProperty: it is the schema's own word, and no function.
      then: { op: 'batchGet', entity: 'Tag' },
    },
    feed: { op: 'query', entity: ['User', 'Post'], by: ['username'] },
    metrics: { op: 'query', entity: 'Metric', by: ['server'], range: 'at' },
    register: { op: 'create', entity: 'User' },
    save: { op: 'put', entity: 'User' },
    edit: {
      op: 'update',
      entity: 'Post',
      by: ['username', 'day', 'number'],
      set: ['name'],
      add: ['likes'],
      remove: ['region'],
    },
    remove: { op: 'delete', entity: 'User', by: ['username'] },
    publish: {
      op: 'transact',
      steps: {
        author: { op: 'check', entity: 'User', by: ['username'] },
        tag: { op: 'create', entity: 'Tag' },
        score: { op: 'update', entity: 'User', by: ['username'], add: ['score'] },
      },
    },
    countPosts: { op: 'count', entity: 'Post', by: ['username'], where: { likes: '$likes?' } },
    hasUser: { op: 'exists', entity: 'User', by: ['username'] },
    withStatuses: {
      op: 'query',
      entity: 'Post',
      index: 'gsi1',
      by: [],
      in: ['status'],
      select: ['name'],
      where: { likes: { gte: '$least' }, name: '$name?' },
    },
    saveUser: { op: 'upsert', entity: 'User', by: ['username'], set: ['score'] },
    raise: {
      op: 'update',
      entity: 'User',
      by: ['username'],
      set: ['score'],
      where: { score: '$before' },
      given: ['score'],
    },
    swap: { op: 'put', entity: 'User', where: { score: '$before' } },
    search: { op: 'external', service: 'OpenSearch', reason: 'full text' },
    minis: { op: 'query', entity: 'Mini', by: ['day'], range: 'username' },
    mini: { op: 'get', entity: 'Mini', by: ['day', 'username', 'number'] },
    everyone: { op: 'scan', entity: 'User', reason: 'a report' },
  },
})

type Schema = typeof schema
type User = Item<Schema, 'User'>
type Post = Item<Schema, 'Post'>
declare const client: Transport
const { patterns } = new Table({ name: 'blog', schema, client })
const at = new Date(0)

async function results() {
  const user = await patterns.user({ username: 'alice' })
  const { score } = (await patterns.score({ username: 'alice' })).item ?? {}
  const { items: users } = await patterns.users([{ username: 'alice' }])
  const posts = await patterns.posts(
    { username: 'alice', day: { from: '1', to: '2' } },
    { limit: 3 },
  )
  const metrics = await patterns.metrics({ server: 'a', at: { from: at, lt: at } })
  const named = await patterns.regional({ region: 'eu', kind: 'x', at, name: 'n' })
  const { groups } = await patterns.feed({ username: 'alice' })
  const written = await patterns.publish({
    author: { username: 'alice' },
    tag: { postId: '1', tag: 'x' },
    score: { username: 'alice', score: 1 },
  })
  const removed = await patterns.remove({ username: 'alice' })
  const run = await patterns.posts({ username: 'alice' }).measure()
  const page = await patterns.posts({ username: 'alice' }).page()
  const steps = patterns.publish.explain
  const result = await patterns.register({ username: 'alice' }).result()
  for await (const each of patterns.posts({ username: 'alice' })) each satisfies Post
  const plan = patterns.search.plan()
  for await (const each of patterns.feed.all({ username: 'alice' })) {
    if (each.entity === 'Post') each.item satisfies Post
  }
  const { items: minis } = await patterns.minis({ day: '1', username: { from: 'a' } })
  const scanned = await patterns.everyone({})
  const { count } = await patterns.countPosts({ username: 'alice' })
  const { exists } = await patterns.hasUser({ username: 'alice' })
  const { items: names } = await patterns.withStatuses({ status: ['live'], least: 1 })
  return {
    user,
    score,
    users,
    posts,
    metrics,
    named,
    groups,
    written,
    removed,
    run,
    page,
    steps,
    result,
    plan,
    minis,
    scanned,
    count,
    exists,
    names,
  }
}

type Results = Awaited<ReturnType<typeof results>>

export type Right = [
  Expect<Equal<Results['user']['item'], User | undefined>>,
  Expect<Equal<Results['user']['consumed'], number | undefined>>,
  Expect<Equal<Results['score'], number | undefined>>,
  Expect<Equal<Results['users'], (User | undefined)[]>>,
  Expect<Equal<Results['posts']['items'], Post[]>>,
  Expect<Equal<keyof Results['posts'], 'items' | 'consumed'>>,
  Expect<Equal<Results['page']['cursor'], string | undefined>>,
  Expect<Equal<ReturnType<Results['steps']>, Explanation[]>>,
  Expect<Equal<Extract<Results['result'], { ok: true }>['value']['item'], User>>,
  Expect<Equal<Results['named']['items'][0]['createdAt'], Date>>,
  Expect<Equal<Results['groups']['User'], User[]>>,
  Expect<Equal<keyof Results['written']['items'], 'tag'>>,
  Expect<Equal<Results['removed']['item'], User | undefined>>,
  Expect<Equal<Results['run']['itemsRead'], number>>,
  Expect<Equal<Results['plan']['op'], string>>,
  Expect<Equal<keyof Results['minis'][0], 'day' | 'likes' | 'number' | 'username'>>,
  Expect<Equal<Results['scanned']['items'], User[]>>,
  Expect<Equal<Results['count'], number>>,
  Expect<Equal<Results['exists'], boolean>>,
  Expect<Equal<keyof Results['names'][0], 'name'>>,
  Expect<
    Equal<
      Parameters<typeof patterns.postsOfDay>[0]['number'],
      | number
      | undefined
      | {
          readonly from?: number
          readonly to?: number
          readonly gt?: number
          readonly lt?: number
          readonly beginsWith?: never
        }
    >
  >,
]

export const calls = [
  patterns.live({ status: 'live', at: { gt: at } }),
  patterns.named({ username: 'alice', name: { beginsWith: 'a' } }),
  patterns.usersAtOnce([{ username: 'alice' }], { deadlineMs: 10 }),
  patterns.register({ username: 'alice' }),
  patterns.save({ username: 'alice' }),
  patterns.edit({ username: 'alice', day: '1', number: 1, name: 'n' }),
  patterns.tagged({ tag: 'x' }),
  patterns.filtered({
    username: 'alice',
    least: 1,
    statuses: ['live'],
    first: at,
    last: at,
    tag: 'x',
    region: 'eu',
  }),

  patterns.countPosts({ username: 'alice' }),
  patterns.countPosts({ username: 'alice', likes: 1 }),
  patterns.withStatuses({ status: ['live'], least: 1 }),
  patterns.saveUser({ username: 'alice', score: 1 }),
  patterns.raise({ username: 'alice', score: 2, before: 1, given: { score: 1 } }),
  patterns.swap({ username: 'alice', before: 1 }),

  // @ts-expect-error a list is given, not one value
  patterns.withStatuses({ status: 'live', least: 1 }),
  // @ts-expect-error only what has a question mark can be left out
  patterns.withStatuses({ status: ['live'] }),
  // @ts-expect-error current values are given
  patterns.raise({ username: 'alice', score: 2, before: 1 }),
  // @ts-expect-error the condition needs its value
  patterns.swap({ username: 'alice' }),
  // @ts-expect-error a count gives no pages
  patterns.countPosts({ username: 'alice' }).page(),

  // @ts-expect-error what fixes the partition must be given
  patterns.posts({}),
  // @ts-expect-error values have the type of their attributes
  patterns.posts({ username: 7 }),
  // @ts-expect-error and those of ranges too
  patterns.live({ status: 'live', at: { from: 'yesterday' } }),
  // @ts-expect-error the enum has no such member
  patterns.live({ status: 'gone' }),
  // @ts-expect-error the input has no such member
  patterns.user({ username: 'alice', name: 'Alice' }),
  // @ts-expect-error a get gives no pages
  patterns.user({ username: 'alice' }, { limit: 1 }),
  // @ts-expect-error the filter needs its values
  patterns.filtered({ username: 'alice' }),
  // @ts-expect-error no update can change what it does not name
  patterns.edit({ username: 'alice', day: '1', number: 1, status: 'live' }),
  // @ts-expect-error each step has an input
  patterns.publish({ author: { username: 'alice' } }),
  // @ts-expect-error another service answers it
  patterns.search({}),
  // @ts-expect-error there is no such pattern
  patterns.nothing({}),
  // @ts-expect-error a get gives no pages
  patterns.user({ username: 'alice' }).page(),
  // @ts-expect-error only writes have conditions
  patterns.posts({ username: 'alice' }).result(),
]

const plain = defineSchema(base)
// @ts-expect-error the schema has no patterns
export const none = new Table({ name: 'blog', schema: plain, client }).patterns.user
