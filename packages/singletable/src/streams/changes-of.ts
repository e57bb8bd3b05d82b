import { schemaOf, type TableOrSchema } from '../builder/context-of.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import { anyCodec } from '../schema/codecs/any-codec.ts'
import { valueIn } from '../schema/computed.ts'
import { ownValue } from '../schema/index-keys.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { Model, Schema } from '../schema/model.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn, setOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import type { AnyChange, Change, ChangeDetails } from './change.ts'
import { keysOf, modelOf } from './model-of.ts'
import {
  type AnyStreamRecord,
  isExpiry,
  normaliseRecord,
  type StreamRecord,
} from './stream-record.ts'

/**
 * The changes that stream records report, in their order, with decoded items. Takes records of
 * `GetRecords`, through whichever client, and of AWS Lambda events. An item that became one of
 * another model is two changes: one removed, one inserted.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk' } },
 *   models: {
 *     User: {
 *       key: { pk: 'USER#${username}' },
 *       attributes: { username: { type: String, required: true }, name: { type: String } },
 *     },
 *   },
 * })
 * const [change] = changesOf(schema, [
 *   {
 *     eventID: 'c81e728d9d4c2f636f067f89cc14862c',
 *     eventName: 'INSERT',
 *     dynamodb: {
 *       ApproximateCreationDateTime: 1_767_322_800,
 *       Keys: { pk: { S: 'USER#alice' } },
 *       NewImage: { pk: { S: 'USER#alice' }, _type: { S: 'User' }, username: { S: 'alice' }, name: { S: 'Alice' } },
 *       SequenceNumber: '100000000000000000001',
 *       StreamViewType: 'NEW_AND_OLD_IMAGES',
 *     },
 *   },
 * ])
 * change?.entity // => 'User'
 * change?.type // => 'insert'
 * change?.after // => { username: 'alice', name: 'Alice' }
 */
export function changesOf<const TSchema extends SchemaDefinition>(
  tableOrSchema: TableOrSchema<TSchema>,
  records: readonly AnyStreamRecord[],
): Change<TSchema>[] {
  const schema = schemaOf(tableOrSchema)
  if (!Array.isArray(records)) {
    refuseInput('the input is not a list', PLACE, 'give event.Records')
  }
  const changes = records.flatMap((record) =>
    changesOfRecord(schema, normaliseRecord(record, PLACE)),
  )
  // The models' own decoders made these outputs.
  return changes as unknown as Change<TSchema>[]
}

const PLACE = 'changesOf()'
const TYPES = { INSERT: 'insert', MODIFY: 'modify', REMOVE: 'remove' } as const

/** The changes of one record: one, or two where the item's model changed. */
export function changesOfRecord(schema: Schema, record: StreamRecord): AnyChange[] {
  const { eventName, dynamodb } = record
  const { Keys, SequenceNumber: sequenceNumber } = dynamodb
  const images = imagesOf(schema, record)
  const { before, after } = images
  const details: ChangeDetails = {
    sequenceNumber,
    eventId: record.eventID,
    at: new Date(dynamodb.ApproximateCreationDateTime * 1000),
    expired: isExpiry(record),
  }
  const type = TYPES[eventName]
  const model = modelOf(schema, after ?? before ?? Keys)
  const modelBefore = before && after ? modelOf(schema, before) : model
  if (model === modelBefore) return [describe(model, { ...details, type }, Keys, images)]
  return [
    describe(modelBefore, { ...details, type: 'remove' }, Keys, { before }),
    describe(model, { ...details, type: 'insert' }, Keys, { after }),
  ]
}

interface Images {
  readonly before?: Item | undefined
  readonly after?: Item | undefined
}

/** The images that the schema says there are; refuses a record that lacks one of them. */
function imagesOf({ definition }: Schema, { eventName, dynamodb }: StreamRecord): Images {
  const view = definition.table?.stream ?? 'new-and-old'
  const has = (image: 'new' | 'old'): boolean => view === 'new-and-old' || view === image
  const before = has('old') ? dynamodb.OldImage : undefined
  const after = has('new') ? dynamodb.NewImage : undefined
  const missing =
    eventName !== 'INSERT' && has('old') && !before
      ? 'old'
      : eventName !== 'REMOVE' && has('new') && !after
        ? 'new'
        : undefined
  if (missing === undefined) return { before, after }
  throw new SingletableError('STREAM_VIEW_MISMATCH', {
    what: `A stream record has no ${missing} image, and the schema says that there is one.`,
    where: `stream of ${dynamodb.StreamViewType ?? 'unknown view'}, schema with ${definition.table?.stream ? `table.stream '${view}'` : 'no table.stream, which means both images'}`,
    fix: "give the table a stream of NEW_AND_OLD_IMAGES, or declare what it has: table: { stream: 'keys' | 'new' | 'old' }",
  })
}

function describe(
  model: ReturnType<typeof modelOf>,
  details: ChangeDetails & { readonly type: AnyChange['type'] },
  keys: Item,
  { before, after }: Images,
): AnyChange {
  if (typeof model === 'string') {
    const names = [...new Set([before, after].flatMap((image) => Object.keys(image ?? {})))]
    return {
      ...details,
      entity: undefined,
      kind: model,
      keys: plainItem(keys),
      before: before && plainItem(before),
      after: after && plainItem(after),
      changed: names.filter((name) => differs(name, before, after)),
    }
  }
  const output = (image: Item | undefined): Record<string, unknown> | undefined =>
    image && model.decode(image, false)
  const decoded = { before: output(before), after: output(after) }
  return {
    ...details,
    entity: model.name,
    keys: keyValues(model, keys, decoded.after ?? decoded.before ?? {}),
    ...decoded,
    changed: [...model.attributes.values()]
      .filter((attribute) => {
        const [was, is] = [before, after].map((image) => image && valueIn(model, attribute, image))
        return !attribute.definition.hidden && !sameValue(was, is)
      })
      .map(({ name }) => name),
  }
}

/** Some templates keep only a part of a value, so what the images have is more. */
function keyValues(model: Model, keys: Item, output: object): Record<string, unknown> {
  const values = { ...keysOf(model, keys) }
  for (const name of model.primary.names) {
    const value = ownValue(output, name)
    if (value !== undefined) setOwn(values, name, value)
  }
  return values
}

function differs(name: string, before: Item | undefined, after: Item | undefined): boolean {
  return !sameValue(getOwn(before ?? {}, name), getOwn(after ?? {}, name))
}

const ANY = anyCodec(1)

/** An item with plain values. */
export function plainItem(item: Item): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(item)) setOwn(values, name, ANY.decode(value))
  return values
}
