import { inject } from 'vitest'
import './global-setup.ts'

/**
 * The port of this run's DynamoDB Local, started at the first call of the run; `undefined` where
 * Java is missing, which is an error when REQUIRE_REFEREE is 1.
 */
export async function refereePort(): Promise<number | undefined> {
  const response = await fetch(inject('refereeStarter'))
  const answer = (await response.json()) as { port?: number | null; error?: string }
  if (answer.error !== undefined) throw new Error(answer.error)
  if (typeof answer.port === 'number') return answer.port
  if (process.env.REQUIRE_REFEREE === '1') {
    throw new Error('REQUIRE_REFEREE is 1, but Java 17 or newer was not found')
  }
  return undefined
}
