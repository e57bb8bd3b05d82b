import { anyOf, compare, exists } from '../../expression/build.ts'
import type { Condition } from '../../expression/tree.ts'
import { refuseInput } from '../../schema/input-issues.ts'
import type { UniqueRule } from '../../schema/model.ts'
import { FOLDING, GUARD, OWNER, reservedKey, reservedText } from '../../schema/reserved-items.ts'
import type { Item } from '../../values/attribute-value.ts'
import { FOLDING_VERSION, foldCase } from '../../values/fold-case.ts'
import { PARTITION_KEY_MAX_BYTES } from '../../values/limits.ts'
import { getOwn } from '../../values/own.ts'
import { checkKeySize } from './check-key-size.ts'
import type { Transition } from './transition.ts'

/**
 * The guard of an item's unique values: an item of its own, under a key made of the values, that
 * names its owner.
 */
export function guardOf(
  rule: UniqueRule,
  transition: Transition,
  item: Item,
  owner: Item,
): readonly Item[] {
  const { schema, ttl } = transition.model
  const text = guardText(rule, transition, item)
  if (text === undefined) return []
  // It expires with its owner: DynamoDB deletes expired items without the library, and the value
  // would stay taken.
  const ends = ttl && getOwn(item, ttl.stored)
  const guard = {
    ...reservedKey(schema, GUARD, text),
    [schema.params.typeField]: { S: GUARD.type },
    [OWNER]: { M: owner },
    // Newer versions of Unicode fold more characters, so that old guards can need a new key.
    ...(rule.ignoreCase && { [FOLDING]: { S: FOLDING_VERSION } }),
    ...(ends && { [ttl.stored]: ends }),
  }
  return [guard]
}

/** That a guard is nobody's, or this item's own, under its key before or after. */
export function guardCondition({ site, model, keys }: Transition, claims: boolean): Condition {
  const { schema, ttl } = model
  const conditions: Condition[] = [
    exists(schema.primary.hash[0]!, true),
    {
      kind: 'in',
      operand: { kind: 'path', path: [OWNER] },
      list: keys.map((M) => ({ kind: 'value', value: { M } })),
    },
  ]
  if (claims && ttl) {
    // DynamoDB deletes it some time after its time is over; until then it holds nothing.
    conditions.push(compare(ttl.stored, '<=', { N: String(Math.floor(site.now / 1000)) }))
  }
  return anyOf(conditions)!
}

/** What the key of the guard says; `undefined` if one of the attributes has no value. */
export function guardText(
  { name, attributes, ignoreCase, prefix }: UniqueRule,
  { model, place }: Pick<Transition, 'model' | 'place'>,
  item: Item,
): string | undefined {
  const { schema } = model
  const strings: string[] = []
  for (const { stored } of attributes) {
    const { S, N, B, BOOL } = getOwn(item, stored) ?? {}
    const text = S ?? N ?? B ?? BOOL
    if (text === undefined) return undefined
    strings.push(ignoreCase && S !== undefined ? foldCase(S) : String(text))
  }
  const own = reservedText(schema, strings)
  if (own === undefined) {
    return refuseInput([{ path: [name], message: "is a string that a key can't contain" }], place)
  }
  const text = prefix + schema.params.separator + own
  checkKeySize(text, PARTITION_KEY_MAX_BYTES, name, place)
  return text
}
