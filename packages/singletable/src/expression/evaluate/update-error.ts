/** What can be wrong with an update once the item is known. */
export type UpdateProblem =
  | 'missing-attribute'
  | 'operand-type'
  | 'invalid-path'
  | 'number-out-of-range'
  | 'nesting'
  | 'item-size'

/** An update that can't be applied to the item it meets; messages/update-messages.ts has AWS's
 * messages. */
export class UpdateError extends Error {
  readonly problem: UpdateProblem

  constructor(problem: UpdateProblem) {
    super(`update cannot be applied: ${problem}`)
    this.name = 'UpdateError'
    this.problem = problem
  }
}
