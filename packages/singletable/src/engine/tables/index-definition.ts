import { PROJECTED_PER_TABLE_MAX } from '../../values/limits.ts'
import type {
  AttributeDefinition,
  GlobalSecondaryIndex,
  KeySchemaElement,
  LocalSecondaryIndex,
  Projection,
} from '../../wire/table-operations.ts'
import { validationError } from '../messages/request-messages.ts'
import {
  indexOtherHashKey,
  indexWithoutRangeKey,
  PROJECTION_INCLUDES_NOTHING,
  PROJECTION_TYPE_MISSING,
  projectionRepeats,
  projectionsTooLarge,
  projectionWithAttributes,
} from '../messages/table-messages.ts'
import { validateGlobalKeySchema, validateSimpleKeySchema } from './key-schema.ts'

export function validateLocalIndex(
  index: LocalSecondaryIndex,
  tableKeySchema: readonly KeySchemaElement[],
  definitions: readonly AttributeDefinition[],
): void {
  validateSimpleKeySchema(index.KeySchema, definitions)
  const [partition, sort] = index.KeySchema
  if (partition === undefined || sort === undefined) {
    throw validationError(indexWithoutRangeKey(index.IndexName))
  }
  const tableKey = tableKeySchema[0]?.AttributeName ?? ''
  if (partition.AttributeName !== tableKey) {
    throw validationError(indexOtherHashKey(index.IndexName, partition.AttributeName, tableKey))
  }
  validateProjection(index.Projection)
}

export function validateGlobalIndex(
  index: GlobalSecondaryIndex,
  definitions: readonly AttributeDefinition[],
): void {
  validateGlobalKeySchema(index.KeySchema, definitions)
  validateProjection(index.Projection)
}

function validateProjection({ ProjectionType: type, NonKeyAttributes: names }: Projection): void {
  if (type === undefined) throw validationError(PROJECTION_TYPE_MISSING)
  if (type !== 'INCLUDE') {
    if (names !== undefined) throw validationError(projectionWithAttributes(type))
    return
  }
  if (names === undefined) throw validationError(PROJECTION_INCLUDES_NOTHING)
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) throw validationError(projectionRepeats(name))
    seen.add(name)
  }
}

/** Refuses more projected attributes than a table's indexes may name together; a name counts in
 * each index. */
export function validateProjectedCount(
  projections: readonly (readonly string[] | undefined)[],
): void {
  const count = projections.reduce((sum, names) => sum + (names?.length ?? 0), 0)
  if (count > PROJECTED_PER_TABLE_MAX) {
    throw validationError(projectionsTooLarge(PROJECTED_PER_TABLE_MAX))
  }
}
