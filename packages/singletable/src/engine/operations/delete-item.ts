import type { DeleteItemRequest, WriteItemResponse } from '../../wire/item-operations.ts'
import { normaliseItem } from '../attributes/normalise-value.ts'
import { bindExpressions } from '../expressions/bind-expressions.ts'
import { expectedCondition } from '../legacy/legacy-conditions.ts'
import { refuseMixed } from '../legacy/refuse-mixed.ts'
import { conditionalWriteMembers } from '../shapes/item-shapes.ts'
import { attributeMap, structure } from '../shapes/shape.ts'
import type { Operation } from './operation.ts'
import { refuseNewValues, writeItem } from './write-item.ts'

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
    refuseNewValues(request)
    return writeItem(context, request, {
      keyed: key,
      action: { kind: 'delete' },
      condition: condition ?? expected,
    })
  },
}
