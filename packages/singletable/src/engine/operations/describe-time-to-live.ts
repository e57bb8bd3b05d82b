import type {
  DescribeTimeToLiveRequest,
  DescribeTimeToLiveResponse,
} from '../../wire/time-to-live-operations.ts'
import { tableNameShape } from '../shapes/item-shapes.ts'
import { type StructureShape, structure } from '../shapes/shape.ts'
import { validateTableName } from '../shapes/table-name.ts'
import { requireTableByName } from '../tables/require-table.ts'
import { timeToLiveStatus } from '../time-to-live/time-to-live-status.ts'
import type { Operation } from './operation.ts'

const shape: StructureShape = structure({ TableName: { required: tableNameShape } })

export const describeTimeToLive: Operation<DescribeTimeToLiveRequest, DescribeTimeToLiveResponse> =
  {
    shape,
    run(context, request) {
      validateTableName(request.TableName)
      const { timeToLive } = requireTableByName(context, request.TableName).record
      const status = timeToLiveStatus(context, timeToLive)
      return {
        TimeToLiveDescription: {
          TimeToLiveStatus: status,
          ...(timeToLive === undefined || status === 'DISABLED'
            ? {}
            : { AttributeName: timeToLive.attribute }),
        },
      }
    },
  }
