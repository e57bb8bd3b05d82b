import type { Client } from 'singletable'
import { createCanned } from './canned.ts'
import { callOf } from './library.ts'
import { ourLibrary } from './our-library.ts'

const CURSOR_US_MAX = 10
const PAGES = 500

const CASES = ['no cursor', 'cursor', 'cursor with a secret'] as const
type Case = (typeof CASES)[number]
export type CursorCosts = Readonly<Record<Case, number>>

/**
 * CPU microseconds of a page of 25 items in our library: the last one of a query, which has no
 * cursor, and one with a cursor. The figure of each is that of its best round: a difference of a
 * few microseconds would be lost in what else the machine does.
 */
export async function measureCursor(rounds: number): Promise<CursorCosts> {
  const page = createCanned().wire('Query')
  const calls = CASES.map((name) => {
    const answer = name === 'no cursor' ? { ...page, LastEvaluatedKey: undefined } : page
    const client = { send: () => Promise.resolve(answer) } as unknown as Client
    const secret = name === 'cursor with a secret' ? 'a secret of this benchmark' : undefined
    return callOf(ourLibrary(client, secret), 'query 25')
  })
  const samples = CASES.map(() => [] as number[])
  // The first rounds are for the compiler.
  for (let round = -rounds; round < rounds; round++) {
    for (const [index, call] of calls.entries()) {
      const before = process.cpuUsage()
      for (let turn = 0; turn < PAGES; turn++) await call(turn)
      const { user, system } = process.cpuUsage(before)
      if (round >= 0) samples[index]?.push((user + system) / PAGES)
    }
  }
  const costs = CASES.map((name, index) => [name, Math.min(...(samples[index] ?? []))])
  return Object.fromEntries(costs)
}

export function printCursor(costs: CursorCosts): string {
  const lines = CASES.map((name) => {
    const more = costs[name] - costs['no cursor']
    const mark = more > CURSOR_US_MAX ? `  ! ceiling ${CURSOR_US_MAX}` : ''
    const cells = [costs[name], more].map((microseconds) => microseconds.toFixed(1).padStart(10))
    return `${name.padEnd(22)}${cells.join('')}${mark}`
  })
  return lines.join('\n')
}
