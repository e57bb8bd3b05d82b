import { SingletableError } from 'singletable'

/** The error of a call that must fail with one of ours. A call that throws at once counts as
 * well. */
export async function failureOf(
  call: () => unknown,
): Promise<SingletableError & { readonly item?: unknown; readonly issues?: readonly unknown[] }> {
  try {
    await call()
  } catch (error) {
    if (SingletableError.is(error)) return error
    throw error
  }
  throw new Error('the call succeeded')
}

/** Its code alone. */
export async function codeOf(call: () => unknown): Promise<string> {
  return (await failureOf(call)).code
}
