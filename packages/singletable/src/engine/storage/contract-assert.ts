import type { AssertPredicate } from 'node:assert'

/** Node's assertions, looked for when a test of the contract runs: the engine loads, and can be
 * bundled, where there are none. */
type Assertions = ReturnType<typeof process.getBuiltinModule<'node:assert/strict'>>

function assertions(): Assertions {
  return process.getBuiltinModule('node:assert/strict')
}

export function equal(actual: unknown, expected: unknown): void {
  const assert: Assertions = assertions()
  assert.equal(actual, expected)
}

export function deepEqual(actual: unknown, expected: unknown, message?: string): void {
  const assert: Assertions = assertions()
  assert.deepEqual(actual, expected, message)
}

export function throws(body: () => unknown, error: AssertPredicate): void {
  assertions().throws(body, error)
}

export function rejects(promise: Promise<unknown>, error: AssertPredicate): Promise<void> {
  return assertions().rejects(promise, error)
}
