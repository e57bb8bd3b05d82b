import { bindCondition } from '../../expression/bind-condition.ts'
import { bindProjection } from '../../expression/bind-projection.ts'
import { bindUpdate } from '../../expression/bind-update.ts'
import { boundSizeBytes } from '../../expression/bound-size.ts'
import { ExpressionError } from '../../expression/expression-error.ts'
import { isPlaceholder } from '../../expression/lexer.ts'
import { BOUND_EXPRESSION_MAX_BYTES, PLACEHOLDERS_MAX_BYTES } from '../../expression/limits.ts'
import { type PlaceholderMembers, Placeholders } from '../../expression/placeholders.ts'
import type { Condition, Projection, Update } from '../../expression/tree.ts'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { setOwn } from '../../values/own.ts'
import { itemSizeBytes } from '../../values/size.ts'
import { utf8Length } from '../../values/utf8.ts'
import { ServiceError } from '../../wire/service-error.ts'
import { isAttributeNameTooLong } from '../attributes/attribute-name.ts'
import { normaliseValue } from '../attributes/normalise-value.ts'
import { PLACEHOLDERS_MAX_COUNT } from '../limits/count-limits.ts'
import {
  type ExpressionParameter,
  emptyPlaceholders,
  invalidExpression,
  invalidPlaceholderKey,
  invalidPlaceholderValue,
  namesWithoutExpressions,
  PLACEHOLDER_NAME_EMPTY,
  PLACEHOLDER_NAME_TOO_LONG,
  placeholdersTooLarge,
  unusedPlaceholders,
  valuesWithoutExpressions,
} from '../messages/expression-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import type { ExpressionCaches } from './expression-caches.ts'

export type ExpressionRequest = { readonly [Parameter in ExpressionParameter]?: string } & {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: Item
}

/** The expressions of one request with real names and values in place of placeholders. */
export interface BoundExpressions {
  condition?: Condition
  filter?: Condition
  keyCondition?: Condition
  update?: Update
  projection?: Projection
}

const NOTHING: BoundExpressions = Object.freeze({})

/**
 * Parses and binds the expressions that an operation has, in the given order, and makes every check
 * that needs no item: placeholders, syntax, static types, placeholders left over.
 */
export function bindExpressions(
  context: { readonly expressions: ExpressionCaches },
  request: ExpressionRequest,
  parameters: readonly ExpressionParameter[],
): BoundExpressions {
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = request
  if (names === undefined && values === undefined && !hasAny(request, parameters)) return NOTHING
  refuseWithoutExpressions(request, parameters)
  if (names !== undefined) validateNames(names)
  const members: PlaceholderMembers = {
    names,
    values: values === undefined ? undefined : normaliseValues(values),
  }
  const membersBytes = placeholdersSize(members)
  const placeholders = new Placeholders(members)
  const bound: BoundExpressions = {}
  for (const parameter of parameters) {
    const text = request[parameter]
    if (text === undefined) continue
    try {
      bindOne(context.expressions, bound, { parameter, text, placeholders })
      // No placeholder is used more often than the text has characters, so hardly any request needs
      // the exact size.
      if (text.length * membersBytes > BOUND_EXPRESSION_MAX_BYTES) validateBoundSize(text, members)
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      throw validationError(invalidExpression(parameter, error.problem))
    }
  }
  const unused = placeholders.unused()
  if (unused.names.length > 0) {
    throw validationError(unusedPlaceholders('ExpressionAttributeNames', unused.names))
  }
  if (unused.values.length > 0) {
    throw validationError(unusedPlaceholders('ExpressionAttributeValues', unused.values))
  }
  return bound
}

function hasAny(request: ExpressionRequest, parameters: readonly ExpressionParameter[]): boolean {
  for (const parameter of parameters) if (request[parameter] !== undefined) return true
  return false
}

