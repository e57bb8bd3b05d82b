import type { Update } from '../../expression/tree.ts'
import type { UpdateItemRequest, WriteItemResponse } from '../../wire/item-operations.ts'
import { requireTable } from '../catalog/require-table.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import { bindExpressions } from '../validation/bind-expressions.ts'
import { checkFirstConstraint } from '../validation/check-constraints.ts'
import { validateKey } from '../validation/item-keys.ts'
import { attributeUpdates, conditionalWriteMembers } from '../validation/item-shapes.ts'
import { validateConditionPaths } from '../validation/key-paths.ts'
import { expectedCondition } from '../validation/legacy-conditions.ts'
import {
  attributeUpdates as legacyUpdate,
  validateLegacyIndexKeys,
} from '../validation/legacy-updates.ts'
import { normaliseItem } from '../validation/normalise-value.ts'
import { refuseMixed } from '../validation/refuse-mixed.ts'
import { attributeMap, type StructureShape, structure, text } from '../validation/shape.ts'
import { validateTableName } from '../validation/table-name.ts'
import { validateUpdate } from '../validation/validate-update.ts'
import { applyWrite } from '../write/apply-writes.ts'
import type { Operation } from './operation.ts'
import { writeResponse } from './write-response.ts'

const shape: StructureShape = structure({
  ...conditionalWriteMembers,
  Key: { required: attributeMap },
  UpdateExpression: text(),
  AttributeUpdates: attributeUpdates,
})

/** Without an update expression the item is only made to exist. */
const NO_UPDATE: Update = { set: [], remove: [], add: [], delete: [] }

const EXPRESSIONS = ['UpdateExpression', 'ConditionExpression'] as const

export const updateItem: Operation<UpdateItemRequest, WriteItemResponse> = {
  shape,
  run(context, request) {
    validateTableName(request.TableName)
    checkFirstConstraint(shape, request)
    refuseMixed(request)
    const key = normaliseItem(request.Key)
    const legacy = request.AttributeUpdates && legacyUpdate(request.AttributeUpdates)
    const expected = expectedCondition(request.Expected, request.ConditionalOperator)
    const bound = bindExpressions(context, request, EXPRESSIONS)
    const update = bound.update ?? legacy ?? NO_UPDATE

    const table = requireTable(context, request.TableName)
    validateKey(table, key)
    validateUpdate(table, update)
    validateConditionPaths(table, bound.condition)
    if (update === legacy) validateLegacyIndexKeys(table, update)
    return applyWrite(context, {
      table,
      keyed: key,
      storageKey: primaryKey(table, key),
      action: { kind: 'update', update, isLegacy: update === legacy },
      condition: bound.condition ?? expected,
      returnOldOnFailure: request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
      origin: 'request',
    }).then((applied) => writeResponse(context, request, applied))
  },
}
