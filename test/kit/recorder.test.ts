import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readRecording } from '../../packages/kit/src/recorder/recording-file.ts'
import { ROOT } from '../architecture/package-manifest.ts'
import { runCli, showRun } from './run-cli.ts'

const GOLDEN = path.join(import.meta.dirname, '__golden__')
// Inside node_modules, so that what is compiled finds its packages.
const folder = path.join(ROOT, 'node_modules/.cache', `singletable-recorder-${process.pid}`)
const project = path.join(folder, 'project')

/** Tests of a project that uses the blog's schema: patterns by name, builders that ask the same,
 * and things nobody declared. */
const TESTS = `
import { Table, defineSchema } from 'singletable'
import { createEngine } from 'singletable/engine'
import { blogSchema } from '${path.join(ROOT, 'examples/blog/schema.ts')}'

async function blog() {
  const table = new Table({ name: 'Blog', schema: blogSchema, client: createEngine() })
  await table.create()
  return table
}

test('patterns by name', async () => {
  const { patterns } = await blog()
  await patterns.register({ username: 'alice', name: 'Alice', email: 'a@example.com' })
  await patterns.writePost({ username: 'alice', postId: '1', title: 'First' })
  await patterns.postsByUser({ username: 'alice' })
  await patterns.postsByUser({ username: 'alice', postId: { from: '1' } })
  await patterns.userFeed({ username: 'alice' })
  const comment = { postId: '1', commentId: '1', username: 'alice', content: 'hm' }
  const count = { username: 'alice', postId: '1', comments: 1 }
  await patterns.comment({ author: { username: 'alice' }, comment, count })
})

test('builders that ask what a pattern asks', async () => {
  const { entities } = await blog()
  const { User, Comment, Post } = entities
  await User.get({ username: 'bob' }).execute()
  await Comment.query({ postId: '1' }).execute()
  await Post.query().where((attr, op) => op.and(op.eq(attr.username, 'alice'), op.gte(attr.postId, '0'))).execute()
  await Post.query().where((attr, op) => op.eq(attr.published, true)).execute()
})

test('what nobody declared', async () => {
  const { entities } = await blog()
  const { Post, PostTag, Session } = entities
  await Post.put({ username: 'alice', postId: '1', title: 'First' }).execute()
  for (let number = 0; number < 3; number++) await Post.get({ username: 'alice', postId: '1' }).execute()
  await Post.query().where((attr, op) => op.and(op.eq(attr.username, 'alice'), op.eq(attr.title, 'x'))).execute()
  await PostTag.scan().execute()
  await Session.query().where((attr, op) => op.eq(attr.token, 'secret')).execute()
})

test('another schema', async () => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'id' } },
    models: { Other: { key: { id: 'OTHER#\${id2}' }, attributes: { id2: { type: String, required: true } } } },
  })
  const table = new Table({ name: 'Other', schema, client: createEngine() })
  await table.create()
  await table.entities.Other.get({ id2: '1' }).execute()
})
`

beforeAll(async () => {
  mkdirSync(project, { recursive: true })
  const kit = path.join(ROOT, 'packages/kit/src')
  const options: BuildOptions = {
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['singletable-source'],
    external: ['@aws-sdk/*', '@babel/*', 'jiti', 'lmdb', 'vitest'],
    logLevel: 'error',
  }
  await build({
    ...options,
    entryPoints: ['cli/main.ts', 'cli/process-output.ts', 'recorder/hook.ts'].map((each) =>
      path.join(kit, each),
    ),
    outbase: kit,
    outdir: path.join(folder, 'command'),
  })
  writeFileSync(
    path.join(folder, 'command/run.js'),
    `import { main } from './cli/main.js'
import { processOutput } from './cli/process-output.js'
process.exitCode = await main(process.argv.slice(2), processOutput())
`,
  )
  writeFileSync(path.join(folder, 'command/package.json'), '{"type":"module"}')
  const schema = path.join(ROOT, 'examples/blog/schema.ts')
  writeFileSync(
    path.join(project, 'package.json'),
    JSON.stringify({ type: 'module', singletable: { schema } }),
  )
  writeFileSync(
    path.join(project, 'blog.test.ts'),
    `import { test } from 'vitest'\n${TESTS}\ntest('timers', async () => { const { vi } = await import('vitest'); vi.useFakeTimers() })`,
  )
  writeFileSync(
    path.join(project, 'vitest.config.ts'),
    `export default { resolve: { conditions: ['singletable-source'] },
  ssr: { resolve: { conditions: ['singletable-source', 'node', 'import', 'default'] } } }`,
  )
  await build({
    ...options,
    stdin: {
      contents: `import { test } from 'node:test'\n${TESTS}`,
      resolveDir: ROOT,
      loader: 'ts',
    },
    outfile: path.join(project, 'plain.mjs'),
  })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function singletable(...parameters: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(folder, 'command/run.js'), ...parameters],
    // Vitest would take the tests inside for its own.
    { cwd: project, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: process.env.HOME } },
  )
  return { status, stdout, stderr }
}

