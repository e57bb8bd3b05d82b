import { refuseInput } from '../../schema/input-issues.ts'
import type { Attribute, Codec } from '../../schema/model.ts'
import { StoredValueProblem } from '../../schema/stored-value-problem.ts'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { getOwn, setOwn } from '../../values/own.ts'
import { sameValue } from '../../values/same-value.ts'

/**
 * Objects can have members that reading leaves out: hidden ones, and those that the schema does not
 * declare. A put keeps them.
 */

/** An attribute that a put writes, of which its caller may not have seen all. */
export interface PartlySeen {
  readonly attribute: Attribute
  /** What the caller gave, without defaults of members. */
  readonly given: AttributeValue
}

/** Whether a value has no hidden member that it could have. */
export function omitsHidden(
  { members, element, elements }: Codec,
  { M, L }: AttributeValue,
): boolean {
  if (M && members) {
    return [...members.values()].some(({ hidden, stored, codec }) => {
      const part = getOwn(M, stored)
      return part ? omitsHidden(codec, part) : hidden
    })
  }
  return Object.entries(M ?? L ?? {}).some(([at, part]) => {
    const codec = elements?.[+at] ?? element
    return codec !== undefined && omitsHidden(codec, part)
  })
}

/** The item of a put, with all that its caller could not see in the one it replaces. */
export function keepUnseen(
  item: Item,
  replaced: Item,
  parts: readonly PartlySeen[],
  place: string,
): Item {
  const result: { [name: string]: AttributeValue } = { ...item }
  for (const { attribute, given } of parts) {
    const { name, stored, codec } = attribute
    const before = getOwn(replaced, stored)
    const seen = before && seenOf(codec, before)
    if (seen) result[stored] = merge(before, seen, item[stored]!, given, name, place)
  }
  return result
}

/**
 * What reading gives of a stored value, encoded again. Of what can't be read nothing was seen, and
 * nothing is kept.
 */
function seenOf(codec: Codec, stored: AttributeValue): AttributeValue | undefined {
  try {
    return codec.encode(codec.decode(stored, true), [])
  } catch (error) {
    if (error instanceof StoredValueProblem) return undefined
    throw error
  }
}

/** `after` is `given` with defaults. What the caller left as it was seen stays as it is stored. */
function merge(
  stored: AttributeValue,
  seen: AttributeValue,
  after: AttributeValue,
  given: AttributeValue,
  name: string,
  place: string,
): AttributeValue {
  if (!hasUnseen(stored, seen)) return after
  if (sameValue(seen, given)) return stored
  if (stored.L && seen.L && given.L && after.L) {
    const left = stored.L.map((before, at) => ({ before, seen: seen.L![at]! }))
    const L = given.L.map((element, at) => {
      const from = left.findIndex((each) => sameValue(each.seen, element))
      return from < 0 ? after.L![at]! : left.splice(from, 1)[0]!.before
    })
    // Elements that are only removed take with them what they have.
    const isChanged = given.L.length + left.length > stored.L.length
    if (isChanged && left.some((each) => hasUnseen(each.before, each.seen))) {
      refuseInput(
        `elements of "${name}" have members that reads leave out, so it is unknown which elements changed`,
        place,
        'change the list with update(), or write the whole item with put().replace()',
      )
    }
    return { L }
  }
  if (!stored.M || !seen.M || !given.M || !after.M) return after
  const M: { [name: string]: AttributeValue } = { ...after.M }
  for (const [member, before] of Object.entries(stored.M)) {
    const [own, was, now] = [getOwn(given.M, member), getOwn(seen.M, member), getOwn(M, member)]
    if (own && was && now) {
      setOwn(M, member, merge(before, was, now, own, `${name}.${member}`, place))
    } else if (!own && !was) setOwn(M, member, before)
  }
  return { M }
}

/** Whether a stored value has members that were not seen. */
function hasUnseen(stored: AttributeValue, seen: AttributeValue): boolean {
  return Object.entries(stored.M ?? stored.L ?? {}).some(([at, part]) => {
    const other = seen.M ? getOwn(seen.M, at) : seen.L?.[+at]
    return other === undefined || hasUnseen(part, other)
  })
}
