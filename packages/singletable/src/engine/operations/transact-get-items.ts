import { projectItem } from '../../expression/evaluate/project-item.ts'
import type { Projection } from '../../expression/tree.ts'
import type { Item } from '../../values/attribute-value.ts'
import { TRANSACTION_ACTIONS_MAX } from '../../values/limits.ts'
import { unitsToRead } from '../../values/units.ts'
import type {
  TransactGetItemsRequest,
  TransactGetItemsResponse,
} from '../../wire/item-operations.ts'
import { normaliseItem } from '../attributes/normalise-value.ts'
import { CapacityByTable } from '../capacity/capacity-by-table.ts'
import { wantsCapacity } from '../capacity/consumed-capacity.ts'
import { bindExpressions } from '../expressions/bind-expressions.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import { validateKey } from '../items/item-keys.ts'
import { validateKeyPaths } from '../items/key-paths.ts'
import { TRANSACTION_MAX_BYTES } from '../limits/transaction-limits.ts'
import { validationError } from '../messages/request-messages.ts'
import { TRANSACTION_RESULT_TOO_LARGE, TRANSACTION_SAME_ITEM } from '../messages/write-messages.ts'
import { names, returnConsumedCapacity, tableNameShape } from '../shapes/item-shapes.ts'
import { attributeMap, list, structure, text } from '../shapes/shape.ts'
import { validateTableName } from '../shapes/table-name.ts'
import { handOut, type StoredItem } from '../storage/stored-item.ts'
import { requireTable } from '../tables/require-table.ts'
import { prepareEach } from '../transactions/prepare-each.ts'
import type { Operation } from './operation.ts'

interface Read {
  readonly tableName: string
  readonly key: Item
  readonly projection: Projection | undefined
}

export const transactGetItems: Operation<TransactGetItemsRequest, TransactGetItemsResponse> = {
  shape: structure({
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
  }),
  run(context, request) {
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
