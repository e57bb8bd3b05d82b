import { type AttributeValue, typeOf } from '../values/attribute-value.ts'
import { checkOperators } from './bind-condition.ts'
import { ExpressionError } from './expression-error.ts'
import { equalPaths, PathCollector } from './paths.ts'
import type { Placeholders } from './placeholders.ts'
import type { CallSyntax, OperandSyntax, UpdateSyntax, UpdateValueSyntax } from './syntax.ts'
import type { Path, Update, UpdateValue } from './tree.ts'

/**
 * Puts names and values in the place of placeholders and checks what can be checked without an item: first all paths that
 * are changed, then all values, both from the end of the text, because DynamoDB reports the first problem found on that way.
 */
export function bindUpdate(syntax: UpdateSyntax, placeholders: Placeholders): Update {
  const { actions } = syntax
  const collector = new PathCollector()
  for (let index = actions.length - 1; index >= 0; index--) {
    const action = actions[index]
    if (action !== undefined) collector.add(placeholders.path(action.path).path)
  }
  const set: { path: Path; value: UpdateValue }[] = []
  const remove: Path[] = []
  const add: { path: Path; value: AttributeValue }[] = []
  const deleted: { path: Path; value: AttributeValue }[] = []
  for (let index = actions.length - 1; index >= 0; index--) {
    const action = actions[index]
    const path = collector.paths[actions.length - 1 - index]
    if (action === undefined || path === undefined) continue
    switch (action.section) {
      case 'SET':
        set.push({ path, value: bindValue(action.value, placeholders) })
        break
      case 'REMOVE':
        remove.push(path)
        break
      case 'ADD':
      case 'DELETE': {
        const value = placeholders.value(action.value.placeholder)
        checkActionOperand(action.section, value)
        ;(action.section === 'ADD' ? add : deleted).push({ path, value })
        break
      }
    }
  }
  checkOperators(syntax.operators)
  return {
    set: set.reverse(),
    remove: remove.reverse(),
    add: add.reverse(),
    delete: deleted.reverse(),
  }
}

function checkActionOperand(action: 'ADD' | 'DELETE', value: AttributeValue): void {
  const type = typeOf(value)
  if (type === 'SS' || type === 'NS' || type === 'BS') return
  if (type === 'N' && action === 'ADD') return
  throw new ExpressionError({ kind: 'action-operand-type', action, type })
}

function bindValue(syntax: UpdateValueSyntax, placeholders: Placeholders): UpdateValue {
  if (syntax.kind !== 'arithmetic') return bindOperand(syntax, placeholders)
  const left = bindOperand(syntax.left, placeholders)
  const right = bindOperand(syntax.right, placeholders)
  checkType(syntax.operator, left, 'N')
  checkType(syntax.operator, right, 'N')
  return { kind: 'arithmetic', operator: syntax.operator, left, right }
}

function bindOperand(syntax: OperandSyntax, placeholders: Placeholders): UpdateValue {
  switch (syntax.kind) {
    case 'path':
      return placeholders.path(syntax)
    case 'value':
      return { kind: 'value', value: placeholders.value(syntax.placeholder) }
    case 'call':
      return bindCall(syntax, placeholders)
  }
}

function bindCall({ name, arguments: list }: CallSyntax, placeholders: Placeholders): UpdateValue {
  const operands = list.map((syntax) => bindOperand(syntax, placeholders))
  const [first, second] = operands
  if (first === undefined || second === undefined || operands.length !== 2) {
    throw new ExpressionError({ kind: 'operand-count', operator: name, count: operands.length })
  }
  if (name === 'list_append') {
    checkType(name, first, 'L')
    checkType(name, second, 'L')
    return { kind: 'list_append', left: first, right: second }
  }
  if (first.kind !== 'path') throw new ExpressionError({ kind: 'path-required', operator: name })
  if (second.kind === 'path' && equalPaths(first.path, second.path)) {
    throw new ExpressionError({ kind: 'same-operands', operator: name, path: first.path })
  }
  return { kind: 'if_not_exists', path: first.path, otherwise: second }
}

/** What a path or a function gives is known only when an item is read. */
function checkType(operator: string, operand: UpdateValue, allowed: 'N' | 'L'): void {
  if (operand.kind !== 'value') return
  const type = typeOf(operand.value)
  if (type !== allowed) throw new ExpressionError({ kind: 'operand-type', operator, type })
}
