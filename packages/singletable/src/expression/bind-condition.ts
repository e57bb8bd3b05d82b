import { type AttributeValue, type TypeTag, typeOf } from '../values/attribute-value.ts'
import { compareValues } from '../values/compare.ts'
import { ExpressionError } from './expression-error.ts'
import { IN_OPERANDS_MAX, OPERATORS_MAX } from './limits.ts'
import { equalPaths } from './paths.ts'
import type { Placeholders } from './placeholders.ts'
import type { CallSyntax, ConditionNode, ConditionSyntax, OperandSyntax } from './syntax.ts'
import type { Comparator, Condition, Operand } from './tree.ts'

/**
 * Puts names and values in the place of placeholders and checks what can be checked without an
 * item. The tree is walked from left to right, operands before their operator, because the first
 * problem found on that way is the one DynamoDB reports.
 */
export function bindCondition(syntax: ConditionSyntax, placeholders: Placeholders): Condition {
  const condition = bindNode(syntax.root, placeholders)
  checkOperators(syntax.operators)
  return condition
}

/** The service stops counting at the first one too many. */
export function checkOperators(count: number): void {
  if (count > OPERATORS_MAX) {
    throw new ExpressionError({ kind: 'too-many-operators', count: OPERATORS_MAX + 1 })
  }
}

function bindNode(node: ConditionNode, placeholders: Placeholders): Condition {
  switch (node.kind) {
    case 'and':
    case 'or': {
      const left = bindNode(node.left, placeholders)
      return { kind: node.kind, left, right: bindNode(node.right, placeholders) }
    }
    case 'not':
      return { kind: 'not', condition: bindNode(node.condition, placeholders) }
    case 'compare': {
      const left = bindOperand(node.left, placeholders)
      const right = bindOperand(node.right, placeholders)
      return bindCompare(node.operator, left, right)
    }
    case 'between': {
      const operand = bindOperand(node.operand, placeholders)
      const low = bindOperand(node.low, placeholders)
      return bindBetween(operand, low, bindOperand(node.high, placeholders))
    }
    case 'in': {
      const operand = bindOperand(node.operand, placeholders)
      const list = node.list.map((syntax) => bindOperand(syntax, placeholders))
      for (const other of list) checkDistinct('IN', operand, other)
      const count = list.length + 1
      if (count > IN_OPERANDS_MAX) throw new ExpressionError({ kind: 'list-operand-count', count })
      return { kind: 'in', operand, list }
    }
    case 'call':
      return bindConditionCall(node, placeholders)
  }
}

function bindCompare(operator: Comparator, left: Operand, right: Operand): Condition {
  checkDistinct(operator, left, right)
  if (operator !== '=' && operator !== '<>') {
    checkType(operator, left, isOrdered)
    checkType(operator, right, isOrdered)
  }
  return { kind: 'compare', operator, left, right }
}

function bindBetween(operand: Operand, low: Operand, high: Operand): Condition {
  checkType('BETWEEN', operand, isOrdered)
  checkType('BETWEEN', low, isOrdered)
  checkType('BETWEEN', high, isOrdered)
  checkDistinct('BETWEEN', operand, low)
  checkDistinct('BETWEEN', operand, high)
  if (low.kind === 'value' && high.kind === 'value') checkBounds(low.value, high.value)
  return { kind: 'between', operand, low, high }
}

function checkBounds(low: AttributeValue, high: AttributeValue): void {
  const order = compareValues(low, high)
  if (order === undefined) throw new ExpressionError({ kind: 'bounds-types', low, high })
  if (order > 0) throw new ExpressionError({ kind: 'bounds-order', low, high })
}

function bindConditionCall(call: CallSyntax, placeholders: Placeholders): Condition {
  const { name } = call
  const operands = call.arguments.map((syntax) => bindOperand(syntax, placeholders))
  if (name === 'attribute_exists' || name === 'attribute_not_exists') {
    const [operand] = operands
    if (operand === undefined || operands.length !== 1) throw wrongCount(name, operands.length)
    if (operand.kind !== 'path')
      throw new ExpressionError({ kind: 'path-required', operator: name })
    return { kind: 'exists', path: operand.path, negated: name === 'attribute_not_exists' }
  }
  const [first, second] = operands
  if (first === undefined || second === undefined || operands.length !== 2) {
    throw wrongCount(name, operands.length)
  }
  checkDistinct(name, first, second)
  if (name === 'attribute_type') {
    checkTypeName(second)
    return { kind: 'attribute_type', operand: first, type: second }
  }
  if (name === 'begins_with') {
    checkType(name, first, hasPrefixes)
    checkType(name, second, hasPrefixes)
    return { kind: 'begins_with', operand: first, prefix: second }
  }
  return { kind: 'contains', operand: first, search: second }
}

/** The type must be known before an item is read, so that even a path is of a wrong type here. */
function checkTypeName(operand: Operand): void {
  const operator = 'attribute_type'
  if (operand.kind === 'path') {
    throw new ExpressionError({ kind: 'operand-type', operator, type: 'any' })
  }
  checkType(operator, operand, isString)
  if (operand.kind === 'value' && !TYPE_TAGS.has(operand.value.S ?? '')) {
    throw new ExpressionError({ kind: 'attribute-type-name', name: operand.value.S ?? '' })
  }
}

function bindOperand(syntax: OperandSyntax, placeholders: Placeholders): Operand {
  switch (syntax.kind) {
    case 'path':
      return placeholders.path(syntax)
    case 'value':
      return { kind: 'value', value: placeholders.value(syntax.placeholder) }
    case 'call': {
      // The parser lets no function but `size` stand for an operand.
      const operands = syntax.arguments.map((argument) => bindOperand(argument, placeholders))
      const [operand] = operands
      if (operand === undefined || operands.length !== 1) {
        throw wrongCount(syntax.name, operands.length)
      }
      checkType(syntax.name, operand, isSized)
      return { kind: 'size', operand }
    }
  }
}

/** Only equal paths count: equal values, or sizes of equal paths, are let pass. */
function checkDistinct(operator: string, first: Operand, other: Operand): void {
  if (first.kind !== 'path' || other.kind !== 'path') return
  if (equalPaths(first.path, other.path)) {
    throw new ExpressionError({ kind: 'same-operands', operator, path: first.path })
  }
}

/** The type of a path is known only when an item is read, a size is always a number. */
function checkType(operator: string, operand: Operand, allows: (type: TypeTag) => boolean): void {
  if (operand.kind === 'path') return
  const type = operand.kind === 'size' ? 'N' : typeOf(operand.value)
  if (!allows(type)) throw new ExpressionError({ kind: 'operand-type', operator, type })
}

function wrongCount(operator: string, count: number): ExpressionError {
  return new ExpressionError({ kind: 'operand-count', operator, count })
}

const TYPE_TAGS: ReadonlySet<string> = new Set<TypeTag>([
  'S',
  'N',
  'B',
  'BOOL',
  'NULL',
  'SS',
  'NS',
  'BS',
  'L',
  'M',
])

function isOrdered(type: TypeTag): boolean {
  return type === 'S' || type === 'N' || type === 'B'
}

function hasPrefixes(type: TypeTag): boolean {
  return type === 'S' || type === 'B'
}

function isSized(type: TypeTag): boolean {
  return type !== 'N' && type !== 'BOOL' && type !== 'NULL'
}

function isString(type: TypeTag): boolean {
  return type === 'S'
}
