import type { Projection } from '../../expression/tree.ts'
import type { Item } from '../../values/attribute-value.ts'
import { BATCH_GET_KEYS_MAX } from '../../values/limits.ts'
import { setOwn } from '../../values/own.ts'
import { unitsToRead } from '../../values/units.ts'
import type {
  BatchGetItemRequest,
  BatchGetItemResponse,
  KeysAndAttributes,
} from '../../wire/item-operations.ts'
import { normaliseItem } from '../attributes/normalise-value.ts'
import { CapacityMeter, wantsCapacity } from '../capacity/consumed-capacity.ts'
import type { Table } from '../catalog/table.ts'
import { tableNameOf } from '../context/arn.ts'
import type { EngineContext } from '../context/context.ts'
import { inTurns, LARGE_BYTES } from '../context/turns.ts'
import { bindExpressions } from '../expressions/bind-expressions.ts'
import { partitionPrefix, primaryKey } from '../indexes/entry-key.ts'
import { validateKey } from '../items/item-keys.ts'
import { validateKeyPaths } from '../items/key-paths.ts'
import { attributesToGet as legacyProjection } from '../legacy/attributes-to-get.ts'
import { refuseMixed } from '../legacy/refuse-mixed.ts'
import {
  KEYS_DUPLICATED,
  requestItemsMissing,
  tooManyBatchKeys,
} from '../messages/item-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { showItem } from '../read/show-item.ts'
import { checkConstraints } from '../shapes/check-constraints.ts'
import { attributesToGet, names, returnConsumedCapacity } from '../shapes/item-shapes.ts'
import { attributeMap, boolean, list, map, structure, text } from '../shapes/shape.ts'
import { validateTableName } from '../shapes/table-name.ts'
import type { StoredItem } from '../storage/stored-item.ts'
import { requireTable } from '../tables/require-table.ts'
import type { Operation } from './operation.ts'

/** What doesn't fit into this much is returned as unprocessed. */
export const BATCH_GET_MAX_BYTES: number = 16 * 1024 * 1024
/** As much comes from one partition. AWS means its physical unit, of which item collections are the
 * part we know. */
export const BATCH_GET_PARTITION_MAX_BYTES: number = 1024 * 1024

interface TableRead {
  readonly name: string
  readonly request: KeysAndAttributes
  readonly keys: readonly Item[]
  readonly projection: Projection | undefined
}

export const batchGetItem: Operation<BatchGetItemRequest, BatchGetItemResponse> = {
  shape: structure({
    RequestItems: map(
      'KeysAndAttributes',
      structure({
        Keys: { required: list(attributeMap, { lengthMin: 1, readMax: BATCH_GET_KEYS_MAX + 1 }) },
        ConsistentRead: boolean,
        ProjectionExpression: text(),
        ExpressionAttributeNames: names,
        AttributesToGet: attributesToGet,
      }),
      { readMax: BATCH_GET_KEYS_MAX + 1 },
    ),
    ReturnConsumedCapacity: returnConsumedCapacity,
  }),
  check(shape, request) {
    const requested = Object.entries(request.RequestItems ?? {})
    if (requested.length === 0) throw validationError(requestItemsMissing('BatchGetItem'))
    for (const [name] of requested) validateTableName(name)
    checkConstraints(shape, request)
    let keyCount = 0
    for (const [name, { Keys: keys }] of requested) {
      keyCount += keys.length
      if (keyCount > BATCH_GET_KEYS_MAX) throw validationError(tooManyBatchKeys(name))
    }
  },
  run: (context, request) => inTurns(context, runSteps(context, request)),
}

function* runSteps(
  context: EngineContext,
  request: BatchGetItemRequest,
): Generator<void, BatchGetItemResponse> {
  const reads = Object.entries(request.RequestItems).map(([name, members]): TableRead => {
    refuseMixed(members)
    const attributes = members.AttributesToGet && legacyProjection(members.AttributesToGet)
    const { projection } = bindExpressions(context, members, ['ProjectionExpression'])
    return {
      name,
      request: members,
      keys: members.Keys.map((key) => normaliseItem(key)),
      projection: projection ?? attributes,
    }
  })
  for (const { keys } of reads) refuseDuplicates(keys)
  const tables = reads.map((read) => requireTable(context, read.name))
  const storageKeys = reads.map((read, position) => checkKeys(tables[position]!, read.keys))
  for (const [position, { projection }] of reads.entries()) {
    if (projection !== undefined) validateKeyPaths(tables[position]!, projection)
  }

  const skipped = context.delays.unprocessed('BatchGetItem', () =>
    reads.flatMap(({ name, keys }) => keys.map((key) => ({ table: tableNameOf(name), item: key }))),
  )
  const response: BatchGetItemResponse = { Responses: {}, UnprocessedKeys: {} }
  const meters: CapacityMeter[] = []
  const size = new ResponseSize()
  let member = 0
  for (const [position, read] of reads.entries()) {
    const table = tables[position]!
    const meter = new CapacityMeter(table)
    const items: Item[] = []
    const unprocessed: Item[] = []
    const consistency = read.request.ConsistentRead === true ? 'strong' : 'eventual'
    for (const [keyPosition, key] of read.keys.entries()) {
      const stored = context.storage.get(storageKeys[position]![keyPosition]!) as
        | StoredItem
        | undefined
      const sizeBytes = stored?.sizeBytes ?? 0
      if (
        skipped[member++] === true ||
        !size.add(partitionPrefix(table.primary, key) ?? '', sizeBytes)
      ) {
        unprocessed.push(key)
        continue
      }
      meter.addTable(unitsToRead(sizeBytes, consistency))
      if (stored === undefined) continue
      items.push(showItem(context, stored, read.projection))
      if (read.projection !== undefined || sizeBytes >= LARGE_BYTES) yield
    }
    setOwn(response.Responses, read.name, items)
    if (unprocessed.length > 0) {
      setOwn(response.UnprocessedKeys, read.name, { ...read.request, Keys: unprocessed })
    }
    meters.push(meter)
  }
  if (wantsCapacity(request.ReturnConsumedCapacity)) {
    response.ConsumedCapacity = meters.map((meter) => meter.show(request.ReturnConsumedCapacity))
  }
  return response
}

/** Values are normalised, so equal keys have equal strings. */
function refuseDuplicates(keys: readonly Item[]): void {
  if (keys.length < 2) return
  const identities = new Set(
    keys.map((key) =>
      JSON.stringify(Object.entries(key).sort(([left], [right]) => (left < right ? -1 : 1))),
    ),
  )
  if (identities.size < keys.length) throw validationError(KEYS_DUPLICATED)
}

function checkKeys(table: Table, keys: readonly Item[]): string[] {
  return keys.map((key) => {
    validateKey(table, key)
    return primaryKey(table, key)
  })
}

/** How much of a response is used up, as a whole and by item collection. */
class ResponseSize {
  #bytes = 0
  readonly #collections = new Map<string, number>()

  /** Adds an item if there is room for it. The first of its collection is never too large. */
  add(collection: string, sizeBytes: number): boolean {
    const used = this.#collections.get(collection) ?? 0
    if (this.#bytes + sizeBytes > BATCH_GET_MAX_BYTES) return false
    if (used + sizeBytes > BATCH_GET_PARTITION_MAX_BYTES) return false
    this.#bytes += sizeBytes
    this.#collections.set(collection, used + sizeBytes)
    return true
  }
}
