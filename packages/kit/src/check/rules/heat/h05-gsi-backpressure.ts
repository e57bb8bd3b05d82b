import { printNumber } from '../../../cost/figure.ts'
import { PARTITION_WRITE_UNITS_MAX } from '../../../cost/partition-load.ts'
import { writeUnits } from '../../../cost/write-units.ts'
import { listNames } from '../../../text/list-names.ts'
import type { Design } from '../../design/design.ts'
import { type IndexUse, printPartition } from '../../design/design-model.ts'
import { separatorOf } from '../../design/key-strings.ts'
import { partitionSpread } from '../../design/partition-spread.ts'
import { peakOf, ratedPatterns } from '../../design/rated-patterns.ts'
import type { Notice, Rule } from '../rule.ts'

/** Rates have their peaks; from here on a partition is worth a thought. */
const BUSY_UNITS = PARTITION_WRITE_UNITS_MAX / 2

export const gsiBackpressure: Rule = {
  code: 'H05',
  name: 'gsi-backpressure',
  severity: 'warning',
  source: 'schema',
  title: 'A partition of an index gets too many writes, which would throttle writes to the table.',
  explanation: `Every write of an item is a write of its entries in indexes. They follow it, and if an index can't keep up, DynamoDB throttles the writes of the table: a key that is well spread in the table doesn't help when
all entries go to one partition of an index. Its limit is 1000 write units in a second.

  wrong   key: { pk: 'ORDER#\${orderId}', … }, index: { gsi1pk: 'STATUS#\${status}', … }      // all new orders are STATUS#pending
  right   index: { gsi1pk: 'STATUS#\${status}#\${shard}', … }, shard: { count: 10 }
  right   when: { gsi1: { status: 'failed' } }                                              // only the few that are looked for

The rule adds up what the write patterns of a model declare (peakRps or rps), where the partition key of the index has a known number of values. It is a warning from half of the limit, and an error where
what is declared exceeds the limit itself.`,
  *check(design) {
    for (const use of design.uses) {
      const index = design.schema?.indexes.get(use.index)
      const notice = index?.type === 'global' ? noticeOf(design, use) : undefined
      if (notice) yield notice
    }
  },
}

function noticeOf(design: Design, use: IndexUse): Notice | undefined {
  const { shards, buckets, values, guessed, free } = partitionSpread(use)
  if (free.length + guessed.length > 0) return undefined
  // Of a bucket of time only the last one is written; of a few values the busiest has at least the
  // mean.
  const partitions = shards * values
  const loads = ratedPatterns(design).flatMap((pattern) => {
    const { models, definition, name } = pattern
    const { distinctKeys, skew = 1 } = definition.expect ?? {}
    const peakRps = peakOf(pattern)
    const own = models[0]?.name === use.model ? writeUnits(design, pattern)?.items[0] : undefined
    const entry = own?.indexes.find((each) => each.index === use.index)
    if (peakRps === undefined || own === undefined || entry === undefined) return []
    return [
      {
        name,
        units: (peakRps * entry.units * skew) / partitions,
        least: (peakRps * entry.writes * skew) / partitions,
        tableUnits: distinctKeys ? (peakRps * own.tableUnits * skew) / distinctKeys : 0,
        isDeclared: entry.entryBytes.basis === 'declared',
      },
    ]
  })
  const sum = (part: (load: (typeof loads)[number]) => number): number =>
    loads.reduce((total, load) => total + part(load), 0)
  const units = sum((load) => load.units)
  if (units < BUSY_UNITS || units <= sum((load) => load.tableUnits)) return undefined
  const isError =
    (loads.every(({ isDeclared }) => isDeclared) ? units : sum(({ least }) => least)) >
    PARTITION_WRITE_UNITS_MAX
  const { model } = use
  const partition = printPartition(use)
  const busy = loads.filter((load) => load.units > 0).map(({ name }) => name)
  return {
    message: `${use.index} partition "${partition}" would throttle base-table writes: ${listNames(busy)} ${busy.length === 1 ? 'needs' : 'need'} ${printNumber(Math.ceil(units))} write units/s of it (limit ${PARTITION_WRITE_UNITS_MAX}).`,
    fix: `spread it over ${Math.ceil((units * shards * 2) / PARTITION_WRITE_UNITS_MAX)} shards: "${partition}${shards > 1 ? '' : `${separatorOf(design)}\${shard}`}"${buckets.length > 0 ? '' : ', or keep items out of the index by when'}`,
    place: { model, index: use.index },
    severity: isError ? 'error' : 'warning',
  }
}
