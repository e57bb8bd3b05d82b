import { isExpired } from '../plan/is-expired.ts'
import { storedKey } from '../plan/key-values.ts'
import { type PlanContext, placeOf, siteOf } from '../plan/plan-context.ts'
import { refusePlan } from '../plan/refuse-plan.ts'
import { planDelete } from '../plan/write/plan-delete.ts'
import { planWrite } from '../plan/write/plan-write.ts'
import type { UpdatePlan } from '../plan/write/staged-plan.ts'
import { compilePartition } from '../request/compile-read.ts'
import { keyAttributes, keyFromItem } from '../schema/index-keys.ts'
import type { Model } from '../schema/model.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { executeBatchWrite } from './batch-write.ts'
import type { Call } from './call.ts'
import { modelOf } from './collect-items.ts'
import { READ, send } from './send.ts'
import type { TableContext } from './table-context.ts'

/** Items that are read, and then deleted, at a time. */
const CHUNK_ITEMS = 250

export interface CollectionToDelete {
  /** The values of the partition key: one, or one for each shard. */
  readonly partitions: readonly AttributeValue[]
  /** Whether items go, too, that no model of the schema declares. */
  readonly unknown: 'refuse' | 'delete'
  readonly onProgress: ((progress: { readonly deleted: number }) => void) | undefined
}

/**
 * Deletes all items of a partition, or of its shards, each as its model deletes it, and gives the
 * number of those that had not expired. What must not be deleted so is found before anything is.
 * What is gone is not read again, so that a call that was broken off is finished by another one.
 */
export async function deleteCollection(
  context: TableContext & PlanContext,
  call: Call,
  collection: CollectionToDelete,
): Promise<number> {
  const { schema } = context
  const { unknown, onProgress } = collection
  const problems = new Map<string, string>()
  for await (const items of readKeys(context, call, collection)) {
    for (const item of items) {
      const model = modelOf(context, item)
      const type = JSON.stringify(getOwn(item, schema.params.typeField)?.S) ?? 'no type'
      if (model === undefined) {
        if (unknown === 'refuse') problems.set(type, 'which no model declares')
      } else if (isElsewhere(model)) {
        problems.set(type, `which are copies of ${model.source?.name} and are deleted with those`)
      }
    }
  }
  if (problems.size > 0) {
    const list = [...problems].map(([type, problem]) => `${type}, ${problem}`)
    refusePlan(
      'PLAN_INVALID',
      call.place,
      `The collection has items that can't be deleted with it: of ${list.join('; of ')}.`,
      "delete the originals of copies; for items of no model, give { unknown: 'delete' }",
    )
  }
  const isOver = (item: Item): boolean => {
    const model = modelOf(context, item)
    return model !== undefined && isExpired(model, item, context)
  }
  let deleted = 0
  let copies = 0
  for (const isLast of [false, true]) {
    // Copies go with the items they are of; those that are left over had none.
    if (isLast && copies === 0) break
    for await (const items of readKeys(context, call, collection)) {
      const own = items.filter((item) => isLast || !modelOf(context, item)?.source)
      if (!isLast) copies += items.length - own.length
      const keys = own.map((item) => keyFromItem(schema.primary, item))
      const plans = own.map((item, at) => planDeletion(context, modelOf(context, item), keys[at]!))
      await executeBatchWrite(context, call, plans, keys)
      if (!isLast) deleted += items.filter((item) => !isOver(item)).length
      onProgress?.({ deleted })
    }
  }
  return deleted
}

/** A copy whose item has another partition key. */
function isElsewhere({ primary, source }: Model): boolean {
  const [own, other] = [primary, source?.primary].map((use) => {
    const { template, attribute } = use?.hash[0] ?? {}
    return template?.source ?? attribute?.name
  })
  return source !== undefined && own !== other
}

/** Keys and types, chunk by chunk, as they are at that moment. */
async function* readKeys(
  context: TableContext,
  call: Call,
  { partitions }: CollectionToDelete,
): AsyncGenerator<readonly Item[], void, undefined> {
  const { schema } = context
  const { primary, params, ttl } = schema
  const [name] = primary.hash as [string]
  const paths = [...keyAttributes(primary), params.typeField, ...(ttl ? [ttl] : [])]
  for (const value of partitions) {
    const key = { [name]: value }
    const request = compilePartition(
      context.name,
      key,
      paths.map((each) => [each]),
    )
    let start: Item | undefined
    do {
      const more = { Limit: CHUNK_ITEMS, ...(start && { ExclusiveStartKey: start }) }
      const { Items = [], LastEvaluatedKey } = await send(
        context,
        call,
        'Query',
        { ...request, ...more },
        READ,
        { index: schema.primary, key },
      )
      yield Items
      start = LastEvaluatedKey
    } while (start !== undefined)
  }
}

/**
 * What takes others along is planned by its model; a key that no model makes is deleted as it is.
 */
function planDeletion(
  context: TableContext & PlanContext,
  model: Model | undefined,
  key: Item,
): UpdatePlan {
  if (model?.derivedItems) {
    return planDelete(
      {
        model,
        key: storedKey(model, key),
        where: undefined,
        capacity: undefined,
        version: undefined,
        returning: 'NONE',
        mustExist: false,
      },
      context,
    )
  }
  // Of items of no model, it only names the plan in messages.
  const named = model ?? [...context.schema.models.values()][0]!
  // Whatever is in the partition goes, so that its type makes no difference.
  return planWrite({ model: { ...named, isShared: false } }, siteOf(context), {
    action: 'Delete',
    verb: 'delete',
    place: placeOf(context, named, 'delete'),
    key,
    version: undefined,
  })
}
