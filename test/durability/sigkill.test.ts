import { rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWriter, runKillCycles } from './kill-cycles.ts'

/** How many children are killed; `KILLS=2000 npx vitest run test/durability` makes it a long
 * run. */
const KILLS = Number(process.env.KILLS ?? 75)
const BUDGET_MS = process.env.KILLS === undefined ? 110_000 : undefined
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const TIMEOUT_MS = 7_200_000

describe(`a process that is killed while it writes (seed ${SEED})`, () => {
  let program = ''
  beforeAll(async () => {
    program = await buildWriter()
  })
  afterAll(() => rmSync(path.dirname(program), { recursive: true, force: true }))

  test(
    'no acknowledged write is lost, no transaction is half there, indexes, stream and tokens agree with the items',
    async () => {
      const result = await runKillCycles(program, {
        kills: KILLS,
        seed: SEED,
        durability: 'flushed',
        bug: 'none',
        ...(BUDGET_MS && { budgetMs: BUDGET_MS }),
        onProgress(kills, acknowledged) {
          if (kills % 50 === 0) console.log(`${kills} kills, ${acknowledged} acknowledged`)
        },
      })
      const { kills, killsWhileOpening, acknowledged, replayed } = result
      console.log(
        `${kills} kills (${killsWhileOpening} while opening), ${acknowledged} operations acknowledged, ${replayed} transactions sent again`,
      )
      expect(result.problems).toEqual([])
      expect(acknowledged).toBeGreaterThan(kills)
    },
    TIMEOUT_MS,
  )

  test.each(['acknowledges-early', 'index-in-second-commit'] as const)(
    'a storage that %s is found out',
    async (bug) => {
      const result = await runKillCycles(program, {
        kills: 60,
        seed: SEED,
        durability: 'flushed',
        bug,
      })
      expect(result.problems).not.toEqual([])
    },
    TIMEOUT_MS,
  )
})
