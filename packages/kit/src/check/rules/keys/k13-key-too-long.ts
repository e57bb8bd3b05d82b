import type { AttributeDefinition } from 'singletable/tools'
import type { Rule } from '../../rule.ts'
import { shardName, type WrittenModel, writtenModel } from '../../written-model.ts'
import type { Placeholder, WrittenTemplate } from '../../written-template.ts'

/** DynamoDB's limits. */
const PARTITION_KEY_MAX_BYTES = 2048
const SORT_KEY_MAX_BYTES = 1024
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
  explanation: `A partition key has 2048 bytes at most and a sort key 1024. Added up are the literals, the widths of numbers and dates, the longest value of an enum, and maxBytes of texts. What is
within these bounds and too long nevertheless is refused only when somebody writes it.

  wrong   sk: 'FILE#\${name}', attributes: { name: { type: String, required: true, maxBytes: 2000 } }
  right   sk: 'FILE#\${fileId}'                                 // and the name beside it
  right   name: { type: String, required: true, maxBytes: 1000 }

A text without maxBytes can be of any length; that is not reported. Letters that encode: true escapes take up to three times their bytes.`,
  *check(design) {
    const told = new Set<string>()
    for (const { model, keyAttribute, template, role, index } of design.keys) {
      const written = writtenModel(design.definition, model)
      const id = JSON.stringify([model, keyAttribute])
      if (template === undefined || written === undefined || told.has(id)) continue
      const longest = longestBytes(template, written)
      const isHash = role === 'hash'
      const max = isHash ? PARTITION_KEY_MAX_BYTES : SORT_KEY_MAX_BYTES
      if (longest === undefined || longest <= max) continue
      told.add(id)
      yield {
        message: `${model}.${keyAttribute} ("${template.source}") can reach ${longest} bytes (limit ${max}).`,
        fix: 'shorten it, put a hash of the value in the key, or lower maxBytes',
        place: { model, attribute: keyAttribute, index },
      }
    }
  },
}

/** Of what has an end; undefined if something has none, and the rest is within the limits. */
function longestBytes({ parts }: WrittenTemplate, model: WrittenModel): number | undefined {
  let sum = 0
  for (const part of parts) {
    const bytes = typeof part === 'string' ? bytesOf(part) : placeholderBytes(part, model)
    if (bytes === undefined) return undefined
    sum += bytes
  }
  return sum
}

function placeholderBytes(
  { name, modifiers }: Placeholder,
  model: WrittenModel,
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
      return textBytes(attribute)
    default:
      return attribute.pad
  }
}

function textBytes({
  enum: values,
  maxBytes,
  encode,
  generate,
}: AttributeDefinition): number | undefined {
  if (values) return Math.max(0, ...values.map((value) => bytesOf(String(value))))
  if (maxBytes === undefined) return generate === 'ulid' ? 26 : undefined
  // An escaped letter is a sign and a letter of up to two bytes.
  return encode ? maxBytes * 3 : maxBytes
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
