import { defineSchema, Table } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** Collections whose partition key is spread over shards, or given by several values. */

const text = { type: String, required: true } as const
const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Vote: {
      key: { pk: 'POLL#${poll}#${shard}', sk: 'VOTE#${id}' },
      shard: { count: 4, by: ['id'] },
      attributes: { poll: text, id: text },
    },
    Comment: {
      key: { pk: 'POLL#${poll}#${shard}', sk: 'COMMENT#${id}' },
      shard: { count: 4, by: ['id'] },
      attributes: { poll: text, id: text, by: text },
    },
    Note: {
      key: { pk: 'POLL#${poll}#${shard}', sk: 'NOTE#${id}' },
      shard: { count: 2, by: ['id'] },
      attributes: { poll: text, id: text },
    },
    Poll: { key: { pk: 'POLL#${poll}#0', sk: 'POLL' }, attributes: { poll: text } },
  },
  patterns: { everything: { op: 'query', entity: ['Vote', 'Comment'], by: ['poll'] } },
})

let engine: Engine
let table: Table<typeof schema>
const ids = Array.from({ length: 12 }, (_, index) => String(index + 10))

beforeEach(async () => {
  engine = createEngine()
  table = new Table({ name: 'polls', schema, client: engine })
  await table.create()
  const { Vote, Comment, Note } = table.entities
  for (const poll of ['p', 'q']) {
    for (const id of ids) {
      await Vote.put({ poll, id })
      await Comment.put({ poll, id, by: Number(id) % 2 ? 'odd' : 'even' })
      await Note.put({ poll, id })
    }
  }
})
afterEach(() => engine.close())

test('models in the same shards are collected, each in the order of its sort keys', async () => {
  const collection = table.collect(['Vote', 'Comment'], { poll: 'p' })
  expect(collection.explain().partitions).toBe(
    '4 partitions, "POLL#p#0" to "POLL#p#3": 4 shards, merged by sort key',
  )
  const { Vote, Comment } = await collection
  expect(Vote.map(({ id }) => id)).toEqual(ids)
  expect(Comment.map(({ id }) => id)).toEqual(ids)
  const odd = await collection.where('Comment', (attr, op) => op.eq(attr.by, 'odd'))
  expect([odd.Vote.length, odd.Comment.length]).toEqual([12, 6])
})

test('pages continue where the last one ended', async () => {
  const collection = table.collect(['Vote', 'Comment'], { poll: 'q' }).limit(7)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const from = cursor ? collection.startFrom(cursor) : collection
    const page = await from.executeWithPagination()
    for (const { id } of page.groups.Comment) seen.push(`COMMENT#${id}`)
    for (const { id } of page.groups.Vote) seen.push(`VOTE#${id}`)
    cursor = page.cursor
  } while (cursor)
  expect(seen).toEqual([...ids.map((id) => `COMMENT#${id}`), ...ids.map((id) => `VOTE#${id}`)])
})

test('a pattern of several models reads all shards', async () => {
  expect(JSON.stringify(await table.patterns.everything({ poll: 'p' }))).toContain('"id":"10"')
})

test.each([['Note'], ['Poll']] as const)('%s, which has other shards, is refused', async (name) => {
  await expect(table.collect(['Vote', name], { poll: 'p' }).execute()).rejects.toThrow(
    `primary: ${name} is in another partition than Vote`,
  )
})
