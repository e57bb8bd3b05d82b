import type { Item } from '../../values/attribute-value.ts'
import { BATCH_WRITE_MAX, ITEM_SIZE_MAX_BYTES } from '../../values/limits.ts'
import { getOwn, setOwn } from '../../values/own.ts'
import { itemSizeBytes } from '../../values/size.ts'
import type {
  BatchWriteItemRequest,
  BatchWriteItemResponse,
  WriteRequest,
} from '../../wire/item-operations.ts'
import { normaliseItem } from '../attributes/normalise-value.ts'
import { CapacityByTable } from '../capacity/capacity-by-table.ts'
import { wantsCapacity } from '../capacity/consumed-capacity.ts'
import { collectionMetricsByTable } from '../capacity/item-collection-metrics.ts'
import { tableNameOf } from '../context/arn.ts'
import type { EngineContext } from '../context/context.ts'
import { after, allInTurns, inTurns, mapInSteps } from '../context/turns.ts'
import { validateBatchItemKeys } from '../items/item-keys.ts'
import {
  batchSizeWrong,
  KEYS_DUPLICATED,
  requestItemsMissing,
  WRITE_REQUEST_NOT_ONE,
} from '../messages/item-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { ITEM_TOO_LARGE } from '../messages/value-messages.ts'
import { checkConstraints } from '../shapes/check-constraints.ts'
import { dump } from '../shapes/dump.ts'
import { returnConsumedCapacity, returnItemCollectionMetrics } from '../shapes/item-shapes.ts'
import { attributeMap, list, type MapShape, map, structure } from '../shapes/shape.ts'
import { validateTableName } from '../shapes/table-name.ts'
import { StoredItem } from '../storage/stored-item.ts'
import { requireTable } from '../tables/require-table.ts'
import { applyWrites } from '../write/apply-writes.ts'
import type { ItemWrite, WriteAction } from '../write/write.ts'
import { writeTo } from '../write/write-to.ts'
import type { Operation } from './operation.ts'

const requestItems: MapShape = map(
  'WriteRequest',
  list(
    structure({
      PutRequest: structure({ Item: { required: attributeMap } }),
      DeleteRequest: structure({ Key: { required: attributeMap } }),
    }),
    { readMax: BATCH_WRITE_MAX + 1 },
  ),
  { readMax: BATCH_WRITE_MAX + 1 },
)
/** One put or delete, its values checked. */
interface Member {
  readonly tableName: string
  readonly request: WriteRequest
  readonly put: StoredItem | undefined
  readonly key: Item
}

export const batchWriteItem: Operation<BatchWriteItemRequest, BatchWriteItemResponse> = {
  shape: structure({
    RequestItems: requestItems,
    ReturnConsumedCapacity: returnConsumedCapacity,
    ReturnItemCollectionMetrics: returnItemCollectionMetrics,
  }),
  check(shape, request) {
    const requested = Object.entries(request.RequestItems ?? {})
    if (requested.length === 0) throw validationError(requestItemsMissing('BatchWriteItem'))
    for (const [name] of requested) validateTableName(name)
    const total = requested.reduce((sum, [, requests]) => sum + requests.length, 0)
    if (total > BATCH_WRITE_MAX || requested.some(([, requests]) => requests.length === 0)) {
      throw validationError(batchSizeWrong(dump(requestItems, request.RequestItems)))
    }
    checkConstraints(shape, request)
  },
  run(context, request) {
    const requested = Object.entries(request.RequestItems).flatMap(([name, requests]) =>
      requests.map((member) => ({ name, member })),
    )
    const steps = mapInSteps(requested, ({ name, member }) => readMember(name, member))
    return after(inTurns(context, steps), (members) => writeMembers(context, request, members))
  },
}

async function writeMembers(
  context: EngineContext,
  request: BatchWriteItemRequest,
  members: readonly Member[],
): Promise<BatchWriteItemResponse> {
  const writes = members.map((member): ItemWrite => {
    const { put, key } = member
    const action: WriteAction =
      put === undefined ? { kind: 'delete' } : { kind: 'put', stored: put }
    return writeTo(
      requireTable(context, member.tableName),
      { keyed: key, action },
      validateBatchItemKeys,
    )
  })
  if (new Set(writes.map((write) => write.storageKey)).size < writes.length) {
    throw validationError(KEYS_DUPLICATED)
  }

  const skipped = context.delays.unprocessed('BatchWriteItem', () =>
    members.map(({ tableName, key }) => ({ table: tableNameOf(tableName), item: key })),
  )
  const response: BatchWriteItemResponse = { UnprocessedItems: {} }
  for (const [position, { tableName, request: unprocessed }] of members.entries()) {
    if (skipped[position] !== true) continue
    const list = getOwn(response.UnprocessedItems, tableName)
    if (list === undefined) setOwn(response.UnprocessedItems, tableName, [unprocessed])
    else list.push(unprocessed)
  }
  const wanted = writes.filter((_, position) => skipped[position] !== true)
  const steps = context.nextTurn === undefined ? [wanted] : stepsOf(wanted)
  const applied = await allInTurns(context, steps, (step) =>
    applyWrites(context, step, { mode: 'batch' }),
  ).then((results) => results.flat())
  if (wantsCapacity(request.ReturnConsumedCapacity)) {
    const capacity = new CapacityByTable()
    for (const write of applied) capacity.of(write.change.table).addWrite(write, 1)
    response.ConsumedCapacity = capacity.show(request.ReturnConsumedCapacity)
  }
  if (request.ReturnItemCollectionMetrics === 'SIZE') {
    response.ItemCollectionMetrics = collectionMetricsByTable(context, applied)
  }
  return response
}

/** A step of writing ends with the write that reaches this size. */
const STEP_BYTES = 65_536

/** Writes of a batch don't depend on each other. */
function stepsOf(writes: readonly ItemWrite[]): ItemWrite[][] {
  const steps: ItemWrite[][] = []
  let bytes = STEP_BYTES
  for (const write of writes) {
    if (bytes >= STEP_BYTES) {
      steps.push([])
      bytes = 0
    }
    steps.at(-1)!.push(write)
    bytes += write.action.kind === 'put' ? write.action.stored.sizeBytes : 0
  }
  return steps
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
