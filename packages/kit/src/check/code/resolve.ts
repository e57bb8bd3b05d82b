import type { CodeFile } from './code-file.ts'
import { child, children, isFunction, keyName, nameOf, type SyntaxNode, unwrap } from './syntax.ts'

/** Names that stand for names that stand for names: no farther than this. */
const STEPS_MAX = 20

/** How a name comes about where it is used. */
export type Binding =
  | { readonly kind: 'constant'; readonly value: SyntaxNode }
  /** A member of what is taken apart: `const { Post } = table.entities`. */
  | { readonly kind: 'member'; readonly of: SyntaxNode; readonly name: string }
  /** One element after the other of a list. */
  | { readonly kind: 'element'; readonly of: SyntaxNode }
  /** It is there, and nothing more is known. */
  | { readonly kind: 'other' }

/** What a name is at some place of a file; undefined if the file doesn't declare it there. */
export function bindingOf(file: CodeFile, place: SyntaxNode, name: string): Binding | undefined {
  for (let scope = file.parentOf(place); scope; scope = file.parentOf(scope)) {
    const found =
      inStatements(children(scope, 'body'), name) ??
      inLoop(scope, name) ??
      inParameters(file, scope, name)
    if (found) return found
  }
  return undefined
}

/** An expression with names replaced by what they stand for, as far as they are constants. */
export function resolve(file: CodeFile, node: SyntaxNode | undefined): SyntaxNode | undefined {
  let found = unwrap(node)
  for (let step = 0; found?.type === 'Identifier' && step < STEPS_MAX; step++) {
    const binding = bindingOf(file, found, String(found.name))
    if (binding?.kind !== 'constant') return found
    found = unwrap(binding.value)
  }
  return found
}

/** The value of a member of an object that is written out. */
export function memberOf(
  file: CodeFile,
  object: SyntaxNode | undefined,
  name: string,
): SyntaxNode | undefined {
  const property = children(resolve(file, object), 'properties').findLast(
    (each) => each.type === 'ObjectProperty' && keyName(each) === name,
  )
  return child(property, 'value')
}

function inStatements(statements: readonly SyntaxNode[], name: string): Binding | undefined {
  for (const statement of statements) {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? child(statement, 'declaration') : statement
    const isNamed = /^(Function|Class)Declaration$/.test(declaration?.type ?? '')
    if (isNamed && nameOf(child(declaration, 'id')) === name) return { kind: 'other' }
    const found = inDeclaration(declaration, name)
    if (found) return found
  }
  return undefined
}

function inDeclaration(declaration: SyntaxNode | undefined, name: string): Binding | undefined {
  if (declaration?.type !== 'VariableDeclaration') return undefined
  for (const declarator of children(declaration, 'declarations')) {
    const id = child(declarator, 'id')
    const init = child(declarator, 'init')
    if (id?.type === 'Identifier' && id.name === name) {
      const isConstant = declaration.kind === 'const' && init !== undefined
      return isConstant ? { kind: 'constant', value: init } : { kind: 'other' }
    }
    const found = id && init && inPattern(id, init, name)
    if (found) return found
  }
  return undefined
}

function inPattern(pattern: SyntaxNode, of: SyntaxNode, name: string): Binding | undefined {
  for (const property of children(pattern, 'properties')) {
    const member = keyName(property)
    const value = child(property, 'value')
    if (value?.type === 'Identifier' && value.name === name && member !== undefined) {
      return { kind: 'member', of, name: member }
    }
  }
  return undefined
}

function inLoop(scope: SyntaxNode, name: string): Binding | undefined {
  if (scope.type !== 'ForOfStatement' && scope.type !== 'ForStatement') return undefined
  const left = child(scope, 'left') ?? child(scope, 'init')
  const right = child(scope, 'right')
  const declared = children(left, 'declarations').some(
    (declarator) => nameOf(child(declarator, 'id')) === name,
  )
  if (!declared) return undefined
  return right ? { kind: 'element', of: right } : { kind: 'other' }
}

const ELEMENT_METHODS = ['map', 'forEach', 'flatMap', 'filter', 'some', 'every']

function inParameters(file: CodeFile, scope: SyntaxNode, name: string): Binding | undefined {
  if (!isFunction(scope)) return undefined
  const parameters = children(scope, 'params')
  const at = parameters.findIndex(
    (parameter) => nameOf(child(parameter, 'left') ?? parameter) === name,
  )
  if (at < 0) return undefined
  const call = file.parentOf(scope)
  const callee = child(call, 'callee')
  const list = child(callee, 'object')
  const isElement =
    at === 0 &&
    list !== undefined &&
    children(call, 'arguments')[0] === scope &&
    ELEMENT_METHODS.includes(nameOf(callee) ?? '')
  return isElement ? { kind: 'element', of: list } : { kind: 'other' }
}
