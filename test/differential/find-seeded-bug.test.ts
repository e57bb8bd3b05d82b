import { expect, test } from 'vitest'
import { engineTarget, type Target } from '../conformance/targets.ts'
import { refereePort } from '../referee/referee-port.ts'
import type { Program } from './program.ts'
import { randomProgram } from './random-program.ts'
import { referee } from './referee.ts'
import { runProgram } from './run-program.ts'
import { shrinkProgram, signature } from './shrink-program.ts'

const port = await refereePort()

/** An engine that forgets an attribute when a query runs backwards. */
async function wrongEngine(): Promise<Target> {
  const engine = await engineTarget()
  return {
    ...engine,
    async send(operation, request) {
      const answer = await engine.send(operation, request)
      const { ScanIndexForward } = request as { readonly ScanIndexForward?: boolean }
      if (operation === 'Query' && ScanIndexForward === false) {
        for (const item of answer.Items ?? []) delete item.str
      }
      return answer
    },
  }
}

test.skipIf(port === undefined)('a bug is found and shrunk to the steps that show it', async () => {
  const local = referee(port ?? 0)
  const differs = async (program: Program): Promise<boolean> => {
    const { differences } = await runProgram(program, local, wrongEngine)
    return differences.some((difference) => signature(difference) === 'Query | answer | answer')
  }
  for (let seed = 1; seed <= 100; seed++) {
    const program = randomProgram(seed)
    if (!(await differs(program))) continue
    const smallest = await shrinkProgram(program, differs, 400)
    // One step writes an item with the attribute, one reads it.
    expect(smallest.steps.map(({ operation }) => operation).at(-1)).toBe('Query')
    expect(smallest.steps).toHaveLength(2)
    return
  }
  throw new Error('the bug was not found in 100 programs')
})
