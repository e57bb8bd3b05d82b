import { showValue } from '../../packages/kit/src/text/show-value.ts'
import type { PatternProof, ProofFailure } from './proof.ts'

/** More of the same say nothing new. */
const FAILURES_MAX = 5

/** What the runs of one pattern have shown so far. */
export class ProofLog {
  readonly pattern: string
  runs = 0
  matching = 0
  decoys = 0
  private readonly failures: ProofFailure[] = []
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
    return (expected, got, decoy) => {
      if (this.failures.length >= FAILURES_MAX) return
      this.failures.push({ expected, got, call, ...(decoy !== undefined && { decoy }) })
    }
  }

  get hasFailed(): boolean {
    return this.failures.length > 0
  }

  toProof(skipped?: string): PatternProof {
    const { pattern, runs, matching, decoys, failures } = this
    return { pattern, runs, matching, decoys, failures, skipped }
  }
}

export type RunLog = (expected: string, got: string, decoy?: string) => void
