import { createRequire } from 'node:module'
import {
  child,
  children,
  everyChild,
  isFunction,
  isNode,
  keyName,
  nameOf,
  nodesWithin,
  type SyntaxNode,
  unwrap,
} from './syntax.ts'

/** Where an imported name comes from. */
export interface ImportedName {
  /** The module. */
  readonly from: string
  /** The name there; `*` for all of it. */
  readonly name: string
}

/** A comment of a file. */
export interface CodeComment {
  readonly text: string
  readonly start: number
  readonly line: number
  readonly lastLine: number
}

/** A file that was parsed, with what connects its nodes. */
export interface CodeFile {
  /** Relative to the project. */
  readonly path: string
  readonly source: string
  /** All nodes, each before those inside it. */
  readonly nodes: readonly SyntaxNode[]
  readonly comments: readonly CodeComment[]
  /** By the name they have here. */
  readonly imports: ReadonlyMap<string, ImportedName>
  parentOf(node: SyntaxNode): SyntaxNode | undefined
}

const require = createRequire(import.meta.url)

/** Parses a file in TypeScript or JavaScript; the result is the reason where it can't be. */
export function parseCode(path: string, source: string): CodeFile | string {
  const isTypeScript = /\.[cm]?tsx?$/.test(path)
  // A type assertion `<T>x` and a JSX element can't be distinguished, so a file has one or the
  // other.
  const hasJsx = !/\.[cm]?ts$/.test(path)
  // Loaded when it is needed, and not imported: Node would first search its 500 KB for names of
  // exports.
  const { parse } = require('@babel/parser') as typeof import('@babel/parser')
  let root: unknown
  let comments: readonly unknown[]
  try {
    const result = parse(source, {
      sourceType: 'unambiguous',
      errorRecovery: true,
      attachComment: false,
      allowReturnOutsideFunction: true,
      plugins: [
        ...(isTypeScript ? (['typescript'] as const) : []),
        ...(hasJsx ? (['jsx'] as const) : []),
        'decorators',
        'explicitResourceManagement',
      ],
    })
    root = result.program
    comments = result.comments ?? []
  } catch (error) {
    // A parser that goes down into each nesting has no room left in one that is too deep.
    if (error instanceof RangeError) return 'is nested too deeply'
    return `does not parse: ${error instanceof Error ? error.message : String(error)}`
  }
  if (!isNode(root)) return 'does not parse'
  const parents = new Map<SyntaxNode, SyntaxNode>()
  const nodes: SyntaxNode[] = []
  for (const node of nodesWithin(root)) {
    nodes.push(node)
    for (const each of everyChild(node)) parents.set(each, node)
  }
  return {
    path,
    source,
    nodes,
    comments: comments.filter(isNode).map((comment) => ({
      text: String(comment.value),
      start: comment.start,
      line: comment.loc.start.line,
      lastLine: comment.loc.end.line,
    })),
    imports: importsOf(nodes),
    parentOf: (node) => parents.get(node),
  }
}

function importsOf(nodes: readonly SyntaxNode[]): ReadonlyMap<string, ImportedName> {
  const imports = new Map<string, ImportedName>()
  for (const node of nodes) {
    if (node.type === 'ImportDeclaration') {
      const from = String(child(node, 'source')?.value)
      for (const specifier of children(node, 'specifiers')) {
        const local = nameOf(child(specifier, 'local'))
        const imported = child(specifier, 'imported')
        const name =
          specifier.type === 'ImportNamespaceSpecifier'
            ? '*'
            : imported === undefined
              ? 'default'
              : String(imported.name ?? imported.value)
        if (local !== undefined) imports.set(local, { from, name })
      }
    } else if (node.type === 'VariableDeclarator') {
      const from = requiredModule(child(node, 'init'))
      const id = child(node, 'id')
      if (from === undefined || id === undefined) continue
      if (id.type === 'Identifier') imports.set(String(id.name), { from, name: '*' })
      for (const property of children(id, 'properties')) {
        const local = nameOf(child(property, 'value'))
        const name = keyName(property)
        if (local !== undefined && name !== undefined) imports.set(local, { from, name })
      }
    }
  }
  return imports
}

/** Of `require('x')` and `await import('x')`. */
function requiredModule(node: SyntaxNode | undefined): string | undefined {
  const call = unwrap(node)
  const callee = child(call, 'callee')
  const isImport =
    call?.type === 'ImportExpression' || callee?.type === 'Import' || nameOf(callee) === 'require'
  const [first] =
    call?.type === 'ImportExpression' ? [child(call, 'source')] : children(call, 'arguments')
  return isImport && first?.type === 'StringLiteral' ? String(first.value) : undefined
}

/** The code of a node on one line, cut where it is long. */
export function showCode({ source }: CodeFile, { start, end }: SyntaxNode): string {
  const text = source.slice(start, Math.min(end, start + 400)).replace(/\s+/g, ' ')
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** The nearest ancestor that a test holds for. */
export function ancestor(
  file: CodeFile,
  node: SyntaxNode,
  holds: (ancestor: SyntaxNode) => boolean,
): SyntaxNode | undefined {
  let found = file.parentOf(node)
  while (found && !holds(found)) found = file.parentOf(found)
  return found
}

/** The line that the statement around a node begins on. */
export function statementLine(file: CodeFile, node: SyntaxNode): number {
  const isStatement = ({ type }: SyntaxNode): boolean =>
    /Statement$|Declaration$|ClassProperty$/.test(type)
  return (ancestor(file, node, isStatement) ?? node).loc.start.line
}

/** The function that a node is in; not a callback, whose results the function around it sees. */
export function functionAround(file: CodeFile, node: SyntaxNode): SyntaxNode | undefined {
  let found = ancestor(file, node, isFunction)
  while (found && isArgument(file, found)) found = ancestor(file, found, isFunction)
  return found
}

function isArgument(file: CodeFile, node: SyntaxNode): boolean {
  return children(file.parentOf(node), 'arguments').includes(node)
}
