import { listen } from '@singletable/kit/server'
import type { Convergence } from 'singletable/cutover'
import { createEngine, seededRandom } from 'singletable/engine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createShop, expectedItems, foundItems, startWriter } from './copied-shop.ts'
import { type MortalProgram, mortalProgram, watched } from './killed-process.ts'

/** How many processes are killed; `KILLS=100 npx vitest run test/kit/copy-kills` is a long run. */
const KILLS = Number(process.env.KILLS ?? 4)
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const KILLS_PER_MOVE = 12
const TIMEOUT_MS = 7_200_000

let program: MortalProgram

beforeAll(async () => {
  program = await mortalProgram('killed-copy-process.ts')
})

afterAll(() => program.remove())

test(
  `a live copy whose processes are killed ${KILLS} times while the application writes ends equal to its tables (seed ${SEED})`,
  async () => {
    const random = seededRandom(SEED)
    let kills = 0
    while (kills < KILLS) {
      const deaths: string[] = []
      kills += await moveOnce(random, Math.min(KILLS_PER_MOVE, KILLS - kills), deaths)
      if (KILLS > KILLS_PER_MOVE) console.log(`${kills} kills, 0 differences`)
    }
  },
  TIMEOUT_MS,
)

/** A whole move; gives how many processes were killed. */
async function moveOnce(random: () => number, killsMax: number, deaths: string[]): Promise<number> {
  const engine = createEngine()
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
  const shop = await createShop(engine)
  const writer = startWriter(shop, Math.floor(random() * 2 ** 31))
  await writer.some(100)
  /** Runs the copy in processes until what the phase asks for is done; at first they are killed. */
  const copy = async (times: number, most: number): Promise<Convergence | null> => {
    for (let at = 0; ; at++) {
      requests = 0
      diesAt = at < times ? 1 + Math.floor(random() * most) : Number.POSITIVE_INFINITY
      const run = program.start(server.url, shop.clock.now)
      die = run.kill
      const { signal, printed } = await run.ended
      if (signal === 'SIGKILL') deaths.push(`at request ${diesAt}`)
      else {
        expect(signal, deaths.join(', ')).toBe('code 0')
        return JSON.parse(printed) as Convergence | null
      }
    }
  }
  /** Where the machine is busy, a copy that has just ended may be too far behind already. */
  const advance = async (): Promise<void> => {
    const isBehind = async () =>
      (await shop.cutover.status()).obstacles.some((each) => each.includes('s behind'))
    for (let time = 0; time < 10 && (await isBehind()); time++) await copy(0, 0)
    await shop.advance()
  }
  await shop.advance(true)
  await copy(Math.floor(killsMax / 4), 100)
  await advance()
  await copy(Math.ceil(killsMax / 2), 300)
  await advance()
  let convergence = await copy(Math.floor(killsMax / 4), 200)
  // While rows are written without a pause, a comparison may miss the moment at which they agree.
  for (let time = 0; time < 5 && convergence?.different !== 0; time++) {
    convergence = await copy(0, 0)
  }
  expect(convergence?.examples, deaths.join(', ')).toEqual([])
  await advance()
  await writer.stop()
  await copy(0, 0)
  expect(await foundItems(shop), deaths.join(', ')).toEqual(await expectedItems(shop))
  await server.close()
  await engine.close()
  return deaths.length
}
