import type { DeleteItemRequest, WriteItemResponse } from '../../wire/item-operations.ts'
import { normaliseItem } from '../attributes/normalise-value.ts'
import { bindExpressions } from '../expressions/bind-expressions.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import { validateKey } from '../items/item-keys.ts'
import { validateConditionPaths } from '../items/key-paths.ts'
import { expectedCondition } from '../legacy/legacy-conditions.ts'
import { refuseMixed } from '../legacy/refuse-mixed.ts'
import { RETURN_VALUES_OLD_ONLY } from '../messages/item-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { conditionalWriteMembers } from '../shapes/item-shapes.ts'
import { attributeMap, structure } from '../shapes/shape.ts'
import { requireTable } from '../tables/require-table.ts'
import { applyWrite } from '../write/apply-writes.ts'
import type { Operation } from './operation.ts'
import { writeResponse } from './write-response.ts'

const EXPRESSIONS = ['ConditionExpression'] as const

export const deleteItem: Operation<DeleteItemRequest, WriteItemResponse> = {
  shape: structure({
    ...conditionalWriteMembers,
    Key: { required: attributeMap },
  }),
  run(context, request) {
    refuseMixed(request)
    const key = normaliseItem(request.Key)
    const expected = expectedCondition(request.Expected, request.ConditionalOperator)
    const { condition } = bindExpressions(context, request, EXPRESSIONS)
    const { ReturnValues } = request
    if (ReturnValues !== undefined && ReturnValues !== 'NONE' && ReturnValues !== 'ALL_OLD') {
      throw validationError(RETURN_VALUES_OLD_ONLY)
    }

    const table = requireTable(context, request.TableName)
    validateKey(table, key)
    validateConditionPaths(table, condition)
    return applyWrite(context, {
      table,
      keyed: key,
      storageKey: primaryKey(table, key),
      action: { kind: 'delete' },
      condition: condition ?? expected,
      returnOldOnFailure: request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
    }).then((applied) => writeResponse(context, request, applied))
  },
}
