import { showValue } from '../../packages/kit/src/text/show-value.ts'
import type { ExerciseFailure, PatternExercise } from './exercise.ts'

/** More of the same say nothing new. */
const FAILURES_MAX = 5

/** What the runs of one pattern have shown so far. */
export class ExerciseLog {
  readonly pattern: string
  runs = 0
  matching = 0
  negatives = 0
  private readonly failures: ExerciseFailure[] = []
  private readonly signal: AbortSignal | undefined

  constructor(pattern: string, signal: AbortSignal | undefined) {
    this.pattern = pattern
    this.signal = signal
  }

  /** Begins a run; what it finds is reported through the result. */
  run(input: unknown, options?: object): RunLog {
    this.signal?.throwIfAborted()
    this.runs++
    const call = `${this.pattern}(${[input, ...(options ? [options] : [])].map((each) => showValue(each)).join(', ')})`
    return (expected, got, negative) => {
      if (this.failures.length >= FAILURES_MAX) return
      this.failures.push({ expected, got, call, ...(negative !== undefined && { negative }) })
    }
  }

  get hasFailed(): boolean {
    return this.failures.length > 0
  }

  toExercise(skipped?: string): PatternExercise {
    const { pattern, runs, matching, negatives, failures } = this
    return { pattern, runs, matching, negatives, failures, skipped }
  }
}

export type RunLog = (expected: string, got: string, negative?: string) => void
