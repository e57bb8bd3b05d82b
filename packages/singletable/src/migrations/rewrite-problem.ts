import type { ItemStep } from './step.ts'

/**
 * Why an item can't be rewritten: it is reported with its key, and the migration does not end as
 * applied.
 */
export class RewriteProblem extends Error {
  override readonly name = 'RewriteProblem'
  /** The step that can't be taken, if it is a single one. */
  step?: ItemStep
}
