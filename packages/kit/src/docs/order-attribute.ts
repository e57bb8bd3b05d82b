import { keyVariables, type ModelIndex } from 'singletable/tools'

/** What the items of a partition are ordered by, once the given attributes are fixed: the first that varies in the sort key. */
export function orderAttribute({ sort }: ModelIndex, fixed: readonly string[]): string | undefined {
  return keyVariables(sort).find((name) => !fixed.includes(name))
}
