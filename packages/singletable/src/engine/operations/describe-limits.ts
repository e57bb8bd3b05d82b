import type { DescribeLimitsResponse } from '../../wire/table-operations.ts'
import { ACCOUNT_CAPACITY_UNITS_MAX, TABLE_CAPACITY_UNITS_MAX } from '../limits/table-limits.ts'
import { structure } from '../shapes/shape.ts'
import type { Operation } from './operation.ts'

/** Answers the quotas of a new account; the engine itself has none. */
export const describeLimits: Operation<object, DescribeLimitsResponse> = {
  shape: structure({}),
  run() {
    return {
      AccountMaxReadCapacityUnits: ACCOUNT_CAPACITY_UNITS_MAX,
      AccountMaxWriteCapacityUnits: ACCOUNT_CAPACITY_UNITS_MAX,
      TableMaxReadCapacityUnits: TABLE_CAPACITY_UNITS_MAX,
      TableMaxWriteCapacityUnits: TABLE_CAPACITY_UNITS_MAX,
    }
  },
}
