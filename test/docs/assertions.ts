import {
  isNode,
  lineOf,
  parseModule,
  type SourceModule,
  type SyntaxNode,
  visitNodes,
} from '../architecture/source-module.ts'

/** A program taken apart: its imports, and the rest with every `// =>` turned into a call of
 * `check`. */
export interface CheckedProgram {
  readonly imports: readonly string[]
  /** An asynchronous function, so that an example may wait and return as in a function of the
   * reader. */
  readonly body: string
  readonly used: ReadonlySet<string>
  readonly declared: ReadonlySet<string>
}

const IMPORT = /^import\s(?:[^;'"]*?from\s*)?['"][^'"]+['"];?$/gm
const STATEMENT = /Statement$|Declaration$/

/**
 * Turns `expression // => value` into a check that both are equal, `const name = expression // =>
 * value` into a check of the name, and `expression // => throws Name: text` into a check that it
 * throws an error that begins so.
 */
export function compileAssertions(text: string): CheckedProgram {
  const imports = text.match(IMPORT) ?? []
  // Blanks keep every line and column where it was.
  const rest = text.replace(IMPORT, (statement) => statement.replace(/\S/g, ' '))
  const module = parseModule('program.ts', `async () => {${rest}\n}`)
  const used = new Set<string>()
  const declared = new Set(imports.flatMap((statement) => statement.match(/\w+/g) ?? []))
  visitNodes(module.tree, (node, parents) => {
    if (node.type !== 'Identifier') return
    used.add(String(node.name))
    if (declares(parents, node)) declared.add(String(node.name))
  })
  return { imports, body: replaceAssertions(module), used, declared }
}

function replaceAssertions(module: SourceModule): string {
  const statements = statementsByLastLine(module)
  const lines = module.text.split('\n')
  let body = module.text
  // From the end, so that what was found before a place stays where it was.
  for (let line = lines.length; line >= 1; line--) {
    const match = /\/\/ => ?(.*)$/.exec(lines[line - 1] ?? '')
    if (match === null) continue
    const statement = statements.get(line)
    if (statement === undefined) {
      throw new Error(`line ${line}: "// =>" must be at the end of a statement`)
    }
    const check = checkOf(module, statement, { value: (match[1] ?? '').trim(), line })
    body = body.slice(0, Number(statement.start)) + check + body.slice(Number(statement.end))
  }
  return body
}

function checkOf(
  module: SourceModule,
  statement: SyntaxNode,
  { value, line }: { readonly value: string; readonly line: number },
): string {
  const thrown = /^throws (.*)$/.exec(value)
  if (statement.type === 'ExpressionStatement' && isNode(statement.expression)) {
    const expression = textOf(module, statement.expression)
    return thrown
      ? `;await check.throws(async () => (${expression}), ${JSON.stringify(thrown[1])}, ${line});`
      : `;check.equals(${expression}, (${value}), ${line});`
  }
  const declarators = Array.isArray(statement.declarations) ? statement.declarations : []
  const [declarator] = declarators
  const name = isNode(declarator) && isNode(declarator.id) ? declarator.id.name : undefined
  if (typeof name !== 'string' || declarators.length !== 1 || thrown) {
    throw new Error(`line ${line}: "// =>" needs an expression or the declaration of one name`)
  }
  return `${textOf(module, statement)};check.equals(${name}, (${value}), ${line});`
}

/** The innermost statement that ends on each line. */
function statementsByLastLine(module: SourceModule): ReadonlyMap<number, SyntaxNode> {
  const statements = new Map<number, SyntaxNode>()
  visitNodes(module.tree, (node) => {
    if (!STATEMENT.test(node.type) || node.type === 'BlockStatement') return
    statements.set(lineOf(module, { type: 'End', start: node.end }), node)
  })
  return statements
}

function declares(parents: readonly SyntaxNode[], node: SyntaxNode): boolean {
  const parent = parents.at(-1)
  if (parent === undefined) return false
  const isTakenApart = parents.at(-2)?.type === 'ObjectPattern' && parent.value === node
  const isParameter = Array.isArray(parent.params) && parent.params.includes(node)
  return parent.id === node || isTakenApart || isParameter
}

function textOf(module: SourceModule, node: SyntaxNode): string {
  return module.text.slice(Number(node.start), Number(node.end))
}
