import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/** The operations that a table sends while something runs, in their order. */
export async function requestsOf(
  table: { readonly name: string },
  run: () => Promise<unknown>,
): Promise<string[]> {
  const operations: string[] = []
  const listener = (event: unknown): void => {
    const { table: name, operation } = event as { table: string; operation: string }
    if (name === table.name) operations.push(operation)
  }
  subscribe('singletable:request', listener)
  try {
    await run()
  } finally {
    unsubscribe('singletable:request', listener)
  }
  return operations
}
