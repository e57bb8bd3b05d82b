import { SingletableError } from 'singletable/tools'
import { showValue } from '../../text/show-value.ts'
import type { ExerciseFailure, PatternExercise } from '../evidence/exercise.ts'

/** More of the same say nothing new. */
const FAILURES_MAX = 5

/** What the calls of one pattern have shown so far. */
export class ExerciseLog {
  readonly pattern: string
  matching = 0
  others = 0
  units = 0
  private runs = 0
  private readonly failures: ExerciseFailure[] = []
  private readonly signal: AbortSignal | undefined

  constructor(pattern: string, signal: AbortSignal | undefined) {
    this.pattern = pattern
    this.signal = signal
  }

  /** Makes a call. What it throws is a failure, and so is what `check` reports of its result. */
  async run<T>(
    given: { readonly input: unknown; readonly options?: object },
    call: () => Promise<T>,
    check: (result: T, report: Report) => void | Promise<void>,
  ): Promise<void> {
    this.signal?.throwIfAborted()
    this.runs++
    const parts = [given.input, ...(given.options ? [given.options] : [])]
    const text = `${this.pattern}(${parts.map((each) => showValue(each)).join(', ')})`
    const report: Report = (expected, got) => {
      if (this.failures.length < FAILURES_MAX) this.failures.push({ expected, got, call: text })
    }
    let result: T
    try {
      result = await call()
    } catch (error) {
      report('an answer', reasonOf(error))
      return
    }
    await check(result, report)
  }

  /** Keeps the highest figure; one that was not reported counts as none. */
  consumed(units: number | undefined): void {
    this.units = Math.max(this.units, units ?? 0)
  }

  result(skipped?: string): PatternExercise {
    const { pattern, runs, matching, others, failures, units } = this
    return { pattern, runs, matching, others, failures, units, skipped }
  }
}

export type Report = (expected: string, got: string) => void

/** What an error says is wrong, without where and what to do. */
export function reasonOf(error: unknown): string {
  if (SingletableError.is(error)) return `${error.code}: ${error.what}`
  return error instanceof Error ? error.message : String(error)
}
