import {
  type AttributeValue,
  getOwn,
  type Index,
  keyAttributes,
  PARTITION_KEY_MAX_BYTES,
  type Schema,
  SORT_KEY_MAX_BYTES,
  typeOf,
  valueSizeBytes,
} from 'singletable/tools'
import { groupItems } from '../../design/group-items.ts'
import { countItems, quote, quoteKey } from '../../design/quote-item.ts'
import { type SampledItem, sampledItems } from '../../design/sampled-items.ts'
import type { Rule } from '../rule.ts'

export const indexViolation: Rule = {
  code: 'D04',
  name: 'index-violation',
  severity: 'error',
  source: 'data',
  title: 'Items are missing from an index that they should be in.',
  explanation: `An index has the items whose key attributes for it are all there, of the declared type, not empty and short enough: 2048 bytes for a partition key, 1024 for a
sort key. Other items are silently left out, and every query of the index misses them.

  wrong   { pk: …, sk: …, gsi1pk: { N: '7' } }    // or no gsi1pk at all, though the attributes of its template are there
  right   { pk: …, sk: …, gsi1pk: { S: 'STATUS#open' } }

DynamoDB refuses to write a value that an index can't take. But items from before the index keep what they have, and an item that was written
before its model had templates for the index has no key attributes at all. An item that is left out on purpose, by "when" or because an attribute of the key is
missing, is not reported.

Correct the items, or put them again through their entity, which writes the keys of all their indexes.`,
  *check(design) {
    const { schema } = design
    if (schema === undefined) return
    const indexes = [...schema.indexes.values()].filter(({ type }) => type !== 'primary')
    const absences = sampledItems(design).flatMap((sampled) =>
      indexes.flatMap((index) =>
        problemsIn(schema, index, sampled).map(({ name, kind, text }) => ({
          item: sampled.item,
          about: [kind === 'missing' ? sampled.model?.name : undefined, index.name, name, kind],
          text,
        })),
      ),
    )
    for (const [{ item, about, text }, items] of groupItems(absences)) {
      const [model, index, attribute] = about
      const noun = model === undefined ? 'item' : `${model} item`
      yield {
        message: `${countItems(design, items, noun, ['is', 'are'])} absent from ${index} (${attribute} ${text}), e.g. ${quoteKey(schema, item)}.`,
        fix:
          model === undefined
            ? `correct ${attribute} of these items`
            : `read these items through ${model} and put them again, which writes ${attribute}`,
        place: {
          index: String(index),
          attribute: String(attribute),
          ...(model !== undefined && { model: String(model) }),
        },
      }
    }
  },
}

interface Absence {
  readonly name: string
  readonly kind: 'missing' | 'type' | 'empty' | 'long'
  readonly text: string
}

/** Why an item that should be in an index is not; nothing if it is in it, or left out on
 * purpose. */
function problemsIn(schema: Schema, index: Index, { item, keys }: SampledItem): readonly Absence[] {
  const absences: Absence[] = []
  for (const name of keyAttributes(index)) {
    const value = getOwn(item, name)
    if (value === undefined) {
      const computed = keys.find((key) => key.name === name)?.text
      if (computed === undefined) return []
      absences.push({ name, kind: 'missing', text: `is missing; it would be ${quote(computed)}` })
    } else absences.push(...unfit(schema, index, name, value))
  }
  return absences
}

const TYPE_WORDS = { S: 'String', N: 'Number', B: 'Uint8Array' } as const

function unfit(
  { keyTypes }: Schema,
  index: Index,
  name: string,
  value: AttributeValue,
): readonly Absence[] {
  const wanted = keyTypes.get(name) ?? 'S'
  const type = typeOf(value)
  if (type !== wanted) {
    return [
      {
        name,
        kind: 'type',
        text: `is stored as ${type}, and the index takes ${wanted}, a ${TYPE_WORDS[wanted]}`,
      },
    ]
  }
  if (type === 'N') return []
  const bytes = valueSizeBytes(value)
  if (bytes === 0) return [{ name, kind: 'empty', text: 'is empty' }]
  const max = index.sort.includes(name) ? SORT_KEY_MAX_BYTES : PARTITION_KEY_MAX_BYTES
  if (bytes <= max) return []
  return [{ name, kind: 'long', text: `has ${bytes} bytes, and a key at most ${max}` }]
}
