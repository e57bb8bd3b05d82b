import { type AttributeDefinition, getOwn, type StatsDefinition } from 'singletable/tools'
import type { Design } from './design.ts'
import { type IndexUse, type ModelKey, namesInKey } from './design-model.ts'
import { partitionSpread } from './partition-spread.ts'

/** Items of one model, or copy, of which a partition of the table has any number. */
export interface Collection {
  readonly use: IndexUse
  /** The model of which the partition has one item. */
  readonly parent: string | undefined
  /** What the schema says about the items. A copy is of as many as the model it is of, under
   * another key. */
  readonly stats: StatsDefinition
  /** Something ends the growth: it is declared as bounded, a bucket or shard divides it, or time to
   * live takes it back. */
  readonly isBounded: boolean
  /** New items come with time: their sort key has a time, or an id that is made by time. That
   * attribute. */
  readonly byTime: string | undefined
}

/** The collections of the primary index, in the order of the schema. */
export function collectionsOf(design: Design): readonly Collection[] {
  const uses = design.uses.filter(({ index }) => index === 'primary')
  return uses.flatMap((use): Collection[] => {
    const open = openNames(use)
    if (open.length === 0) return []
    const { definition } = use
    const attributes = definition.attributes ?? {}
    const stats = definition.stats ?? {}
    const { buckets, shards } = partitionSpread(use)
    const hasTtl = Object.values(attributes).some((attribute) => attribute?.ttl)
    return [
      {
        use,
        parent: parentOf(use, uses),
        stats,
        isBounded:
          stats.growth === 'bounded' ||
          stats.perPartition?.max !== undefined ||
          buckets.length > 0 ||
          shards > 1 ||
          hasTtl,
        byTime: open.find((name) => isTime(name, getOwn(attributes, name))),
      },
    ]
  })
}

/** The names in the sort key that the partition key doesn't fix, with any number of values. */
function openNames(use: IndexUse): readonly string[] {
  const fixed = new Set(use.hash.flatMap(namesInKey))
  const { free, buckets } = partitionSpread({ ...use, hash: use.sort })
  return [...free, ...buckets].filter((name) => !fixed.has(name))
}

/** The model with one item in each such partition: its key has the same shape, whatever its
 * variables are called. */
function parentOf(use: IndexUse, uses: readonly IndexUse[]): string | undefined {
  const parents = uses.filter(
    (other) =>
      other.model !== use.model &&
      shapeOf(other.hash) === shapeOf(use.hash) &&
      openNames(other).length === 0,
  )
  return (parents.find(({ isCopy }) => !isCopy) ?? parents[0])?.model
}

function shapeOf(keys: readonly ModelKey[]): string {
  return JSON.stringify(
    keys.map(({ template }) =>
      (template?.parts ?? [{}]).map((part) => (typeof part === 'string' ? part : null)),
    ),
  )
}

const TIME_NAME =
  /^(?:at|ts|time|date|day|timestamp)$|(?:At|Time|Date|Day|Timestamp|_at|_time|_date|_day)$/
const IDS_BY_TIME: readonly unknown[] = ['ulid', 'uuid7', 'ksuid']

function isTime(name: string, attribute: AttributeDefinition | undefined): boolean {
  // Timestamps are attributes that the schema doesn't list.
  if (attribute === undefined) return name === 'createdAt' || name === 'updatedAt'
  return (
    attribute.type === Date ||
    IDS_BY_TIME.includes(attribute.generate) ||
    (attribute.type !== Boolean && TIME_NAME.test(name))
  )
}
