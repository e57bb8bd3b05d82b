/**
 * Why an item can't be rewritten: it is reported with its key, and the migration does not end as
 * applied.
 */
export class RewriteProblem extends Error {
  override readonly name = 'RewriteProblem'
}
