import { itemSizeBytes } from '../values/size.ts'
import type { Explanation, UpdatePlan } from './plan.ts'
import { printReadable } from './print-readable.ts'

const OF_ITEM = 'per KB of the item'

/** How a write will be carried out, and what it costs. */
export function explainWrite(plan: UpdatePlan): Explanation {
  const { model } = plan
  const indexes = model.indexes.slice(1).map(({ index }) => index.name)
  // An entry whose key changes is deleted and put.
  const entries =
    indexes.length > 0
      ? `, and 1 per KB for each entry that changes in ${indexes.join(', ')}, 2 if its key does`
      : ''
  const common = { entity: model.name, index: 'primary', refused: [] }
  if (plan.kind === 'write') {
    const { action, request } = plan
    const { Item } = request
    const units = Item && Math.ceil(itemSizeBytes(Item) / 1024)
    return {
      ...common,
      operation: action === 'ConditionCheck' ? `${action} in TransactWriteItems` : `${action}Item`,
      condition: printReadable(request.ConditionExpression, request),
      update: printReadable(request.UpdateExpression, request),
      requests: '1',
      capacity: units
        ? `${units} write ${units === 1 ? 'unit' : 'units'}${entries}`
        : `1 write unit ${OF_ITEM}${action === 'ConditionCheck' ? '' : entries}`,
      notes: ['in a transaction writes cost twice as much'],
    }
  }
  const names = plan.attributes.join(', ')
  const isMove = plan.kind === 'move'
  return {
    ...common,
    operation: `GetItem, ${isMove ? 'TransactWriteItems' : 'UpdateItem'}`,
    requests: `2: read, then ${isMove ? 'put under the new key and delete under the old one in a transaction' : 'write on condition that what was read still holds'}`,
    capacity: `1 read unit per 4 KB of the item, then ${isMove ? 4 : 1} write ${isMove ? 'units' : 'unit'} ${OF_ITEM}${entries}`,
    notes: [
      isMove
        ? `${names} is part of the primary key, so the item moves`
        : `index keys depend on ${names}: pass them by set() or given() to save the read`,
      'both are tried again, up to 10 times, while others change what was read',
    ],
  }
}
