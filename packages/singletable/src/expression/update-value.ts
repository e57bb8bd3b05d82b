import { type TypeTag, typeOf } from '../values/attribute-value.ts'
import { ExpressionError } from './expression-error.ts'
import { equalPaths } from './paths.ts'
import type { Path, UpdateValue } from './tree.ts'

/** Values made of others, checked as far as that is possible without an item. Update expressions
 * and PartiQL both end up here. */

/** What `list_append` or `if_not_exists` gives, with these operands. */
export function updateCall(name: string, operands: readonly UpdateValue[]): UpdateValue {
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

export function arithmetic(
  operator: '+' | '-',
  left: UpdateValue,
  right: UpdateValue,
): UpdateValue {
  checkType(operator, left, 'N')
  checkType(operator, right, 'N')
  return { kind: 'arithmetic', operator, left, right }
}

/** The type that a value to be set has whatever the item holds; undefined where it depends on the
 * item. */
export function knownType(value: UpdateValue): TypeTag | undefined {
  switch (value.kind) {
    case 'value':
      return typeOf(value.value)
    case 'list_append':
      return 'L'
    case 'arithmetic':
      return 'N'
    case 'path':
    case 'if_not_exists':
      return undefined
  }
}

/** The paths that a value is made from; iterative, since values may be nested as deep as the
 * expression is long. */
export function valuePaths(value: UpdateValue): Path[] {
  const paths: Path[] = []
  const open: UpdateValue[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === 'path') paths.push(next.path)
    else if (next.kind === 'if_not_exists') {
      paths.push(next.path)
      open.push(next.otherwise)
    } else if (next.kind !== 'value') open.push(next.right, next.left)
  }
  return paths
}

function checkType(operator: string, operand: UpdateValue, allowed: 'N' | 'L'): void {
  const type = knownType(operand)
  if (type !== undefined && type !== allowed) {
    throw new ExpressionError({ kind: 'operand-type', operator, type })
  }
}