function bindOne(
  expressions: ExpressionCaches,
  bound: BoundExpressions,
  expression: {
    readonly parameter: ExpressionParameter
    readonly text: string
    readonly placeholders: Placeholders
  },
): void {
  const { parameter, text, placeholders } = expression
  if (parameter === 'UpdateExpression') {
    bound.update = bindUpdate(expressions.update(text), placeholders)
  } else if (parameter === 'ProjectionExpression') {
    bound.projection = bindProjection(expressions.projection(text), placeholders)
  } else {
    bound[CONDITIONS[parameter]] = bindCondition(expressions.condition(text), placeholders)
  }
}

const CONDITIONS = {
  ConditionExpression: 'condition',
  FilterExpression: 'filter',
  KeyConditionExpression: 'keyCondition',
} as const

function refuseWithoutExpressions(
  request: ExpressionRequest,
  parameters: readonly ExpressionParameter[],
): void {
  if (request.ExpressionAttributeValues !== undefined) {
    const usesValues = parameters.filter((parameter) => parameter !== 'ProjectionExpression')
    if (usesValues.every((parameter) => request[parameter] === undefined)) {
      throw validationError(valuesWithoutExpressions(usesValues))
    }
  }
  if (request.ExpressionAttributeNames !== undefined) {
    if (parameters.every((parameter) => request[parameter] === undefined)) {
      throw validationError(namesWithoutExpressions())
    }
  }
}

function validateNames(names: Readonly<Record<string, string>>): void {
  const entries = Object.entries(names)
  refuseTooMany(entries, 'ExpressionAttributeNames')
  if (entries.length === 0) throw validationError(emptyPlaceholders('ExpressionAttributeNames'))
  for (const [key, name] of entries) {
    if (!isPlaceholder(key, '#')) {
      throw validationError(invalidPlaceholderKey('ExpressionAttributeNames', key))
    }
    const reason =
      name === ''
        ? PLACEHOLDER_NAME_EMPTY
        : isAttributeNameTooLong(name)
          ? PLACEHOLDER_NAME_TOO_LONG
          : undefined
    if (reason !== undefined) {
      throw validationError(invalidPlaceholderValue('ExpressionAttributeNames', { key, reason }))
    }
  }
}

function refuseTooMany(
  entries: readonly unknown[],
  parameter: 'ExpressionAttributeNames' | 'ExpressionAttributeValues',
): void {
  if (entries.length > PLACEHOLDERS_MAX_COUNT) {
    throw validationError(placeholdersTooLarge(parameter))
  }
}

function validateBoundSize(text: string, members: PlaceholderMembers): void {
  if (boundSizeBytes(text, members) > BOUND_EXPRESSION_MAX_BYTES) {
    throw new ExpressionError({ kind: 'too-large' })
  }
}

/** The bytes of all placeholders and what they stand for, used or not; refuses too many. */
function placeholdersSize({ names, values }: PlaceholderMembers): number {
  let namesBytes = 0
  for (const key in names) namesBytes += utf8Length(key) + utf8Length(names[key] ?? '')
  if (namesBytes > PLACEHOLDERS_MAX_BYTES) {
    throw validationError(placeholdersTooLarge('ExpressionAttributeNames'))
  }
  const valuesBytes = values === undefined ? 0 : itemSizeBytes(values)
  if (valuesBytes > PLACEHOLDERS_MAX_BYTES) {
    throw validationError(placeholdersTooLarge('ExpressionAttributeValues'))
  }
  if (namesBytes + valuesBytes > PLACEHOLDERS_MAX_BYTES) {
    throw validationError(placeholdersTooLarge('both'))
  }
  return namesBytes + valuesBytes
}

function normaliseValues(values: Item): Item {
  const result: Record<string, AttributeValue> = {}
  const entries = Object.entries(values)
  refuseTooMany(entries, 'ExpressionAttributeValues')
  if (entries.length === 0) throw validationError(emptyPlaceholders('ExpressionAttributeValues'))
  for (const [key, value] of entries) {
    if (!isPlaceholder(key, ':')) {
      throw validationError(invalidPlaceholderKey('ExpressionAttributeValues', key))
    }
    try {
      setOwn(result, key, normaliseValue(value))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const reason = error.message
      throw validationError(invalidPlaceholderValue('ExpressionAttributeValues', { key, reason }))
    }
  }
  return result
}
