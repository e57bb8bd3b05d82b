import type { Design } from '../../design/design.ts'
import { type IndexUse, printPartition } from '../../design/design-model.ts'
import { spreadPartition } from '../../design/key-strings.ts'
import { partitionSpread } from '../../design/partition-spread.ts'
import type { Notice, Rule } from '../rule.ts'
import { heatSeverity } from './heat-severity.ts'
import { spreadEdits } from './spread-edits.ts'

/** What is written while a bucket is the last one. */
const WHOSE: ReadonlyMap<string, string> = new Map([
  ['year', "this year's"],
  ['month', "this month's"],
  ['week', "this week's"],
  ['day', "today's"],
  ['date', "today's"],
  ['hour', "this hour's"],
  ['minute', "this minute's"],
])

export const rollingPartition: Rule = {
  code: 'H03',
  name: 'rolling-partition',
  severity: 'warning',
  source: 'schema',
  title: 'A partition key is made only of a time bucket.',
  explanation: `A bucket of time bounds how many items a partition has. It doesn't spread what is written: everything that happens today goes to today's partition, which takes
1000 write units in a second, while those of all other days are idle. A smaller bucket doesn't help, because at any time there is only one that is written.

  wrong   key: { pk: 'METRICS#\${at:day}', sk: '\${at}#\${server}' }
  right   key: { pk: 'METRICS#\${server}#\${at:day}', sk: '\${at}' }                         // if each server is asked for by itself
  right   key: { pk: 'METRICS#\${at:day}#\${shard}', sk: '\${at}#\${server}' }, shard: { count: 4, by: ['server'] }
                                                                          // if all are; reads merge
                                                                          // the shards by
                                                                          // themselves

A text that is called date, day, month or the like counts as a bucket that the code makes. As with H01, it is information where all rates are
declared and low, or the items are few and stay so.`,
  *check(design: Design): Iterable<Notice> {
    for (const use of design.uses) {
      const { shards, buckets, few, values, guessed, free } = partitionSpread(use)
      if (buckets.length === 0 || free.length > 0 || shards > 1) continue
      const { model, index } = use
      const partitions =
        few.length === 0
          ? 'one partition'
          : guessed.length > 0
            ? 'a few partitions'
            : `${values} partitions`
      yield {
        message: `All of ${whose(use)} ${model} writes go to ${partitions}, "${printPartition(use)}" in ${index}.`,
        fix: `add what they are about to the key, or spread it: ${spreadPartition(design, use)}`,
        place: { model, index },
        severity: heatSeverity(design, use),
        ...spreadEdits(design, use),
      }
    }
  },
}

/** The unit is a modifier, or in the name of the attribute. */
function whose({ hash }: IndexUse): string {
  const words = hash.flatMap(({ template, attribute = '' }) =>
    (template?.parts ?? [{ name: attribute, modifiers: [] }]).flatMap((part) =>
      typeof part === 'string'
        ? []
        : [...part.modifiers, part.name.replace(/.*(?:_|(?=[A-Z]))/, '').toLowerCase()],
    ),
  )
  return words.map((word) => WHOSE.get(word)).find((each) => each !== undefined) ?? "today's"
}
