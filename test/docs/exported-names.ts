import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isNode, parseModule, type SyntaxNode } from '../architecture/source-module.ts'

/** The names a module exports, types included. */
export function exportedNames(file: string): ReadonlySet<string> {
  const names = new Set<string>()
  const { tree } = parseModule(file, readFileSync(file, 'utf8'))
  for (const statement of nodes(tree.body)) {
    if (statement.type === 'ExportAllDeclaration' && isNode(statement.source)) {
      const target = path.resolve(path.dirname(file), String(statement.source.value))
      for (const name of exportedNames(target)) names.add(name)
    }
    if (statement.type !== 'ExportNamedDeclaration') continue
    for (const specifier of nodes(statement.specifiers)) addName(names, specifier.exported)
    const declaration = statement.declaration
    if (!isNode(declaration)) continue
    addName(names, declaration.id)
    for (const declarator of nodes(declaration.declarations)) addName(names, declarator.id)
  }
  return names
}

function nodes(value: unknown): readonly SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

function addName(names: Set<string>, identifier: unknown): void {
  if (isNode(identifier) && identifier.type === 'Identifier') names.add(String(identifier.name))
}
