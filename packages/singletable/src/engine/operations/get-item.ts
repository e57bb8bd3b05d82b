import type { Item } from '../../values/attribute-value.ts'
import { unitsToRead } from '../../values/units.ts'
import type { GetItemRequest, GetItemResponse } from '../../wire/item-operations.ts'
import { CapacityMeter, wantsCapacity } from '../capacity/consumed-capacity.ts'
import { requireTable } from '../catalog/require-table.ts'
import { projectItem } from '../evaluate/project-item.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import { handOut, type StoredItem } from '../storage/stored-item.ts'
import { attributesToGet as legacyProjection } from '../validation/attributes-to-get.ts'
import { bindExpressions } from '../validation/bind-expressions.ts'
import { checkConstraints } from '../validation/check-constraints.ts'
import { validateKey } from '../validation/item-keys.ts'
import {
  attributesToGet,
  names,
  returnConsumedCapacity,
  tableNameShape,
} from '../validation/item-shapes.ts'
import { validateKeyPaths } from '../validation/key-paths.ts'
import { normaliseItem } from '../validation/normalise-value.ts'
import { refuseMixed } from '../validation/refuse-mixed.ts'
import { attributeMap, boolean, type StructureShape, structure, text } from '../validation/shape.ts'
import { validateTableName } from '../validation/table-name.ts'
import type { Operation } from './operation.ts'

const shape: StructureShape = structure({
  TableName: tableNameShape,
  Key: { required: attributeMap },
  ConsistentRead: boolean,
  ProjectionExpression: text(),
  ExpressionAttributeNames: names,
  AttributesToGet: attributesToGet,
  ReturnConsumedCapacity: returnConsumedCapacity,
})

const EXPRESSIONS = ['ProjectionExpression'] as const

export const getItem: Operation<GetItemRequest, GetItemResponse> = {
  shape,
  run(context, request) {
    validateTableName(request.TableName)
    checkConstraints(shape, request)
    refuseMixed(request)
    const key = normaliseItem(request.Key)
    const legacy = request.AttributesToGet && legacyProjection(request.AttributesToGet)
    const projection = bindExpressions(context, request, EXPRESSIONS).projection ?? legacy

    const table = requireTable(context, request.TableName)
    validateKey(table, key)
    if (projection !== undefined) validateKeyPaths(table, projection)
    const stored = context.storage.get(primaryKey(table, key)) as StoredItem | undefined
    const response: { Item?: Item } & GetItemResponse = {}
    if (stored !== undefined) {
      response.Item =
        projection === undefined
          ? context.handOut(stored)
          : projectItem(projection, handOut(stored))
    }
    if (wantsCapacity(request.ReturnConsumedCapacity)) {
      const meter = new CapacityMeter(table)
      const consistency = request.ConsistentRead === true ? 'strong' : 'eventual'
      meter.addTable(unitsToRead(stored?.sizeBytes ?? 0, consistency))
      response.ConsumedCapacity = meter.show(request.ReturnConsumedCapacity)
    }
    return response
  },
}
