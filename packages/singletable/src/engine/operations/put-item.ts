import { ITEM_SIZE_MAX_BYTES } from '../../values/limits.ts'
import { itemSizeBytes } from '../../values/size.ts'
import type { PutItemRequest, WriteItemResponse } from '../../wire/item-operations.ts'
import { normaliseItem } from '../attributes/normalise-value.ts'
import { bindExpressions } from '../expressions/bind-expressions.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import { validateIndexKeys, validateItemKeys } from '../items/item-keys.ts'
import { validateItemSize } from '../items/item-size.ts'
import { validateConditionPaths } from '../items/key-paths.ts'
import { expectedCondition } from '../legacy/legacy-conditions.ts'
import { refuseMixed } from '../legacy/refuse-mixed.ts'
import { RETURN_VALUES_OLD_ONLY } from '../messages/item-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { ITEM_TOO_LARGE } from '../messages/value-messages.ts'
import { conditionalWriteMembers } from '../shapes/item-shapes.ts'
import { attributeMap, structure } from '../shapes/shape.ts'
import { StoredItem } from '../storage/stored-item.ts'
import { requireTable } from '../tables/require-table.ts'
import { applyWrite } from '../write/apply-writes.ts'
import type { Operation } from './operation.ts'
import { writeResponse } from './write-response.ts'

const EXPRESSIONS = ['ConditionExpression'] as const

export const putItem: Operation<PutItemRequest, WriteItemResponse> = {
  shape: structure({
    ...conditionalWriteMembers,
    Item: { required: attributeMap },
  }),
  run(context, request) {
    const item = normaliseItem(request.Item)
    refuseMixed(request)
    const { condition } = bindExpressions(context, request, EXPRESSIONS)
    const { ReturnValues } = request
    if (ReturnValues !== undefined && ReturnValues !== 'NONE' && ReturnValues !== 'ALL_OLD') {
      throw validationError(RETURN_VALUES_OLD_ONLY)
    }
    const expected = expectedCondition(request.Expected, request.ConditionalOperator)
    const stored = new StoredItem(item, itemSizeBytes(item))
    if (stored.sizeBytes > ITEM_SIZE_MAX_BYTES) throw validationError(ITEM_TOO_LARGE)

    const table = requireTable(context, request.TableName)
    validateItemKeys(table, item)
    validateIndexKeys(table, item)
    validateItemSize(table, stored)
    validateConditionPaths(table, condition)
    return applyWrite(context, {
      table,
      keyed: item,
      storageKey: primaryKey(table, item),
      action: { kind: 'put', stored },
      condition: condition ?? expected,
      returnOldOnFailure: request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
    }).then((applied) => writeResponse(context, request, applied))
  },
}
