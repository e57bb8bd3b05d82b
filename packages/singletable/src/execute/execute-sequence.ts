import type { UpdateValue } from '../expression/tree.ts'
import { compileWrite } from '../request/compile-write.ts'
import { SEQUENCE } from '../schema/reserved-items.ts'
import type { Item } from '../values/attribute-value.ts'
import type { UpdateItemRequest } from '../wire/item-operations.ts'
import type { Call } from './call.ts'
import { READ, send } from './send.ts'
import type { TableContext } from './table-context.ts'

/** The attribute of a sequence's item that has the last number given out. */
const LAST = '_last'

/**
 * Takes this many numbers of a sequence, and gives the last of them. An answer that is lost is
 * asked for again: its numbers are then never given to anybody, and none is given twice.
 */
export async function takeNumbers(
  context: TableContext,
  call: Call,
  key: Item,
  count: number,
): Promise<number> {
  const type: UpdateValue = { kind: 'value', value: { S: SEQUENCE.type } }
  const request = compileWrite({
    tableName: context.name,
    place: call.place,
    key,
    update: {
      set: [{ path: [context.schema.params.typeField], value: type }],
      remove: [],
      add: [{ path: [LAST], value: { N: String(count) } }],
      delete: [],
    },
    returns: 'UPDATED_NEW',
  }) as UpdateItemRequest
  const kind = { write: true, idempotent: true }
  const { Attributes } = await send(context, call, 'UpdateItem', request, kind)
  return Number(Attributes?.[LAST]?.N)
}

/** The last number of a sequence that was given out; 0 if none was. */
export async function lastNumber(context: TableContext, call: Call, key: Item): Promise<number> {
  const request = { TableName: context.name, Key: key, ConsistentRead: true }
  const { Item } = await send(context, call, 'GetItem', request, READ)
  return Number(Item?.[LAST]?.N ?? 0)
}
