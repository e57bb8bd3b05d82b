import { type AttributeValue, type Item, typeOf } from '../../values/attribute-value.ts'
import { base64ByteString, base64Length } from '../../values/base64.ts'
import { compareValues, equalValues } from '../../values/compare.ts'
import { includesText } from '../../values/includes-text.ts'
import type { Comparator, Condition, Operand } from '../tree.ts'
import { resolvePath } from './resolve-path.ts'

const NO_ATTRIBUTES: Item = Object.freeze({})

/**
 * Whether the condition holds for the item. No item counts as one without any attribute, not even
 * the keys. A missing attribute or a wrong type in the item is not an error: it makes the
 * comparison false (`<>` true).
 */
export function evaluateCondition(condition: Condition, item: Item | undefined): boolean {
  return holds(condition, item ?? NO_ATTRIBUTES)
}

/**
 * As `evaluateCondition`, with each comparison in a step of its own: of an item of 400 KB one alone
 * takes milliseconds, and a condition has up to 300 of them.
 */
export function* conditionSteps(
  condition: Condition,
  item: Item | undefined,
): Generator<void, boolean> {
  switch (condition.kind) {
    case 'not':
      return !(yield* conditionSteps(condition.condition, item))
    case 'and':
    case 'or': {
      // Chains lean to the left, and are as long as the expression.
      const { kind } = condition
      let current: Condition = condition
      while (current.kind === kind) {
        if ((yield* conditionSteps(current.right, item)) === (kind === 'or')) return kind === 'or'
        current = current.left
      }
      return yield* conditionSteps(current, item)
    }
    case 'in':
      if (condition.list.length > LONG_LIST) break
      for (const candidate of condition.list) {
        if (evaluateCondition({ ...condition, list: [candidate] }, item)) return true
        yield
      }
      return false
  }
  const result = evaluateCondition(condition, item)
  yield
  return result
}

/**
 * Long chains of AND, OR and NOT lean to the left, as parsers build them, and are walked without
 * recursion. Evaluation has no effects, so starting at the right gives the same answer.
 */
function holds(condition: Condition, item: Item): boolean {
  let current = condition
  let negated = false
  for (;;) {
    switch (current.kind) {
      case 'not':
        negated = !negated
        current = current.condition
        break
      case 'and':
        if (!holds(current.right, item)) return negated
        current = current.left
        break
      case 'or':
        if (holds(current.right, item)) return !negated
        current = current.left
        break
      case 'compare': {
        const left = operandValue(current.left, item)
        const right = operandValue(current.right, item)
        return compares(current.operator, left, right) !== negated
      }
      case 'between': {
        const value = operandValue(current.operand, item)
        const between =
          compares('>=', value, operandValue(current.low, item)) &&
          compares('<=', value, operandValue(current.high, item))
        return between !== negated
      }
      case 'in':
        return isIn(operandValue(current.operand, item), current.list, item) !== negated
      case 'exists':
        return (resolvePath(current.path, item) !== undefined) !== (current.negated !== negated)
      case 'attribute_type': {
        const value = operandValue(current.operand, item)
        const type = operandValue(current.type, item)?.S
        return (value !== undefined && typeOf(value) === type) !== negated
      }
      case 'begins_with': {
        const value = operandValue(current.operand, item)
        const prefix = operandValue(current.prefix, item)
        return beginsWith(value, prefix) !== negated
      }
      case 'contains': {
        const value = operandValue(current.operand, item)
        const search = operandValue(current.search, item)
        return contains(value, search) !== negated
      }
    }
  }
}

function operandValue(operand: Operand, item: Item): AttributeValue | undefined {
  if (operand.kind === 'path') return resolvePath(operand.path, item)
  if (operand.kind === 'value') return operand.value
  const size = sizeOf(operandValue(operand.operand, item))
  return size === undefined ? undefined : { N: String(size) }
}

/** The result of `size`: UTF-16 units of a string, bytes of a binary, elements of the rest; other
 * types have none. */
function sizeOf(value: AttributeValue | undefined): number | undefined {
  if (value === undefined) return undefined
  if (value.S !== undefined) return value.S.length
  if (value.B !== undefined) return base64Length(value.B)
  if (value.M !== undefined) return Object.keys(value.M).length
  return (value.L ?? value.SS ?? value.NS ?? value.BS)?.length
}

function compares(
  operator: Comparator,
  left: AttributeValue | undefined,
  right: AttributeValue | undefined,
): boolean {
  // `<>` is true for a missing side, even for two of them.
  if (left === undefined || right === undefined) return operator === '<>'
  if (operator === '=') return equalValues(left, right)
  if (operator === '<>') return !equalValues(left, right)
  const order = compareValues(left, right)
  if (order === undefined) return false
  switch (operator) {
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
  }
}

function isIn(value: AttributeValue | undefined, list: readonly Operand[], item: Item): boolean {
  if (value === undefined) return false
  const strings = list.length > LONG_LIST && isScalar(value) ? stringsOf(list) : undefined
  if (strings !== undefined) return strings.has(textOf(value))
  for (const operand of list) {
    const candidate = operandValue(operand, item)
    if (candidate !== undefined && equalValues(value, candidate)) return true
  }
  return false
}

/** Expressions have at most 100; the parameters from before expressions, and PartiQL, may have
 * more. */
const LONG_LIST = 100
const longLists = new WeakMap<readonly Operand[], Set<string> | undefined>()

/** The scalar values of a long list, to be found at once instead of one after the other for each
 * item; undefined if it holds anything but values. */
function stringsOf(list: readonly Operand[]): Set<string> | undefined {
  if (longLists.has(list)) return longLists.get(list)
  const values = list.flatMap((operand) => (operand.kind === 'value' ? [operand.value] : []))
  const strings =
    values.length < list.length ? undefined : new Set(values.filter(isScalar).map(textOf))
  longLists.set(list, strings)
  return strings
}

function isScalar({ S, N, B }: AttributeValue): boolean {
  return S !== undefined || N !== undefined || B !== undefined
}

function textOf({ S, N, B }: AttributeValue): string {
  return S !== undefined ? `S${S}` : N !== undefined ? `N${N}` : `B${B}`
}

function beginsWith(
  value: AttributeValue | undefined,
  prefix: AttributeValue | undefined,
): boolean {
  if (value === undefined || prefix === undefined) return false
  if (value.S !== undefined) return prefix.S !== undefined && value.S.startsWith(prefix.S)
  if (value.B === undefined || prefix.B === undefined) return false
  return byteStringOf(value).startsWith(base64ByteString(prefix.B))
}

function contains(value: AttributeValue | undefined, search: AttributeValue | undefined): boolean {
  if (value === undefined || search === undefined) return false
  if (value.S !== undefined) return search.S !== undefined && includesText(value.S, search.S)
  if (value.SS !== undefined) return search.S !== undefined && value.SS.includes(search.S)
  if (value.NS !== undefined) return search.N !== undefined && value.NS.includes(search.N)
  if (value.BS !== undefined) return search.B !== undefined && value.BS.includes(search.B)
  if (value.L !== undefined) return value.L.some((element) => equalValues(element, search))
  if (value.B === undefined || search.B === undefined) return false
  return includesText(byteStringOf(value), base64ByteString(search.B))
}

/** Decoding 400 KB takes longer than to search them, and many conditions may ask for the same. */
const byteStrings = new WeakMap<AttributeValue, string>()

function byteStringOf(value: AttributeValue): string {
  let bytes = byteStrings.get(value)
  if (bytes === undefined) {
    bytes = base64ByteString(value.B ?? '')
    byteStrings.set(value, bytes)
  }
  return bytes
}
