import type { DescribeEndpointsResponse } from '../../wire/table-operations.ts'
import { structure } from '../shapes/shape.ts'
import type { Operation } from './operation.ts'

const CACHE_PERIOD_MINUTES = 1440

/** In this process there is no address to send to, so the answer is AWS's own; a server puts its
 * own host and port there. */
export const describeEndpoints: Operation<object, DescribeEndpointsResponse> = {
  shape: structure({}),
  run({ settings }) {
    const Address = `dynamodb.${settings.region}.amazonaws.com`
    return { Endpoints: [{ Address, CachePeriodInMinutes: CACHE_PERIOD_MINUTES }] }
  },
}
