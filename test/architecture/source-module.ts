import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'vitest/node'

/** A node of the syntax tree: its type, and members that may be nodes again. */
export interface SyntaxNode {
  readonly type: string
  readonly [member: string]: unknown
}

/** A parsed source file; `path` is relative to its package's src and has forward slashes. */
export interface SourceModule {
  readonly path: string
  readonly text: string
  readonly tree: SyntaxNode
}

export function parseModule(modulePath: string, text: string): SourceModule {
  const tree: unknown = parseAst(
    text,
    { lang: modulePath.endsWith('x') ? 'tsx' : 'ts' },
    modulePath,
  )
  if (!isNode(tree)) throw new Error(`${modulePath} has no syntax tree`)
  return { path: modulePath, text, tree }
}

/** All shipped modules under a src folder: tests next to their file are left out. */
export function loadModules(sourceFolder: string): readonly SourceModule[] {
  return readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test(-d)?\.tsx?$/.test(file))
    .sort()
    .map((file) => parseModule(file, readFileSync(path.join(sourceFolder, file), 'utf8')))
}

/** Calls the visitor for each node, parents before children, with the nodes above it, nearest
 * last. */
export function visitNodes(
  tree: SyntaxNode,
  visitor: (node: SyntaxNode, parents: readonly SyntaxNode[]) => void,
): void {
  const parents: SyntaxNode[] = []
  const visit = (node: SyntaxNode): void => {
    visitor(node, parents)
    parents.push(node)
    for (const member of Object.values(node)) {
      for (const child of Array.isArray(member) ? member : [member]) if (isNode(child)) visit(child)
    }
    parents.pop()
  }
  visit(tree)
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** The line a node starts on, counted from 1. */
export function lineOf(module: SourceModule, node: SyntaxNode): number {
  return module.text.slice(0, Number(node.start)).split('\n').length
}
