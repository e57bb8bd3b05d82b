import { KEY_ATTRIBUTE_NAME_MAX_BYTES } from '../../values/limits.ts'
import {
  GLOBAL_KEY_ELEMENTS_MAX,
  INDEX_NAME_MAX_LENGTH,
  INDEX_NAME_MIN_LENGTH,
  KEY_ELEMENTS_MAX,
  PROJECTED_PER_INDEX_MAX,
  TAGS_MAX,
} from '../limits/table-limits.ts'
import { NAME_PATTERN } from './name-pattern.ts'
import {
  boolean,
  type ListShape,
  list,
  long,
  oneOf,
  type StringShape,
  type StructureShape,
  structure,
  text,
} from './shape.ts'

/** Parts that requests about tables have in common. Lists of values are in AWS's order. */

const keyName: StringShape = text({ lengthMin: 1, lengthMax: KEY_ATTRIBUTE_NAME_MAX_BYTES })

export const indexName: StringShape = text({
  lengthMin: INDEX_NAME_MIN_LENGTH,
  lengthMax: INDEX_NAME_MAX_LENGTH,
  pattern: NAME_PATTERN,
})

/** More than all keys of a table and its indexes; with this many, some have no use. */
const DEFINITIONS_READ_MAX = 1000

export const attributeDefinitions: ListShape = list(
  structure({
    AttributeName: { required: keyName },
    AttributeType: { required: oneOf('B', 'N', 'S') },
  }),
  { readMax: DEFINITIONS_READ_MAX },
)

function keySchemaOf(elementsMax: number): ListShape {
  return list(
    structure({
      AttributeName: { required: keyName },
      KeyType: { required: oneOf('HASH', 'RANGE') },
    }),
    { lengthMin: 1, lengthMax: elementsMax },
  )
}
export const keySchema: ListShape = keySchemaOf(KEY_ELEMENTS_MAX)
const globalKeySchema: ListShape = keySchemaOf(GLOBAL_KEY_ELEMENTS_MAX)

export const projection: StructureShape = structure({
  ProjectionType: oneOf('ALL', 'INCLUDE', 'KEYS_ONLY'),
  NonKeyAttributes: list(keyName, { lengthMin: 1, lengthMax: PROJECTED_PER_INDEX_MAX }),
})

export const provisionedThroughput: StructureShape = structure({
  WriteCapacityUnits: { required: long({ min: 1 }) },
  ReadCapacityUnits: { required: long({ min: 1 }) },
})
export const onDemandThroughput: StructureShape = structure({
  MaxReadRequestUnits: long(),
  MaxWriteRequestUnits: long(),
})
export const warmThroughput: StructureShape = structure({
  ReadUnitsPerSecond: long({ min: 1 }),
  WriteUnitsPerSecond: long({ min: 1 }),
})

export const streamSpecification: StructureShape = structure({
  StreamEnabled: { required: boolean },
  StreamViewType: oneOf('NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES', 'KEYS_ONLY'),
})
export const encryptionSpecification: StructureShape = structure({
  Enabled: boolean,
  SSEType: oneOf('AES256', 'KMS'),
  KMSMasterKeyId: text(),
})
export const billingMode: StringShape = oneOf('PROVISIONED', 'PAY_PER_REQUEST')
export const tableClass: StringShape = oneOf('STANDARD', 'STANDARD_INFREQUENT_ACCESS')

export const localIndexes: ListShape = list(
  structure({
    IndexName: { required: indexName },
    KeySchema: { required: keySchema },
    Projection: { required: projection },
  }),
)
export const globalIndex: StructureShape = structure({
  IndexName: { required: indexName },
  KeySchema: { required: globalKeySchema },
  Projection: { required: projection },
  ProvisionedThroughput: provisionedThroughput,
  OnDemandThroughput: onDemandThroughput,
  WarmThroughput: warmThroughput,
})
export const globalIndexes: ListShape = list(globalIndex)

/** Lengths of tags are not constraints on AWS: `validateTags` has its own messages for them. */
export const tags: ListShape = list(structure({ Key: { required: text() }, Value: text() }), {
  readMax: TAGS_MAX + 1,
})
