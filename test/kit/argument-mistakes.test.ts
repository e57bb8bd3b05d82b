import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine, type Engine } from 'singletable/engine'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'
import { runCli } from './run-cli.ts'

let engine: Engine
let folder: string

beforeEach(() => {
  engine = createEngine()
  folder = mkdtempSync(path.join(tmpdir(), 'singletable-mistakes-'))
})

afterEach(async () => {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

test.each([
  ['seed', '--count', '3'],
  ['query', 'postsByUser', 'username=alice'],
  ['get', 'User', 'username=alice'],
  ['put', 'User', 'username=alice', 'name=Alice', 'email=alice@example.com'],
  ['table', 'describe'],
])('%s %s on a table that is not there says so, and how it is made', async (...words) => {
  const { code, complaints } = await runCli([...words, '--table', 'Blog'], { transport: engine })
  expect(code).toBe(1)
  expect(complaints).toContain('There is no table "Blog".')
  expect(complaints).toContain('make it with singletable table create')
})

test('a directory of data that is not there is not made by a command that reads', async () => {
  const data = path.join(folder, 'dta')
  const where = ['--table', 'Blog', '--data', data]
  const { code, complaints } = await runCli(['get', 'User', 'username=alice', ...where])
  expect([code, existsSync(data)]).toEqual([3, false])
  expect(complaints).toContain(`There is no directory "${data}".`)
  expect(await runCli(['table', 'create', ...where])).toMatchObject({ code: 0 })
  expect(existsSync(data)).toBe(true)
})

test('a server that does not answer is reported as such by commands of the library too', async () => {
  const where = ['--table', 'Blog', '--endpoint', 'http://127.0.0.1:1']
  const { code, complaints } = await runCli(['get', 'User', 'username=alice', ...where])
  expect(code).toBe(3)
  expect(complaints).toContain('No answer came: connect ECONNREFUSED 127.0.0.1:1.')
  expect(complaints).toContain('check --endpoint')
})

test.each([
  [['table', 'creat'], 'There is no command "table creat" (did you mean "create"?).'],
  [['infra', 'terrafrom'], 'There is no "terrafrom" (did you mean "terraform"?).'],
  [['completion', 'powershell'], 'There is no completion for "powershell".'],
  [['export', '--csv'], "Unknown option '--csv'."],
  [
    ['docs', '--out', 'design.html'],
    '--out writes Markdown, and "design.html" is the name of an HTML file.',
  ],
  [['check', '--formt', 'json'], `Unknown option '--formt' (did you mean "--format"?).`],
])('%j is reported as a mistake in the arguments', async (words, message) => {
  const { code, complaints } = await runCli(words)
  expect(code).toBe(2)
  expect(complaints).toContain(message)
  const inJson = await runCli([...words, '--json'])
  expect(JSON.parse(inJson.complaints).error).toMatchObject({ exitCode: 2, message })
})

test('check --before names its own option when the file is not there', async () => {
  const { code, complaints } = await runCli(['check', '--before', 'old.ts'])
  expect(code).toBe(3)
  expect(complaints).toContain('--before names "old.ts", and there is no such file.')
})

test('check --docs distinguishes a document that it can not make again from a missing one', async () => {
  writeFileSync(path.join(folder, 'access-patterns.md'), '# Mine\n')
  const schema = path.join(ROOT, 'examples/blog/schema.ts')
  const { complaints } = await runCli(['check', '--docs', '--only', 'P17', '--schema', schema], {
    directory: folder,
  })
  expect(complaints).toContain('access-patterns.md is not compared')
})

test('serve reports mistakes as JSON if asked', async () => {
  const mistake = await runCli(['serve', '--json', '--prot', '1'])
  expect([mistake.code, JSON.parse(mistake.complaints).error.exitCode]).toEqual([2, 2])
  const refused = await runCli(['serve', '--json', '--host', '0.0.0.0', '--port', '0'])
  expect(refused.code).toBeGreaterThan(0)
  expect(JSON.parse(refused.complaints).error.exitCode).toBe(refused.code)
  expect(JSON.parse(refused.complaints).error.code).toMatch(/^SERVER_/)
})

test('docs --inject into a file that is not there does not speak of markers', async () => {
  const { code, complaints } = await runCli(['docs', '--inject', 'none.md'], {
    directory: path.join(ROOT, 'examples/blog'),
  })
  expect(code).toBe(1)
  expect(complaints).toContain('Nothing was written:\n  none.md: There is no such file.')
})

test('an item of nothing but its key leaves no empty line in dev', async () => {
  const file = path.join(folder, 'schema.ts')
  writeFileSync(
    file,
    `export const schema = {
  indexes: { primary: { hash: 'pk' } },
  models: { Flag: { key: { pk: 'FLAG#\${id}' }, attributes: { id: { type: String, required: true } } } },
  patterns: { getFlag: { op: 'get', entity: 'Flag', by: ['id'] } },
}
`,
  )
  const { code, printed } = await runCli(['dev', '--once', '--schema', file], { directory: folder })
  expect(code).toBe(0)
  expect(printed).toContain('→ 1 Flag')
  expect(printed).not.toMatch(/^ +$/m)
})
