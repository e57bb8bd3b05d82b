import { describeCause } from '../errors/describe-cause.ts'
import type { OperationName, Operations } from '../wire/operations.ts'
import type { Call } from './call.ts'
import type { TableContext } from './table-context.ts'

/** Sends a request with the hooks of the table around it. */
export async function sendHooked<TOperation extends OperationName>(
  context: TableContext,
  { entity, verb }: Call,
  operation: TOperation,
  request: Operations[TOperation]['request'],
  send: () => Promise<Operations[TOperation]['response']>,
): Promise<Operations[TOperation]['response']> {
  const { name: table, pattern, environment } = context
  const hooks = [...(context.hooks ?? [])]
  // The operation and its request are of one kind; a union can't say so.
  const described = (): never =>
    ({ operation, request: structuredClone(request), table, entity, verb, pattern }) as never
  for (const { before } of hooks) await before?.(described())
  const start = environment.now()
  let response: Operations[TOperation]['response'] | undefined
  let error: unknown
  try {
    response = await send()
    return response
  } catch (failure) {
    error = failure
    throw failure
  } finally {
    const durationMs = environment.now() - start
    for (const { after } of hooks.reverse()) {
      const answer = { response: structuredClone(response), error, durationMs }
      try {
        await after?.(Object.assign(described(), answer))
      } catch (problem) {
        context.warn(`a hook failed after ${operation} of ${verb}(): ${describeCause(problem)}`)
      }
    }
  }
}
