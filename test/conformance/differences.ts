/** A test on which DynamoDB Local is known to behave otherwise than DynamoDB. */
export interface Difference {
  /** `<title> › <name>` of the test, without the target. */
  readonly test: string
  /** What DynamoDB Local does instead, and how we know that AWS does what the test says. */
  readonly reason: string
}

/**
 * These tests run on DynamoDB Local too and must fail there: when one passes, the run fails and its line has to go.
 */
export const differences: readonly Difference[] = [
  {
    test: 'GetItem › a key without the sort key is refused',
    reason: 'Local counts the conditions on the key first and says that their number is invalid.',
  },
]
