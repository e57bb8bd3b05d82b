import { rmSync } from 'node:fs'
import path from 'node:path'
import { seededRandom } from 'singletable/tools'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contentOf, importOnce, writeSources } from './killed-import.ts'
import { type MortalProgram, mortalProgram } from './killed-process.ts'

/** How many processes are killed; `KILLS=100 npx vitest run test/kit/import-kills` is a long
 * run. */
const KILLS = Number(process.env.KILLS ?? 6)
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const KILLS_PER_IMPORT = 3
const TIMEOUT_MS = 3_600_000

let program: MortalProgram
let base = ''

beforeAll(async () => {
  program = await mortalProgram('killed-import-process.ts')
  base = program.folder
})

afterAll(() => program.remove())

for (const kind of ['table', 'files'] as const) {
  test(
    `an import into ${kind} that is killed and resumed gives what an undisturbed one gives (seed ${SEED})`,
    async () => {
      const random = seededRandom(SEED)
      const whole = path.join(base, `${kind}-whole`)
      writeSources(whole)
      const steps = await importOnce(whole, kind)
      const expected = await contentOf(whole)
      for (let kills = 0, history = 0; kills < KILLS / 2; history++) {
        const folder = path.join(base, `${kind}-${history}`)
        writeSources(folder)
        const deaths: string[] = []
        while (deaths.length < KILLS_PER_IMPORT && kills < KILLS / 2) {
          const moment = kind === 'table' && random() < 0.5 ? 'after' : 'before'
          const at = 1 + Math.floor(random() * steps * (moment === 'after' ? 0.4 : 0.7))
          const { signal } = await program.start(folder, kind, at, moment).ended
          deaths.push(`${moment} step ${at}`)
          // What was left was done in fewer steps.
          if (signal !== 'SIGKILL') expect(signal, deaths.join(', ')).toBe('code 0')
          if (signal !== 'SIGKILL') break
          kills++
        }
        await importOnce(folder, kind)
        expect(await contentOf(folder), `killed ${deaths.join(', ')}`).toEqual(expected)
        rmSync(folder, { recursive: true })
      }
    },
    TIMEOUT_MS,
  )
}
