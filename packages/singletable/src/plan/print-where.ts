import type { InputIssue } from '../errors/input-error.ts'
import { EXPRESSION_SIZE_MAX_BYTES, OPERATORS_MAX } from '../expression/limits.ts'
import { type PrintedPlaceholders, printPath } from '../expression/print.ts'
import { encodePart, refuseInput } from '../schema/input-issues.ts'
import type { Model } from '../schema/model.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { compareValues } from '../values/compare.ts'
import { isFunction, isLogical, refuseLong } from './operators.ts'
import type { Reference } from './reference.ts'
import { elementCodec, toOperand } from './references.ts'
import type { Operator, Where } from './where.ts'

/** Tags of what has elements. */
const COLLECTIONS: readonly unknown[] = ['L', 'SS', 'NS', 'BS']

/** Comparisons that ask for no order. */
const EQUALITIES: readonly Operator[] = ['=', '<>', 'IN']

/**
 * The text of a condition, its values encoded as those of the attributes they are compared with, and in parentheses where it could not stand
 * beside others. `place` says in errors where the condition stands.
 */
export function printWhere(
  where: Where,
  model: Model,
  place: string,
  placeholders: PrintedPlaceholders,
): string {
  if (where.count > OPERATORS_MAX) refuseLong(place)
  const issues: InputIssue[] = []
  const text = printBeside(where, 'AND')
  if (issues.length > 0) refuseInput(issues, place, "give values of the attributes' types")
  if (text.length <= EXPRESSION_SIZE_MAX_BYTES) return text
  const message = `the condition takes ${text.length} bytes as an expression, and ${EXPRESSION_SIZE_MAX_BYTES} are allowed`
  return refuseInput([{ path: [], message }], place, 'split the call, or use fewer values')

  function printBeside(operand: Where, beside: Operator): string {
    const { operator } = operand
    return isLogical(operator) && operator !== beside ? `(${print(operand)})` : print(operand)
  }

  function print({ operator, operands }: Where): string {
    if (isLogical(operator)) {
      return operands
        .map((operand) => printBeside(operand as Where, operator))
        .join(` ${operator} `)
    }
    if (operator === 'NOT') return `NOT ${printBeside(operands[0] as Where, operator)}`
    // All others have a reference first.
    const [left, ...values] = operands as [Reference, ...unknown[]]
    const first = printReference(left)
    const encoded: AttributeValue[] = []
    const texts = values.map((value) => {
      const other = toOperand(value, place)
      if (other) {
        if (left.codec.opaque || other.codec.opaque)
          encode(left.codec.opaque ? left : other, '=', 0)
        return printReference(other)
      }
      const its = encode(left, operator, value)
      encoded.push(its)
      return placeholders.value(its)
    })
    const [low, high] = operator === 'BETWEEN' && issues.length === 0 ? encoded : []
    if (low && high && !((compareValues(low, high) ?? 1) <= 0)) {
      const message = 'is between two bounds of which the lower one is greater'
      issues.push({ path: [left.name], message })
    }
    if (isFunction(operator)) return `${operator}(${[first, ...texts].join(', ')})`
    if (operator === 'IN') return `${first} IN (${texts.join(', ')})`
    return `${first} ${operator} ${texts.join(' AND ')}`
  }

  function printReference({ kind, path }: Reference): string {
    const text = printPath(path, placeholders)
    return kind === 'size' ? `size(${text})` : text
  }

  function encode({ name, codec }: Reference, operator: Operator, value: unknown): AttributeValue {
    const { tag } = codec
    const isPart = operator === 'begins_with' || operator === 'contains'
    if (operator === 'attribute_type') return { S: String(value) }
    if (isPart && tag === 'S' && typeof value === 'string') {
      // Not by the codec, because a part of a value need not be a value: of an enum, say.
      const { normalize } = model.attributes.get(name)?.definition ?? {}
      return { S: normalize ? value.normalize(normalize) : value }
    }
    const isElement = operator === 'contains' && COLLECTIONS.includes(tag)
    if (isPart && !isElement && tag !== undefined && tag !== 'S' && tag !== 'B') {
      const what = operator === 'contains' ? 'parts' : 'beginning'
      issues.push({ path: [name], message: `has no ${what} to look for` })
    }
    const from = issues.length
    const its = isElement ? elementCodec(codec) : codec
    const encoded = encodePart(its.encode, value, name, issues)
    const isOrdered = (encoded.S ?? encoded.N ?? encoded.B) !== undefined
    if (issues.length === from && !isOrdered && !isPart && !EQUALITIES.includes(operator)) {
      issues.push({ path: [name], message: 'has no order: only text, numbers and bytes have' })
    }
    return encoded
  }
}
