import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Table } from 'singletable'
import { createEngine, type Engine, simulatedEnvironment } from 'singletable/engine'
import { compileSchema } from 'singletable/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blogSchema } from '../../examples/blog/schema.ts'
import { loadSchema } from '../../packages/kit/src/schema-file/load-schema.ts'
import { ROOT } from '../architecture/package-manifest.ts'
import { type CliOptions, runCli, showRun } from './run-cli.ts'

const GOLDEN = path.join(import.meta.dirname, '__golden__')
const EXAMPLES = ['blog', 'files', 'metrics', 'saas', 'shop', 'social']

let engine: Engine
let folder: string

beforeEach(() => {
  engine = createEngine({ environment: simulatedEnvironment() })
  folder = mkdtempSync(path.join(tmpdir(), 'singletable-golden-'))
})

afterEach(async () => {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

/** One run after the other, as one text. */
async function show(
  lines: readonly (readonly string[])[],
  options: CliOptions = {},
): Promise<string> {
  const strings: string[] = []
  for (const parameters of lines) {
    const run = await runCli(parameters, { transport: engine, ...options })
    const data = run.data === '' ? '' : `-- data\n${run.data}`
    strings.push(showRun(parameters, run) + data)
  }
  return strings.join('\n').replaceAll(folder, '<folder>').replaceAll(ROOT, '<root>')
}

/** The words under "Commands:" of a help. */
function commandsIn(help: string): readonly string[] {
  const [, section = ''] = /^Commands:\n((?: {2}\S.*\n)+)/m.exec(help) ?? []
  return section
    .trimEnd()
    .split('\n')
    .flatMap((line) => /^ {2}(\S+(?: \S+)*) {2,}/.exec(line)?.[1] ?? [])
}

describe('the help of every command', async () => {
  const { printed } = await runCli(['--help'])
  const names = commandsIn(printed)

  test('is listed in that of the whole', async () => {
    expect(names.length).toBeGreaterThan(9)
    await expect(`${printed}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'help/singletable.txt'))
  })

  test.each(names)('%s', async (name) => {
    const help = await runCli([name, '--help'])
    expect(help.code).toBe(0)
    const lines = commandsIn(help.printed).map((each) => [...each.split(' '), '--help'])
    const text = await show([[name, '--help'], ...lines])
    await expect(text).toMatchFileSnapshot(path.join(GOLDEN, `help/${name}.txt`))
  })
})

test.each(['bash', 'zsh', 'fish'])('completion for %s', async (shell) => {
  const { printed, code } = await runCli(['completion', shell])
  expect(code).toBe(0)
  await expect(`${printed}\n`).toMatchFileSnapshot(path.join(GOLDEN, `completion/${shell}.txt`))
})

describe.each(EXAMPLES)('on the example %s', (example) => {
  const directory = path.join(ROOT, 'examples', example)

  test('table, infra sdk and seed show what they would do', async () => {
    const text = await show(
      [
        ['table', 'create', '--table', 'Example', '--dry-run'],
        ['infra', 'sdk', '--table', 'Example'],
        ['table', 'create', '--table', 'Example'],
        ['infra', 'diff', '--table', 'Example'],
        ['seed', '--count', '6', '--dry-run'],
      ],
      { directory },
    )
    await expect(text).toMatchFileSnapshot(path.join(GOLDEN, `examples/${example}.txt`))
  })

  test('query --plan shows every pattern', async () => {
    const { definition } = await loadSchema(undefined, { directory })
    const names = [...compileSchema(definition).patterns.keys()]
    if (names.length === 0) {
      const { code, complaints } = await runCli(['query', 'any', '--plan'], { directory })
      expect(code).toBe(2)
      expect(complaints).toContain('The schema has no pattern "any"')
      return
    }
    const text = await show(
      names.map((name) => ['query', name, '--plan']),
      { directory },
    )
    await expect(text).toMatchFileSnapshot(path.join(GOLDEN, `examples/${example}-plans.txt`))
  })
})

test('export and load print what they do', async () => {
  const environment = {
    now: () => Date.UTC(2026, 0, 2),
    randomBytes: (count: number) => new Uint8Array(count),
    schedule: () => () => {},
  }
  for (const name of ['Blog', 'Copy']) {
    const table = new Table({ name, schema: blogSchema, client: engine, environment })
    await table.create()
    if (name === 'Copy') continue
    const { User, Post } = table.entities
    await User.put({ username: 'alice', name: 'Alice', email: 'alice@example.com' }).execute()
    await Post.put({ username: 'alice', postId: '1', title: 'Post, "1"' }).execute()
  }
  const file = path.join(folder, 'blog.jsonl')
  writeFileSync(path.join(folder, 'broken.jsonl'), '{"Item":{"pk":{"S":"a"}}}\nno JSON\n')
  const text = await show([
    ['export', '-', '--table', 'Blog'],
    ['export', '-', '--table', 'Blog', '--format', 'csv'],
    ['export', file, '--table', 'Blog'],
    ['export', file, '--table', 'Blog'],
    ['load', file, '--table', 'Copy', '--dry-run'],
    ['load', file, '--table', 'Copy'],
    ['load', file, '--table', 'Copy', '--json'],
    ['load', path.join(folder, 'broken.jsonl'), '--table', 'Copy'],
    ['load', path.join(folder, 'missing.jsonl'), '--table', 'Copy'],
    ['export', file, '--table', 'Nowhere'],
    ['export'],
    ['load'],
  ])
  await expect(text).toMatchFileSnapshot(path.join(GOLDEN, 'export-load.txt'))
})

test('mistakes in arguments are reported in the same way by every command', async () => {
  const { printed } = await runCli(['--help'])
  const lines = commandsIn(printed).map((name) => [name, '--no-such-option'])
  const text = await show([...lines, ['nothing'], ['--nothing']])
  await expect(text).toMatchFileSnapshot(path.join(GOLDEN, 'typed-wrong.txt'))
})
