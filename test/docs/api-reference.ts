import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript-5-9'

type Declaration =
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.VariableStatement

interface WithBody {
  readonly body?: ts.Node | undefined
  readonly initializer?: ts.Node | undefined
}

/** Headings of a page, in this order, and what is under each. */
const KINDS: readonly [string, (node: ts.Node) => boolean][] = [
  ['Functions', ts.isFunctionDeclaration],
  ['Classes', ts.isClassDeclaration],
  ['Constants', ts.isVariableStatement],
  ['Types', (node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)],
]

const parsed = new Map<string, ts.SourceFile>()

/**
 * The reference of one entry as Markdown: what it exports, with the comments of the source. Only
 * the syntax is read, which is enough because every export states its type.
 */
export function apiReference(specifier: string, entry: string): string {
  const exported = [...exportsOf(entry)].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const sections = KINDS.flatMap(([title, isKind]) => {
    const members = exported.filter(([, [first]]) => first !== undefined && isKind(first))
    return members.length === 0 ? [] : [`## ${title}`, ...members.map(printExport)]
  })
  const note = 'Generated from the comments in the source; `npm run docs:api` writes it again.'
  return `${[`# ${specifier}`, note, ...sections].join('\n\n')}\n`
}

function printExport([name, declarations]: [string, readonly Declaration[]]): string {
  const comment = commentOf(declarations[0]!)
  const code = declarations.map((each) => print(each, name)).join('\n')
  return [`### ${name}`, ...(comment ? [comment] : []), `\`\`\`ts\n${code}\n\`\`\``].join('\n\n')
}

/** All names of a module with their declarations, through re-exports; several for overloads. */
function exportsOf(file: string): Map<string, readonly Declaration[]> {
  const found = new Map<string, readonly Declaration[]>()
  for (const statement of parse(file).statements) {
    if (ts.isExportDeclaration(statement) && statement.moduleSpecifier) {
      const { text } = statement.moduleSpecifier as ts.StringLiteral
      const others = exportsOf(path.join(path.dirname(file), text))
      const clause = statement.exportClause
      if (clause && ts.isNamedExports(clause)) {
        for (const { name, propertyName } of clause.elements) {
          found.set(name.text, others.get((propertyName ?? name).text) ?? [])
        }
      } else for (const [name, declarations] of others) found.set(name, declarations)
    } else if (isExported(statement)) {
      for (const name of namesOf(statement)) {
        found.set(name, [...(found.get(name) ?? []), statement])
      }
    }
  }
  return found
}

function parse(file: string): ts.SourceFile {
  const known = parsed.get(file)
  if (known) return known
  if (!existsSync(file)) throw new Error(`${file} is exported and does not exist`)
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  parsed.set(file, source)
  return source
}

function isExported(node: ts.Statement): node is Declaration {
  return (
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  )
}

function namesOf(node: Declaration): readonly string[] {
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations.map(({ name }) => name.getText())
  }
  return node.name ? [node.name.text] : []
}

/** What a caller sees of a declaration: no bodies, no private members, no values. */
function print(node: Declaration, name: string): string {
  if (ts.isFunctionDeclaration(node)) return withoutBody(node, node)
  if (ts.isVariableStatement(node)) {
    const variable = node.declarationList.declarations.find((each) => each.name.getText() === name)
    return `const ${name}: ${variable?.type?.getText() ?? 'unknown'}`
  }
  if (!ts.isClassDeclaration(node)) return node.getText().replace(/^export (?:default )?/, '')
  const head = node.getText().slice(0, node.members.pos - node.getStart())
  const members = node.members.filter(isVisible).map((member) => {
    const leading = docOf(member)
    return `${leading ? `  ${leading}\n` : ''}  ${withoutBody(member, member as WithBody)}`
  })
  return `${head.replace(/^export /, '')}\n${members.join('\n')}\n}`
}

function isVisible(member: ts.ClassElement): boolean {
  if (member.name && ts.isPrivateIdentifier(member.name)) return false
  if (ts.isClassStaticBlockDeclaration(member)) return false
  return !(ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : []).some(({ kind }) =>
    [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword].includes(kind),
  )
}

function withoutBody(node: ts.Node, { body, initializer }: WithBody): string {
  const end = body ?? initializer
  const text = node.getText()
  const cut = end ? text.slice(0, end.getStart() - node.getStart()).replace(/\s*=?\s*$/, '') : text
  return cut.replace(/^(?:export |async |declare |override )+/, '')
}

function docOf(node: ts.Node): string | undefined {
  const ranges = ts.getLeadingCommentRanges(node.getSourceFile().text, node.pos) ?? []
  const last = ranges.at(-1)
  const text = last && node.getSourceFile().text.slice(last.pos, last.end)
  return text?.startsWith('/**') ? text : undefined
}

/** A doc comment as Markdown; examples become blocks of code. */
function commentOf(node: ts.Node): string {
  const text = (docOf(node) ?? '')
    .replace(/^\/\*\*[ \t]?|\s*\*\/$/g, '')
    .replace(/^[ \t]*\* ?/gm, '')
    .trim()
  const [prose = '', ...examples] = text.split(/^@example\s*\n/m)
  const blocks = examples.map((each) =>
    each.includes('```') ? each.trim() : `\`\`\`ts\n${each.trim()}\n\`\`\``,
  )
  return [prose.trim(), ...blocks].filter(Boolean).join('\n\n')
}
