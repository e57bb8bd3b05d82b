import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine, type Engine } from 'singletable/engine'
import { compileSchema, createTableRequest } from 'singletable/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { blogSchema } from '../../examples/blog/schema.ts'
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

test('made-up items follow the schema, name each other, and are the same for the same seed', async () => {
  const parameters = ['seed', '--count', '12', '--seed', '7', '--dry-run']
  const { code, printed } = await run(...parameters)
  expect(code).toBe(0)
  expect(printed.trim().split('\n')).toHaveLength(12)
  expect((await run(...parameters)).printed).toBe(printed)
  expect((await run('seed', '--count', '12', '--seed', '8', '--dry-run')).printed).not.toBe(printed)
  await expect(`${printed}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'seed.txt'))
})

test('made-up items are written through their entities', async () => {
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
  ['{"User":{}}', 3, 'User is no list.'],
  ['[]', 3, 'The file has no lists of items.'],
  ['{', 3, 'The file is no JSON.'],
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
