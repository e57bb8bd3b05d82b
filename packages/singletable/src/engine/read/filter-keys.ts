import { conditionPaths } from '../../expression/condition-paths.ts'
import type { Condition, Path } from '../../expression/tree.ts'
import type { Index, KeyAttribute } from '../catalog/table.ts'
import { filterNotProjected } from '../messages/query-messages.ts'
import { validationError } from '../messages/request-messages.ts'

/** The first key attribute of the index, in the order of its key schema, that a filter mentions;
 * Query doesn't allow that. */
export function filteredKey(index: Index, filter: Condition): string | undefined {
  const paths = conditionPaths(filter)
  const isMentioned = (key: KeyAttribute) => paths.some(([name]) => name === key.name)
  return (index.partition.find(isMentioned) ?? index.sort.find(isMentioned))?.name
}

/** A Query's filter may only speak of what the index holds; a Scan takes the rest as missing. */
export function refuseUnprojectedFilter(index: Index, paths: readonly Path[]): void {
  const { projected } = index
  if (projected === undefined) return
  const missing = new Set<string>()
  for (const [name] of paths) if (!projected.has(name)) missing.add(name)
  if (missing.size > 0) {
    throw validationError(filterNotProjected(index.name ?? '', [...missing].sort()))
  }
}
