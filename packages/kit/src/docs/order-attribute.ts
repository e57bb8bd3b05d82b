import { keyVariables, type ModelIndex } from 'singletable/tools'

/**
 * The attribute that orders the results when the given attributes are fixed: the first other one in
 * the sort key.
 */
export function orderAttribute({ sort }: ModelIndex, fixed: readonly string[]): string | undefined {
  return keyVariables(sort).find((name) => !fixed.includes(name))
}
