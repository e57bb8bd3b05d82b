import { anyOf, compare, exists } from '../../expression/build.ts'
import type { Condition } from '../../expression/tree.ts'
import { refuseInput } from '../../schema/input-issues.ts'
import type { UniqueRule } from '../../schema/model.ts'
import { FOLDING, GUARD, OWNER, reservedKey, reservedText } from '../../schema/reserved-items.ts'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { FOLDING_VERSION, foldCase } from '../../values/fold-case.ts'
import { PARTITION_KEY_MAX_BYTES } from '../../values/limits.ts'
import { getOwn } from '../../values/own.ts'
import { sameValue } from '../../values/same-value.ts'
import type { WritePlan } from '../plan.ts'
import { checkKeySize } from './check-key-size.ts'
import type { Transition } from './transition.ts'

/** The guards of an item's unique values: each is an item of its own, under a key made of the values, that names its owner. */
export function planGuards(transition: Transition): WritePlan[] {
  const { model, before, after, keys, whole } = transition
  const [oldOwner, owner] = keys
  const ttl = model.ttl?.stored
  const ttlOf = (item: Item): AttributeValue | undefined => (ttl ? getOwn(item, ttl) : undefined)
  return model.derivedItems!.unique.flatMap((rule) => {
    const old = before && guardText(rule, transition, before)
    const text = after && guardText(rule, transition, after)
    const writes: WritePlan[] = []
    if (
      after &&
      text !== undefined &&
      (whole ||
        text !== old ||
        !sameValue(oldOwner, owner) ||
        !sameValue(before && ttlOf(before), ttlOf(after)))
    ) {
      writes.push(planGuard(transition, rule, text, { ends: ttlOf(after) }))
    }
    if (old !== undefined && old !== text) writes.push(planGuard(transition, rule, old, undefined))
    return writes
  })
}

/** Claims a guard for the item, or gives it up. */
function planGuard(
  { site, model, place, keys }: Transition,
  { name, attributes, ignoreCase }: UniqueRule,
  text: string,
  claim: { readonly ends: AttributeValue | undefined } | undefined,
): WritePlan {
  const { schema, ttl } = model
  const key = reservedKey(schema, GUARD, text)
  const [, owner] = keys
  // Nobody's, or this item's own, under its key before or after.
  const conditions: Condition[] = [
    exists(schema.primary.hash[0]!, true),
    {
      kind: 'in',
      operand: { kind: 'path', path: [OWNER] },
      list: keys.map((M) => ({ kind: 'value', value: { M } })),
    },
  ]
  if (claim && ttl) {
    // DynamoDB deletes it some time after its time is over; until then it holds nothing.
    conditions.push(compare(ttl.stored, '<=', { N: String(Math.floor(site.now / 1000)) }))
  }
  return Object.freeze<WritePlan>({
    kind: 'write',
    tableName: site.tableName,
    place,
    verb: claim ? 'put' : 'delete',
    model,
    action: claim ? 'Put' : 'Delete',
    key,
    item: claim && {
      ...key,
      [schema.params.typeField]: { S: GUARD.type },
      [OWNER]: { M: owner },
      ...(ignoreCase && { [FOLDING]: { S: FOLDING_VERSION } }),
      ...(ttl && claim.ends && { [ttl.stored]: claim.ends }),
    },
    condition: anyOf(conditions),
    expects: { exists: false, absent: false, version: undefined },
    idempotent: false,
    output: undefined,
    role: {
      kind: 'unique',
      name,
      attributes: attributes.map((attribute) => attribute.name),
      optional: claim === undefined,
    },
  })
}

/** What the key of the guard says; `undefined` if one of the attributes has no value. */
function guardText(
  { name, attributes, ignoreCase, prefix }: UniqueRule,
  { model, place }: Transition,
  item: Item,
): string | undefined {
  const { schema } = model
  const texts: string[] = []
  for (const { stored } of attributes) {
    const { S, N, B, BOOL } = getOwn(item, stored) ?? {}
    const text = S ?? N ?? B ?? BOOL
    if (text === undefined) return undefined
    texts.push(ignoreCase && S !== undefined ? foldCase(S) : String(text))
  }
  const own = reservedText(schema, texts)
  if (own === undefined) {
    return refuseInput([{ path: [name], message: 'is text that no key can have' }], place)
  }
  const text = prefix + schema.params.separator + own
  checkKeySize(text, PARTITION_KEY_MAX_BYTES, name, place)
  return text
}
