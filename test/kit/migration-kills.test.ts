import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { listen } from '@singletable/kit/server'
import { lmdbStorage } from '@singletable/kit/storage'
import { Table } from 'singletable'
import { createEngine, type Engine, seededRandom } from 'singletable/engine'
import type { Item } from 'singletable/tools'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { compileCommand } from '../wire/command-process.ts'
import {
  BEFORE,
  countLogin,
  differences,
  dump,
  fill,
  ITEMS,
  MIGRATION_ID,
  run,
  TABLE,
  wrongVersions,
} from './killed-migration.ts'
import { type MortalProgram, mortalProgram, watched } from './killed-process.ts'
import { runCli } from './run-cli.ts'

/** How many processes are killed; `KILLS=500 npx vitest run test/kit/migration-kills` is a long
 * run. */
const KILLS = Number(process.env.KILLS ?? 30)
/** Each of these starts the whole command. */
const COMMAND_KILLS = Math.ceil(KILLS / 5)
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const KILLS_PER_TABLE = 5
const TIMEOUT_MS = 7_200_000

let program: MortalProgram
let base = ''

beforeAll(async () => {
  program = await mortalProgram('killed-migration-process.ts')
  base = program.folder
})

afterAll(() => program.remove())

async function opened<T>(folder: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = createEngine({ storage: lmdbStorage(folder) })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

/** The logins that a process acknowledged, and those that it was about to write when it died. */
function logged(logs: readonly string[]) {
  const done = new Map<string, number>()
  const open = new Map<string, number>()
  const add = (counts: Map<string, number>, id: string, by: number): void =>
    void counts.set(id, (counts.get(id) ?? 0) + by)
  for (const log of logs) {
    for (const line of existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []) {
      const [word, id = ''] = line.split(' ')
      if (word === 'begin') add(open, id, 1)
      if (word === 'end') add(open, id, -1)
      if (word === 'end') add(done, id, 1)
    }
  }
  return { done, open }
}

/** Acknowledged logins that are missing, and logins that nobody wrote. */
function wrongLogins(items: readonly Item[], logs: readonly string[]): readonly string[] {
  const { done, open } = logged(logs)
  return items.flatMap(({ _type, id, logins }) => {
    if (_type?.S !== 'User') return []
    const extra = Number(logins?.N ?? 0) - (done.get(id?.S ?? '') ?? 0)
    const isRight = extra >= 0 && extra <= (open.get(id?.S ?? '') ?? 0)
    return isRight ? [] : [`user ${id?.S} has ${extra} logins more than acknowledged`]
  })
}

test(
  `${KILLS} processes that are killed in a migration, or its way back, lose nothing (seed ${SEED})`,
  async () => {
    const random = seededRandom(SEED)
    // Undisturbed runs, to compare with: there, and back.
    const origin = path.join(base, 'origin')
    await opened(origin, fill)
    const there = path.join(base, 'there')
    cpSync(origin, there, { recursive: true })
    const first = await program.start(there, 'up', 0, '', SEED, path.join(base, 'log')).ended
    expect(first.signal).toBe('code 0')
    const forward = Number(first.printed)
    const whole = {
      down: await opened(origin, dump),
      up: await opened(there, dump),
    }
    let kills = 0
    for (let history = 0; kills < KILLS; history++) {
      const direction = history % 3 === 2 ? 'down' : 'up'
      const folder = path.join(base, `table-${history}`)
      const seed = Math.floor(random() * 2 ** 31)
      const logs: string[] = []
      cpSync(direction === 'up' ? origin : there, folder, { recursive: true })
      if (direction === 'down') logs.push(path.join(base, 'log'))
      const deaths: string[] = []
      while (deaths.length < KILLS_PER_TABLE && kills < KILLS) {
        const at = 1 + Math.floor(random() * forward * 0.6)
        const moment = random() < 0.5 ? 'before' : 'after'
        logs.push(path.join(base, `log-${history}-${deaths.length}`))
        const { signal } = await program.start(
          folder,
          direction,
          at,
          moment,
          seed + kills,
          logs.at(-1)!,
        ).ended
        deaths.push(`${moment} request ${at}`)
        // What was left was done in fewer requests.
        if (signal !== 'SIGKILL') expect(signal, deaths.join(', ')).toBe('code 0')
        if (signal !== 'SIGKILL') break
        kills++
      }
      const items = await opened(folder, async (engine) => {
        await run(engine, direction === 'down')
        return dump(engine)
      })
      const wrong = [
        ...differences(items, whole[direction]),
        ...wrongLogins(items, logs),
        ...wrongVersions(items, direction === 'up' ? MIGRATION_ID : undefined),
      ]
      expect(wrong, `${direction}, killed ${deaths.join(', ')}`).toEqual([])
      rmSync(folder, { recursive: true })
      if (kills % 50 < KILLS_PER_TABLE && KILLS > 30) console.log(`${kills} kills, 0 differences`)
    }
  },
  TIMEOUT_MS,
)

const SCHEMA = (key: string, mail: string, more: string): string => `
import { defineSchema } from 'singletable'
export const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: { User: {
    key: { pk: '${key}#\${id}', sk: '${key}' },
    attributes: {
      id: { type: String, required: true },
      logins: { type: Number },
      ${mail}: { type: String, unique: true }, ${more}
    },
  } },
})
`

test(
  `migrate up is killed ${COMMAND_KILLS} times while it works on a server (seed ${SEED})`,
  async () => {
    const random = seededRandom(SEED)
    const directory = path.join(base, 'project')
    mkdirSync(directory)
    const schema = (text: string): void => writeFileSync(path.join(directory, 'schema.ts'), text)
    schema(SCHEMA('USER', 'mail', ''))
    await runCli(['migrate', 'generate'], { directory })
    schema(SCHEMA('PERSON', 'email', "plan: { type: String, required: true, default: 'free' }"))
    const now = 1_000
    const rename = ['--rename', 'User.mail=email']
    expect((await runCli(['migrate', 'generate', ...rename], { directory, now })).code).toBe(0)
    const target = readdirSync(path.join(directory, 'migrations')).sort().at(-1)

    const command = await compileCommand()
    onTestFinished(command.remove)
    let kills = 0
    let whole: readonly Item[] | undefined
    let wholeRequests = 0
    while (kills < COMMAND_KILLS || whole === undefined) {
      const engine = createEngine()
      await fillUsers(engine)
      let requests = 0
      let diesAt = Number.POSITIVE_INFINITY
      let die = (): void => {}
      const server = await listen(
        watched(engine, async (send) => {
          const isLast = ++requests === diesAt
          if (isLast && random() < 0.5) die()
          return send().finally(() => isLast && die())
        }),
        { port: 0 },
      )
      const up = ['migrate', 'up', '--table', TABLE, '--segments', '3']
      const logins = new Map<string, number>()
      let isOver = false
      const writer = (async () => {
        while (!isOver) {
          const id = String(Math.floor(random() * ITEMS))
          await countLogin(engine, id)
          logins.set(id, (logins.get(id) ?? 0) + 1)
          await new Promise((resolve) => setTimeout(resolve, 2))
        }
      })()
      for (let death = 0; whole && death < 3 && kills < COMMAND_KILLS; death++) {
        requests = 0
        diesAt = 1 + Math.floor(random() * wholeRequests * 0.5)
        const run = command.start([...up, '--endpoint', server.url], {}, directory)
        die = () => void run.child.kill('SIGKILL')
        const ended = await run.ended
        expect(death === 0 ? ['SIGKILL'] : ['SIGKILL', 0], run.complaints()).toContain(ended)
        if (ended === 0) break
        kills++
        await runCli(['migrate', 'unlock', '--force', '--table', TABLE], {
          directory,
          transport: engine,
        })
      }
      diesAt = Number.POSITIVE_INFINITY
      requests = 0
      const last = command.start([...up, '--endpoint', server.url], {}, directory)
      expect(await last.ended, last.complaints()).toBe(0)
      isOver = true
      await writer
      const items = await dump(engine)
      if (!whole) wholeRequests = requests
      whole ??= items
      expect([...differences(items, whole), ...wrongVersions(items, target)]).toEqual([])
      for (const { _type, id, logins: found } of items) {
        if (_type?.S === 'User') expect(Number(found?.N ?? 0)).toBe(logins.get(id?.S ?? '') ?? 0)
      }
      await server.close()
      await engine.close()
    }
  },
  TIMEOUT_MS,
)

async function fillUsers(engine: Engine): Promise<void> {
  const { primary } = BEFORE.indexes
  const { id, logins, mail } = BEFORE.models.User.attributes
  const User = { key: BEFORE.models.User.key, attributes: { id, logins, mail } } as const
  const schema = { indexes: { primary }, models: { User } } as const
  const table = new Table({ name: TABLE, schema, client: engine })
  await table.create()
  for (let at = 0; at < ITEMS; at++) {
    await table.entities.User.put({ id: String(at), mail: `u${at}@x`, logins: 0 })
  }
}
