import { type AttributeValue, typeOf } from '../values/attribute-value.ts'
import { checkOperators } from './bind-condition.ts'
import { ExpressionError } from './expression-error.ts'
import { PathCollector } from './paths.ts'
import type { Placeholders } from './placeholders.ts'
import type { CallSyntax, OperandSyntax, UpdateSyntax, UpdateValueSyntax } from './syntax.ts'
import type { Path, Update, UpdateValue } from './tree.ts'
import { arithmetic, updateCall } from './update-value.ts'

/**
 * Puts names and values in the place of placeholders and checks what can be checked without an
 * item: first all paths that are changed, then all values, both from the end of the text, because
 * DynamoDB reports the first problem found on that way.
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
  return arithmetic(syntax.operator, left, bindOperand(syntax.right, placeholders))
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
  return updateCall(
    name,
    list.map((syntax) => bindOperand(syntax, placeholders)),
  )
}
