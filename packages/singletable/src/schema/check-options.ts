import { didYouMean } from './did-you-mean.ts'
import { refuseSchema } from './refuse-schema.ts'

/** What can stand in each part of a schema. */
export const SCHEMA_OPTIONS = 'format version indexes models params table patterns lint'
export const INDEX_OPTIONS = 'hash sort type project'
export const MODEL_OPTIONS = 'key index attributes when copies unique shard stats'
export const SHARD_OPTIONS = 'count by name'
export const PARAMS_OPTIONS = 'timestamps isoDates typeField separator cleanInternalKeys'
export const TABLE_OPTIONS = 'billing stream deletionProtection pointInTimeRecovery tableClass tags'
export const ELEMENT_OPTIONS =
  'type required default enum nulls normalize validate maxBytes items schema'
export const ATTRIBUTE_OPTIONS: string = `${ELEMENT_OPTIONS} value generate readonly hidden map ttl version pad encode unique copyOf counts start codec`

/** Names that can't be members of every object without reaching its prototype. */
const FORBIDDEN = ['__proto__', 'constructor', 'prototype']

/** Refuses what is no object, and options nobody would read. */
export function checkOptions(
  options: unknown,
  known: string | readonly string[],
  where: string,
): void {
  const names = typeof known === 'string' ? known.split(' ') : known
  for (const name of Object.keys(requireObject(options, where))) {
    if (names.includes(name)) continue
    refuseSchema(
      where,
      `"${name}" is no option here${didYouMean(name, names)}`,
      names.length === 0 ? 'remove it' : `use ${names.join(', ')}`,
    )
  }
}

export function requireObject(value: unknown, where: string): object {
  if (typeof value === 'object' && value !== null) return value
  return refuseSchema(where, 'it is missing or no object', 'give an object')
}

/** Refuses a name that JavaScript keeps for itself, or that is none. */
export function checkName(name: unknown, where: string): void {
  if (typeof name !== 'string' || name === '' || FORBIDDEN.includes(name)) {
    refuseSchema(where, `"${name}" can't be used as a name`, 'choose another name')
  }
}
