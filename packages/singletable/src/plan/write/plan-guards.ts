import { refuseInput } from '../../schema/input-issues.ts'
import type { UniqueRule } from '../../schema/model.ts'
import { FOLDING, GUARD, OWNER, reservedKey, reservedText } from '../../schema/reserved-items.ts'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { FOLDING_VERSION, foldCase } from '../../values/fold-case.ts'
import { PARTITION_KEY_MAX_BYTES } from '../../values/limits.ts'
import { getOwn } from '../../values/own.ts'
import { sameValue } from '../../values/same-value.ts'
import type { WriteItemRequest, WritePlan } from '../plan.ts'
import { checkKeySize } from './check-key-size.ts'
import type { Transition } from './transition.ts'

/** The guards of an item's unique values: each is an item of its own, under a key made of the values, that names its owner. */
export function planGuards(transition: Transition): WritePlan[] {
  const { model, before, after, keys, whole } = transition
  const [oldOwner, owner] = keys
  const ttl = model.ttl?.stored
  const ttlOf = (item: Item): AttributeValue | undefined => (ttl ? getOwn(item, ttl) : undefined)
  return model.companions!.unique.flatMap((rule) => {
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
  { context, model, keys }: Transition,
  { name, attributes, ignoreCase }: UniqueRule,
  text: string,
  claim: { readonly ends: AttributeValue | undefined } | undefined,
): WritePlan {
  const { schema, ttl } = model
  const key = reservedKey(schema, GUARD, text)
  const [oldOwner, owner] = keys
  // Nobody's, or this item's own, under its key before or after.
  let condition = 'attribute_not_exists(#pk) OR #owner IN (:old, :new)'
  const names: Record<string, string> = { '#pk': schema.primary.hash[0]!, '#owner': OWNER }
  const values: Record<string, AttributeValue> = { ':old': { M: oldOwner }, ':new': { M: owner } }
  if (claim && ttl) {
    // DynamoDB deletes it some time after its time is over; until then it holds nothing.
    condition += ' OR #ttl <= :now'
    names['#ttl'] = ttl.stored
    values[':now'] = { N: String(Math.floor(context.environment.now() / 1000)) }
  }
  const request: WriteItemRequest = {
    TableName: context.tableName,
    ConditionExpression: condition,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  }
  if (claim) {
    const { ends } = claim
    const type = { [schema.params.typeField]: { S: GUARD.type } }
    request.Item = {
      ...key,
      ...type,
      [OWNER]: { M: owner },
      ...(ignoreCase && { [FOLDING]: { S: FOLDING_VERSION } }),
      ...(ttl && ends && { [ttl.stored]: ends }),
    }
  } else request.Key = key
  return {
    kind: 'write',
    verb: claim ? 'put' : 'delete',
    model,
    action: claim ? 'Put' : 'Delete',
    request,
    key,
    expects: { exists: false, absent: false, version: undefined },
    idempotent: false,
    output: undefined,
    role: {
      kind: 'unique',
      name,
      attributes: attributes.map((attribute) => attribute.name),
      optional: claim === undefined,
    },
  }
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
