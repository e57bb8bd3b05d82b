import { staticPartition } from './heat/h01-static-partition.ts'
import { lowCardinality } from './heat/h02-low-cardinality.ts'
import { rollingPartition } from './heat/h03-rolling-partition.ts'
import { overLimit } from './heat/h04-over-limit.ts'
import { gsiBackpressure } from './heat/h05-gsi-backpressure.ts'
import { measuredSkew } from './heat/h06-measured-skew.ts'
import type { Rule } from './rule.ts'

/** Rules on how requests are spread over partitions. */
export const HEAT_RULES: readonly Rule[] = [
  staticPartition,
  lowCardinality,
  rollingPartition,
  overLimit,
  gsiBackpressure,
  measuredSkew,
]
