import type { Update } from '../../expression/tree.ts'
import type { UpdateItemRequest, WriteItemResponse } from '../../wire/item-operations.ts'
import { normaliseItem } from '../attributes/normalise-value.ts'
import { after, pause } from '../context/turns.ts'
import { bindExpressions } from '../expressions/bind-expressions.ts'
import { expectedCondition } from '../legacy/legacy-conditions.ts'
import { attributeUpdates as legacyUpdate } from '../legacy/legacy-updates.ts'
import { refuseMixed } from '../legacy/refuse-mixed.ts'
import { checkConstraints } from '../shapes/check-constraints.ts'
import { attributeUpdates, conditionalWriteMembers } from '../shapes/item-shapes.ts'
import { attributeMap, structure, text } from '../shapes/shape.ts'
import { validateTableName } from '../shapes/table-name.ts'
import type { Operation } from './operation.ts'
import { writeItem } from './write-item.ts'

/** Without an update expression the item is only made to exist. */
const NO_UPDATE: Update = { set: [], remove: [], add: [], delete: [] }

const EXPRESSIONS = ['UpdateExpression', 'ConditionExpression'] as const

export const updateItem: Operation<UpdateItemRequest, WriteItemResponse> = {
  shape: structure({
    ...conditionalWriteMembers,
    Key: { required: attributeMap },
    UpdateExpression: text(),
    AttributeUpdates: attributeUpdates,
  }),
  /** Of several faults it reports only the first. */
  check(shape, request) {
    validateTableName(request.TableName)
    checkConstraints(shape, request, 1)
  },
  run(context, request) {
    refuseMixed(request)
    const key = normaliseItem(request.Key)
    const legacy = request.AttributeUpdates && legacyUpdate(request.AttributeUpdates)
    const expected = expectedCondition(request.Expected, request.ConditionalOperator)
    const bound = bindExpressions(context, request, EXPRESSIONS)
    const update = bound.update ?? legacy ?? NO_UPDATE
    return after(pause(context), () =>
      writeItem(context, request, {
        keyed: key,
        action: { kind: 'update', update, isLegacy: update === legacy },
        condition: bound.condition ?? expected,
      }),
    )
  },
}
