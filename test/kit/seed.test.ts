import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine, type Engine } from 'singletable/engine'
import { compileSchema, createTableRequest, type Transport } from 'singletable/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { blogSchema } from '../../examples/blog/schema.ts'
import type { Stops } from '../../packages/kit/src/cli/stops.ts'
import { ridesSchema } from './rides/schema.ts'
import { runCli } from './run-cli.ts'

const GOLDEN = path.join(import.meta.dirname, '__golden__')

let directory: string
let engine: Engine

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'singletable-seed-'))
  engine = createEngine()
  await engine.send('CreateTable', createTableRequest(compileSchema(blogSchema), 'Blog'))
})

afterEach(async () => {
  await engine.close()
  rmSync(directory, { recursive: true, force: true })
})

const run = (...parameters: readonly string[]) => runCli(parameters, { transport: engine })

test('sample data follows the schema, has items that name each other, and is the same for the same seed', async () => {
  const parameters = ['seed', '--count', '12', '--seed', '7', '--dry-run']
  const { code, printed } = await run(...parameters)
  expect(code).toBe(0)
  expect(printed.trim().split('\n')).toHaveLength(12)
  expect((await run(...parameters)).printed).toBe(printed)
  expect((await run('seed', '--count', '12', '--seed', '8', '--dry-run')).printed).not.toBe(printed)
  await expect(`${printed}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'seed.txt'))
})

test('sample data is written through its entities', async () => {
  const { code, printed, complaints } = await run(
    'seed',
    '--count',
    '300',
    '--table',
    'Blog',
    '--json',
  )
  expect(complaints).toBe('')
  expect(code).toBe(0)
  const { written } = JSON.parse(printed)
  // A user has some forty posts, and a post some ten comments, say the stats.
  expect(written.Comment).toBeGreaterThan(written.Post)
  expect(written.User).toBeGreaterThan(0)
  const posts = await run(
    'query',
    'publishedPosts',
    'published=true',
    '--table',
    'Blog',
    '--all',
    '--json',
  )
  const [first] = posts.printed.split('\n').map((line) => JSON.parse(line))
  const author = await run('get', 'User', `username=${first.username}`, '--table', 'Blog')
  expect(author.code).toBe(0)
})

test('what is written twice within ten minutes is in the table after a deletion in between', async () => {
  const seed = ['seed', '--count', '60', '--table', 'Blog', '--json']
  const first = JSON.parse((await run(...seed)).printed)
  await engine.send('DeleteTable', { TableName: 'Blog' })
  await engine.send('CreateTable', createTableRequest(compileSchema(blogSchema), 'Blog'))
  const again = await run(...seed)
  expect(again.code).toBe(0)
  expect(JSON.parse(again.printed).written).toEqual(first.written)
  const { Items = [] } = await engine.send('Scan', { TableName: 'Blog' })
  const users = Items.filter(({ _type }) => _type?.S === 'User')
  expect(users).toHaveLength(first.written.User)
})

test('what is reported as written was found in the table', async () => {
  // A service that answers every write and carries out none.
  const forgetful: Transport = {
    send: async (operation, request, options) =>
      /^(BatchWrite|TransactWrite|Put)/.test(operation)
        ? ({} as never)
        : engine.send(operation, request, options),
  }
  const { printed } = await runCli(['seed', '--count', '20', '--table', 'Blog', '--json'], {
    transport: forgetful,
  })
  expect(JSON.parse(printed).written).toEqual({})
})

test('a second run leaves what is there, and --count gives that many', async () => {
  const rides = path.join(import.meta.dirname, 'rides')
  const definition = compileSchema(ridesSchema)
  await engine.send('CreateTable', createTableRequest(definition, 'Rides'))
  const seed = ['seed', '--count', '400', '--table', 'Rides', '--json']
  const options = { transport: engine, directory: rides }
  const first = await runCli(seed, options)
  expect(first.complaints).toBe('')
  const counts: Record<string, number> = JSON.parse(first.printed).written
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(400)
  expect(Object.keys(counts)).toHaveLength(12)
  const second = await runCli(seed, options)
  expect(second.complaints).toBe('')
  expect(JSON.parse(second.printed).written).toEqual(counts)
  const { Items = [] } = await engine.send('Scan', { TableName: 'Rides' })
  const rideCounts = Items.filter(({ _type }) => _type?.S === 'Driver').map((each) =>
    Number(each.rideCount?.N),
  )
  // The counters are right, too.
  expect(rideCounts.reduce((sum, count) => sum + count, 0)).toBe(counts.Ride)
})

test('a model for which no values are found is left out, with what helps', async () => {
  writeFileSync(
    path.join(directory, 'schema.ts'),
    `export const schema = {
       indexes: { primary: { hash: 'pk' } },
       models: {
         Odd: { key: { pk: 'ODD#\${id}' }, attributes: { id: { type: String, required: true }, odd: { type: String, required: true, validate: () => false } } },
         Even: { key: { pk: 'EVEN#\${id}' }, attributes: { id: { type: String, required: true } } },
       },
     }`,
  )
  const { printed, complaints, code } = await runCli(['seed', '--count', '4', '--dry-run'], {
    directory,
  })
  expect(printed.split('\n')).toHaveLength(4)
  expect(complaints).toContain('No value was found for Odd.odd that its definition accepts.')
  expect(complaints).toContain('examples: [...]')
  expect(code).toBe(1)
})

test('a signal ends it after what is under way, and it reports what is there', async () => {
  const stops: Stops = {
    onSignal: (callback) => {
      const timer = setImmediate(() => callback('SIGINT'))
      return () => clearImmediate(timer)
    },
    exit: () => {},
  }
  const { code, complaints } = await runCli(
    ['seed', '--count', '100000', '--table', 'Blog', '--json'],
    { transport: engine, stops },
  )
  expect(code).toBe(130)
  expect(complaints).toContain('finishing the current items')
  const { Count = 0 } = await engine.send('Scan', { TableName: 'Blog', Select: 'COUNT' })
  expect(Count).toBeLessThan(3_000)
})

test('items of a file are written, in TypeScript with their types and in JSON as the schema reads them', async () => {
  const typed = path.join(directory, 'seed.ts')
  writeFileSync(
    typed,
    `export const seed = {
       User: [{ username: 'ann', name: 'Ann', email: 'ann@example.com' }],
       Session: [{ token: 't', username: 'ann', expiresAt: new Date('2100-01-01') }],
     }`,
  )
  expect(await run('seed', typed, '--table', 'Blog')).toMatchObject({
    code: 0,
    printed: 'wrote 1 User, 1 Session into "Blog" (this process)',
  })
  const json = path.join(directory, 'seed.json')
  writeFileSync(json, '{"Session":[{"token":"u","username":"ann","expiresAt":"2100-01-01"}]}')
  expect(await run('seed', json, '--table', 'Blog')).toMatchObject({ code: 0 })
  const { printed } = await run('get', 'Session', 'token=u', '--table', 'Blog', '--json')
  expect(JSON.parse(printed)).toMatchObject({ expiresAt: '2100-01-01T00:00:00.000Z' })
})

test.each([
  ['{"Nobody":[]}', 2, 'The schema has no entity "Nobody"'],
  ['{"User":{}}', 3, 'User is not a list.'],
  ['[]', 3, 'The file has no lists of items.'],
  ['{', 3, 'The file is not valid JSON.'],
  ['{"User":[{"username":"a"}]}', 2, '"name" is missing'],
])('the file %s is refused', async (text, code, message) => {
  const file = path.join(directory, 'seed.json')
  writeFileSync(file, text)
  const refused = await run('seed', file, '--table', 'Blog')
  expect(refused.complaints).toContain(message)
  expect(refused.code).toBe(code)
})

test('completion knows commands, options and their values', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, printed } = await run('completion', shell)
    expect(code).toBe(0)
    for (const word of ['query', 'segments', 'describe', 'json csv'])
      expect(printed).toContain(word)
  }
  expect((await run('completion', 'cmd')).code).toBe(2)
})

test('bash completes with the script', async () => {
  const { printed } = await run('completion', 'bash')
  const complete = (...words: readonly string[]): string[] =>
    execFileSync('bash', [
      '-c',
      `${printed}\nCOMP_WORDS=(singletable ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _singletable; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ])
      .toString()
      .trim()
      .split('\n')
  expect(complete('exp')).toEqual(['export'])
  expect(complete('table', 'd')).toEqual(['describe', 'delete'])
  expect(complete('table', 'delete', '--y')).toEqual(['--yes'])
  expect(complete('export', 'x', '--format', '')).toEqual(['json', 'csv'])
  expect(complete('serve', '--durability', '')).toEqual(['flushed', 'os'])
})
