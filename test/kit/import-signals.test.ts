import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { listen } from '@singletable/kit/server'
import { createEngine } from 'singletable/engine'
import { expect, onTestFinished, test } from 'vitest'
import { type CompiledCommand, compileCommand } from '../wire/command-process.ts'
import { makeProjectFolder } from './project-folder.ts'
import { runCli } from './run-cli.ts'

const TIMEOUT_MS = 120_000
const ROWS = 4_000

const SCHEMA = `
import { defineSchema } from 'singletable'
export const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'USER#\${id}', sk: 'USER' },
      attributes: {
        id: { type: String, required: true },
        email: { type: String, unique: true },
        orders: { type: Number, counts: 'Order' },
      },
    },
    Order: {
      key: { pk: 'USER#\${id}', sk: 'ORDER#\${number}' },
      attributes: { id: { type: String, required: true }, number: { type: String } },
    },
  },
})
`

/** What defineImport gives, because the package is not built when tests run. */
const MAPPING = `
import { schema } from './schema.ts'
export default {
  format: 'singletable-import:1',
  schema,
  sources: {
    users: { kind: 'csv', file: 'users.csv' },
    orders: { kind: 'csv', file: 'orders.csv' },
  },
  emit: {
    User: [{ from: 'users', set: { id: 'id', email: 'email' } }],
    Order: [{ from: 'orders', set: { id: 'user', number: 'id' } }],
  },
  drop: {},
}
`

test(
  'import run that signals end in the middle continues with --resume, and gives what an undisturbed run gives',
  async () => {
    const command = await compileCommand()
    onTestFinished(command.remove)
    const whole = await importAll(command)
    const interrupted = await importAll(command, [
      ['SIGINT', 1_000],
      ['SIGTERM', 2_500],
    ])
    expect(interrupted.codes).toEqual([130, 143, 0])
    expect(interrupted.printed.match(/items; continue with --resume/g)).toHaveLength(2)
    expect(interrupted.content).toEqual(whole.content)
    expect(whole.content.length).toBe(100 + 100 + ROWS)
  },
  TIMEOUT_MS,
)

/** Imports into a server; signals come when the table has this many items. */
async function importAll(
  command: CompiledCommand,
  signals: readonly (readonly ['SIGINT' | 'SIGTERM', number])[] = [],
) {
  const directory = makeProjectFolder()
  const users = Array.from({ length: 100 }, (_, id) => `${id},${id}@x\n`)
  const orders = Array.from({ length: ROWS }, (_, id) => `${id},${id % 100}\n`)
  const files = {
    'schema.ts': SCHEMA,
    'import.map.ts': MAPPING,
    'users.csv': `id,email\n${users.join('')}`,
    'orders.csv': `id,user\n${orders.join('')}`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(directory, name), text)
  const engine = createEngine()
  const server = await listen(engine, { port: 0 })
  const target = ['--table', 'Shop', '--endpoint', server.url]
  const made = await runCli(['table', 'create', '--table', 'Shop'], {
    directory,
    transport: engine,
  })
  expect(made.complaints).toBe('')
  const itemCount = async (): Promise<number> => {
    const { Count = 0 } = await engine.send('Scan', { TableName: 'Shop', Select: 'COUNT' })
    return Count
  }
  const codes: (number | string)[] = []
  let printed = ''
  for (const [signal, most] of [...signals, []]) {
    const more = codes.length > 0 ? ['--resume'] : []
    const run = command.start(['import', 'run', ...target, ...more], {}, directory)
    let hasEnded = false
    void run.ended.then(() => {
      hasEnded = true
    })
    while (most !== undefined && !hasEnded && (await itemCount()) < most) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    if (signal !== undefined) run.child.kill(signal)
    codes.push(await run.ended)
    expect(existsSync(path.join(directory, 'import.map.ts.progress'))).toBe(signal !== undefined)
    printed += run.printed()
    if (![0, 130, 143].includes(Number(codes.at(-1)))) throw new Error(run.complaints())
  }
  const { Items = [] } = await engine.send('Scan', { TableName: 'Shop' })
  await server.close()
  await engine.close()
  return { codes, printed, content: Items.map((item) => JSON.stringify(item)).sort() }
}
