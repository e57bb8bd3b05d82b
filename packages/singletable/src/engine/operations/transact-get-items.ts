import type { Projection } from '../../expression/tree.ts'
import type { Item } from '../../values/attribute-value.ts'
import { TRANSACTION_ACTIONS_MAX } from '../../values/limits.ts'
import { unitsToRead } from '../../values/units.ts'
import type {
  TransactGetItemsRequest,
  TransactGetItemsResponse,
} from '../../wire/item-operations.ts'
import { CapacityByTable } from '../capacity/capacity-by-table.ts'
import { wantsCapacity } from '../capacity/consumed-capacity.ts'
import { requireTable } from '../catalog/require-table.ts'
import { projectItem } from '../evaluate/project-item.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import { validationError } from '../messages/request-messages.ts'
import { TRANSACTION_RESULT_TOO_LARGE, TRANSACTION_SAME_ITEM } from '../messages/write-messages.ts'
import { handOut, type StoredItem } from '../storage/stored-item.ts'
import { prepareEach } from '../transactions/prepare-each.ts'
import { TRANSACTION_MAX_BYTES } from '../transactions/transaction-limits.ts'
import { bindExpressions } from '../validation/bind-expressions.ts'
import { checkConstraints } from '../validation/check-constraints.ts'
import { validateKey } from '../validation/item-keys.ts'
import { names, returnConsumedCapacity, tableNameShape } from '../validation/item-shapes.ts'
import { validateKeyPaths } from '../validation/key-paths.ts'
import { normaliseItem } from '../validation/normalise-value.ts'
import { attributeMap, list, type StructureShape, structure, text } from '../validation/shape.ts'
import { validateTableName } from '../validation/table-name.ts'
import type { Operation } from './operation.ts'

const shape: StructureShape = structure({
  TransactItems: {
    required: list(
      structure({
        Get: {
          required: structure({
            TableName: { required: tableNameShape },
            Key: { required: attributeMap },
            ProjectionExpression: text(),
            ExpressionAttributeNames: names,
          }),
        },
      }),
      { lengthMin: 1, lengthMax: TRANSACTION_ACTIONS_MAX },
    ),
  },
  ReturnConsumedCapacity: returnConsumedCapacity,
})

interface Read {
  readonly tableName: string
  readonly key: Item
  readonly projection: Projection | undefined
}

export const transactGetItems: Operation<TransactGetItemsRequest, TransactGetItemsResponse> = {
  shape,
  run(context, request) {
    checkConstraints(shape, request)
    const reads = request.TransactItems.map(({ Get: get }): Read => {
      validateTableName(get.TableName)
      const { projection } = bindExpressions(context, get, ['ProjectionExpression'])
      return { tableName: get.TableName, key: normaliseItem(get.Key), projection }
    })
    const tables = reads.map((read) => requireTable(context, read.tableName))
    const storageKeys = prepareEach(reads, ({ key }, position) => {
      validateKey(tables[position]!, key)
      return primaryKey(tables[position]!, key)
    })
    if (new Set(storageKeys).size < storageKeys.length) {
      throw validationError(TRANSACTION_SAME_ITEM)
    }
    for (const [position, { projection }] of reads.entries()) {
      if (projection !== undefined) validateKeyPaths(tables[position]!, projection)
    }
    let bytes = 0
    const capacity = new CapacityByTable()
    const response: TransactGetItemsResponse = { Responses: [] }
    for (const [position, { projection }] of reads.entries()) {
      const table = tables[position]!
      const stored = context.storage.get(storageKeys[position]!) as StoredItem | undefined
      const sizeBytes = stored?.sizeBytes ?? 0
      bytes += sizeBytes
      capacity.of(table).addTable(unitsToRead(sizeBytes, 'transactional'))
      response.Responses.push(readResult(stored, projection))
    }
    if (bytes > TRANSACTION_MAX_BYTES) throw validationError(TRANSACTION_RESULT_TOO_LARGE)
    if (wantsCapacity(request.ReturnConsumedCapacity)) {
      response.ConsumedCapacity = capacity.show(request.ReturnConsumedCapacity, 'read')
    }
    return response
  },
}

/** An item of which the projection leaves nothing is shown as if it weren't there. */
function readResult(
  stored: StoredItem | undefined,
  projection: Projection | undefined,
): { Item?: Item } {
  if (stored === undefined) return {}
  if (projection === undefined) return { Item: handOut(stored) }
  const item = projectItem(projection, handOut(stored))
  return Object.keys(item).length === 0 ? {} : { Item: item }
}
