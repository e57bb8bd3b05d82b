import type { InputIssue } from '../errors/input-error.ts'
import { allOf, anyOf } from '../expression/build.ts'
import { OPERATORS_MAX } from '../expression/limits.ts'
import type { Condition, Operand } from '../expression/tree.ts'
import { encodePart, refuseInput } from '../schema/input-issues.ts'
import type { Model } from '../schema/model.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { compareValues } from '../values/compare.ts'
import { isLogical, refuseLong } from './operators.ts'
import type { Reference } from './reference.ts'
import { elementCodec, toOperand } from './references.ts'
import { refuseIgnoreCase, refuseUnstored } from './refuse-plan.ts'
import type { Operator, Where } from './where.ts'

/** Tags of what has elements. */
const COLLECTIONS: readonly unknown[] = ['L', 'SS', 'NS', 'BS']

/** Comparisons that ask for no order. */
const EQUALITIES: readonly Operator[] = ['=', '<>', 'IN']

/**
 * The condition that DynamoDB is asked for: the caller's, with its values encoded as those of the
 * attributes they are compared with. `place` says in errors where the condition is.
 */
export function encodeWhere(where: Where, model: Model, place: string): Condition {
  if (where.count > OPERATORS_MAX) refuseLong(place)
  const issues: InputIssue[] = []
  const condition = encode(where)
  if (issues.length > 0) refuseInput(issues, place, "give values of the attributes' types")
  return condition

  function encode({ operator, operands }: Where): Condition {
    if (isLogical(operator)) {
      const conditions = (operands as Where[]).map(encode)
      // No operator combines nothing.
      return (operator === 'AND' ? allOf(conditions) : anyOf(conditions))!
    }
    if (operator === 'NOT') return { kind: 'not', condition: encode(operands[0] as Where) }
    // All others have a reference first.
    const [left, ...values] = operands as [Reference, ...unknown[]]
    if (operator === 'ignore_case') return refuseIgnoreCase(left.name, place)
    refuseUnstored(left, place)
    const operand = operandOf(left)
    const [first, ...others] = values.map((value): Operand => {
      const other = toOperand(value, place)
      if (other === undefined) {
        return { kind: 'value', value: encodeValue(left, operator, value) }
      }
      refuseUnstored(other, place)
      if (left.codec.opaque || other.codec.opaque) {
        encodeValue(left.codec.opaque ? left : other, '=', 0)
      }
      return operandOf(other)
    })
    const [high] = others
    switch (operator) {
      case 'attribute_exists':
      case 'attribute_not_exists':
        return { kind: 'exists', path: left.path, negated: operator === 'attribute_not_exists' }
      case 'attribute_type':
        return { kind: operator, operand, type: first! }
      case 'begins_with':
        return { kind: operator, operand, prefix: first! }
      case 'contains':
        return { kind: operator, operand, search: first! }
      case 'IN':
        // A query that must have one of no values gives nothing without asking. DynamoDB has no
        // such condition.
        if (first === undefined) {
          issues.push({ path: [left.name], message: 'is compared with an empty list of values' })
        }
        return { kind: 'in', operand, list: [first!, ...others] }
      case 'BETWEEN':
        checkBounds(left, first!, high!)
        return { kind: 'between', operand, low: first!, high: high! }
      default:
        return { kind: 'compare', operator, left: operand, right: first! }
    }
  }

  function checkBounds({ name }: Reference, low: Operand, high: Operand): void {
    if (issues.length > 0 || low.kind !== 'value' || high.kind !== 'value') return
    // DynamoDB refuses such a BETWEEN too, but without the name of the attribute.
    if ((compareValues(low.value, high.value) ?? 1) <= 0) return
    const message = 'has a lower bound that is greater than its upper bound'
    issues.push({ path: [name], message })
  }

  function encodeValue(
    { name, codec }: Reference,
    operator: Operator,
    value: unknown,
  ): AttributeValue {
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
      issues.push({ path: [name], message: `has no ${what} to compare with` })
    }
    const from = issues.length
    const its = isElement ? elementCodec(codec) : codec
    const encoded = encodePart(its.encode, value, name, issues)
    const isOrdered = (encoded.S ?? encoded.N ?? encoded.B) !== undefined
    if (issues.length === from && !isOrdered && !isPart && !EQUALITIES.includes(operator)) {
      issues.push({
        path: [name],
        message: 'has no order: only strings, numbers and bytes have one',
      })
    }
    return encoded
  }
}

function operandOf({ kind, path }: Reference): Operand {
  return kind === 'size' ? { kind, operand: { kind: 'path', path } } : { kind: 'path', path }
}
