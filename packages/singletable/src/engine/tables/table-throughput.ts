import type { OnDemandThroughput, ProvisionedThroughput } from '../../wire/table-operations.ts'
import { THROUGHPUT_MAX } from '../limits/table-limits.ts'
import { validationError } from '../messages/request-messages.ts'
import {
  onDemandUnitsOutOfRange,
  onDemandUnitsProvisioned,
  throughputOutOfBounds,
} from '../messages/table-messages.ts'

/** Refuses units that no table could have; zero and less is refused by the constraints before. */
export function validateThroughput(throughput: ProvisionedThroughput, index?: string): void {
  for (const units of ['ReadCapacityUnits', 'WriteCapacityUnits'] as const) {
    if (throughput[units] > THROUGHPUT_MAX) {
      throw validationError(throughputOutOfBounds(units, throughput[units], index))
    }
  }
}

/** Refuses upper bounds of an on-demand table; `-1` takes a bound away, which only a change can
 * do. */
export function validateOnDemandThroughput(
  throughput: OnDemandThroughput | undefined,
  options: {
    readonly mode: 'PROVISIONED' | 'PAY_PER_REQUEST'
    readonly mayRemove: boolean
    readonly index?: string
  },
): void {
  for (const units of ['MaxReadRequestUnits', 'MaxWriteRequestUnits'] as const) {
    const value = throughput?.[units]
    if (value === undefined) continue
    if (options.mode === 'PROVISIONED') {
      throw validationError(onDemandUnitsProvisioned(units, options.index))
    }
    if (value < 1 && !(value === -1 && options.mayRemove)) {
      throw validationError(onDemandUnitsOutOfRange(units, options.index))
    }
  }
}
