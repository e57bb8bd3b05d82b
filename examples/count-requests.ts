import { subscribe } from 'node:diagnostics_channel'

type AccessPatterns = { readonly [name: string]: (...parameters: never[]) => Promise<unknown> }

/** The same functions, and how to print the requests that each of them took: the most that a call
 * that succeeded needed. */
export function countRequests<TPatterns extends AccessPatterns>(
  patterns: TPatterns,
): { readonly patterns: TPatterns; printRequests(): void } {
  let current: string[] = []
  const most = new Map<string, readonly string[]>()
  // The library reports each request that it sends, with no keys and no values.
  subscribe('singletable:request', (event) => {
    current.push((event as { readonly operation: string }).operation)
  })
  const counted = Object.entries(patterns).map(([name, pattern]) => [
    name,
    async (...parameters: never[]) => {
      const operations: string[] = []
      current = operations
      const result = await pattern(...parameters)
      current = []
      const { length = -1 } = most.get(name) ?? {}
      if (operations.length > length) most.set(name, operations)
      return result
    },
  ])
  return {
    // Each function is replaced by one that takes and gives the same.
    patterns: Object.fromEntries(counted) as TPatterns,
    printRequests() {
      console.log('\n# Requests of each access pattern')
      for (const [name, operations] of most) {
        console.log(`${name.padEnd(20)} ${operations.length}  ${summary(operations)}`)
      }
    },
  }
}

function summary(operations: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const operation of operations) counts.set(operation, (counts.get(operation) ?? 0) + 1)
  return [...counts].map(([name, count]) => (count > 1 ? `${name} × ${count}` : name)).join(', ')
}
