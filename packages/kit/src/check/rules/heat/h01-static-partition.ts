import type { Design } from '../../design/design.ts'
import { type IndexUse, printPartition } from '../../design/design-model.ts'
import { spreadPartition } from '../../design/key-strings.ts'
import { partitionSpread } from '../../design/partition-spread.ts'
import type { Notice, Rule } from '../rule.ts'
import { heatSeverity } from './heat-severity.ts'
import { spreadEdits } from './spread-edits.ts'

export const staticPartition: Rule = {
  code: 'H01',
  name: 'static-partition',
  severity: 'warning',
  source: 'schema',
  title: 'All items of a model share one partition.',
  explanation: `A partition key without a variable is one key for all items. A partition takes 1000 write units and 3000 read units in a second, however much capacity the table has. If it is a partition of an index, writes to the
table are throttled with it.

  wrong   index: { gsi1pk: 'POST', gsi1sk: '\${createdAt}' }
  right   index: { gsi1pk: 'POST#\${shard}', gsi1sk: '\${createdAt}' }, shard: { count: 10 }      // reads merge the shards by themselves
  right   index: { gsi1pk: 'POST#\${createdAt:month}#\${shard}', gsi1sk: '\${createdAt}' }         // and each partition ends

Whether this is a problem depends on the rates. It is only information where all patterns that write or read it declare theirs (expect: { rps, peakRps }) and need less than a tenth of what one partition
can take, and for a model with stats: { count, growth: 'bounded' } of 1000 items or fewer. Where the rates are too high, H04 and H05 say so as errors. Otherwise, if you know better, suppress
the rule and give the reason.`,
  *check(design: Design): Iterable<Notice> {
    for (const use of design.uses) {
      const { shards, buckets, few, free } = partitionSpread(use)
      if (shards > 1 || buckets.length + few.length + free.length > 0 || isSingle(design, use))
        continue
      const { model, index } = use
      const partition = printPartition(use)
      yield {
        message: `Every ${model} in ${index} shares the partition "${partition}" (limit 1000 write units/s, 3000 read units/s).`,
        fix: `spread it, ${spreadPartition(design, use)}, divide it by time, or choose another key`,
        place: { model, index },
        severity: heatSeverity(design, use),
        ...spreadEdits(design, use),
      }
    }
  },
}

/** A model of which there is one item, such as a configuration. */
function isSingle({ keys }: Design, { model }: IndexUse): boolean {
  return keys
    .filter((key) => key.model === model && key.index === 'primary')
    .every(({ template }) => template?.names.length === 0)
}
