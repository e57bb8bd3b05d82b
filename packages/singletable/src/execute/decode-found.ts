import { isExpired } from '../plan/is-expired.ts'
import type { GetPlan } from '../plan/plan.ts'
import type { ReadMember } from '../plan/read/read-plan.ts'
import { matchPart, recoverableNames, typeIn } from '../schema/index-keys.ts'
import type { Codec, Index, Model } from '../schema/model.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import type { TableContext } from './table-context.ts'

/**
 * The output of an item fetched by key; `undefined` if there is none, or if its time to live is
 * over.
 */
export function decodeFound(
  context: TableContext,
  plan: Pick<GetPlan, 'model' | 'partial' | 'includeExpired'>,
  item: Item | undefined,
): Record<string, unknown> | undefined {
  if (item === undefined) return undefined
  const { model } = plan
  // The key is that of another model's item.
  const type = model.isShared ? typeIn(item, model.schema.params) : undefined
  if (type && type.S !== model.type) return undefined
  if (model.ttl !== undefined && !plan.includeExpired && isExpired(model, item, context)) {
    return undefined
  }
  return decodeItem(context, model, item, plan.partial)
}

/** The output of an item. A put will keep what it has besides, which the model does not declare. */
export function decodeItem(
  { undeclared }: TableContext,
  model: Model,
  item: Item,
  partial: boolean | readonly string[],
  key?: Item | undefined,
): Record<string, unknown> {
  if (partial === false && undeclared) findUndeclared(undeclared, model, item)
  return model.decode(item, partial, key)
}

/** An item of an index with the attributes that the index has only in its keys. */
export function withKeyValues({ model, inKeys }: ReadMember, item: Item, index: Index): Item {
  if (inKeys.length === 0) return item
  const filled: { [name: string]: AttributeValue } = { ...item }
  for (const use of model.indexes) {
    if (use.index !== index && use !== model.primary) continue
    for (const part of [...use.hash, ...use.sort]) {
      const values = matchPart(part, getOwn(item, part.name)) ?? {}
      for (const { name, stored, codec } of inKeys) {
        if (!recoverableNames(part).includes(name) || !Object.hasOwn(values, name)) continue
        filled[stored] = codec.encode(values[name], [])
      }
    }
  }
  return filled
}

/**
 * Remembers the first attribute that the model does not declare, and the first such member of an
 * object.
 */
function findUndeclared(
  undeclared: NonNullable<TableContext['undeclared']>,
  model: Model,
  item: Item,
): void {
  const { storedNames, structured } = model
  const found = undeclared.get(model)
  if (found === undefined || found.name === undefined) {
    for (const name in item) {
      if (storedNames.has(name)) continue
      undeclared.set(model, { isReported: false, ...found, name })
      break
    }
  }
  if (structured.length === 0 || found?.inside !== undefined) return
  for (const { name, stored, codec } of structured) {
    const value = getOwn(item, stored)
    const member = value && undeclaredIn(codec, value)
    if (member === undefined) continue
    const inside = `${name}.${member}`
    undeclared.set(model, { isReported: false, ...undeclared.get(model), inside })
    return
  }
}

const storedMembers = new WeakMap<object, ReadonlyMap<string, Codec>>()

/** The name of a member that an object somewhere in the value has, and that is not declared. */
function undeclaredIn(
  { members, element, elements }: Codec,
  { M, L }: AttributeValue,
): string | undefined {
  if (M && members) {
    let declared = storedMembers.get(members)
    if (declared === undefined) {
      declared = new Map(Array.from(members.values(), ({ stored, codec }) => [stored, codec]))
      storedMembers.set(members, declared)
    }
    for (const name in M) {
      const codec = declared.get(name)
      const found = codec ? undeclaredIn(codec, M[name]!) : name
      if (found !== undefined) return found
    }
    return undefined
  }
  if (!element && !elements) return undefined
  for (const [at, part] of Object.entries(M ?? L ?? {})) {
    const codec = elements?.[+at] ?? element
    const found = codec && undeclaredIn(codec, part)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether an item's primary key is one that the model makes. */
export function hasKeyOf({ primary }: Model, item: Item): boolean {
  return [...primary.hash, ...primary.sort].every(
    (part) => matchPart(part, getOwn(item, part.name)) !== undefined,
  )
}
