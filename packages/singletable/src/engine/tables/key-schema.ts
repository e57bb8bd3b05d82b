import { KEY_ATTRIBUTE_NAME_MAX_BYTES } from '../../values/limits.ts'
import { utf8Length } from '../../values/utf8.ts'
import type { AttributeDefinition, KeySchemaElement } from '../../wire/table-operations.ts'
import { GLOBAL_KEY_ROLE_MAX } from '../limits/table-limits.ts'
import {
  constraintError,
  mustHaveLengthAtMost,
  validationError,
} from '../messages/request-messages.ts'
import {
  definitionRepeated,
  FIRST_KEY_NOT_HASH,
  HASH_AFTER_RANGE,
  KEY_WITHOUT_DEFINITION,
  KEYS_REPEATED_NAME,
  KEYS_SAME_NAME,
  keysNotDefined,
  SECOND_KEY_NOT_RANGE,
  tooManyKeyAttributes,
} from '../messages/table-messages.ts'

/** Refuses attribute definitions that are invalid, whichever keys use them. */
export function validateDefinitions(definitions: readonly AttributeDefinition[]): void {
  const names = new Set<string>()
  definitions.forEach(({ AttributeName: name }, position) => {
    // Constraints count characters, DynamoDB counts bytes.
    if (utf8Length(name) > KEY_ATTRIBUTE_NAME_MAX_BYTES) {
      throw constraintError({
        value: name,
        path: `attributeDefinitions.${position + 1}.member.attributeName`,
        rule: mustHaveLengthAtMost(KEY_ATTRIBUTE_NAME_MAX_BYTES),
      })
    }
    if (names.has(name)) throw validationError(definitionRepeated(name))
    names.add(name)
  })
}

/** Refuses a table's key schema unless it is a HASH, or a HASH and a RANGE, of defined
 * attributes. */
export function validateTableKeySchema(
  keySchema: readonly KeySchemaElement[],
  definitions: readonly AttributeDefinition[],
): void {
  if (keySchema.length > definitions.length) throw validationError(KEY_WITHOUT_DEFINITION)
  validateSimpleKeySchema(keySchema, definitions)
}

/** The same for a local index, whose attributes may have been defined for the table. */
export function validateSimpleKeySchema(
  keySchema: readonly KeySchemaElement[],
  definitions: readonly AttributeDefinition[],
): void {
  requireDefined(keySchema, definitions)
  const [first, second] = keySchema
  if (first?.AttributeName === second?.AttributeName) throw validationError(KEYS_SAME_NAME)
  if (first?.KeyType !== 'HASH') throw validationError(FIRST_KEY_NOT_HASH)
  if (second !== undefined && second.KeyType !== 'RANGE') {
    throw validationError(SECOND_KEY_NOT_RANGE)
  }
}

/** Refuses a global index's key schema unless it is up to four HASH, then up to four RANGE
 * attributes, all different. */
export function validateGlobalKeySchema(
  keySchema: readonly KeySchemaElement[],
  definitions: readonly AttributeDefinition[],
): void {
  requireDefined(keySchema, definitions)
  if (new Set(names(keySchema)).size < keySchema.length) {
    throw validationError(keySchema.length === 2 ? KEYS_SAME_NAME : KEYS_REPEATED_NAME)
  }
  if (keySchema[0]?.KeyType !== 'HASH') throw validationError(FIRST_KEY_NOT_HASH)
  const partition = keySchema.filter((element) => element.KeyType === 'HASH').length
  if (keySchema.slice(partition).some((element) => element.KeyType === 'HASH')) {
    throw validationError(HASH_AFTER_RANGE)
  }
  if (partition > GLOBAL_KEY_ROLE_MAX) throw validationError(tooManyKeyAttributes('HASH'))
  if (keySchema.length - partition > GLOBAL_KEY_ROLE_MAX) {
    throw validationError(tooManyKeyAttributes('RANGE'))
  }
}

function requireDefined(
  keySchema: readonly KeySchemaElement[],
  definitions: readonly AttributeDefinition[],
): void {
  const defined = names(definitions)
  const keys = names(keySchema)
  if (keys.some((key) => !defined.includes(key))) {
    throw validationError(keysNotDefined(keys, defined))
  }
}

function names(elements: readonly { readonly AttributeName: string }[]): string[] {
  return elements.map((element) => element.AttributeName)
}
