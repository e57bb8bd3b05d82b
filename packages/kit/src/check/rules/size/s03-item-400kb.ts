import {
  type AttributeDefinition,
  type ElementDefinition,
  getOwn,
  ITEM_SIZE_MAX_BYTES,
  itemSizeBytes,
  NESTING_DEPTH_MAX,
} from 'singletable/tools'
import { sampledItems } from '../../../cost/cost-design.ts'
import type { Design } from '../../design/design.ts'
import { namesInKey } from '../../design/design-model.ts'
import { printBytes } from '../print-bytes.ts'
import type { Notice, Rule, Severity } from '../rule.ts'

/** Of a hundred sampled items one may be as large as this. */
const LARGE_BYTES = 300 * 1024

export const item400Kilobytes: Rule = {
  code: 'S03',
  name: 'item-400kb',
  severity: 'warning',
  source: 'schema',
  title: 'An item can become larger than 400 KB, which DynamoDB refuses.',
  explanation: `An item with all its names and values may take 400 KB. A list that grows, such as the comments inside a post, reaches that one day, and then every write of the item is refused. Long before,
each read and each write pays for the whole item: a list of 100 KB costs 100 write units for one more element.

  wrong   Post: { attributes: { comments: { type: Array, items: { type: Object, schema: {…} } } } }
  right   Comment: { key: { pk: 'POST#\${postId}', sk: 'COMMENT#\${commentId}' } }          // items of their own in the same partition
  right   attributes: { comments: { …, maxBytes: 20_000 } }                                // refused before it is stored
  right   attributes: { body: { type: String, codec: offload(…) } }                        // large values in a bucket, with singletable/offload

It is a warning for lists and sets of objects and for maps without a schema; information for lists of strings and numbers, which are mostly tags; an error where stats.itemBytes itself is over the limit.
Attributes with maxBytes, validate, enum or a codec are taken to be bounded. With a sample, a model of whose items one in a hundred is over 300 KB is reported.`,
  *check(design) {
    for (const { name, copy, definition } of design.models) {
      if (copy !== undefined) continue
      const bytes = definition.stats?.itemBytes ?? 0
      if (bytes > ITEM_SIZE_MAX_BYTES) {
        yield {
          message: `${name} items are declared to take ${printBytes(bytes)}, past the 400 KB that an item may have.`,
          fix: 'divide it into several items, or keep the large part in a bucket and a reference here',
          place: { model: name },
          severity: 'error',
        }
      }
      yield* attributeNotices(design, name, definition.attributes ?? {})
    }
    yield* sampleNotices(design)
  },
}

function* attributeNotices(
  design: Design,
  model: string,
  attributes: { readonly [name: string]: AttributeDefinition },
): Iterable<Notice> {
  const inKeys = new Set(
    design.models
      .filter(({ source }) => source === model)
      .flatMap(({ uses }) => uses.flatMap(({ hash, sort }) => [...hash, ...sort]))
      .flatMap(namesInKey),
  )
  for (const [name, attribute] of Object.entries(attributes)) {
    // A key has its own, much lower limit.
    const severity = inKeys.has(name) ? undefined : growthOf(attribute, 0)
    const declared = attribute.maxBytes ?? 0
    if (severity === undefined && declared <= ITEM_SIZE_MAX_BYTES) continue
    yield {
      message:
        declared > ITEM_SIZE_MAX_BYTES
          ? `${model}.${name} can push the item past 400 KB: its maxBytes is ${declared}.`
          : `${model}.${name} can push the item past 400 KB: nothing bounds it.`,
      fix:
        declared > ITEM_SIZE_MAX_BYTES
          ? 'lower maxBytes, keep it in a bucket with singletable/offload, or divide it into several items'
          : `make its elements items of their own in the partition of ${model}, keep it in a bucket with singletable/offload, or bound it with maxBytes`,
      place: { model, attribute: name },
      severity: severity ?? 'warning',
    }
  }
}

/** Whether a value can have any number of elements: undefined if not. */
function growthOf(
  attribute: AttributeDefinition | ElementDefinition,
  level: number,
): Severity | undefined {
  const { type, items, schema, maxBytes, validate } = attribute
  if (maxBytes !== undefined || validate !== undefined || level > NESTING_DEPTH_MAX)
    return undefined
  if ('codec' in attribute && attribute.codec !== undefined) return undefined
  if (type === Object && schema === undefined) return 'warning'
  if (type === 'record' && attribute.keys === undefined) return unlimited(attribute.values)
  const parts = [
    ...Object.values(schema ?? {}),
    ...(attribute.elements ?? []),
    ...Object.values(attribute.variants ?? {}).flatMap((members) => Object.values(members)),
  ].map((part) => growthOf(part, level + 1))
  if (parts.includes('warning')) return 'warning'
  if (type !== Array && type !== Set) return parts.find((each) => each !== undefined)
  return items?.enum === undefined ? unlimited(items) : undefined
}

/** Of a value with any number of these elements. */
function unlimited(element: ElementDefinition | undefined): Severity {
  const isLarge = [Object, Array, 'record', 'tuple', 'union', 'any', undefined].some(
    (type) => type === element?.type,
  )
  return isLarge ? 'warning' : 'info'
}

function* sampleNotices(design: Design): Iterable<Notice> {
  for (const model of design.schema?.models.values() ?? []) {
    const sizes = sampledItems(design, model)
      .map((item) => [itemSizeBytes(item), item] as const)
      .sort(([a], [b]) => a - b)
    const [size = 0, item] = sizes[Math.ceil(sizes.length * 0.99) - 1] ?? []
    if (item === undefined || size <= LARGE_BYTES) continue
    const [attribute] = [...model.attributes.values()]
      .map(({ name, stored }) => {
        const value = getOwn(item, stored)
        return [name, value ? itemSizeBytes({ [stored]: value }) : 0] as const
      })
      .sort(([, a], [, b]) => b - a)
    yield {
      message: `${model.name} items reach ${printBytes(size)} of 400 KB (99th percentile of ${sizes.length} sampled)${attribute ? `; most of it is ${attribute[0]}` : ''}.`,
      fix: 'make the large part items of its own, or keep it in a bucket with singletable/offload',
      place: { model: model.name, attribute: attribute?.[0] },
    }
  }
}
