import {
  type AttributeDefinition,
  getOwn,
  PARTITION_KEY_MAX_BYTES,
  type Placeholder,
  SORT_KEY_MAX_BYTES,
  valueSizeBytes,
} from 'singletable/tools'
import { textValue } from '../../algebra/text-values.ts'
import { type Design, modelNamed } from '../../design/design.ts'
import { type DesignModel, type ModelKey, shardName } from '../../design/design-model.ts'
import { separatorOf } from '../../design/key-strings.ts'
import { sampledItems } from '../../design/sampled-items.ts'
import type { Notice, Rule } from '../rule.ts'

/** From here on a sampled key leaves little room. */
const NEAR_PART = 0.8
const TIME_BYTES = 24
const DESCENDING_TIME_BYTES = 15
const BUCKET_BYTES = new Map([
  ['year', 4],
  ['month', 7],
  ['day', 10],
  ['hour', 13],
  ['minute', 16],
])

export const keyTooLong: Rule = {
  code: 'K13',
  name: 'key-too-long',
  severity: 'error',
  source: 'schema',
  title: 'A key can be longer than DynamoDB allows.',
  explanation: `A partition key has 2048 bytes at most and a sort key 1024. The rule adds up the literals, the widths of numbers and dates, the longest value of an enum, and maxBytes of strings. A key that is
too long in spite of these bounds is refused only when it is written.

  wrong   sk: 'FILE#\${name}', attributes: { name: { type: String, required: true, maxBytes: 2000 } }
  right   sk: 'FILE#\${fileId}'                                 // and the name next to it
  right   name: { type: String, required: true, maxBytes: 1000 }

A text without maxBytes can be of any length; that is not reported. Letters that encode: true escapes take twice their bytes, or three times where the separator is not one of the signs up to #.
Where a validate may keep the text shorter than its maxBytes, it is a warning. With a sample of the table (--sample) keys are reported, as a warning, that have ${NEAR_PART * 100} % of the limit or more already.`,
  *check(design) {
    const reported = new Set<string>()
    for (const key of design.keys) {
      const id = JSON.stringify([key.model, key.keyAttribute])
      const notice = reported.has(id) ? undefined : (declared(design, key) ?? sampled(design, key))
      if (notice === undefined) continue
      reported.add(id)
      yield notice
    }
  },
}

function limitOf({ role }: ModelKey): number {
  return role === 'hash' ? PARTITION_KEY_MAX_BYTES : SORT_KEY_MAX_BYTES
}

function nameOf({ model, keyAttribute, template }: ModelKey): string {
  return `${model}.${keyAttribute}${template === undefined ? '' : ` ("${template.source}")`}`
}

/** By what the schema says of everything in the key. */
function declared(design: Design, key: ModelKey): Notice | undefined {
  const model = modelNamed(design, key.model)
  const longest = model && longestBytes(key, model, escapeBytes(separatorOf(design)))
  if (longest === undefined || longest.bytes <= limitOf(key)) return undefined
  return {
    message: `${nameOf(key)} can reach ${longest.bytes} bytes (limit ${limitOf(key)})${longest.isCertain ? '' : ', unless its validate keeps it shorter'}.`,
    fix: 'shorten it, put a hash of the value in the key, or lower maxBytes',
    place: { model: key.model, attribute: key.keyAttribute, index: key.index },
    severity: longest.isCertain ? 'error' : 'warning',
  }
}

/** By the longest key that stored items of the model have. */
function sampled(design: Design, key: ModelKey): Notice | undefined {
  const sizes = sampledItems(design).flatMap(({ item, model }) => {
    const value = model?.name === key.model ? getOwn(item, key.keyAttribute) : undefined
    return value === undefined ? [] : [valueSizeBytes(value)]
  })
  const longest = sizes.reduce((most, size) => Math.max(most, size), 0)
  if (longest < limitOf(key) * NEAR_PART) return undefined
  return {
    message: `${nameOf(key)} has up to ${longest} bytes in ${sizes.length} sampled ${sizes.length === 1 ? 'item' : 'items'} (limit ${limitOf(key)}).`,
    fix: 'bound its parts with maxBytes, or put a hash of the value in the key',
    place: { model: key.model, attribute: key.keyAttribute, index: key.index },
    severity: 'warning',
  }
}

interface Longest {
  readonly bytes: number
  /** Nothing else keeps the values shorter. */
  readonly isCertain: boolean
}

/** Of what has an end; undefined if something has none, and the rest is within the limits. */
function longestBytes(
  { template, attribute = '' }: ModelKey,
  model: DesignModel,
  escaped: number,
): Longest | undefined {
  // An attribute that is a key as it is takes what it has, and nothing of it is escaped.
  if (template === undefined) {
    const { maxBytes, validate } = model.attributes.get(attribute) ?? {}
    return maxBytes === undefined ? undefined : { bytes: maxBytes, isCertain: !validate }
  }
  let bytes = 0
  let isCertain = true
  for (const part of template.parts) {
    const more = typeof part === 'string' ? bytesOf(part) : placeholderBytes(part, model, escaped)
    if (more === undefined) return undefined
    bytes += more
    if (typeof part !== 'string' && model.attributes.get(part.name)?.validate) isCertain = false
  }
  return { bytes, isCertain }
}

function placeholderBytes(
  { name, modifiers }: Placeholder,
  model: DesignModel,
  escaped: number,
): number | undefined {
  if (name === shardName(model)) {
    return String(Math.max(1, Number(model.definition.shard?.count)) - 1).length
  }
  const bucket = modifiers.map((each) => BUCKET_BYTES.get(each)).find((each) => each !== undefined)
  const attribute = model.attributes.get(name)
  if (bucket !== undefined || attribute === undefined) return bucket
  const padded = modifiers.map((each) => /^pad\((\d+)\)$/.exec(each)?.[1]).find(Boolean)
  if (padded !== undefined) return Number(padded)
  switch (attribute.type) {
    case Boolean:
      return 'false'.length
    case Date:
      return modifiers.includes('desc') ? DESCENDING_TIME_BYTES : TIME_BYTES
    case String:
      return textBytes(attribute, escaped)
    default:
      return attribute.pad
  }
}

function textBytes(
  { enum: values, maxBytes, encode, generate }: AttributeDefinition,
  escaped: number,
): number | undefined {
  if (values) return Math.max(0, ...values.map((value) => bytesOf(String(value))))
  if (maxBytes === undefined) return generate === 'ulid' ? 26 : undefined
  return encode ? maxBytes * escaped : maxBytes
}

/** What a letter of one byte takes when it is escaped. */
function escapeBytes(separator: string): number {
  return bytesOf(textValue('$', { separator, encode: true, lower: false, loose: false }))
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
