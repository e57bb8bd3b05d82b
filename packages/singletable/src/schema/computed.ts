import type { InputIssue } from '../errors/input-error.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { addIssue, encodePart } from './input-issues.ts'
import { isCounted } from './is-counted.ts'
import type { Attribute, Codec, Model, WriteMode } from './model.ts'
import type { Place } from './place.ts'
import type { AttributeDefinition } from './schema-definition.ts'
import { StoredValueProblem } from './stored-value-problem.ts'

/** Of an attribute that is computed from others. */
export const IS_COMPUTED = "is computed from other attributes, and can't be given"

/** Reports roles that an attribute with `from`, or with `set`, can't have. */
export function checkComputed(definition: AttributeDefinition, at: Place): void {
  const { from, compute, get, set, codec, ttl, version, copyOf } = definition
  const hasRole = Boolean(codec || ttl || version || isCounted(definition) || copyOf)
  if ((from === undefined) !== (compute === undefined)) {
    at.report('it has from without compute, or compute without from', 'give both, or neither')
  }
  const { stored, map, unique } = definition
  if (stored !== undefined && typeof stored !== 'boolean') {
    at.report('its stored is neither true nor false', 'use false, or leave it out')
  }
  if (stored === false && (from === undefined || map !== undefined || unique)) {
    at.report(
      'it is not stored, and needs from and compute, and no map or unique',
      'compute it from others, or leave out stored',
    )
  }
  if (from !== undefined) {
    const isSupplied = [definition.default, definition.generate, definition.const].some(
      (each) => each !== undefined,
    )
    if (hasRole || isSupplied || definition.readonly) {
      at.report('it is computed, and also supplied in another way', 'choose one of them')
    }
    if (!Array.isArray(from) || from.length === 0) {
      at.report('from names no attributes', "list them, as in ['first', 'last']")
    }
  }
  if (get && !set) {
    at.report(
      'it has get without set, so its values could not be compared',
      'add set, the reverse of get',
    )
  }
  if (set && hasRole) at.report('set changes it, and it has another role', 'choose one of them')
}

/** Reports sources that can't be, once all attributes are known. */
export function checkSources(
  attributes: ReadonlyMap<string, Attribute>,
  { name, from }: Attribute,
  at: Place,
): void {
  for (const each of from ?? []) {
    const source = attributes.get(each)
    if (source && !source.from && !isCounted(source.definition) && !source.codec.opaque) continue
    at.report(
      source
        ? `"${name}" is computed from "${each}", which is computed, counted or stored by a codec`
        : `"${name}" is computed from "${each}", which is not an attribute`,
      'name attributes that are given',
    )
  }
}

/** The codec of an attribute whose values `set` changes on the way in, and `get` on the way out. */
export function transformedCodec(plain: Codec, { get, set }: AttributeDefinition): Codec {
  return {
    tag: plain.tag,
    transformed: true,
    encode(value, issues, writes) {
      if (value === null) return plain.encode(value, issues, writes)
      try {
        return plain.encode(set!(value), issues, writes)
      } catch (cause) {
        return failed(issues, 'set', cause)
      }
    },
    decode(value, partial, whole) {
      const stored = plain.decode(value, partial, whole)
      return get && stored !== null ? get(stored) : stored
    },
  }
}

/** The value of a computed attribute, encoded; `undefined` where a source has none. */
export function computeValue(
  { name, codec, from, definition }: Attribute,
  values: { readonly [name: string]: unknown },
  issues: InputIssue[],
  writes: WriteMode,
): AttributeValue | undefined {
  const sources: { [name: string]: unknown } = {}
  for (const each of from!) {
    const value = getOwn(values, each)
    if (value === undefined || value === null) return undefined
    sources[each] = value
  }
  let value: unknown
  try {
    value = definition.compute!(sources)
  } catch (cause) {
    const before = issues.length
    failed(issues, 'compute', cause)
    issues[before] = { ...issues[before]!, path: [name] }
    return undefined
  }
  return value === undefined ? undefined : encodePart(codec.encode, value, name, issues, writes)
}

/** The value of an attribute that an item has, or that is computed where it is not stored. */
export function valueIn(
  { attributes }: Pick<Model, 'attributes'>,
  attribute: Attribute,
  item: Item,
): AttributeValue | undefined {
  if (!attribute.codec.unstored) return getOwn(item, attribute.stored)
  const values: { [name: string]: unknown } = {}
  for (const name of attribute.from!) {
    const { stored, codec } = attributes.get(name)!
    const value = getOwn(item, stored)
    if (value !== undefined) values[name] = codec.decode(value, false, true)
  }
  const issues: InputIssue[] = []
  const value = computeValue(attribute, values, issues, false)
  if (issues[0]) throw new StoredValueProblem(issues[0].message)
  return value
}

/** The stored names of what an attribute is read from. */
export function storedNames(
  attributes: Model['attributes'],
  { stored, codec, from }: Attribute,
): readonly string[] {
  return codec.unstored ? from!.map((name) => attributes.get(name)!.stored) : [stored]
}

function failed(issues: InputIssue[], option: string, cause: unknown): AttributeValue {
  const reason = cause instanceof Error ? `: ${cause.message}` : ''
  const encoded = addIssue(issues, `can't be stored, because ${option} threw${reason}`)
  issues.push({ ...issues.pop()!, cause })
  return encoded
}
