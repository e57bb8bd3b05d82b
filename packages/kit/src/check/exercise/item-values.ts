import type { Attribute, Model, ModelIndex } from 'singletable/tools'
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

/** The attributes that the primary key is made of. */
export function keyOf({ primary }: Model, values: Values): Values {
  return new Map(
    primary.names.filter((name) => hasValue(values, name)).map((name) => [name, values.get(name)]),
  )
}

/** A value as reading it gives it again. */
export function storedForm({ codec }: Attribute, value: unknown): unknown {
  return codec.decode(codec.encode(value, [], true))
}

/** Whether the time to live of an item is over. */
export function isExpired({ ttl }: Model, values: Values, nowMs: number): boolean {
  const value = ttl && values.get(ttl.name)
  const ms =
    value instanceof Date
      ? value.getTime()
      : typeof value === 'number'
        ? value * 1000
        : Number.POSITIVE_INFINITY
  return ms <= nowMs
}
