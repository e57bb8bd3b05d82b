import { defineSchema, Table, type Transport } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import { pollStream } from 'singletable/streams'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CAUSES_MAX, ChangeCauses } from './change-causes.ts'

const text = { type: String, required: true } as const
const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  table: { stream: 'new-and-old' },
  models: {
    User: {
      key: { pk: 'USER#${name}', sk: 'USER' },
      attributes: { name: text, motto: { type: String }, posts: { type: Number, counts: 'Post' } },
    },
    Post: { key: { pk: 'USER#${name}', sk: 'POST#${id}' }, attributes: { name: text, id: text } },
  },
  patterns: {
    addUser: { op: 'create', entity: 'User' },
    addPost: { op: 'create', entity: 'Post' },
    publish: { op: 'create', entity: 'Post' },
    setMotto: { op: 'update', entity: 'User', by: ['name'], set: ['motto'] },
  },
})

let engine: Engine
let causes: ChangeCauses
beforeEach(() => {
  engine = createEngine()
  causes = new ChangeCauses()
})
afterEach(() => engine.close())

const client = (): Transport => ({
  send: (operation, request, options) =>
    causes.follow({ operation, request, by: 'studio' }, (onStreamRecord) => {
      const engineOptions = { ...options, onStreamRecord }
      return engine.send(operation, request, engineOptions)
    }),
})

/** The cause of each record of the stream, by the sort key of what it changes. */
async function readCauses(): Promise<readonly (readonly [sk: string, cause: string])[]> {
  const { Table } = await engine.send('DescribeTable', { TableName: 'Blog' })
  const found: [string, string][] = []
  const end = new AbortController()
  await pollStream({
    ...{ source: engine, streamArn: Table?.LatestStreamArn ?? '', from: 'trim-horizon' as const },
    ...{ idleMsMax: 1, signal: end.signal },
    handler: async ({ Records }) => {
      for (const { eventID, dynamodb } of Records) {
        const { operation, entity, verb, pattern } = causes.causeOf(eventID) ?? {}
        found.push([dynamodb.Keys.sk?.S ?? '', `${operation} ${entity}.${verb} ${pattern}`])
        if (dynamodb.Keys.sk?.S === 'END') end.abort()
      }
    },
  })
  return found
}

test('a change has the call that made it, and the only pattern that sends such a request', async () => {
  const stop = causes.watch()
  const table = new Table({ name: 'Blog', schema, client: client() })
  await table.create()
  const { User, Post } = table.entities
  await table.patterns.addUser({ name: 'ada' })
  await Promise.all([
    User.update({ name: 'ada' }).set({ motto: 'Onward' }),
    Post.create({ name: 'ada', id: '1' }),
  ])
  await expect(Post.create({ name: 'ada', id: '1' })).rejects.toThrow()
  // A program that is not followed.
  const Item = { pk: { S: 'x' }, sk: { S: 'END' } }
  await engine.send('PutItem', { TableName: 'Blog', Item })
  const found = await readCauses()
  expect(found.toSorted()).toEqual([
    ['END', 'undefined undefined.undefined undefined'],
    // Two patterns create posts.
    ['POST#1', 'TransactWriteItems Post.create undefined'],
    ['USER', 'PutItem User.create addUser'],
    // The counter is a change of the same call.
    ['USER', 'TransactWriteItems Post.create undefined'],
    ['USER', 'UpdateItem User.update setMotto'],
  ])
  stop()
})

test('nothing is collected while nobody watches, and old causes give way', async () => {
  const named: unknown[] = []
  const note = { operation: 'PutItem', by: 'studio', request: {} } as const
  await causes.follow(note, async (onStreamRecord) => named.push(onStreamRecord))
  expect(named).toEqual([undefined])
  const stop = causes.watch()
  for (let n = 0; n <= CAUSES_MAX; n++) {
    await causes.follow(note, async (onStreamRecord) => onStreamRecord?.(`e${n}`))
  }
  expect(causes.causeOf('e0')).toBeUndefined()
  expect(causes.causeOf('e1')).toMatchObject({ operation: 'PutItem' })
  stop()
  expect(causes.causeOf('e1')).toBeUndefined()
})
