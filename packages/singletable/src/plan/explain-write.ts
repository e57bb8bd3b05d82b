import type { Index } from '../schema/model.ts'
import { itemSizeBytes } from '../values/size.ts'
import type { ExpressionPlaceholders } from '../wire/item-operations.ts'
import { requestOf } from './native-params.ts'
import type { Explanation, UpdatePlan, WritePlan } from './plan.ts'
import { printReadable } from './print-readable.ts'

const OPERATIONS = {
  put: 'PutItem',
  create: 'PutItem',
  update: 'UpdateItem',
  upsert: 'UpdateItem',
  delete: 'DeleteItem',
  check: 'ConditionCheck in TransactWriteItems',
} as const

const IN_TRANSACTIONS = 'in a transaction writes cost twice as much'

/** How a write will be carried out, and what it costs. */
export function explainWrite(plan: UpdatePlan): Explanation {
  const common = { entity: plan.model.name, index: 'primary', refused: [] }
  if (plan.kind === 'read-first') {
    const names = plan.attributes.join(', ')
    return {
      ...common,
      operation: 'GetItem, UpdateItem',
      requests: '2: read, then write on condition that what was read still holds',
      capacity: `1 read unit per 4 KB of the item, then ${ITEM_UNITS}${indexUnits(plan.model.indexes.map(({ index }) => index))}`,
      notes: [
        `index keys depend on ${names}: pass them by set() or given() to save the read`,
        'the write is tried again, up to 10 times, while others change these attributes',
      ],
    }
  }
  if (plan.kind === 'move') {
    return {
      ...common,
      operation: 'GetItem, TransactWriteItems',
      requests: '2: read, then put under the new key and delete under the old one in a transaction',
      capacity: `1 read unit per 4 KB of the item, then 4 write units per KB of it${indexUnits(plan.model.indexes.map(({ index }) => index))}`,
      notes: [`${plan.attributes.join(', ')} is part of the primary key, so the item moves`],
    }
  }
  // A plan of a write has one of the four requests; each of these members is there or not.
  const request = requestOf(plan) as Request
  return {
    ...common,
    operation: OPERATIONS[plan.verb],
    condition: printReadable(request.ConditionExpression, request),
    update: printReadable(request.UpdateExpression, request),
    requests: '1',
    capacity: capacityOf(plan),
    notes: [IN_TRANSACTIONS],
  }
}

interface Request extends ExpressionPlaceholders {
  readonly ConditionExpression?: string
  readonly UpdateExpression?: string
}

const ITEM_UNITS = '1 write unit per KB of the item'

function capacityOf(plan: WritePlan): string {
  const { action, model } = plan
  const indexes = model.indexes.map(({ index }) => index)
  if ('ConditionCheck' in action) return '2 write units per KB of the item'
  if ('Put' in action) {
    const { Item } = action.Put
    const units = Math.ceil(itemSizeBytes(Item) / 1024)
    const held = indexes.filter(({ hash, sort }) =>
      [...hash, ...sort].every((name) => Object.hasOwn(Item, name)),
    )
    return `${units} write ${units === 1 ? 'unit' : 'units'}${indexUnits(held)}`
  }
  if ('Delete' in action) return `${ITEM_UNITS}${indexUnits(indexes)}`
  const names = Object.values(action.Update.ExpressionAttributeNames ?? {})
  const written = indexes.filter(
    ({ hash, sort, project }) =>
      project === 'all' || [...hash, ...sort].some((name) => names.includes(name)),
  )
  return `${ITEM_UNITS}${indexUnits(written)}`
}

/** An entry whose key changes is deleted and put, which costs two. */
function indexUnits(indexes: readonly Index[]): string {
  const names = indexes.filter(({ type }) => type !== 'primary').map(({ name }) => name)
  if (names.length === 0) return ''
  return `, and 1 per KB for the entry in ${names.join(', ')}, 2 where its key changes`
}
