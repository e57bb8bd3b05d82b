import { reasonOf } from '../../packages/kit/src/check/exercise/exercise-log.ts'
import type { RunLog } from './exercise-log.ts'

/** What is thrown is a failure, and so is what never ends. */
export async function attempt<T>(
  report: RunLog,
  run: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    const result = await run()
    if (result === undefined) report('an end', 'page after page, more than there are items')
    return result
  } catch (error) {
    report('an answer', reasonOf(error))
    return undefined
  }
}
