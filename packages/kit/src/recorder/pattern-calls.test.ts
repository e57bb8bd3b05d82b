import { defineSchema, Table, type Transport } from 'singletable'
import { createEngine } from 'singletable/engine'
import { compileSchema } from 'singletable/tools'
import { expect, test } from 'vitest'
import { DURATIONS_MAX, PatternCalls, patternOfRequest } from './pattern-calls.ts'

const text = { type: String, required: true } as const
const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: { key: { pk: 'USER#${name}', sk: 'USER' }, attributes: { name: text } },
    Post: { key: { pk: 'USER#${name}', sk: 'POST#${id}' }, attributes: { name: text, id: text } },
  },
  patterns: {
    posts: { op: 'query', entity: 'Post', by: ['name'] },
    user: { op: 'get', entity: 'User', by: ['name'] },
  },
})

test('95 of 100 calls took no longer than the figure says', () => {
  const calls = new PatternCalls()
  expect(calls.figures('posts')).toBeUndefined()
  for (let ms = 100; ms >= 1; ms--) calls.note('posts', ms)
  expect(calls.figures('posts')).toEqual({ calls: 100, p95Ms: 95 })
  calls.note('user', 7)
  expect(calls.figures('user')).toEqual({ calls: 1, p95Ms: 7 })
})

test('only the last durations count, and all calls are counted', () => {
  const calls = new PatternCalls()
  calls.note('posts', 9999)
  for (let n = 0; n < DURATIONS_MAX; n++) calls.note('posts', 1)
  expect(calls.figures('posts')).toEqual({ calls: DURATIONS_MAX + 1, p95Ms: 1 })
})

test('a query is of the pattern whose plan it has; a get, a page and another table are of none', async () => {
  const engine = createEngine()
  const found: (string | undefined)[] = []
  const compiled = compileSchema(schema)
  const client: Transport = {
    send(operation, request, options) {
      found.push(patternOfRequest(compiled, { operation, request, table: 'Blog' }))
      return engine.send(operation, request, options)
    },
  }
  const table = new Table({ name: 'Blog', schema, client })
  await table.create()
  for (const id of ['1', '2']) await table.entities.Post.put({ name: 'ada', id })
  found.length = 0
  const first = await table.entities.Post.query({ name: 'ada' }).limit(1).page()
  await table.entities.Post.query({ name: 'ada' }).cursor(first.cursor).limit(1).page()
  await table.entities.User.get({ name: 'ada' })
  const other = new Table({ name: 'Other', schema, client })
  await other.create()
  await other.entities.Post.query({ name: 'ada' })
  expect(found.filter((each) => each !== undefined)).toEqual(['posts'])
  expect(found[0]).toBe('posts')
  await engine.close()
})
