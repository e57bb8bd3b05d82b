import type { Projection } from '../../expression/tree.ts'
import type { Item } from '../../values/attribute-value.ts'
import { TRANSACTION_ACTIONS_MAX } from '../../values/limits.ts'
import type {
  TransactGetItemsRequest,
  TransactGetItemsResponse,
} from '../../wire/item-operations.ts'
import { normaliseItem } from '../attributes/normalise-value.ts'
import type { EngineContext } from '../context/context.ts'
import { inTurns } from '../context/turns.ts'
import { bindExpressions } from '../expressions/bind-expressions.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import { validateKey } from '../items/item-keys.ts'
import { validateKeyPaths } from '../items/key-paths.ts'
import { validationError } from '../messages/request-messages.ts'
import { TRANSACTION_SAME_ITEM } from '../messages/write-messages.ts'
import { showItem } from '../read/show-item.ts'
import { names, returnConsumedCapacity, tableNameShape } from '../shapes/item-shapes.ts'
import { attributeMap, list, structure, text } from '../shapes/shape.ts'
import { validateTableName } from '../shapes/table-name.ts'
import type { StoredItem } from '../storage/stored-item.ts'
import { requireTable } from '../tables/require-table.ts'
import { prepareEach } from '../transactions/prepare-each.ts'
import { readTransaction } from '../transactions/read-transaction.ts'
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
    const items = reads.map(({ projection }, position) => ({
      table: tables[position]!,
      storageKey: storageKeys[position]!,
      show: (stored: StoredItem) => shownItem(context, stored, projection),
    }))
    return inTurns(context, readTransaction(context, items, request.ReturnConsumedCapacity))
  },
}

/** An item of which the projection leaves nothing is shown as if it weren't there. */
function shownItem(
  context: EngineContext,
  stored: StoredItem,
  projection: Projection | undefined,
): Item | undefined {
  const item = showItem(context, stored, projection)
  return projection !== undefined && Object.keys(item).length === 0 ? undefined : item
}
