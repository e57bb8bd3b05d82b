import type { InputIssue } from '../errors/input-error.ts'
import { IN_OPERANDS_MAX, OPERATORS_MAX } from '../expression/limits.ts'
import type { Condition, Operand } from '../expression/tree.ts'
import { placeIssues } from '../schema/input-issues.ts'
import type { Codec, Model } from '../schema/model.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { compareValues } from '../values/compare.ts'
import type { Reference, SizeReference } from './reference.ts'
import { elementCodec, toOperand } from './references.ts'
import { refuseInput } from './refuse-input.ts'
import type { Where } from './where.ts'

interface Compilation {
  readonly model: Model
  readonly place: string
  readonly issues: InputIssue[]
  /** As DynamoDB counts them. */
  operators: number
}

/**
 * The expression tree of a condition, its values encoded as those of the attributes they are compared with. `place` says in errors where the
 * condition stands.
 */
export function compileWhere(where: Where, model: Model, place: string): Condition {
  const compilation: Compilation = { model, place, issues: [], operators: 0 }
  const condition = compile(where, compilation, 0)
  if (compilation.issues.length > 0) {
    refuseInput(compilation.issues, place, "give values of the attributes' types")
  }
  return condition
}

function compile(where: Where, compilation: Compilation, depth: number): Condition {
  // Every level but a single condition in and(…) is an operator, so nothing that is allowed is deeper.
  if (compilation.operators > OPERATORS_MAX || depth > OPERATORS_MAX) {
    refuseInput(
      [{ path: [], message: `the condition has more than ${OPERATORS_MAX} operators` }],
      compilation.place,
      'split the call, or use in() for many values',
    )
  }
  switch (where?.kind) {
    case 'and':
    case 'or':
      return compileList(where.kind, where.conditions, compilation, depth)
    case 'not':
      return compileNot(where.condition, compilation, depth)
    case 'compare': {
      const { operator } = where
      compilation.operators++
      const reference = known(where.left, compilation)
      const ordering = operator !== '=' && operator !== '<>'
      const right = compileValue(reference, where.right, ordering, compilation)
      return { kind: 'compare', operator, left: operandOf(reference), right }
    }
    case 'between': {
      compilation.operators++
      const reference = known(where.left, compilation)
      const low = compileValue(reference, where.low, true, compilation)
      const high = compileValue(reference, where.high, true, compilation)
      if (low.kind === 'value' && high.kind === 'value') {
        // DynamoDB refuses bounds in the wrong order, and bounds of different types.
        const order = compareValues(low.value, high.value)
        if (!(order !== undefined && order <= 0) && compilation.issues.length === 0) {
          wrong(
            reference.kind === 'size' ? reference.of : reference,
            'is between two bounds of which the lower one is greater',
            compilation,
          )
        }
      }
      return { kind: 'between', operand: operandOf(reference), low, high }
    }
    case 'in':
      return compileIn(where.left, where.values, compilation)
    case 'exists':
      return {
        kind: 'exists',
        path: reference(where.reference, compilation).path,
        negated: where.negated,
      }
    case 'type':
      return {
        kind: 'attribute_type',
        operand: operandOf(reference(where.reference, compilation)),
        type: { kind: 'value', value: { S: where.type } },
      }
    case 'begins': {
      const left = reference(where.reference, compilation)
      const prefix = compilePart(left, where.prefix, false, compilation)
      return { kind: 'begins_with', operand: operandOf(left), prefix }
    }
    case 'contains': {
      const left = reference(where.reference, compilation)
      const search = compilePart(left, where.value, true, compilation)
      return { kind: 'contains', operand: operandOf(left), search }
    }
    default:
      return foreign(compilation)
  }
}

function compileList(
  kind: 'and' | 'or',
  conditions: readonly Where[],
  compilation: Compilation,
  depth: number,
): Condition {
  let result: Condition | undefined
  for (const where of Array.isArray(conditions) ? conditions : []) {
    const condition = compile(where, compilation, depth + 1)
    if (result !== undefined) compilation.operators++
    result = result === undefined ? condition : { kind, left: result, right: condition }
  }
  return result ?? foreign(compilation)
}

