import { type AttributeDefinition, getOwn, type Placeholder } from 'singletable/tools'
import type { IndexUse } from './design-model.ts'

/** Over how many partitions the items of a model are spread in an index. */
export interface PartitionSpread {
  /** Of each value of the rest of the key; 1 without a shard. */
  readonly shards: number
  /** Attributes of which the key has a bucket of time: at any time only the last one is written. */
  readonly buckets: readonly string[]
  /** Attributes with few values. */
  readonly few: readonly string[]
  /** How many combinations those have. */
  readonly values: number
  /** Those of them where only the name suggests that they have few. */
  readonly guessed: readonly string[]
  /** Attributes with any number of values. */
  readonly free: readonly string[]
}

const BUCKET_UNITS = ['year', 'month', 'day', 'hour', 'minute']

/** Names of strings that hold a bucket of time, which the code makes by itself. */
const BUCKET_NAME =
  /^(?:.*_)?(?:date|day|month|year|week|hour|minute)$|(?:Date|Day|Month|Year|Week|Hour|Minute)$/

/** Names of strings that have a few values each, also where no enum says which. */
const FEW_NAME =
  /^(?:.*_)?(?:status|state|kind|priority|severity|stage|phase)$|(?:Status|State|Kind|Priority|Severity|Stage|Phase)$/

export function partitionSpread({ hash, definition, when }: IndexUse): PartitionSpread {
  const shard = definition.shard
  const shardName = shard && (shard.name ?? 'shard')
  const buckets = new Set<string>()
  const few = new Map<string, number>()
  const guessed = new Set<string>()
  const free = new Set<string>()
  let shards = 1
  const placeholders = hash.flatMap(({ template, attribute = '' }): readonly Placeholder[] =>
    template
      ? template.parts.filter((part) => typeof part !== 'string')
      : [{ name: attribute, modifiers: [] }],
  )
  for (const { name, modifiers } of placeholders) {
    const attribute = getOwn(definition.attributes ?? {}, name)
    const isText = attribute?.type === String
    const count = countOf(attribute, getOwn(when ?? {}, name))
    if (name === shardName) shards = Math.max(1, Number(shard?.count) || 1)
    else if (modifiers.some((each) => BUCKET_UNITS.includes(each))) buckets.add(name)
    else if (count !== undefined) few.set(name, count)
    else if (isText && BUCKET_NAME.test(name)) buckets.add(name)
    else if (isText && FEW_NAME.test(name)) guessed.add(name)
    else free.add(name)
  }
  // The whole value next to its bucket makes a partition for each value.
  for (const name of free) buckets.delete(name)
  return {
    shards,
    buckets: [...buckets],
    few: [...few.keys(), ...guessed],
    values: [...few.values()].reduce((product, count) => product * count, 1),
    guessed: [...guessed],
    free: [...free],
  }
}

/** How many values an attribute can have, if that is known. */
function countOf(attribute: AttributeDefinition | undefined, when: unknown): number | undefined {
  if (when !== undefined) return new Set([when].flat()).size
  if (attribute?.type === Boolean) return 2
  return attribute?.enum?.length
}
