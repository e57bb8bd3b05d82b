import type { InputIssue } from '../errors/input-error.ts'
import { matchPart, recoverableNames, renderPart } from '../schema/index-keys.ts'
import { encodePart } from '../schema/input-issues.ts'
import type { KeyPart, Model } from '../schema/model.ts'
import { joinTimes } from '../template/time-bucket.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { getOwn, setOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'

/**
 * The attributes that a key of the model was made of; `undefined` if the model makes no such key.
 */
export function parseKey(model: Model, key: unknown): Record<string, unknown> | undefined {
  const parts = model.indexes.flatMap(({ hash, sort }) => [...hash, ...sort])
  if (typeof key === 'string') {
    for (const { template } of parts) {
      const values = template?.match(key)
      if (values !== undefined) return values
    }
    return undefined
  }
  if (typeof key !== 'object' || key === null) return undefined
  const found: Record<string, unknown> = {}
  let isKey = false
  for (const part of parts) {
    const given = storedIn(key, part)
    if (given === undefined) continue
    const values = matchPart(part, given)
    if (values === undefined) return undefined
    isKey = true
    for (const name of Object.keys(values)) {
      // A time of day is one of the day that the partition key has.
      if (Object.hasOwn(found, name) && hasClock(part, name)) {
        setOwn(found, name, joinTimes(found[name], values[name]))
        continue
      }
      // A key that has only a part of the value is less than one that has all of it.
      if (!Object.hasOwn(found, name) || recoverableNames(part).includes(name)) {
        setOwn(found, name, values[name])
      }
    }
  }
  if (!isKey) return undefined
  // An attribute that is in several keys must be the same in all of them.
  const agrees = parts.every((part) => {
    const given = storedIn(key, part)
    if (given === undefined) return true
    const rendered = renderPart(part, found)
    // What a shard is made of may be in a key that is not given.
    return rendered === undefined ? part.template?.enumerable : sameValue(rendered, given)
  })
  return agrees ? found : undefined
}

function hasClock({ template }: KeyPart, name: string): boolean {
  return (template?.parts ?? []).some(
    (part) => typeof part === 'object' && part.name === name && part.unit === 'time',
  )
}

/**
 * The attribute value of a key attribute, which is given as such or as a plain value; `undefined`
 * if it is not given.
 */
function storedIn(key: object, { name, attribute }: KeyPart): AttributeValue | undefined {
  // Any object can be asked for an own member.
  const given = getOwn(key as { readonly [name: string]: unknown }, name)
  if (given === undefined) return undefined
  const tag = attribute?.codec.tag ?? 'S'
  if (typeof given === 'object' && given !== null && tag in given) return given as AttributeValue
  if (attribute === undefined) return { S: typeof given === 'string' ? given : '' }
  const issues: InputIssue[] = []
  const value = encodePart(attribute.codec.encode, given, name, issues)
  // No key attribute is null, so that this fits no model.
  return issues.length === 0 ? value : { NULL: true }
}
