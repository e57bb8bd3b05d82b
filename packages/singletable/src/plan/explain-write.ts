import { itemSizeBytes } from '../values/size.ts'
import type { Explanation, UpdatePlan } from './plan.ts'
import { printReadable } from './print-readable.ts'

/** How a write will be carried out, and what it costs. */
export function explainWrite(plan: UpdatePlan): Explanation {
  const { model, kind } = plan
  const names = model.indexes.slice(1).map(({ index }) => index.name)
  // An entry whose key changes is deleted and put.
  const entries =
    names.length > 0 ? `, and 1 or 2 for each entry that changes in ${names.join(', ')}` : ''
  const common = { entity: model.name, index: 'primary', refused: [] }
  if (kind === 'write') {
    const { action, request } = plan
    const units = request.Item && Math.ceil(itemSizeBytes(request.Item) / 1024)
    const cost = units ? `${units} write ${units > 1 ? 'units' : 'unit'}` : OF_ITEM
    return {
      ...common,
      operation: action === 'ConditionCheck' ? `${action} in TransactWriteItems` : `${action}Item`,
      condition: printReadable(request.ConditionExpression, request),
      update: printReadable(request.UpdateExpression, request),
      requests: '1',
      capacity: cost + entries,
      notes: ['in a transaction writes cost twice as much'],
    }
  }
  const attributes = plan.attributes.join(', ')
  const moves = kind === 'move'
  return {
    ...common,
    operation: `GetItem, ${moves ? 'TransactWriteItems' : 'UpdateItem'}`,
    requests: '2: read, then write on condition; again while others change what was read',
    capacity: `1 read unit per 4 KB, then ${moves ? 'four times ' : ''}${OF_ITEM}${entries}`,
    notes: [
      moves
        ? `${attributes} is part of the primary key: the item is put under the new key and deleted under the old`
        : `index keys depend on ${attributes}: pass them by set() or given() to save the read`,
    ],
  }
}

const OF_ITEM = '1 write unit per KB of the item'
