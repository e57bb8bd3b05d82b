import type { Item } from '../../values/attribute-value.ts'
import { ITEM_SIZE_MAX_BYTES } from '../../values/limits.ts'
import { itemSizeBytes } from '../../values/size.ts'
import type { PutItemRequest, WriteItemResponse } from '../../wire/item-operations.ts'
import { normaliseItem } from '../attributes/normalise-value.ts'
import type { EngineContext } from '../context/context.ts'
import { after, pause } from '../context/turns.ts'
import { bindExpressions } from '../expressions/bind-expressions.ts'
import { expectedCondition } from '../legacy/legacy-conditions.ts'
import { refuseMixed } from '../legacy/refuse-mixed.ts'
import { validationError } from '../messages/request-messages.ts'
import { ITEM_TOO_LARGE } from '../messages/value-messages.ts'
import { conditionalWriteMembers } from '../shapes/item-shapes.ts'
import { attributeMap, structure } from '../shapes/shape.ts'
import { StoredItem } from '../storage/stored-item.ts'
import type { Operation } from './operation.ts'
import { refuseNewValues, writeItem } from './write-item.ts'

const EXPRESSIONS = ['ConditionExpression'] as const

export const putItem: Operation<PutItemRequest, WriteItemResponse> = {
  shape: structure({
    ...conditionalWriteMembers,
    Item: { required: attributeMap },
  }),
  run(context, request) {
    const item = normaliseItem(request.Item)
    return after(pause(context), () => putNormalised(context, request, item))
  },
}

function putNormalised(
  context: EngineContext,
  request: PutItemRequest,
  item: Item,
): Promise<WriteItemResponse> {
  refuseMixed(request)
  const { condition } = bindExpressions(context, request, EXPRESSIONS)
  refuseNewValues(request)
  const expected = expectedCondition(request.Expected, request.ConditionalOperator)
  const stored = new StoredItem(item, itemSizeBytes(item))
  if (stored.sizeBytes > ITEM_SIZE_MAX_BYTES) throw validationError(ITEM_TOO_LARGE)
  return writeItem(context, request, {
    keyed: item,
    action: { kind: 'put', stored },
    condition: condition ?? expected,
  })
}
