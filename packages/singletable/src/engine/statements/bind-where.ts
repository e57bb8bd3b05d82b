import { bindCondition, checkOperators } from '../../expression/bind-condition.ts'
import { ExpressionError } from '../../expression/expression-error.ts'
import { CONDITION_FUNCTIONS, UPDATE_FUNCTIONS } from '../../expression/functions.ts'
import { Placeholders } from '../../expression/placeholders.ts'
import type { CallSyntax, ConditionNode, OperandSyntax } from '../../expression/syntax.ts'
import type { Condition } from '../../expression/tree.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import type { CompareExpression, Expression, IsExpression } from '../partiql/statement.ts'
import { StatementError } from '../partiql/statement-error.ts'
import { constantValue, operatorError, type Parameters, usablePath } from './bind-value.ts'

/**
 * A WHERE clause as a condition. It becomes the syntax that a condition expression has, with a
 * placeholder for each value, so that both languages share one binding and its checks.
 */
export function bindWhere(where: Expression, parameters: Parameters): Condition {
  const translation = new Translation(parameters)
  const root = translation.condition(where)
  if (root === undefined) throw new StatementError({ kind: 'where-not-boolean' })
  // Binding walks the tree by recursion, so its size is looked at first.
  checkOperators(translation.operators)
  const placeholders = new Placeholders({ values: translation.values })
  return bindCondition({ root, operators: translation.operators }, placeholders)
}

/** The names of types after IS as attribute types; MISSING is not a type but the lack of one. */
const ATTRIBUTE_TYPES: ReadonlyMap<string, AttributeValue> = new Map([
  ['NULL', { S: 'NULL' }],
  ['BOOLEAN', { S: 'BOOL' }],
  ['BLOB', { S: 'B' }],
  ['STRING', { S: 'S' }],
  ['NUMERIC', { S: 'N' }],
  ['STRUCT', { S: 'M' }],
  ['TUPLE', { S: 'M' }],
  ['LIST', { S: 'L' }],
])

class Translation {
  readonly values: Record<string, AttributeValue> = {}
  operators = 0
  readonly #parameters: Parameters
  #valueCount = 0

  constructor(parameters: Parameters) {
    this.#parameters = parameters
  }

