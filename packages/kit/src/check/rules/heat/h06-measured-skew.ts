import { getOwn } from 'singletable/tools'
import { printNumber } from '../../../cost/figure.ts'
import type { Design } from '../../design/design.ts'
import type { RecordedShape } from '../../evidence/recording.ts'
import type { Notice, Rule } from '../rule.ts'

/** Of fewer, any share is chance. */
const SAMPLE_MIN = 100
const SHARE_MAX = 0.2
const TIMES_MEAN_MAX = 5
/** A key with less than this is none that is felt, however small the others are. */
const SHARE_MIN = 0.05

export const measuredSkew: Rule = {
  code: 'H06',
  name: 'measured-skew',
  severity: 'warning',
  source: 'data',
  title: 'One partition key has far more than its share.',
  explanation: `A key design that spreads well on paper is uneven in practice if one customer is larger than all others. A sample of the table shows how many items each partition key has, in the table and in each
index; a recording of requests shows those that go to a key without variables.

It reports the greatest key of an index that has more than a fifth of the items and twice the mean, or five times the mean and a twentieth of the items; of a recording, of a fixed key
with more than a fifth of the requests. Fewer than 100 are not evaluated.

  right   key: { pk: 'TENANT#\${tenantId}#\${shard}', … }, shard: { count: 4 }        // each tenant over four partitions
  right   key: { pk: 'TENANT#\${tenantId}#\${at:month}', … }
  right   a table of its own for the one large tenant`,
  *check(design) {
    yield* sampleNotices(design)
    yield* recordingNotices(design)
  },
}

function* sampleNotices({ sample, schema }: Design): Iterable<Notice> {
  for (const index of schema?.indexes.values() ?? []) {
    // A local index has the partitions of the table.
    if (index.type === 'local') continue
    const counts = new Map<string, number>()
    let total = 0
    for (const item of sample?.items ?? []) {
      const values = index.hash.map((name) => getOwn(item, name))
      if (values.includes(undefined)) continue
      const text = values.map((value) => value?.S ?? value?.N ?? value?.B ?? '').join(' + ')
      counts.set(text, (counts.get(text) ?? 0) + 1)
      total += 1
    }
    if (total < SAMPLE_MIN) continue
    const [value, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))
    const share = count / total
    const times = count / (total / counts.size)
    const isSkewed =
      counts.size === 1 ||
      (share > SHARE_MAX && times >= 2) ||
      (times > TIMES_MEAN_MAX && share >= SHARE_MIN)
    if (!isSkewed) continue
    const key = index.hash.join(' + ')
    const mean =
      counts.size === 1 ? 'and is the only one' : `${printNumber(Math.round(times))} times the mean`
    yield {
      message: `${key} = ${value} takes ${percent(share)} of the ${total} sampled items in ${index.name}, ${mean}.`,
      fix: `spread it by a shard, divide it by time, or give its items keys of their own`,
      place: { index: index.name },
    }
  }
}

const WRITES = /^(?:Put|Update|Delete|BatchWrite|TransactWrite)/

/** Values are not recorded, so that only keys without any can be distinguished. */
function* recordingNotices({ recording }: Design): Iterable<Notice> {
  for (const [kind, isKind] of [
    ['reads', (shape: RecordedShape) => !WRITES.test(shape.operation)],
    ['writes', (shape: RecordedShape) => WRITES.test(shape.operation)],
  ] as const) {
    const shapes = (recording?.shapes ?? []).filter(isKind)
    const total = shapes.reduce((sum, { count }) => sum + count, 0)
    const counts = new Map<string, { readonly index: string; readonly count: number }>()
    for (const { key, index, count } of shapes) {
      const [, fixed] = /^(\S+ = [^$]+?)(?: AND .*)?$/s.exec(key ?? '') ?? []
      if (fixed === undefined) continue
      const before = counts.get(fixed)?.count ?? 0
      counts.set(fixed, { index: index ?? 'primary', count: before + count })
    }
    if (total < SAMPLE_MIN) continue
    for (const [key, { index, count }] of counts) {
      if (count / total <= SHARE_MAX) continue
      yield {
        message: `${key} takes ${percent(count / total)} of the ${total} recorded ${kind}.`,
        fix: 'spread it by a shard, divide it by time, or keep what is read so often in a cache',
        place: { index },
      }
    }
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}
