import type { ExpressionProblem } from '../../expression/expression-error.ts'
import { PLACEHOLDER_MAX_BYTES } from '../../expression/limits.ts'
import type { Path } from '../../expression/tree.ts'
import { type AttributeValue, type TypeTag, typeOf } from '../../values/attribute-value.ts'
import { base64Length } from '../../values/base64.ts'
import { utf8Length } from '../../values/utf8.ts'

export type ExpressionParameter =
  | 'ConditionExpression'
  | 'FilterExpression'
  | 'KeyConditionExpression'
  | 'UpdateExpression'
  | 'ProjectionExpression'

export type PlaceholderParameter = 'ExpressionAttributeNames' | 'ExpressionAttributeValues'

/** The whole text of the ValidationException. */
export function invalidExpression(
  parameter: ExpressionParameter,
  problem: ExpressionProblem,
): string {
  return `Invalid ${parameter}: ${expressionMessage(problem)}`
}

/** AWS's text without the words that name the parameter. */
export function expressionMessage(problem: ExpressionProblem): string {
  switch (problem.kind) {
    case 'empty':
      return 'The expression can not be empty;'
    case 'too-large':
      return `Expression size has exceeded the maximum allowed size;${problem.size === undefined ? '' : ` expression size: ${problem.size}`}`
    case 'syntax':
      return `Syntax error; token: "${problem.token}", near: "${problem.near}"`
    case 'redundant-parentheses':
      return 'The expression has redundant parentheses;'
    case 'unknown-function':
      return `Invalid function name; function: ${problem.name}`
    case 'misused-function':
      return `The function is not allowed to be used this way in an expression; function: ${problem.name}`
    case 'foreign-function':
      return `The function is not allowed in ${problem.expression === 'update' ? 'an update' : 'a condition'} expression; function: ${problem.name}`
    case 'reserved-word':
      return `Attribute name is a reserved keyword; reserved keyword: ${problem.word}`
    case 'list-index':
      return `List index is not within the allowable range; index: [${problem.index}]`
    case 'section-repeated':
      return `The "${problem.section}" section can only be used once in an update expression;`
    case 'path-too-deep':
      return `The document path has too many nesting levels; nesting levels: ${problem.depth}`
    case 'undefined-name':
      return `An expression attribute name used in the document path is not defined; attribute name: ${problem.name}`
    case 'undefined-value':
      return `An expression attribute value used in expression is not defined; attribute value: ${problem.name}`
    case 'operand-count':
      return `Incorrect number of operands for operator or function; operator or function: ${problem.operator}, number of operands: ${problem.count}`
    case 'list-operand-count':
      return `The IN operator is provided with too many operands; number of operands: ${problem.count}`
    case 'path-required':
      return `Operator or function requires a document path; operator or function: ${problem.operator}`
    case 'same-operands':
      return `The first operand must be distinct from the remaining operands for this operator or function; operator: ${problem.operator}, first operand: ${pathText(problem.path)}`
    case 'operand-type':
      return `Incorrect operand type for operator or function; operator or function: ${problem.operator}, operand type: ${problem.type === 'any' ? ANY_TYPE : problem.type}`
    case 'action-operand-type':
      return `Incorrect operand type for operator or function; operator: ${problem.action}, operand type: ${LONG_TYPE_NAMES[problem.type]}, typeSet: ALLOWED_FOR_${problem.action}_OPERAND`
    case 'attribute-type-name':
      return `Invalid attribute type name found; type: ${problem.name}, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}`
    case 'bounds-types':
      return `The BETWEEN operator requires same data type for lower and upper bounds; ${boundsText(problem)}`
    case 'bounds-order':
      return `The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ${boundsText(problem)}`
    case 'paths-overlap':
      return `Two document paths overlap with each other; ${pathsText(problem)}`
    case 'paths-conflict':
      return `Two document paths conflict with each other; ${pathsText(problem)}`
    case 'too-many-operators':
      return `The expression contains too many operators; operator count: ${problem.count}`
  }
}

