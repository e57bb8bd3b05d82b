import type { ModelIndex } from 'singletable/tools'
import { sameValue } from './same-value.ts'

/** Values by the names of attributes. */
export type Values = ReadonlyMap<string, unknown>

export function hasValue(values: Values, name: string): boolean {
  return values.get(name) !== undefined && values.get(name) !== null
}

/** Whether an item is in an index at all. */
export function isIndexed({ names, when }: ModelIndex, values: Values): boolean {
  return names.every((name) => hasValue(values, name)) && holdsWhen(when, values)
}

export function holdsWhen(when: ModelIndex['when'], values: Values): boolean {
  return [...(when ?? [])].every(([name, allowed]) =>
    allowed.some((each) => sameValue(each, values.get(name))),
  )
}
