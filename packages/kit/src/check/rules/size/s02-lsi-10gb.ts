import { getOwn, ITEM_COLLECTION_MAX_BYTES, itemSizeBytes, type Model } from 'singletable/tools'
import { itemBytes, projectedBytes } from '../../../cost/item-bytes.ts'
import { listNames } from '../../../text/list-names.ts'
import { type Collection, collectionsOf } from '../../design/collection.ts'
import type { Design } from '../../design/design.ts'
import { printPartition } from '../../design/design-model.ts'
import { printBytes } from '../print-bytes.ts'
import type { Notice, Rule, Severity } from '../rule.ts'

/** A partition that a sample shows to be so full is on its way. */
const FULL_BYTES = ITEM_COLLECTION_MAX_BYTES / 2
/** What DynamoDB adds to each item and each entry. */
const OVERHEAD_BYTES = 100

export const lsiTenGigabytes: Rule = {
  code: 'S02',
  name: 'lsi-10gb',
  severity: 'error',
  source: 'schema',
  title: 'A partition of a table with a local index can reach 10 GB; then DynamoDB refuses writes.',
  explanation: `In a table with a local index all items with one partition key, together with their entries in local indexes, may take 10 GB. Then every write that would add to them is refused with
ItemCollectionSizeLimitExceededException, and the only way out is a new table, because local indexes can't be removed. Without local indexes there is no such limit.

  wrong   indexes: { byDate: { type: 'local', hash: 'pk', sort: 'date' } }
          Event: { key: { pk: 'DEVICE#\${deviceId}', sk: '\${eventId}' }, stats: { growth: 'unbounded' } }
  right   indexes: { byDate: { hash: 'gsi1pk', sort: 'gsi1sk' } }
  right   Event: { key: { pk: 'DEVICE#\${deviceId}#\${at:month}', sk: '\${eventId}' } }

It is an error where the schema declares that there is no bound, or a number of items that takes 10 GB; a warning where nothing is declared and the items come with time, where sizes are only
estimated, and where a sample shows a partition that is half full.`,
  *check(design) {
    const local = [...(design.schema?.indexes.values() ?? [])].filter(
      ({ type }) => type === 'local',
    )
    if (local.length === 0) return
    const name = listNames(local.map((index) => index.name))
    for (const collection of collectionsOf(design)) {
      const notice = collectionNotice(design, collection, name)
      if (notice) yield notice
    }
    yield* sampleNotices(design, name)
  },
}

function collectionNotice(
  design: Design,
  { use, stats, isBounded, byTime }: Collection,
  name: string,
): Notice | undefined {
  const model = design.schema?.models.get(use.model)
  if (model === undefined) return undefined
  const bytes = collectedBytes(design, model)
  const max = stats.perPartition?.max
  const isOver = max !== undefined && max * bytes >= ITEM_COLLECTION_MAX_BYTES
  const severity: Severity | undefined = isOver
    ? itemBytes(design, model).basis === 'declared'
      ? 'error'
      : 'warning'
    : isBounded
      ? undefined
      : stats.growth === 'unbounded'
        ? 'error'
        : byTime !== undefined
          ? 'warning'
          : undefined
  if (severity === undefined) return undefined
  const items = roundCount(ITEM_COLLECTION_MAX_BYTES / bytes)
  return {
    message: `With LSI ${name}, "${printPartition(use)}" stops accepting writes at 10 GB (≈${items} ${model.name} items${isOver ? `; up to ${max} are declared` : ''}).`,
    fix: `make ${name} global, or divide the partition by a bucket of time or a shard${severity === 'warning' && !isOver ? '; if the number is bounded, declare it in stats' : ''}`,
    place: { model: model.name, index: name },
    severity,
  }
}

/** An item and its entries in local indexes. */
function collectedBytes(design: Design, model: Model): number {
  return model.indexes
    .filter(({ index }) => index.type !== 'global')
    .reduce(
      (sum, { index }) => sum + OVERHEAD_BYTES + (projectedBytes(design, model, index)?.value ?? 0),
      0,
    )
}

/** The fullest partition of a sample, drawn out to the whole table. */
function* sampleNotices({ sample, schema }: Design, name: string): Iterable<Notice> {
  if (sample?.itemCount === undefined || schema === undefined || sample.items.length === 0) return
  const [key = ''] = schema.primary.hash
  const sizes = new Map<string, number>()
  for (const item of sample.items) {
    const text = JSON.stringify(getOwn(item, key) ?? null)
    sizes.set(text, (sizes.get(text) ?? 0) + itemSizeBytes(item) + OVERHEAD_BYTES)
  }
  const [text, size] = [...sizes].reduce((a, b) => (b[1] > a[1] ? b : a))
  const bytes = size * Math.max(1, sample.itemCount / sample.items.length)
  if (bytes < FULL_BYTES) return
  yield {
    message: `With LSI ${name}, ${key} = ${text} stops accepting writes at 10 GB; by the sample of ${sample.takenOn} it has ≈${printBytes(bytes)} without its index entries.`,
    fix: `move to a table in which ${name} is global, or divide the partition, before it is full`,
    place: { index: name },
    severity: 'warning',
  }
}

/** With two digits: `21 million`. */
function roundCount(count: number): string {
  const value = Number(count.toPrecision(2))
  return value >= 1e6 ? `${value / 1e6} million` : value.toLocaleString('en-US')
}
