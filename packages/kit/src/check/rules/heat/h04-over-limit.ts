import type { Pattern } from 'singletable/tools'
import { printNumber } from '../../../cost/figure.ts'
import { type PartitionLoad, partitionLoads } from '../../../cost/partition-load.ts'
import { readUnits } from '../../../cost/read-units.ts'
import { writeUnits } from '../../../cost/write-units.ts'
import type { Design } from '../../design/design.ts'
import { ratedPatterns } from '../../design/rated-patterns.ts'
import type { Notice, Rule } from '../rule.ts'

export const overLimit: Rule = {
  code: 'H04',
  name: 'over-limit',
  severity: 'error',
  source: 'schema',
  title: 'At its declared rate a pattern needs more capacity than one partition has.',
  explanation: `One partition takes 1000 write units and 3000 read units in a second, in a table as in an index, on demand as with provisioned capacity. What a pattern needs of the busiest one is

  peakRps × units of a call × skew ÷ (distinctKeys × shards)

with what its expect declares: peakRps or else rps; distinctKeys, the number of values of the partition key that are in use at a time; skew, how many times the mean the busiest of them gets. A key without variables has
one value. What is over the limit is throttled, whatever the table could take as a whole.

  wrong   gsi1pk: 'POST' with publish: { op: 'create', entity: 'Post', expect: { peakRps: 2500 } }
  right   gsi1pk: 'POST#\${shard}', shard: { count: 10 }
  right   for reads: a cache in front of the table, or one read shared by many callers

It is an error if it follows from what is declared, or holds even for the smallest item. If it depends on estimated or sampled sizes, it is a warning.`,
  *check(design) {
    for (const pattern of ratedPatterns(design)) {
      for (const load of partitionLoads(design, pattern)) {
        const isOwn = load.kind === 'read' || load.index === 'primary'
        if (!isOwn || load.units.value <= load.limit) continue
        yield notice(design, pattern, load)
      }
    }
  },
}

function notice(design: Design, pattern: Pattern, load: PartitionLoad): Notice {
  const { kind, index, units, limit, partitionsNeeded } = load
  const unit = kind === 'read' ? 'read units' : 'write units'
  return {
    message: `${load.pattern} needs ${printNumber(Math.ceil(units.value))} ${unit}/s on one partition of ${index} (limit ${limit}): ${units.formula}.`,
    fix: `spread the key over ${partitionsNeeded} shards or more${kind === 'read' ? ', or put a cache in front of it' : ''}`,
    place: { pattern: load.pattern, model: pattern.models[0]?.name, index },
    severity:
      units.basis === 'declared' || leastLoad(design, pattern, load) > limit ? 'error' : 'warning',
  }
}

/** What it would be if every item were as small as can be. */
function leastLoad(design: Design, pattern: Pattern, { kind, units }: PartitionLoad): number {
  const one =
    kind === 'read'
      ? readUnits(design, pattern)?.units.value
      : writeUnits(design, pattern)?.items[0]?.tableUnits
  return one === undefined || one === 0 ? 0 : (units.value / one) * (kind === 'read' ? 0.5 : 1)
}
