import type { Design } from '../../../packages/kit/src/check/design/design.ts'

/** Two designs that show what a rule is about: one with the fault, and its near neighbour
 * without. */
export interface RuleFixture {
  /** Such as `K01`. */
  readonly code: string
  readonly fires: () => Design
  /** All messages of the rule on the first design, in full and in order. */
  readonly messages: readonly string[]
  /** A design as close as possible to the first on which the rule says nothing. */
  readonly silent: () => Design
}