/** `{}` given. */
export function emptyPlaceholders(parameter: PlaceholderParameter): string {
  return `${parameter} must not be empty`
}

/** A key that isn't `#` (or `:`) and letters, digits or `_`, or is too long. */
export function invalidPlaceholderKey(parameter: PlaceholderParameter, key: string): string {
  const prefix = `${parameter} contains invalid key: `
  if (key === '') return `${prefix}The expression attribute map contains an empty key;`
  const size = utf8Length(key)
  if (size <= PLACEHOLDER_MAX_BYTES) return `${prefix}Syntax error; key: "${key}"`
  const detail = parameter === 'ExpressionAttributeNames' ? ` size of key: ${size}` : ''
  return `${prefix}The expression attribute map contains a key that is too long;${detail}`
}

export const PLACEHOLDER_NAME_EMPTY = 'Empty attribute name'
export const PLACEHOLDER_NAME_TOO_LONG =
  'Attribute name is too large, must be less than 65536 bytes'

/** `both` where neither is too large by itself. */
export function placeholdersTooLarge(parameter: PlaceholderParameter | 'both'): string {
  return parameter === 'both'
    ? 'Combined size of ExpressionAttributeNames and ExpressionAttributeValues exceeds max size'
    : `${parameter} exceeds max size`
}

/** `reason` is the text that the value itself would give. */
export function invalidPlaceholderValue(
  parameter: PlaceholderParameter,
  { key, reason }: { readonly key: string; readonly reason: string },
): string {
  return `${parameter} contains invalid value: ${reason} for key ${key}`
}

export function unusedPlaceholders(
  parameter: PlaceholderParameter,
  keys: readonly string[],
): string {
  return `Value provided in ${parameter} unused in expressions: keys: {${keys.join(', ')}}`
}

export function namesWithoutExpressions(): string {
  return 'ExpressionAttributeNames can only be specified when using expressions'
}

/** `absent` are the parameters that could have used values, in AWS's order. */
export function valuesWithoutExpressions(absent: readonly ExpressionParameter[]): string {
  const verb = absent.length === 1 ? 'is' : 'are'
  return `ExpressionAttributeValues can only be specified when using expressions: ${absent.join(' and ')} ${verb} null`
}

export function mixedParameters(
  legacy: readonly string[],
  expressions: readonly ExpressionParameter[],
): string {
  return `Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {${legacy.join(', ')}} Expression parameters: {${expressions.join(', ')}}`
}

const ANY_TYPE = '{NS,SS,L,BS,N,M,B,BOOL,NULL,S}'

export const LONG_TYPE_NAMES: Readonly<Record<TypeTag, string>> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  BOOL: 'BOOLEAN',
  NULL: 'NULL',
  SS: 'STRING_SET',
  NS: 'NUMBER_SET',
  BS: 'BINARY_SET',
  L: 'LIST',
  M: 'MAP',
}

/** `[a, b, [0]]` for `a.b[0]`. */
function pathText(path: Path): string {
  const components = path.map((component) =>
    typeof component === 'number' ? `[${component}]` : component,
  )
  return `[${components.join(', ')}]`
}

function pathsText({ one, two }: { readonly one: Path; readonly two: Path }): string {
  return `must remove or rewrite one of these paths; path one: ${pathText(one)}, path two: ${pathText(two)}`
}

function boundsText(bounds: {
  readonly low: AttributeValue
  readonly high: AttributeValue
}): string {
  return `lower bound operand: ${scalarText(bounds.low)}, upper bound operand: ${scalarText(bounds.high)}`
}

/** The service shows the buffer that holds a binary, not its bytes. */
function scalarText(value: AttributeValue): string {
  if (value.B !== undefined) {
    const length = base64Length(value.B)
    return `AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 lim=${length} cap=${length}]}`
  }
  return `AttributeValue: {${typeOf(value)}:${value.S ?? value.N}}`
}
