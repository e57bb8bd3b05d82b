import { checkOperators } from '../../expression/bind-condition.ts'
import { ExpressionError } from '../../expression/expression-error.ts'
import { isKnownFunction } from '../../expression/functions.ts'
import { PATH_DEPTH_MAX } from '../../expression/limits.ts'
import { equalPaths, PathCollector } from '../../expression/paths.ts'
import type { Path, Update, UpdateValue } from '../../expression/tree.ts'
import { arithmetic, updateCall } from '../../expression/update-value.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import type {
  CallExpression,
  Expression,
  PathExpression,
  UpdateClause,
} from '../partiql/statement.ts'
import { StatementError } from '../partiql/statement-error.ts'
import { constantValue, operatorError, type Parameters, usablePath } from './bind-value.ts'

/** The SET and REMOVE clauses of an UPDATE as one update of an item. */
export function bindUpdateClauses(
  clauses: readonly UpdateClause[],
  parameters: Parameters,
): Update {
  const set: { path: Path; value: UpdateValue }[] = []
  const remove: Path[] = []
  const add: { path: Path; value: AttributeValue }[] = []
  const deleted: { path: Path; value: AttributeValue }[] = []
  const binding = new ValueBinding(parameters)
  for (const clause of clauses) {
    const path = targetPath(clause.target)
    if (clause.kind === 'remove') {
      remove.push(path)
      continue
    }
    const change = setFunction(clause.value)
    if (change === undefined) {
      set.push({ path, value: binding.value(clause.value) })
      continue
    }
    const value = binding.setOperand(change.call, path)
    ;(change.action === 'add' ? add : deleted).push({ path, value })
  }
  const collector = new PathCollector()
  for (const { target } of clauses) collector.add(target.path)
  checkOperators(binding.operators)
  return { set, remove, add, delete: deleted }
}

function targetPath(target: PathExpression): Path {
  const path = usablePath(target)
  if (path.length > PATH_DEPTH_MAX) {
    throw new ExpressionError({ kind: 'path-too-deep', depth: path.length })
  }
  return path
}

/** `SET a = set_add(a, …)` and `set_delete` are DynamoDB's ADD and DELETE actions. */
function setFunction(
  value: Expression,
): { readonly action: 'add' | 'delete'; readonly call: CallExpression } | undefined {
  if (value.kind !== 'call') return undefined
  const name = value.name.toLowerCase()
  if (name === 'set_add') return { action: 'add', call: value }
  return name === 'set_delete' ? { action: 'delete', call: value } : undefined
}

class ValueBinding {
  operators = 0
  readonly #parameters: Parameters

  constructor(parameters: Parameters) {
    this.#parameters = parameters
  }

  /** The set that `set_add` or `set_delete` works with; what it works on must be the attribute that
   * is set. */
  setOperand(call: CallExpression, target: Path): AttributeValue {
    const name = call.name.toUpperCase()
    const [first, second] = call.operands
    if (first === undefined || second === undefined || call.operands.length !== 2) {
      throw new StatementError({ kind: 'set-function-count', name, at: call.at })
    }
    const value = constantValue(second, this.#parameters)
    if (value?.SS === undefined && value?.NS === undefined && value?.BS === undefined) {
      throw new StatementError({ kind: 'set-function-value', name, at: first.at })
    }
    if (first.kind !== 'path' || !equalPaths(usablePath(first), target)) {
      throw new StatementError({ kind: 'set-function-target', name })
    }
    return value
  }

  value(expression: Expression): UpdateValue {
    if (expression.kind === 'path') return { kind: 'path', path: targetPath(expression) }
    const value = constantValue(expression, this.#parameters)
    if (value !== undefined) return { kind: 'value', value }
    switch (expression.kind) {
      case 'missing':
        throw new StatementError({ kind: 'missing-compared' })
      case 'call':
        return this.#call(expression)
      case 'operator':
        return this.#arithmetic(expression)
      default:
        throw operatorError('Update', expression)
    }
  }

  /** A chain of sums leans to the left and is walked in a loop. */
  #arithmetic(expression: Extract<Expression, { kind: 'operator' }>): UpdateValue {
    const chain: { operator: '+' | '-'; right: UpdateValue }[] = []
    let current: Expression = expression
    while (current.kind === 'operator') {
      const { operator, operands } = current as Extract<Expression, { kind: 'operator' }>
      const [left, right] = operands
      if ((operator !== '+' && operator !== '-') || left === undefined || right === undefined) {
        throw operatorError('Update', current)
      }
      this.operators++
      chain.push({ operator, right: this.value(right) })
      current = left
    }
    let value = this.value(current)
    for (let link = chain.pop(); link !== undefined; link = chain.pop()) {
      value = arithmetic(link.operator, value, link.right)
    }
    return value
  }

  #call(expression: CallExpression): UpdateValue {
    this.operators++
    const name = expression.name.toLowerCase()
    if (name !== 'list_append' && name !== 'if_not_exists') {
      if (!isKnownFunction(name)) {
        throw new StatementError({ kind: 'unknown-function', name: expression.name })
      }
      throw new ExpressionError({ kind: 'foreign-function', name, expression: 'update' })
    }
    return updateCall(
      name,
      expression.operands.map((operand) => this.value(operand)),
    )
  }
}
