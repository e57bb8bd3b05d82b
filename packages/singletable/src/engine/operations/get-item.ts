import type { Item } from '../../values/attribute-value.ts'
import { unitsToRead } from '../../values/units.ts'
import type { GetItemRequest, GetItemResponse } from '../../wire/item-operations.ts'
import { normaliseItem } from '../attributes/normalise-value.ts'
import { CapacityMeter, wantsCapacity } from '../capacity/consumed-capacity.ts'
import { after, pause } from '../context/turns.ts'
import { bindExpressions } from '../expressions/bind-expressions.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import { validateKey } from '../items/item-keys.ts'
import { validateKeyPaths } from '../items/key-paths.ts'
import { attributesToGet as legacyProjection } from '../legacy/attributes-to-get.ts'
import { refuseMixed } from '../legacy/refuse-mixed.ts'
import { showItem } from '../read/show-item.ts'
import {
  attributesToGet,
  names,
  returnConsumedCapacity,
  tableNameShape,
} from '../shapes/item-shapes.ts'
import { attributeMap, boolean, structure, text } from '../shapes/shape.ts'
import type { StoredItem } from '../storage/stored-item.ts'
import { requireTable } from '../tables/require-table.ts'
import type { Operation } from './operation.ts'

const EXPRESSIONS = ['ProjectionExpression'] as const

export const getItem: Operation<GetItemRequest, GetItemResponse> = {
  shape: structure({
    TableName: tableNameShape,
    Key: { required: attributeMap },
    ConsistentRead: boolean,
    ProjectionExpression: text(),
    ExpressionAttributeNames: names,
    AttributesToGet: attributesToGet,
    ReturnConsumedCapacity: returnConsumedCapacity,
  }),
  run(context, request) {
    refuseMixed(request)
    const key = normaliseItem(request.Key)
    const legacy = request.AttributesToGet && legacyProjection(request.AttributesToGet)
    const projection = bindExpressions(context, request, EXPRESSIONS).projection ?? legacy

    const table = requireTable(context, request.TableName)
    validateKey(table, key)
    if (projection !== undefined) validateKeyPaths(table, projection)
    const stored = context.storage.get(primaryKey(table, key)) as StoredItem | undefined
    const response: { Item?: Item } & GetItemResponse = {}
    if (stored !== undefined) response.Item = showItem(context, stored, projection)
    if (wantsCapacity(request.ReturnConsumedCapacity)) {
      const meter = new CapacityMeter(table)
      const consistency = request.ConsistentRead === true ? 'strong' : 'eventual'
      meter.addTable(unitsToRead(stored?.sizeBytes ?? 0, consistency))
      response.ConsumedCapacity = meter.show(request.ReturnConsumedCapacity)
    }
    return after(pause(context, projection && stored?.sizeBytes), () => response)
  },
}
