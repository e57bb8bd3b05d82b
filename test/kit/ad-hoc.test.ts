import path from 'node:path'
import { Table } from 'singletable'
import { createEngine, type Engine, simulatedEnvironment } from 'singletable/engine'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { blogSchema } from '../../examples/blog/schema.ts'
import { parseSortCondition } from '../../packages/kit/src/cli/sort-condition.ts'
import { ROOT } from '../architecture/package-manifest.ts'
import { runCli } from './run-cli.ts'

let engine: Engine

beforeEach(async () => {
  engine = createEngine({ environment: simulatedEnvironment() })
  const table = new Table({ name: 'Blog', schema: blogSchema, client: engine })
  await table.create()
  const { User, Post } = table.entities
  await User.put({ username: 'alice', name: 'Alice', email: 'alice@example.com' })
  for (const postId of ['1', '2', '3']) {
    await Post.put({ username: 'alice', postId, title: `Post ${postId}`, published: true })
  }
})

afterEach(() => engine.close())

const query = (...words: readonly string[]) =>
  runCli(['query', '--table', 'Blog', ...words], { transport: engine })

const idsOf = (printed: string): readonly unknown[] =>
  printed.split('\n').map((line) => JSON.parse(line).item?.postId)

test('a partition is read by its stored key, its items by their entity', async () => {
  const { code, printed, complaints } = await query('--partition', 'pk=USER#alice')
  expect(code).toBe(0)
  expect(printed).toMatch(/^User\n.*username.*\nalice/m)
  expect(printed).toMatch(/^Post\n/m)
  expect(complaints).toContain('4 items, 0.5 read units')
})

test.each([
  ['POST#*', ['1', '2', '3']],
  ['POST#2', ['2']],
  ['=POST#2', ['2']],
  ['POST#1..POST#2', ['1', '2']],
  ['>POST#1', ['2', '3']],
  ['<=POST#2', ['1', '2']],
])('--sk %s gives %j', async (condition, ids) => {
  const words = ['--partition', 'pk=USER#alice', '--sk', condition]
  const { printed } = await query(...words, '--json')
  const found = idsOf(printed).filter((id) => id !== undefined)
  expect(found).toEqual(ids)
})

test('pages are limited, and continue with the cursor; --reverse begins at the end', async () => {
  const words = ['--partition', 'pk=USER#alice', '--sk', 'POST#*', '--reverse', '--json']
  const first = await query(...words, '--limit', '2')
  expect(idsOf(first.printed)).toEqual(['3', '2'])
  const [, cursor = ''] = /--cursor (\S+),/.exec(first.complaints) ?? []
  const second = await query(...words, '--limit', '2', '--cursor', cursor)
  expect(idsOf(second.printed)).toEqual(['1'])
  expect(idsOf((await query(...words, '--all')).printed)).toEqual(['3', '2', '1'])
})

test('--raw shows what is stored, without a schema too', async () => {
  const words = ['--partition', 'pk=USER#alice', '--sk', 'POST#1']
  const { printed } = await query(...words, '--raw')
  expect(JSON.parse(printed)).toMatchObject({ pk: { S: 'USER#alice' }, title: { S: 'Post 1' } })
  const directory = path.join(ROOT, 'docs')
  const plain = await runCli(['query', '--table', 'Blog', '--json', ...words], {
    transport: engine,
    directory,
  })
  expect(JSON.parse(plain.printed)).toMatchObject({ item: { pk: 'USER#alice', title: 'Post 1' } })
})

test('a SELECT that names attributes of keys shows them', async () => {
  const select = `SELECT pk, title FROM "Blog" WHERE pk = 'USER#alice' AND begins_with(sk, 'POST#')`
  const { printed } = await query('--partiql', select, '--json')
  const { item } = JSON.parse(printed.split('\n')[0] ?? '')
  expect(item).toEqual({ pk: 'USER#alice', title: expect.any(String) })
})

test('--partiql takes a SELECT, and nothing that writes', async () => {
  const select = `SELECT * FROM "Blog" WHERE pk = 'USER#alice' AND begins_with(sk, 'POST#')`
  const { printed } = await query('--partiql', select, '--json')
  expect(idsOf(printed)).toEqual(['1', '2', '3'])
  const refused = await query('--partiql', `DELETE FROM "Blog" WHERE pk = 'a' AND sk = 'b'`)
  expect(refused).toMatchObject({ code: 2 })
  expect(refused.complaints).toContain('query only reads')
})

test.each([
  [['--partition', 'id=1'], 'The partition key of primary is pk'],
  [
    ['--partition', 'pk=1', '--index', 'gsi'],
    'The table has no index "gsi" (did you mean "gsi1"?)',
  ],
  [['--partition', 'pk=1', '--sk', ''], '--sk has an empty value'],
  [['--partition', 'pk=1', '--cursor', 'x'], '--cursor is not a cursor'],
  [['--partition', 'pk='], 'DynamoDB refuses the query: One or more parameter values'],
  [['--partiql', 'SELECT * FROM'], 'DynamoDB refuses the query: Statement wasn'],
  [['--partiql', 'SELECT pk', '--cursor', 'x'], 'DynamoDB refuses the query'],
  [['postsByUser', '--partition', 'pk=1'], 'with the pattern "postsByUser"'],
  [['postsByUser', '--raw'], '--raw is for questions without a pattern'],
])('what was typed as %j is refused with exit code 2', async (words, text) => {
  const { code, complaints } = await query(...words)
  expect(complaints).toContain(text)
  expect(code).toBe(2)
})

test('a statement on a table that does not exist names it', async () => {
  const { code, complaints } = await query('--partiql', `SELECT * FROM "Blg" WHERE pk = 'a'`)
  expect(complaints).toContain('There is no table "Blg".')
  expect(code).toBe(1)
})

test('a condition ends in a star, or has it as it is', () => {
  expect(parseSortCondition('A*').values).toEqual(['A'])
  expect(parseSortCondition('=A*').values).toEqual(['A*'])
})

test('update changes one item, and index keys follow', async () => {
  const run = (...words: readonly string[]) =>
    runCli([...words, '--table', 'Blog', '--json'], { transport: engine })
  const updated = await run('update', 'Post', 'username=alice', 'postId=1', 'published=false')
  expect(JSON.parse(updated.printed)).toMatchObject({ postId: '1', published: false })
  const { printed } = await query('--partition', 'pk=USER#alice', '--sk', 'POST#1', '--raw')
  expect(JSON.stringify(JSON.parse(printed))).not.toContain('STATUS#true')
  const renamed = await run('update', 'User', 'username=alice', '--set', 'name=Al')
  expect(JSON.parse(renamed.printed)).toMatchObject({ name: 'Al' })
  expect(await run('update', 'User', 'username=alice')).toMatchObject({ code: 2 })
  expect(await run('update', 'User', 'username=bob', 'name=Bob')).toMatchObject({ code: 1 })
  expect(await run('update', 'User', 'username=alice', '--remove', 'nme')).toMatchObject({
    code: 2,
  })
})

test('delete prints the item that it deleted, and fails where there is none', async () => {
  const run = (...words: readonly string[]) =>
    runCli(['delete', 'Post', 'username=alice', 'postId=1', '--table', 'Blog', ...words], {
      transport: engine,
    })
  expect(JSON.parse((await run('--json')).printed)).toMatchObject({ title: 'Post 1' })
  expect(await run()).toMatchObject({ code: 1 })
  expect(await run('--if-exists')).toMatchObject({ code: 0 })
})
