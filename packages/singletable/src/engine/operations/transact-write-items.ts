import { TRANSACTION_ACTIONS_MAX } from '../../values/limits.ts'
import type {
  TransactWriteItemsRequest,
  TransactWriteItemsResponse,
} from '../../wire/item-operations.ts'
import { collectionMetricsByTable } from '../capacity/item-collection-metrics.ts'
import type { EngineContext } from '../context/context.ts'
import { after, inTurns, mapInSteps } from '../context/turns.ts'
import { validateItemSize } from '../items/item-size.ts'
import { TOKEN_LENGTH_MAX } from '../limits/transaction-limits.ts'
import { validationError } from '../messages/request-messages.ts'
import { TRANSACTION_SAME_ITEM } from '../messages/write-messages.ts'
import { returnConsumedCapacity, returnItemCollectionMetrics } from '../shapes/item-shapes.ts'
import { list, structure, text } from '../shapes/shape.ts'
import { requireTable } from '../tables/require-table.ts'
import { prepareEach } from '../transactions/prepare-each.ts'
import {
  itemIdentity,
  type ReadAction,
  readAction,
  refuseOversizePuts,
  transactItemShape,
} from '../transactions/transact-action.ts'
import { writeTransaction } from '../transactions/write-transaction.ts'
import type { ItemWrite } from '../write/write.ts'
import { writeTo } from '../write/write-to.ts'
import type { Operation } from './operation.ts'

export const transactWriteItems: Operation<TransactWriteItemsRequest, TransactWriteItemsResponse> =
  {
    shape: structure({
      TransactItems: {
        required: list(transactItemShape, { lengthMin: 1, lengthMax: TRANSACTION_ACTIONS_MAX }),
      },
      ClientRequestToken: text({ lengthMin: 1, lengthMax: TOKEN_LENGTH_MAX }),
      ReturnConsumedCapacity: returnConsumedCapacity,
      ReturnItemCollectionMetrics: returnItemCollectionMetrics,
    }),
    run(context, request) {
      const steps = mapInSteps(request.TransactItems, (item) => readAction(context, item))
      return after(inTurns(context, steps), (actions) => writeActions(context, request, actions))
    },
  }

async function writeActions(
  context: EngineContext,
  request: TransactWriteItemsRequest,
  actions: readonly ReadAction[],
): Promise<TransactWriteItemsResponse> {
  refuseSameItem(context, actions)
  refuseOversizePuts(actions)
  const { applied, capacity } = await writeTransaction(context, {
    namespace: 'items',
    token: request.ClientRequestToken,
    request: request.TransactItems,
    payloadBytes: actions.reduce((sum, action) => sum + action.payloadBytes, 0),
    writes: () => toWrites(context, actions),
  })
  const response: TransactWriteItemsResponse = {}
  const consumed = capacity(request.ReturnConsumedCapacity)
  if (consumed !== undefined) response.ConsumedCapacity = consumed
  if (request.ReturnItemCollectionMetrics === 'SIZE' && applied.length > 0) {
    response.ItemCollectionMetrics = collectionMetricsByTable(context, applied)
  }
  return response
}

function refuseSameItem(context: EngineContext, actions: readonly ReadAction[]): void {
  const seen = new Set<string>()
  for (const action of actions) {
    const identity = itemIdentity(context, action)
    if (identity === undefined) continue
    if (seen.has(identity)) throw validationError(TRANSACTION_SAME_ITEM)
    seen.add(identity)
  }
}

/** A missing table or a put that is too large is an error of the request; a key that doesn't fit
 * its table cancels the transaction. */
function toWrites(context: EngineContext, actions: readonly ReadAction[]): ItemWrite[] {
  const tables = actions.map((action) => requireTable(context, action.tableName))
  for (const [position, { action }] of actions.entries()) {
    if (action.kind === 'put') validateItemSize(tables[position]!, action.stored)
  }
  return prepareEach(actions, (action, position) => writeTo(tables[position]!, action))
}
