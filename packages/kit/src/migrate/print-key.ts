import type { Item } from 'singletable/tools'

/** `["USER#1","PROFILE"]` */
export function printKey(key: Item = {}): string {
  return JSON.stringify(Object.values(key).map(({ S, N, B }) => S ?? N ?? B))
}