/** What is negated twice is the condition itself, and a negated test for existence is the opposite test. */
function compileNot(where: Where, compilation: Compilation, depth: number): Condition {
  const condition = compile(where, compilation, depth + 1)
  if (condition.kind === 'not') {
    compilation.operators--
    return condition.condition
  }
  if (condition.kind === 'exists') return { ...condition, negated: !condition.negated }
  compilation.operators++
  return { kind: 'not', condition }
}

function compileIn(
  left: Reference | SizeReference,
  values: readonly unknown[],
  compilation: Compilation,
): Condition {
  const operand = known(left, compilation)
  const list = values.map((value) => compileValue(operand, value, false, compilation))
  compilation.operators++
  // DynamoDB counts what stands before IN, too, so the hundredth value needs its own comparison.
  const last = list.length === IN_OPERANDS_MAX ? list.pop() : undefined
  const condition: Condition = { kind: 'in', operand: operandOf(operand), list }
  if (last === undefined) return condition
  compilation.operators += 2
  return {
    kind: 'or',
    left: condition,
    right: { kind: 'compare', operator: '=', left: operandOf(operand), right: last },
  }
}

function operandOf(operand: Reference | SizeReference): Operand {
  return operand.kind === 'reference'
    ? { kind: 'path', path: operand.path }
    : { kind: 'size', operand: operandOf(operand.of) }
}

/** Takes only what was handed out: a condition may come from anywhere. */
function known(operand: unknown, compilation: Compilation): Reference | SizeReference {
  return toOperand(operand, compilation.place) ?? foreign(compilation)
}

function reference(operand: unknown, compilation: Compilation): Reference {
  const found = known(operand, compilation)
  return found.kind === 'reference' ? found : foreign(compilation)
}

function foreign({ place }: Compilation): never {
  return refuseInput(
    [{ path: [], message: 'the condition was not made by the operators' }],
    place,
    'give what op.eq, op.and and the others return',
  )
}

/** The other side of a comparison: an attribute, or a value as the attribute would be stored. */
function compileValue(
  left: Reference | SizeReference,
  right: unknown,
  ordering: boolean,
  compilation: Compilation,
): Operand {
  const operand = toOperand(right, compilation.place)
  if (operand !== undefined) return operandOf(operand)
  if (left.kind === 'size') {
    if (Number.isSafeInteger(right)) return { kind: 'value', value: { N: String(right) } }
    return wrong(left.of, 'has a size, which is compared with a whole number', compilation)
  }
  const value = encode(left, left.codec, right, compilation)
  if (ordering && value.S === undefined && value.N === undefined && value.B === undefined) {
    return wrong(left, 'has no order: only text, numbers and bytes have', compilation)
  }
  return { kind: 'value', value }
}

/** What `beginsWith` and `contains` look for: part of a text or of bytes, or an element. */
function compilePart(
  left: Reference,
  part: unknown,
  elements: boolean,
  compilation: Compilation,
): Operand {
  const operand = toOperand(part, compilation.place)
  if (operand !== undefined) return operandOf(operand)
  const { codec } = left
  const { tag } = codec
  if (tag === 'S' && typeof part === 'string') {
    // Not by the codec, because a part of a value need not be a value: of an enum, say.
    const { normalize } = compilation.model.attributes.get(left.name)?.definition ?? {}
    return { kind: 'value', value: { S: normalize ? part.normalize(normalize) : part } }
  }
  const isElement = elements && (tag === 'L' || tag === 'SS' || tag === 'NS' || tag === 'BS')
  if (!isElement && tag !== undefined && tag !== 'S' && tag !== 'B') {
    return wrong(left, `has no ${elements ? 'parts' : 'beginning'} to look for`, compilation)
  }
  const value = encode(left, isElement ? elementCodec(codec) : codec, part, compilation)
  return { kind: 'value', value }
}

function encode(
  left: Reference,
  codec: Codec,
  value: unknown,
  { issues }: Compilation,
): AttributeValue {
  const from = issues.length
  const encoded = codec.encode(value, issues)
  placeIssues(issues, from, left.name)
  return encoded
}

/** The operand is of no use then, as the issue will be thrown. */
function wrong({ name }: Reference, message: string, { issues }: Compilation): Operand {
  issues.push({ path: [name], message })
  return { kind: 'value', value: { NULL: true } }
}
