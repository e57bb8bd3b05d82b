import type {
  TimeToLiveSpecification,
  UpdateTimeToLiveRequest,
  UpdateTimeToLiveResponse,
} from '../../wire/time-to-live-operations.ts'
import { type Table, transitionStatus } from '../catalog/table.ts'
import type { TimeToLive } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
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
import { requireTableByName } from '../tables/require-table.ts'
import { isTimeToLiveChanging } from '../time-to-live/time-to-live-status.ts'
import { fillTable, finishFilling } from './fill-table.ts'
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
    const name = await context.catalog.change((transaction) => {
      const table = requireTableByName(context, request.TableName)
      validateChange(context, table, specification)
      const timeToLive: TimeToLive = {
        attribute: specification.AttributeName,
        enabled: specification.Enabled,
        changedMs: context.environment.now(),
        filling: true,
      }
      context.catalog.put(transaction, { ...table.record, timeToLive })
      fillTable(context, transaction, table.name)
      return table.name
    })
    await finishFilling(context, name)
    return { TimeToLiveSpecification: { ...specification } }
  },
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
