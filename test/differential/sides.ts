import type { Target } from '../conformance/targets.ts'

/** The two that a program runs on, and the name of its table on both. */
export interface Sides {
  readonly engine: Target
  readonly local: Target
  readonly TableName: string
}