const VITEST = path.join(ROOT, 'node_modules/vitest/vitest.mjs')

test('node --test: what ran is compared with what is declared', async () => {
  const run = singletable('recorder', '--', process.execPath, '--test', 'plain.mjs')
  expect(run.stderr).toBe('')
  expect(run.status).toBe(0)
  const text = run.stdout.slice(run.stdout.indexOf('pattern  '))
  await expect(text).toMatchFileSnapshot(path.join(GOLDEN, 'recorder-blog.txt'))
  const file = path.join(project, 'recording.json')
  const { shapes, otherRequests } = readRecording(file)
  expect(otherRequests).toBe(1)
  expect(shapes.filter(({ pattern }) => pattern === 'postsByUser').at(-1)).toEqual({
    operation: 'Query',
    index: 'primary',
    key: 'pk = USER#${username} AND begins_with(sk, POST#)',
    filter: null,
    pattern: 'postsByUser',
    entity: 'Post',
    verb: 'query',
    count: 1,
    itemsRead: 1,
    itemsReturned: 1,
  })
  // Values stay in the tests.
  expect(readFileSync(file, 'utf8')).not.toMatch(/alice|secret|First/)
  expect(singletable('recorder', 'report', 'recording.json').stdout).toBe(text)
})

test.each(['forks', 'threads'])('Vitest with its pool of %s records the same', (pool) => {
  const out = `recording-${pool}.json`
  const run = singletable(
    'recorder',
    '--json',
    '--out',
    out,
    '--',
    process.execPath,
    VITEST,
    'run',
    '--pool',
    pool,
  )
  expect(run.status, run.stderr).toBe(0)
  // What the tests print is not between.
  expect(JSON.parse(run.stdout)).toMatchObject({ otherRequests: 1, neverRun: expect.any(Array) })
  const plain = singletable('recorder', '--out', 'plain.json', '--', process.execPath, 'plain.mjs')
  expect(plain.status).toBe(0)
  expect(readRecording(path.join(project, out))).toEqual(
    readRecording(path.join(project, 'plain.json')),
  )
})

/** In this process; the program is not Node, which would need the hook as it is built. */
async function inProcess(...parameters: readonly string[]) {
  const { PATH = '' } = process.env
  return runCli(['recorder', ...parameters], { directory: project, environment: { PATH } })
}

test('the exit code is that of the command; --min fails where too little ran', async () => {
  expect((await inProcess('--min', '100', '--', 'sh', '-c', 'exit 7')).code).toBe(7)
  expect((await inProcess('--', 'sh', '-c', 'kill -9 $$')).code).toBe(137)
  expect((await inProcess('--min', '0', '--', 'true')).code).toBe(0)
  const less = await inProcess('--min', '90', '--', 'true')
  expect(less.code).toBe(1)
  expect(less.complaints).toBe(
    'singletable recorder: 0% of the patterns were run, and --min asks for 90%.',
  )
  expect(less.printed).toContain('No request of this schema was recorded')
})

test('a command that fails before it asks for anything leaves the recording that is there', async () => {
  const file = path.join(project, 'kept.json')
  writeFileSync(file, 'what was recorded before')
  expect((await inProcess('--out', 'kept.json', '--', 'false')).code).toBe(1)
  expect(readFileSync(file, 'utf8')).toBe('what was recorded before')
  expect((await inProcess('--out', 'kept.json', '--', 'true')).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toContain('"format"')
})

test('mistakes are reported', async () => {
  writeFileSync(path.join(project, 'broken.json'), '{"format":"other"}')
  const lines = [
    [],
    ['--', './no-such-program'],
    ['--min', '101', '--', 'true'],
    ['report'],
    ['report', 'broken.json'],
    ['report', 'missing.json'],
    ['--schema', 'none.ts', '--', 'true'],
  ]
  const strings: string[] = []
  for (const line of lines) strings.push(showRun(['recorder', ...line], await inProcess(...line)))
  const text = strings.join('\n').replaceAll(project, '<project>')
  await expect(text).toMatchFileSnapshot(path.join(GOLDEN, 'recorder-errors.txt'))
})
