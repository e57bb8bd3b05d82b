import type { CodeFile } from './code-file.ts'
import {
  child,
  children,
  isFunction,
  keyName,
  nameOf,
  nodesWithin,
  type SyntaxNode,
  unwrap,
} from './syntax.ts'

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
    const found = bindingsIn(file, scope).get(name)
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

/** The value of a member of an object that is written out; undefined where something behind it may
 * replace it. */
export function memberOf(
  file: CodeFile,
  object: SyntaxNode | undefined,
  name: string,
): SyntaxNode | undefined {
  const properties = children(resolve(file, object), 'properties')
  const at = properties.findLastIndex(
    (each) => each.type === 'ObjectProperty' && keyName(each) === name,
  )
  const isReplaced = properties.slice(at + 1).some(({ type }) => type === 'SpreadElement')
  return isReplaced ? undefined : child(properties[at], 'value')
}

const known = new WeakMap<SyntaxNode, ReadonlyMap<string, Binding>>()

/** The names that a node declares for what is inside it. */
function bindingsIn(file: CodeFile, scope: SyntaxNode): ReadonlyMap<string, Binding> {
  let bindings = known.get(scope)
  if (bindings === undefined) {
    bindings = new Map([
      ...parameterBindings(file, scope),
      ...loopBindings(scope),
      ...namesIn(child(scope, 'param')).map((name) => [name, OTHER] as const),
      // The cases of a switch have their statements under another name.
      ...[...children(scope, 'body'), ...children(scope, 'consequent')].flatMap(statementBindings),
    ])
    known.set(scope, bindings)
  }
  return bindings
}

type Named = readonly [name: string, binding: Binding]

const OTHER: Binding = { kind: 'other' }

function statementBindings(statement: SyntaxNode): readonly Named[] {
  const declaration = statement.type.startsWith('Export')
    ? child(statement, 'declaration')
    : statement
  if (/^(Function|Class|TSEnum)Declaration$/.test(declaration?.type ?? '')) {
    return namesIn(child(declaration, 'id')).map((name) => [name, OTHER])
  }
  return declarationBindings(declaration)
}

function declarationBindings(declaration: SyntaxNode | undefined): readonly Named[] {
  if (declaration?.type !== 'VariableDeclaration') return []
  const isConstant = declaration.kind === 'const'
  return children(declaration, 'declarations').flatMap((declarator): readonly Named[] => {
    const id = child(declarator, 'id')
    const init = child(declarator, 'init')
    if (id?.type === 'Identifier') {
      const binding = isConstant && init ? ({ kind: 'constant', value: init } as const) : OTHER
      return [[String(id.name), binding]]
    }
    const taken = namesIn(id).map((name): Named => [name, OTHER])
    return isConstant && init ? [...taken, ...memberBindings(id, init)] : taken
  })
}

function memberBindings(pattern: SyntaxNode | undefined, of: SyntaxNode): readonly Named[] {
  return children(pattern, 'properties').flatMap((property): readonly Named[] => {
    const name = keyName(property)
    const value = child(property, 'value')
    return name !== undefined && value?.type === 'Identifier'
      ? [[String(value.name), { kind: 'member', of, name }]]
      : []
  })
}

function loopBindings(scope: SyntaxNode): readonly Named[] {
  if (!/^For(Of|In)?Statement$/.test(scope.type)) return []
  const left = child(scope, 'left') ?? child(scope, 'init')
  const right = scope.type === 'ForOfStatement' ? child(scope, 'right') : undefined
  return children(left, 'declarations').flatMap((declarator): readonly Named[] => {
    const id = child(declarator, 'id')
    return id?.type === 'Identifier' && right && left?.kind === 'const'
      ? [[String(id.name), { kind: 'element', of: right }]]
      : namesIn(id).map((name) => [name, OTHER])
  })
}

const ELEMENT_METHODS = ['map', 'forEach', 'flatMap', 'filter', 'some', 'every']

function parameterBindings(file: CodeFile, scope: SyntaxNode): readonly Named[] {
  if (!isFunction(scope)) return []
  const call = file.parentOf(scope)
  const callee = child(call, 'callee')
  const list = child(callee, 'object')
  const isOfElements =
    children(call, 'arguments')[0] === scope && ELEMENT_METHODS.includes(nameOf(callee) ?? '')
  return children(scope, 'params').flatMap((parameter, at): readonly Named[] =>
    at === 0 && list && isOfElements && parameter.type === 'Identifier'
      ? [[String(parameter.name), { kind: 'element', of: list }]]
      : namesIn(parameter).map((name) => [name, OTHER]),
  )
}

/** All names in what is declared; with those of members that are taken under another name, which
 * does no harm. */
function namesIn(pattern: SyntaxNode | undefined): readonly string[] {
  const names: string[] = []
  // Types have names of their own.
  const isValue = ({ type }: SyntaxNode): boolean => !type.startsWith('TS')
  for (const node of pattern ? nodesWithin(pattern, isValue) : []) {
    if (node.type === 'Identifier') names.push(String(node.name))
  }
  return names
}
