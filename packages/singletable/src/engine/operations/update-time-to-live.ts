import type {
  TimeToLiveSpecification,
  UpdateTimeToLiveRequest,
  UpdateTimeToLiveResponse,
} from '../../wire/time-to-live-operations.ts'
import { compileTable, type Table, transitionStatus } from '../catalog/table.ts'
import type { TableRecord, TimeToLive } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
import { inTurns } from '../context/turns.ts'
import { backfillExpiry, expiryDeriver, removeExpiryEntries } from '../expiry/backfill-expiry.ts'
import { validationError } from '../messages/request-messages.ts'
import { tableInTransition } from '../messages/table-messages.ts'
import {
  TIME_TO_LIVE_CHANGING,
  TIME_TO_LIVE_DISABLED,
  TIME_TO_LIVE_ENABLED,
  timeToLiveElsewhere,
} from '../messages/time-to-live-messages.ts'
import { tableNameShape } from '../shapes/item-shapes.ts'
import { boolean, structure, text } from '../shapes/shape.ts'
import { lookAhead } from '../storage/look-ahead.ts'
import { prefixRange } from '../storage/storage-keys.ts'
import { requireTableByName } from '../tables/require-table.ts'
import { isTimeToLiveChanging } from '../time-to-live/time-to-live-status.ts'
import type { Operation } from './operation.ts'

export const TIME_TO_LIVE_ATTRIBUTE_MIN_LENGTH = 1
export const TIME_TO_LIVE_ATTRIBUTE_MAX_LENGTH = 255

export const updateTimeToLive: Operation<UpdateTimeToLiveRequest, UpdateTimeToLiveResponse> = {
  shape: structure({
    TableName: { required: tableNameShape },
    TimeToLiveSpecification: {
      required: structure({
        Enabled: { required: boolean },
        AttributeName: {
          required: text({
            lengthMin: TIME_TO_LIVE_ATTRIBUTE_MIN_LENGTH,
            lengthMax: TIME_TO_LIVE_ATTRIBUTE_MAX_LENGTH,
          }),
        },
      }),
    },
  }),
  async run(context, request) {
    const specification = request.TimeToLiveSpecification
    const derive = specification.Enabled
      ? await inTurns(context, expiryAhead(context, request))
      : undefined
    await context.catalog.change((transaction) => {
      const table = requireTableByName(context, request.TableName)
      validateChange(context, table, specification)
      const timeToLive: TimeToLive = {
        attribute: specification.AttributeName,
        enabled: specification.Enabled,
        changedMs: context.environment.now(),
      }
      const record: TableRecord = { ...table.record, timeToLive }
      if (specification.Enabled) backfillExpiry(transaction, compileTable(record), derive)
      else removeExpiryEntries(transaction, table)
      context.catalog.put(transaction, record)
    })
    return { TimeToLiveSpecification: { ...specification } }
  },
}

/** What is to be known of all items, worked out in steps before the table is changed at once. */
function* expiryAhead(
  context: EngineContext,
  { TableName, TimeToLiveSpecification: { AttributeName: attribute } }: UpdateTimeToLiveRequest,
): Generator<void, ReturnType<typeof expiryDeriver> | undefined> {
  const table = context.nextTurn && context.catalog.find(TableName)
  if (table === undefined || table.record.timeToLive?.enabled === true) return undefined
  const timeToLive = { attribute, enabled: true, changedMs: 0 }
  const derive = expiryDeriver(compileTable({ ...table.record, timeToLive }))
  return yield* lookAhead(context.storage, prefixRange(table.primary.prefix), derive)
}

function validateChange(
  context: EngineContext,
  table: Table,
  { Enabled, AttributeName }: TimeToLiveSpecification,
): void {
  const status = transitionStatus(table.record, context.environment.now())
  if (status === 'CREATING' || status === 'DELETING') throw tableInTransition(table.name, status)
  const { timeToLive } = table.record
  const active = timeToLive?.enabled === true ? timeToLive.attribute : undefined
  if (active === undefined) {
    if (!Enabled) throw validationError(TIME_TO_LIVE_DISABLED)
  } else if (active !== AttributeName) {
    throw validationError(timeToLiveElsewhere(active))
  } else if (Enabled) {
    throw validationError(TIME_TO_LIVE_ENABLED)
  }
  if (isTimeToLiveChanging(context, timeToLive)) throw validationError(TIME_TO_LIVE_CHANGING)
}
