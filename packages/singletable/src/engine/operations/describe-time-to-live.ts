import type {
  DescribeTimeToLiveRequest,
  DescribeTimeToLiveResponse,
} from '../../wire/time-to-live-operations.ts'
import { tableNameShape } from '../shapes/item-shapes.ts'
import { structure } from '../shapes/shape.ts'
import { requireTableByName } from '../tables/require-table.ts'
import { timeToLiveStatus } from '../time-to-live/time-to-live-status.ts'
import type { Operation } from './operation.ts'

export const describeTimeToLive: Operation<DescribeTimeToLiveRequest, DescribeTimeToLiveResponse> =
  {
    shape: structure({ TableName: { required: tableNameShape } }),
    run(context, request) {
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
