import { expect, test } from 'vitest'
import { Table } from '../builder/table.ts'
import { createEngine } from '../engine/engine.ts'
import { defineSchema } from '../plan/define-schema.ts'
import { partiql } from './partiql.ts'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'USER#${name}', sk: 'USER' },
      attributes: {
        name: { type: String, required: true },
        born: { type: Date },
        age: { type: Number },
      },
    },
    Post: {
      key: { pk: 'USER#${name}', sk: 'POST#${id}' },
      attributes: { name: { type: String, required: true }, id: { type: String, required: true } },
    },
  },
})

async function start() {
  const table = new Table({ name: 'Blog', schema, client: createEngine() })
  await table.create()
  const { User, Post } = table.entities
  await User.put({ name: 'alice', age: 30, born: new Date(0) }).execute()
  await Post.batchWrite(
    Array.from({ length: 7 }, (_, id) => ({ name: 'alice', id: String(id) })),
  ).execute()
  return { table, statements: partiql(table) }
}

const ALL = 'SELECT * FROM "Blog" WHERE pk = ?'

test('rows are given with all that is stored, or by the models of their types', async () => {
  const { statements } = await start()
  const where = 'SELECT * FROM "Blog" WHERE pk = ? AND sk = ?'
  const parameters = ['USER#alice', 'USER']
  expect(await statements.execute(where, parameters)).toEqual([
    {
      pk: 'USER#alice',
      sk: 'USER',
      _type: 'User',
      name: 'alice',
      age: 30,
      born: '1970-01-01T00:00:00.000Z',
    },
  ])
  expect(await statements.execute(where, parameters, { entities: true })).toEqual([
    { name: 'alice', age: 30, born: new Date(0) },
  ])
})

test('pages continue where the last one ended, and together they have all rows', async () => {
  const { statements } = await start()
  const ids: string[] = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page = await statements.page<{ sk: string }>(ALL, ['USER#alice'], {
      pageSize: 3,
      cursor,
    })
    ids.push(...page.items.map(({ sk }) => sk))
    cursor = page.cursor
    pages++
  } while (cursor !== undefined)
  expect(pages).toBeGreaterThan(1)
  expect(ids).toHaveLength(8)
  expect(await statements.execute(ALL, ['USER#alice'])).toHaveLength(8)
  const walked: unknown[] = []
  const rows = statements.iterate<{ sk: string }>(ALL, ['USER#alice'], { pageSize: 2 })
  for await (const { sk } of rows) walked.push(sk)
  expect(walked).toEqual(ids)
})

test('writes are sent, and failed conditions throw our errors', async () => {
  const { statements, table } = await start()
  const update = 'UPDATE "Blog" SET age = ? WHERE pk = ? AND sk = ? RETURNING ALL NEW *'
  const [row] = await statements.execute(update, [31, 'USER#alice', 'USER'], { entities: true })
  expect(row).toMatchObject({ name: 'alice', age: 31 })
  const guarded = 'UPDATE "Blog" SET age = 1 WHERE pk = ? AND sk = ? AND age = 99'
  await expect(statements.execute(guarded, ['USER#alice', 'USER'])).rejects.toMatchObject({
    code: 'CONDITION_FAILED',
  })
  const user = await table.entities.User.get({ name: 'alice' }).execute()
  expect(user?.age).toBe(31)
})

test('a batch reports the outcome of each statement', async () => {
  const { statements } = await start()
  const one = 'SELECT * FROM "Blog" WHERE pk = ? AND sk = ?'
  const results = await statements.batch<{ name: string }>(
    [
      { statement: one, parameters: ['USER#alice', 'USER'] },
      { statement: one, parameters: ['USER#bob', 'USER'] },
      { statement: 'SELECT * FROM "Nowhere" WHERE pk = ? AND sk = ?', parameters: ['a', 'b'] },
    ],
    { entities: true },
  )
  expect(results[0]?.item?.name).toBe('alice')
  expect(results[1]).toEqual({ item: undefined })
  expect(results[2]?.error?.code).toBe('ResourceNotFound')
})

test('a transaction is done as a whole or not at all', async () => {
  const { statements } = await start()
  const remove = 'DELETE FROM "Blog" WHERE pk = ? AND sk = ?'
  const insert = `INSERT INTO "Blog" VALUE {'pk': ?, 'sk': ?}`
  const failing = statements.transaction([
    { statement: remove, parameters: ['USER#alice', 'POST#0'] },
    { statement: insert, parameters: ['USER#alice', 'USER'] },
  ])
  await expect(failing).rejects.toMatchObject({
    code: 'TRANSACTION_CANCELED',
    failures: [{ index: 1 }],
  })
  expect(await statements.execute(ALL, ['USER#alice'])).toHaveLength(8)
  await statements.transaction([{ statement: remove, parameters: ['USER#alice', 'POST#0'] }])
  const read = 'SELECT * FROM "Blog" WHERE pk = ? AND sk = ?'
  const found = await statements.transaction([
    { statement: read, parameters: ['USER#alice', 'POST#0'] },
    { statement: read, parameters: ['USER#alice', 'POST#1'] },
  ])
  expect(found).toEqual([undefined, expect.objectContaining({ id: '1' })])
})

test('values that DynamoDB can not hold, and statements that are none, are refused by place', async () => {
  const { statements, table } = await start()
  await expect(statements.execute(ALL, [Symbol('x')])).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    issues: [{ path: [0] }],
  })
  await expect(statements.execute('')).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  await expect(statements.execute(ALL, 'x' as never)).rejects.toMatchObject({
    code: 'INPUT_INVALID',
  })
  await expect(statements.execute('SELEC')).rejects.toMatchObject({ code: 'REQUEST_REFUSED' })
  const scoped = partiql(table.scope({ name: 'alice' }) as never)
  await expect(scoped.execute(ALL, ['USER#alice'])).rejects.toMatchObject({
    code: 'SCOPE_VIOLATED',
  })
})