  /** Undefined for what gives no true or false. Long chains of AND and OR lean to the left and are
   * walked in a loop. */
  condition(expression: Expression): ConditionNode | undefined {
    const chain: { kind: 'and' | 'or'; right: ConditionNode }[] = []
    let current = expression
    while (current.kind === 'and' || current.kind === 'or') {
      const { kind } = current
      this.operators++
      chain.push({ kind, right: this.#junctionOperand(current.right) })
      current = current.left
    }
    let node = this.#predicate(current)
    if (node === undefined) {
      if (chain.length > 0) throw new StatementError({ kind: 'junction-operand' })
      return undefined
    }
    for (let link = chain.pop(); link !== undefined; link = chain.pop()) {
      node = { kind: link.kind, left: node, right: link.right }
    }
    return node
  }

  #junctionOperand(expression: Expression): ConditionNode {
    const node = this.condition(expression)
    if (node === undefined) throw new StatementError({ kind: 'junction-operand' })
    return node
  }

  #predicate(expression: Expression): ConditionNode | undefined {
    switch (expression.kind) {
      case 'and':
      case 'or':
        return this.condition(expression)
      case 'not': {
        let operand: Expression = expression
        let count = 0
        for (; operand.kind === 'not'; count++) operand = operand.operand
        this.operators += count
        let condition = this.condition(operand)
        if (condition === undefined) throw new StatementError({ kind: 'not-operand' })
        for (; count > 0; count--) condition = { kind: 'not', condition }
        return condition
      }
      case 'compare': {
        const truth = truthTest(expression)
        if (truth !== undefined) return this.#predicate(truth)
        this.operators++
        const { operator } = expression
        const left = this.#operand(expression.left)
        return { kind: 'compare', operator, left, right: this.#operand(expression.right) }
      }
      case 'between': {
        this.operators++
        const operand = this.#operand(expression.operand)
        const low = this.#operand(expression.low)
        return { kind: 'between', operand, low, high: this.#operand(expression.high) }
      }
      case 'in': {
        this.operators++
        const { list } = expression
        if ((list.kind !== 'list' && list.kind !== 'bag') || list.elements.length === 0) {
          throw new StatementError({ kind: 'in-operands' })
        }
        const operand = this.#operand(expression.operand)
        return { kind: 'in', operand, list: list.elements.map((element) => this.#operand(element)) }
      }
      case 'is':
        return this.#is(expression)
      case 'call': {
        const name = expression.name.toLowerCase()
        return CONDITION_FUNCTIONS.has(name)
          ? this.#call(expression)
          : this.#noCondition(expression)
      }
      default:
        return this.#noCondition(expression)
    }
  }

  /** Still looks for what is wrong inside, which is reported before the fact that it is not a
   * condition. */
  #noCondition(expression: Expression): undefined {
    this.#operand(expression)
    return undefined
  }

  #is({ operand, type, at }: IsExpression): ConditionNode {
    this.operators++
    if (operand.kind === 'parameter' || operand.kind === 'call' || operand.kind === 'operator') {
      throw new StatementError({ kind: 'is-operand' })
    }
    const first = this.#operand(operand)
    if (type === 'MISSING') return call('attribute_not_exists', [first])
    const tag = ATTRIBUTE_TYPES.get(type)
    if (tag === undefined) throw new StatementError({ kind: 'is-type', type, at })
    return call('attribute_type', [first, this.#value(tag)])
  }

  #operand(expression: Expression): OperandSyntax {
    if (expression.kind === 'path') {
      const path = usablePath(expression)
      return { kind: 'path', components: path, bound: { kind: 'path', path } }
    }
    const value = constantValue(expression, this.#parameters)
    if (value !== undefined) return this.#value(value)
    switch (expression.kind) {
      case 'missing':
        throw new StatementError({ kind: 'missing-compared' })
      case 'call': {
        const name = expression.name.toLowerCase()
        if (CONDITION_FUNCTIONS.has(name)) {
          throw new ExpressionError({ kind: 'misused-function', name })
        }
        return this.#call(expression)
      }
      default:
        throw operatorError('Condition', expression)
    }
  }

  #call(expression: Extract<Expression, { kind: 'call' }>): CallSyntax {
    this.operators++
    const name = expression.name.toLowerCase()
    if (UPDATE_FUNCTIONS.has(name)) {
      throw new ExpressionError({ kind: 'foreign-function', name, expression: 'condition' })
    }
    if (name !== 'size' && !CONDITION_FUNCTIONS.has(name)) {
      throw new StatementError({ kind: 'unknown-function', name: expression.name })
    }
    return call(
      name,
      expression.operands.map((operand) => this.#operand(operand)),
    )
  }

  #value(value: AttributeValue): OperandSyntax {
    const placeholder = `:${this.#valueCount++}`
    this.values[placeholder] = value
    return { kind: 'value', placeholder }
  }
}

/** `contains(a, 'x') = true` is the condition itself, `= false` its negation; undefined for other
 * comparisons. */
function truthTest(expression: CompareExpression): Expression | undefined {
  const { left, right, operator, at } = expression
  if (operator !== '=' && operator !== '<>') return undefined
  const [condition, truth] = left.kind === 'boolean' ? [right, left] : [left, right]
  if (truth.kind !== 'boolean' || !isCondition(condition)) return undefined
  return truth.value === (operator === '=') ? condition : { kind: 'not', operand: condition, at }
}

function isCondition(expression: Expression): boolean {
  switch (expression.kind) {
    case 'compare':
    case 'in':
    case 'between':
    case 'is':
    case 'not':
    case 'and':
    case 'or':
      return true
    case 'call':
      return CONDITION_FUNCTIONS.has(expression.name.toLowerCase())
    default:
      return false
  }
}

function call(name: string, operands: readonly OperandSyntax[]): CallSyntax {
  return { kind: 'call', name, at: 0, arguments: operands }
}
