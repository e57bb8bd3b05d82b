import { updatedAttributes } from '../../expression/evaluate/updated-attributes.ts'
import type { Item } from '../../values/attribute-value.ts'
import type {
  DeleteItemRequest,
  PutItemRequest,
  ReturnValues,
  UpdateItemRequest,
  WriteItemResponse,
} from '../../wire/item-operations.ts'
import { CapacityMeter, wantsCapacity } from '../capacity/consumed-capacity.ts'
import { itemCollectionMetrics } from '../capacity/item-collection-metrics.ts'
import type { EngineContext } from '../context/context.ts'
import { after, pause } from '../context/turns.ts'
import { RETURN_VALUES_OLD_ONLY } from '../messages/item-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { partsOf } from '../read/show-item.ts'
import { requireTable } from '../tables/require-table.ts'
import { applyWrite } from '../write/apply-writes.ts'
import type { AppliedWrite } from '../write/write.ts'
import { type UnplacedWrite, writeTo } from '../write/write-to.ts'

type WriteResponseRequest = Pick<
  UpdateItemRequest,
  'ReturnValues' | 'ReturnConsumedCapacity' | 'ReturnItemCollectionMetrics'
>

/** Carries out PutItem, UpdateItem or DeleteItem, whose requests were checked as far as that is
 * possible without the table. */
export function writeItem(
  context: EngineContext,
  request: UpdateItemRequest | PutItemRequest | DeleteItemRequest,
  { keyed, action, condition }: UnplacedWrite,
): Promise<WriteItemResponse> {
  const write = writeTo(requireTable(context, request.TableName), {
    keyed,
    action,
    condition,
    returnOldOnFailure: request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
  })
  return applyWrite(context, write).then((applied) => {
    const { before, after: fresh } = applied.change
    return after(pause(context, before?.sizeBytes ?? fresh?.sizeBytes), () =>
      writeResponse(context, request, applied),
    )
  })
}

/** A put or delete knows no new or updated attributes that it could return. */
export function refuseNewValues({ ReturnValues: wanted }: WriteResponseRequest): void {
  if (wanted !== undefined && wanted !== 'NONE' && wanted !== 'ALL_OLD') {
    throw validationError(RETURN_VALUES_OLD_ONLY)
  }
}

/** The answer to PutItem, UpdateItem and DeleteItem. */
export function writeResponse(
  context: EngineContext,
  request: WriteResponseRequest,
  applied: AppliedWrite,
): WriteItemResponse {
  const response: WriteItemResponse = {}
  const attributes = returnedAttributes(context, request.ReturnValues, applied)
  if (attributes !== undefined) response.Attributes = attributes
  if (wantsCapacity(request.ReturnConsumedCapacity)) {
    const meter = new CapacityMeter(applied.change.table)
    meter.addWrite(applied, 1)
    response.ConsumedCapacity = meter.show(request.ReturnConsumedCapacity)
  }
  const metrics = itemCollectionMetrics(
    context,
    request.ReturnItemCollectionMetrics,
    applied.change.table,
    applied.change.keyed,
  )
  if (metrics !== undefined) response.ItemCollectionMetrics = metrics
  return response
}

function returnedAttributes(
  context: EngineContext,
  wanted: ReturnValues | undefined,
  { change }: AppliedWrite,
): Item | undefined {
  const { update } = change
  switch (wanted) {
    case 'ALL_OLD':
      return change.before && context.copyForCaller(change.before)
    case 'ALL_NEW':
      return change.after && context.copyForCaller(change.after)
    case 'UPDATED_OLD':
      return (
        update &&
        change.before &&
        nonEmpty(updatedAttributes(update, partsOf(context, change.before)))
      )
    case 'UPDATED_NEW':
      return (
        update &&
        change.after &&
        nonEmpty(updatedAttributes(update, partsOf(context, change.after)))
      )
    default:
      return undefined
  }
}

function nonEmpty(item: Item): Item | undefined {
  for (const _name in item) return item
  return undefined
}
