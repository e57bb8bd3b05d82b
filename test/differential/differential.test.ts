import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { refereePort } from '../referee/referee-port.ts'
import { ALLOWED_DIFFERENCES } from './allowed-differences.ts'
import type { Program } from './program.ts'
import { randomProgram } from './random-program.ts'
import { referee } from './referee.ts'
import { type Difference, runProgram } from './run-program.ts'
import { shrinkProgram, signature } from './shrink-program.ts'

const PROGRAMS = Number(process.env.DIFFERENTIAL_PROGRAMS ?? 200)
const FIRST_SEED = Number(process.env.DIFFERENTIAL_SEED ?? 1)
/** How many kinds of differences are shrunk and shown. */
const SHOWN_MAX = Number(process.env.DIFFERENTIAL_SHOWN ?? 3)
/** DynamoDB Local spends most of a request waiting for its own locks, so several programs run at
 * once. */
const AT_ONCE = Number(process.env.DIFFERENTIAL_AT_ONCE ?? 8)
const SHRINKING_TRIES_MAX = 600
const PROGRAMS_FOR_ALL_RULES = 5000
const HOURS = 3_600_000

const ownPort = process.env.DIFFERENTIAL_REFEREE_PORT
const port = ownPort === undefined ? await refereePort() : Number(ownPort)
const local = referee(port ?? 0)

test.skipIf(port === undefined)(
  'random programs have the same outcome on the engine and on DynamoDB Local',
  async () => {
    const tally = await runAll()
    console.log(tally.summary())
    expect(tally.found.size, await tally.report()).toBe(0)
    // A referee that gives up often would make the test say nothing.
    expect(tally.givenUp).toBeLessThan(PROGRAMS / 20 + 3)
  },
  4 * HOURS,
)

const replayed = process.env.DIFFERENTIAL_REPLAY

test.runIf(port !== undefined && replayed !== undefined)(
  'the program in DIFFERENTIAL_REPLAY has the same outcome',
  async () => {
    const program: Program = JSON.parse(readFileSync(replayed ?? '', 'utf8'))
    const { differences } = await runProgram(program, local)
    expect(differences).toEqual([])
  },
)

async function runAll(): Promise<Tally> {
  const tally = new Tally()
  let next = 0
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    while (next < PROGRAMS) {
      const seed = FIRST_SEED + next++
      const program = randomProgram(seed)
      const { operations, allowed, differences, givenUp } = await runProgram(program, local)
      if (givenUp === undefined) tally.programs++
      else tally.givenUp++
      tally.operations += operations
      for (const { name } of allowed) tally.allowed.set(name, (tally.allowed.get(name) ?? 0) + 1)
      for (const difference of differences) tally.add({ seed, program, difference })
      if (tally.programs % 1000 === 0) console.log(tally.summary())
    }
  })
  await Promise.all(lanes)
  return tally
}

interface Found {
  readonly seed: number
  readonly program: Program
  readonly difference: Difference
}

class Tally {
  programs = 0
  /** Programs that the referee failed to run to the end. */
  givenUp = 0
  operations = 0
  readonly allowed = new Map<string, number>()
  /** Differences that no rule allows, by what they look like. */
  readonly found = new Map<string, Found[]>()

  add(found: Found): void {
    const kind = signature(found.difference)
    this.found.set(kind, [...(this.found.get(kind) ?? []), found])
  }

  summary(): string {
    const rules = [...this.allowed].sort(([, left], [, right]) => right - left)
    const givenUp = this.givenUp === 0 ? '' : `, ${this.givenUp} given up by the referee`
    return [
      `differential: seeds ${FIRST_SEED} to ${FIRST_SEED + PROGRAMS - 1}, ${this.programs} programs, ${this.operations} operations${givenUp}`,
      `${rules.reduce((sum, [, count]) => sum + count, 0)} differences allowed by ${rules.length} rules`,
      ...rules.map(([name, count]) => `  ${count} × ${name}`),
      ...this.#unused(),
      `${this.found.size} kinds of differences not allowed`,
    ].join('\n')
  }

  /** Rules that may have become needless; in few programs many rules find nothing to allow. */
  #unused(): string[] {
    if (this.programs < PROGRAMS_FOR_ALL_RULES) return []
    return ALLOWED_DIFFERENCES.filter(({ name }) => !this.allowed.has(name)).map(
      ({ name }) => `  never needed: ${name}`,
    )
  }

  /** The shortest program of each kind, shrunk, with both answers. */
  async report(): Promise<string> {
    const kinds = [...this.found].sort(([, left], [, right]) => right.length - left.length)
    const parts: string[] = []
    for (const [kind, founds] of kinds) {
      const lines = [`${founds.length} × ${kind}`]
      if (parts.length < SHOWN_MAX) lines.push(...(await shrunkReport(kind, founds)))
      else lines.push(...shown(founds[0]))
      parts.push(lines.join('\n'))
    }
    return `\n${parts.join('\n\n')}\n`
  }
}

async function shrunkReport(kind: string, founds: readonly Found[]): Promise<string[]> {
  const [found] = founds.toSorted((left, right) => left.difference.place - right.difference.place)
  if (found === undefined) return []
  const { program, difference } = found
  const steps = program.steps.slice(0, difference.place + 1)
  let last = difference
  const smallest = await shrinkProgram(
    { ...program, steps },
    async (candidate) => {
      const result = await runProgram(candidate, local)
      const same = result.differences.find((difference) => signature(difference) === kind)
      last = same ?? last
      return same !== undefined
    },
    SHRINKING_TRIES_MAX,
  )
  return ['program:', JSON.stringify(smallest), ...shown({ ...found, difference: last })]
}

function shown(found: Found | undefined): string[] {
  if (found === undefined) return []
  const { seed, difference: last } = found
  return [
    `seed ${seed}, step ${last.place}: ${last.step.operation} ${JSON.stringify(last.step.request)}`,
    `engine: ${JSON.stringify(last.engine)}`,
    `local:  ${JSON.stringify(last.local)}`,
  ]
}
