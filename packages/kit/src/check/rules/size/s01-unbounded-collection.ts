import { getOwn } from 'singletable/tools'
import { type Collection, collectionsOf } from '../../design/collection.ts'
import type { Design } from '../../design/design.ts'
import { printPartition } from '../../design/design-model.ts'
import { partitionSpread } from '../../design/partition-spread.ts'
import type { Notice, Rule } from '../rule.ts'

export const unboundedCollection: Rule = {
  code: 'S01',
  name: 'unbounded-collection',
  severity: 'warning',
  source: 'schema',
  title: 'A partition can grow without limit.',
  explanation: `One query reads a parent and its children in one partition. That is what the design is for, as long as there are tens or hundreds of children. If children keep being added,
a partition gets more of them every day: a query of all needs more and more pages, and all requests about one parent go to one key, which takes 1000 write units and 3000 read units in a second.

Declare what you know, and the rule reports nothing: that the number of children is bounded, or the most that a parent has.

  right   stats: { growth: 'bounded' }
  right   stats: { perPartition: { average: 10, max: 500 } }

Where it has no bound, divide the partition by time, spread it over shards, or let time to live delete old items.

  wrong   Reading: { key: { pk: 'DEVICE#\${deviceId}', sk: '\${at}' } }
  right   Reading: { key: { pk: 'DEVICE#\${deviceId}#\${at:month}', sk: '\${at}' } }

It is a warning where growth is declared as unbounded or the sort key contains a time; otherwise, as for the lines of an order, it is information.
Every model is reported once; partitions of indexes and those without any variable are the subject of H01 to H05.`,
  *check(design: Design): Iterable<Notice> {
    for (const collection of collectionsOf(design)) {
      const { use, parent, stats, isBounded, byTime } = collection
      const { few, free } = partitionSpread(use)
      if (isBounded || few.length + free.length === 0) continue
      const { model } = use
      const partition = printPartition(use)
      const owner = parent === undefined ? 'The' : `${parent}'s`
      const isDeclared = stats.growth === 'unbounded'
      const isLikely = isDeclared || byTime !== undefined
      const bound = `{ growth: 'bounded' } or { perPartition: { max } }`
      yield {
        message: `${owner} partition "${partition}" collects ${model} ${isDeclared ? 'without bound' : 'and no bound is declared'}${isLikely ? '; reads grow, and one key gets all requests' : ''}.`,
        fix: isLikely
          ? `divide it by ${bucketOf(design, collection)} or a shard, give ${model} a time to live, or declare its bound in stats: ${bound}`
          : `declare its bound in stats of ${use.isCopy ? 'its model' : model}, ${bound}, or divide the partition`,
        place: { model, index: 'primary' },
        ...(!isLikely &&
          !use.isCopy && {
            edits: [{ path: ['models', model, 'stats', 'growth'], code: "'bounded'" }],
          }),
        severity: isLikely ? 'warning' : 'info',
      }
    }
  },
}

/** The bucket that its own time would make. */
function bucketOf({ definition }: Design, { use, byTime }: Collection): string {
  const { attributes = {} } = use.definition
  const isTime = byTime !== undefined && getOwn(attributes, byTime)?.generate === undefined
  const name = isTime ? byTime : definition.params?.timestamps ? 'createdAt' : undefined
  return name === undefined ? 'a bucket of time' : `a bucket such as \${${name}:month}`
}
