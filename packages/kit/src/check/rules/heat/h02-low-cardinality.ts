import type { Design } from '../../design/design.ts'
import { printPartition } from '../../design/design-model.ts'
import { spreadPartition } from '../../design/key-strings.ts'
import { partitionSpread } from '../../design/partition-spread.ts'
import type { Notice, Rule } from '../rule.ts'
import { heatSeverity } from './heat-severity.ts'
import { spreadEdits } from './spread-edits.ts'

/** An attribute with more values than this spreads well enough. */
const FEW_VALUES_MAX = 100

export const lowCardinality: Rule = {
  code: 'H02',
  name: 'low-cardinality',
  severity: 'warning',
  source: 'schema',
  title: 'A partition key is made only of attributes with few values.',
  explanation: `A partition takes 1000 write units and 3000 read units in a second, however large the table is. Where the partition key has three values, all
items are in three partitions, and the one that everybody asks for, such as STATUS#pending, takes nearly all requests.

A boolean, an attribute with an enum and one that "when" holds to some values have as many values as are declared. A text that is called status, state, kind or the
like is taken for one of them, too.

  wrong   index: { gsi1pk: 'STATUS#\${status}', gsi1sk: '\${createdAt}' }                      // every order is under one of three keys
  right   index: { gsi1pk: 'SHOP#\${shopId}#STATUS#\${status}', gsi1sk: '\${createdAt}' }      // if the question knows the shop
  right   index: { gsi1pk: 'STATUS#\${status}#\${shard}', gsi1sk: '\${createdAt}' }, shard: { count: 10 }
                                                                          // reads merge the shards
                                                                          // by themselves

As with H01, it is information where all rates are declared and low, or the items are few and stay so.`,
  *check(design: Design): Iterable<Notice> {
    for (const use of design.uses) {
      const { shards, buckets, few, values, guessed, free } = partitionSpread(use)
      if (few.length === 0 || free.length > 0 || buckets.length > 0 || shards > 1) continue
      if (values > FEW_VALUES_MAX) continue
      const { model, index } = use
      const key = `"${printPartition(use)}" of ${model} in ${index}`
      const names = few.map((name) => `"${name}"`).join(' and ')
      const doubt = guessed.map((name) => `"${name}"`).join(' and ')
      const [number, share] =
        guessed.length > 0
          ? [`few values, going by the name of ${doubt}`, 'as many partitions']
          : values === 1
            ? ['at most 1 value', 'one partition']
            : [`at most ${values} values`, `${values} partitions`]
      yield {
        message: `${key} has ${number}: all ${model} items there share ${share}.`,
        fix: `add a part with many values next to ${names}, or spread it: ${spreadPartition(design, use)}`,
        place: { model, index },
        severity: heatSeverity(design, use),
        ...spreadEdits(design, use),
      }
    }
  },
}
