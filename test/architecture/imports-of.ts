import { isNode, lineOf, type SourceModule, type SyntaxNode, visitNodes } from './source-module.ts'

export interface Import {
  /** The text between the quotes; `undefined` for `import(name)` with a computed name. */
  readonly specifier: string | undefined
  readonly line: number
}

const IMPORTING_NODES = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
  'TSExternalModuleReference',
])

/** Every import of a module: static, re-exporting, dynamic, and in a type. */
export function importsOf(module: SourceModule): readonly Import[] {
  const imports: Import[] = []
  visitNodes(module.tree, (node) => {
    if (!IMPORTING_NODES.has(node.type)) return
    const source = node.source ?? node.expression
    if (node.type === 'ExportNamedDeclaration' && !isNode(source)) return
    imports.push({ specifier: literalText(source), line: lineOf(module, node) })
  })
  return imports
}

function literalText(value: unknown): string | undefined {
  if (!isNode(value)) return undefined
  const literal: SyntaxNode = value
  return literal.type === 'Literal' && typeof literal.value === 'string' ? literal.value : undefined
}
