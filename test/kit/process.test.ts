import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'
import { type CompiledCommand, compileCommand } from '../wire/command-process.ts'

/** The process may have to share the machine with all other tests. */
const PROCESS_MS = 60_000

let command: CompiledCommand
let folder: string

beforeAll(async () => {
  command = await compileCommand()
  folder = mkdtempSync(path.join(tmpdir(), 'singletable-process-'))
}, PROCESS_MS)

afterAll(() => {
  command.remove()
  rmSync(folder, { recursive: true, force: true })
})

const schema = path.join(ROOT, 'examples/blog/schema.ts')

test(
  'a reader that leaves early ends the command, and nothing is said about it',
  async () => {
    const { child, complaints, ended } = command.start([
      ...['seed', '--dry-run', '--count', '20000', '--schema', schema],
    ])
    child.stdout?.once('data', () => child.stdout?.destroy())
    expect(await ended).toBe(141)
    expect(complaints()).toBe('')
  },
  PROCESS_MS,
)

test(
  'a schema that keeps a timer does not keep the command, and all is printed',
  async () => {
    const file = path.join(folder, 'schema.ts')
    writeFileSync(
      file,
      `setInterval(() => {}, 1000)
export const schema = {
  indexes: { primary: { hash: 'pk' } },
  models: { Thing: { key: { pk: 'THING#\${id}' }, attributes: { id: { type: String, required: true } } } },
}
`,
    )
    const { printed, ended } = command.start(['docs', '--out', '-', '--schema', file])
    expect(await ended).toBe(0)
    expect(printed()).toMatch(/\n$/)
    expect(printed()).toContain('## Glossary')
  },
  PROCESS_MS,
)

test.skipIf(process.platform === 'win32')(
  'a long answer reaches a slow reader whole',
  async () => {
    const run = command.start(['docs', '--json', '--schema', schema])
    run.child.stdout?.pause()
    setTimeout(() => run.child.stdout?.resume(), 300)
    expect(await run.ended).toBe(0)
    expect(Object.keys(JSON.parse(run.printed()))).toContain('definition')
  },
  PROCESS_MS,
)

test.each([
  ['seed', ['seed', '--dry-run', '--count', '5000000']],
  ['dev', ['dev', '--memory', '--port', '0', '--count', '5000000']],
])(
  '%s ends when a signal comes in the middle of its work',
  async (_, parameters) => {
    const run = command.start([
      ...parameters,
      '--schema',
      path.join(ROOT, 'test/kit/rides/schema.ts'),
    ])
    // It prints items, or how far it is: it is at work.
    while (run.printed() === '' && !run.complaints().includes('items')) {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    run.child.kill('SIGTERM')
    expect([143, 0]).toContain(await run.ended)
  },
  PROCESS_MS,
)

test(
  'what a schema prints does not get into the answer',
  async () => {
    const file = path.join(folder, 'talking.ts')
    writeFileSync(
      file,
      `console.log('loading the schema')
export { blogSchema } from ${JSON.stringify(schema)}
`,
    )
    const run = command.start(['check', '--json', '--schema', file])
    await run.ended
    expect(() => JSON.parse(run.printed())).not.toThrow()
    expect(run.complaints()).toContain('loading the schema')
  },
  PROCESS_MS,
)
