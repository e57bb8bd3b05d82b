import type { Item } from '../../values/attribute-value.ts'
import { ITEM_SIZE_MAX_BYTES } from '../../values/limits.ts'
import { getOwn, setOwn } from '../../values/own.ts'
import { itemSizeBytes } from '../../values/size.ts'
import type {
  BatchWriteItemRequest,
  BatchWriteItemResponse,
  WriteRequest,
} from '../../wire/item-operations.ts'
import { tableNameOf } from '../arn.ts'
import { CapacityByTable } from '../capacity/capacity-by-table.ts'
import { wantsCapacity } from '../capacity/consumed-capacity.ts'
import { collectionMetricsByTable } from '../capacity/item-collection-metrics.ts'
import { requireTable } from '../catalog/require-table.ts'
import type { Table } from '../catalog/table.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import {
  batchSizeWrong,
  KEYS_DUPLICATED,
  requestItemsMissing,
  WRITE_REQUEST_NOT_ONE,
} from '../messages/item-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { ITEM_TOO_LARGE } from '../messages/value-messages.ts'
import { StoredItem } from '../storage/stored-item.ts'
import { checkConstraints } from '../validation/check-constraints.ts'
import { dump } from '../validation/dump.ts'
import { validateBatchItemKeys, validateIndexKeys, validateKey } from '../validation/item-keys.ts'
import { returnConsumedCapacity, returnItemCollectionMetrics } from '../validation/item-shapes.ts'
import { validateItemSize } from '../validation/item-size.ts'
import { normaliseItem } from '../validation/normalise-value.ts'
import {
  attributeMap,
  list,
  type MapShape,
  map,
  type StructureShape,
  structure,
} from '../validation/shape.ts'
import { validateTableName } from '../validation/table-name.ts'
import { applyWrites } from '../write/apply-writes.ts'
import type { Write } from '../write/write.ts'
import type { Operation } from './operation.ts'

export const BATCH_WRITE_MAX = 25

const requestItems: MapShape = map(
  'WriteRequest',
  list(
    structure({
      PutRequest: structure({ Item: { required: attributeMap } }),
      DeleteRequest: structure({ Key: { required: attributeMap } }),
    }),
  ),
)
const shape: StructureShape = structure({
  RequestItems: requestItems,
  ReturnConsumedCapacity: returnConsumedCapacity,
  ReturnItemCollectionMetrics: returnItemCollectionMetrics,
})

/** One put or delete, its values checked. */
interface Member {
  readonly tableName: string
  readonly request: WriteRequest
  readonly put: StoredItem | undefined
  readonly key: Item
}

export const batchWriteItem: Operation<BatchWriteItemRequest, BatchWriteItemResponse> = {
  shape,
  async run(context, request) {
    const requested = Object.entries(request.RequestItems ?? {})
    if (requested.length === 0) throw validationError(requestItemsMissing('BatchWriteItem'))
    for (const [name] of requested) validateTableName(name)
    const total = requested.reduce((sum, [, requests]) => sum + requests.length, 0)
    if (total > BATCH_WRITE_MAX || requested.some(([, requests]) => requests.length === 0)) {
      throw validationError(batchSizeWrong(dump(requestItems, request.RequestItems)))
    }
    checkConstraints(shape, request)
    const members = requested.flatMap(([name, requests]) =>
      requests.map((member) => readMember(name, member)),
    )
    const writes = members.map((member): Write => {
      const table = requireTable(context, member.tableName)
      return toWrite(table, member)
    })
    if (new Set(writes.map((write) => write.storageKey)).size < writes.length) {
      throw validationError(KEYS_DUPLICATED)
    }

    const skipped = context.faults.any
      ? context.faults.unprocessed(
          'BatchWriteItem',
          members.map(({ tableName, key }) => ({ table: tableNameOf(tableName), key })),
        )
      : []
    const response: BatchWriteItemResponse = { UnprocessedItems: {} }
    for (const [position, { tableName, request: unprocessed }] of members.entries()) {
      if (skipped[position] !== true) continue
      const list = getOwn(response.UnprocessedItems, tableName)
      if (list === undefined) setOwn(response.UnprocessedItems, tableName, [unprocessed])
      else list.push(unprocessed)
    }
    const applied = await applyWrites(
      context,
      writes.filter((_, position) => skipped[position] !== true),
      { mode: 'batch' },
    )
    if (wantsCapacity(request.ReturnConsumedCapacity)) {
      const capacity = new CapacityByTable()
      for (const write of applied) capacity.of(write.change.table).addWrite(write, 1)
      response.ConsumedCapacity = capacity.show(request.ReturnConsumedCapacity)
    }
    if (request.ReturnItemCollectionMetrics === 'SIZE') {
      response.ItemCollectionMetrics = collectionMetricsByTable(context, applied)
    }
    return response
  },
}

function readMember(tableName: string, request: WriteRequest): Member {
  const { PutRequest: put, DeleteRequest: remove } = request
  if (put !== undefined && remove !== undefined) throw validationError(WRITE_REQUEST_NOT_ONE)
  if (put !== undefined) {
    const item = normaliseItem(put.Item)
    const stored = new StoredItem(item, itemSizeBytes(item))
    if (stored.sizeBytes > ITEM_SIZE_MAX_BYTES) throw validationError(ITEM_TOO_LARGE)
    return { tableName, request, put: stored, key: item }
  }
  if (remove === undefined) throw validationError(WRITE_REQUEST_NOT_ONE)
  return { tableName, request, put: undefined, key: normaliseItem(remove.Key) }
}

function toWrite(table: Table, { put, key }: Member): Write {
  if (put === undefined) validateKey(table, key)
  else {
    validateBatchItemKeys(table, key)
    validateIndexKeys(table, key)
    validateItemSize(table, put)
  }
  return {
    table,
    keyed: key,
    storageKey: primaryKey(table, key),
    action: put === undefined ? { kind: 'delete' } : { kind: 'put', stored: put },
    returnOldOnFailure: false,
    origin: 'request',
  }
}
