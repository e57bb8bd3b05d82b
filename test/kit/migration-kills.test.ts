import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lmdbStorage } from '@singletable/kit/storage'
import { build } from 'esbuild'
import { createEngine, type Engine, seededRandom } from 'singletable/engine'
import type { Item } from 'singletable/tools'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'
import { differences, dump, fill, run } from './killed-migration.ts'

/** How many processes are killed; `KILLS=500 npx vitest run test/kit/migration-kills` is a long run. */
const KILLS = Number(process.env.KILLS ?? 30)
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const KILLS_PER_TABLE = 5
const TIMEOUT_MS = 7_200_000

let program = ''
let base = ''

beforeAll(async () => {
  const cache = path.join(ROOT, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  program = path.join(mkdtempSync(path.join(cache, 'singletable-killed-')), 'process.mjs')
  base = mkdtempSync(path.join(tmpdir(), 'singletable-killed-'))
  await build({
    entryPoints: [path.join(ROOT, 'test/kit/killed-migration-process.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['singletable-source'],
    external: ['lmdb'],
    logLevel: 'error',
  })
})

afterAll(() => {
  for (const folder of [path.dirname(program), base]) rmSync(folder, { recursive: true })
})

async function opened<T>(folder: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = createEngine({ storage: lmdbStorage(folder) })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

/** Runs a process on a folder until it ends or kills itself; gives what it printed. */
function start(
  ...parameters: readonly (string | number)[]
): Promise<{ readonly signal: string | null; readonly printed: string }> {
  const child = spawn(process.execPath, [program, ...parameters.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  return new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ signal: signal ?? `code ${code}`, printed }))
  })
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
    const first = await start(there, 'up', 0, '', SEED, path.join(base, 'log'))
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
        const { signal } = await start(folder, direction, at, moment, seed + kills, logs.at(-1)!)
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
      const wrong = [...differences(items, whole[direction]), ...wrongLogins(items, logs)]
      expect(wrong, `${direction}, killed ${deaths.join(', ')}`).toEqual([])
      rmSync(folder, { recursive: true })
      if (kills % 50 < KILLS_PER_TABLE && KILLS > 30) console.log(`${kills} kills, 0 differences`)
    }
  },
  TIMEOUT_MS,
)
