import type { Item } from '../../values/attribute-value.ts'
import { getOwn, setOwn } from '../../values/own.ts'
import type {
  ConsumedCapacity,
  TransactWriteItemsRequest,
  TransactWriteItemsResponse,
} from '../../wire/item-operations.ts'
import { ServiceError } from '../../wire/service-error.ts'
import { CapacityMeter, wantsCapacity } from '../capacity/consumed-capacity.ts'
import { itemCollectionMetrics } from '../capacity/item-collection-metrics.ts'
import { readUnits } from '../capacity/units.ts'
import { requireTable } from '../catalog/require-table.ts'
import type { Table } from '../catalog/table.ts'
import type { EngineContext } from '../context.ts'
import { isEmptyKey } from '../messages/key-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import {
  TRANSACTION_SAME_ITEM,
  transactionCanceled,
  transactionTooLarge,
} from '../messages/write-messages.ts'
import { executeOnce } from '../transactions/idempotency.ts'
import {
  type ReadAction,
  readAction,
  toWrite,
  transactItemShape,
} from '../transactions/transact-action.ts'
import { checkConstraints } from '../validation/check-constraints.ts'
import { returnConsumedCapacity, returnItemCollectionMetrics } from '../validation/item-shapes.ts'
import { list, type StructureShape, structure, text } from '../validation/shape.ts'
import { applyWrites, cancellationReason } from '../write/apply-writes.ts'
import type { AppliedWrite, Write } from '../write/write.ts'
import type { Operation } from './operation.ts'

export const TRANSACTION_ACTIONS_MAX = 100
export const TRANSACTION_MAX_BYTES: number = 4 * 1024 * 1024
export const TOKEN_LENGTH_MAX = 36

const shape: StructureShape = structure({
  TransactItems: {
    required: list(transactItemShape, { lengthMin: 1, lengthMax: TRANSACTION_ACTIONS_MAX }),
  },
  ClientRequestToken: text({ lengthMin: 1, lengthMax: TOKEN_LENGTH_MAX }),
  ReturnConsumedCapacity: returnConsumedCapacity,
  ReturnItemCollectionMetrics: returnItemCollectionMetrics,
})

/** What is remembered with a token: enough to answer a repeated call. */
interface Outcome {
  readonly writes: readonly {
    readonly table: string
    readonly key: Item
    readonly sizeBytes: number
  }[]
}

export const transactWriteItems: Operation<TransactWriteItemsRequest, TransactWriteItemsResponse> =
  {
    shape,
    async run(context, request) {
      checkConstraints(shape, request)
      const actions = request.TransactItems.map((item) => readAction(context, item))
      refuseSameItem(context, actions)
      const payloadBytes = actions.reduce((sum, action) => sum + action.payloadBytes, 0)
      if (payloadBytes > TRANSACTION_MAX_BYTES) {
        throw validationError(transactionTooLarge(payloadBytes))
      }
      let applied: readonly AppliedWrite[] | undefined
      const outcome = await executeOnce<Outcome>(context, {
        namespace: 'items',
        token: request.ClientRequestToken,
        request: request.TransactItems,
        async execute(remember) {
          const writes = toWrites(context, actions)
          let remembered: Outcome | undefined
          applied = await applyWrites(context, writes, {
            mode: 'transaction',
            after(transaction, results) {
              remembered = outcomeOf(results)
              remember(transaction, remembered)
            },
          })
          return remembered ?? { writes: [] }
        },
        replay: (remembered) => remembered,
      })
      return applied === undefined
        ? replayResponse(context, request, outcome)
        : firstResponse(context, request, applied)
    },
  }

function refuseSameItem(context: EngineContext, actions: readonly ReadAction[]): void {
  const seen = new Set<string>()
  for (const action of actions) {
    const identity = action.identity(context)
    if (identity === undefined) continue
    if (seen.has(identity)) throw validationError(TRANSACTION_SAME_ITEM)
    seen.add(identity)
  }
}

/** A missing table is an error of the request; a key that doesn't fit its table cancels the transaction. */
function toWrites(context: EngineContext, actions: readonly ReadAction[]): Write[] {
  const tables = actions.map((action) => requireTable(context, action.tableName))
  return actions.map((action, position) => {
    try {
      return toWrite(tables[position]!, action)
    } catch (error) {
      if (!(error instanceof ServiceError) || isEmptyKey(error)) throw error
      throw transactionCanceled(
        actions.map((_, other) =>
          other === position ? cancellationReason(error) : { Code: 'None' },
        ),
      )
    }
  })
}

function outcomeOf(applied: readonly AppliedWrite[]): Outcome {
  return {
    writes: applied.map(({ change }) => ({
      table: change.table.name,
      key: change.key,
      sizeBytes: (change.after ?? change.before)?.sizeBytes ?? 0,
    })),
  }
}

function firstResponse(
  context: EngineContext,
  request: TransactWriteItemsRequest,
  applied: readonly AppliedWrite[],
): TransactWriteItemsResponse {
  const response: TransactWriteItemsResponse = {}
  if (wantsCapacity(request.ReturnConsumedCapacity)) {
    response.ConsumedCapacity = byTable(applied, request, (meter, write) =>
      meter.addWrite(write, 2),
    )
  }
  addCollectionMetrics(context, request, response, applied)
  return response
}

function byTable(
  applied: readonly AppliedWrite[],
  request: TransactWriteItemsRequest,
  add: (meter: CapacityMeter, write: AppliedWrite) => void,
): ConsumedCapacity[] {
  const meters = new Map<Table, CapacityMeter>()
  for (const write of applied) {
    const { table } = write.change
    const meter = meters.get(table) ?? new CapacityMeter(table)
    add(meter, write)
    meters.set(table, meter)
  }
  return [...meters.values()].map((meter) => meter.show(request.ReturnConsumedCapacity, 'write'))
}

/** A repeated call only reads, and is charged for that. */
function replayResponse(
  context: EngineContext,
  request: TransactWriteItemsRequest,
  outcome: Outcome,
): TransactWriteItemsResponse {
  if (!wantsCapacity(request.ReturnConsumedCapacity)) return {}
  const meters = new Map<string, CapacityMeter>()
  for (const { table: name, sizeBytes } of outcome.writes) {
    const table = context.catalog.find(name)
    if (table === undefined) continue
    const meter = meters.get(name) ?? new CapacityMeter(table)
    meter.addTable(readUnits(sizeBytes, 'transactional'))
    meters.set(name, meter)
  }
  return {
    ConsumedCapacity: [...meters.values()].map((meter) =>
      meter.show(request.ReturnConsumedCapacity, 'read'),
    ),
  }
}

function addCollectionMetrics(
  context: EngineContext,
  request: TransactWriteItemsRequest,
  response: TransactWriteItemsResponse,
  applied: readonly AppliedWrite[],
): void {
  if (request.ReturnItemCollectionMetrics !== 'SIZE') return
  response.ItemCollectionMetrics = {}
  for (const { change } of applied) {
    const metrics = itemCollectionMetrics(context, 'SIZE', change.table, change.key)
    if (metrics === undefined) continue
    const known = getOwn(response.ItemCollectionMetrics, change.table.name)
    if (known === undefined) setOwn(response.ItemCollectionMetrics, change.table.name, [metrics])
    else known.push(metrics)
  }
}
