import { didYouMean } from '../errors/did-you-mean.ts'
import { kindOfValue } from '../errors/show-value.ts'
import type { Place } from './place.ts'

/** What each part of a schema can contain. */
export const SCHEMA_OPTIONS = 'format version indexes models params table patterns lint'
export const INDEX_OPTIONS = 'hash sort type project'
export const MODEL_OPTIONS =
  'key index attributes type sharesKeyWith when shortKeys copies unique shard stats'
export const SHARD_OPTIONS = 'count by name'
export const PARAMS_OPTIONS =
  'timestamps isoDates typeField itemVersionField separator cleanInternalKeys'
export const TABLE_OPTIONS =
  'billing onDemandThroughput warmThroughput stream deletionProtection pointInTimeRecovery encryption replicas multiRegionConsistency witness tableClass tags'
export const ELEMENT_OPTIONS =
  'type required enum const nulls normalize validate maxBytes examples items schema keys values elements discriminator variants'
export const MEMBER_OPTIONS: string = `${ELEMENT_OPTIONS} default generate readonly hidden map`
export const ATTRIBUTE_OPTIONS: string = `${MEMBER_OPTIONS} value ttl version pad encode unique copyOf counts sums start codec from compute stored set get onUpdate`

/** Where an option belongs that was found in another part. */
const HOMES = [
  [PARAMS_OPTIONS, 'it into params: { ?: … }, next to models'],
  [TABLE_OPTIONS, 'it into table: { ?: … }, next to models'],
  [ATTRIBUTE_OPTIONS, 'it into an attribute, as in attributes: { name: { type: …, ?: … } }'],
  [MODEL_OPTIONS, 'it into a model, next to attributes'],
  [SCHEMA_OPTIONS, 'it next to models'],
] as const

/** Names that can't be members of every object without reaching its prototype. */
const FORBIDDEN = ['__proto__', 'constructor', 'prototype']

/** Leaves out what is not an object, and reports options that nothing reads. */
export function checkOptions(
  options: unknown,
  known: string | readonly string[],
  place: Place,
): void {
  const names = typeof known === 'string' ? known.split(' ') : known
  const isPart = HOMES.some(([own]) => own === known)
  for (const name of Object.keys(requireObject(options, place))) {
    if (names.includes(name)) continue
    const hint = didYouMean(name, names)
    const home = isPart && !hint && HOMES.find(([own]) => own.split(' ').includes(name))
    place.report(
      `"${name}" is not an option here${hint}`,
      home
        ? `put ${home[1].replace('?', name)}`
        : names.length === 0
          ? 'remove it'
          : `use ${names.join(', ')}`,
    )
  }
}

export function requireObject(value: unknown, place: Place): object {
  if (typeof value === 'object' && value !== null) return value
  return place.refuse(
    `it is ${kindOfValue(value)}, not an object`,
    typeof value === 'function' ? `write { type: ${value.name} }` : 'give an object',
  )
}

/** The entries of an optional part that has names of the user's own. */
export function entriesOf(value: unknown, place: Place): readonly (readonly [string, unknown])[] {
  if (value === undefined) return []
  return place.attempt(() => Object.entries(requireObject(value, place))) ?? []
}

/** Whether a name can be used: not one that JavaScript keeps for itself. */
export function checkName(name: unknown, place: Place): void {
  if (typeof name !== 'string' || name === '' || FORBIDDEN.includes(name)) {
    place.refuse(`"${String(name)}" can't be used as a name`, 'choose another name')
  }
}
