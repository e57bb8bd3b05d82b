import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { getOwn, type IssueSubject, type SchemaDefinition } from 'singletable/tools'
import { type CodeFile, parseCode } from '../source/code-file.ts'
import { bindingOf } from '../source/resolve.ts'
import {
  child,
  children,
  isCall,
  keyName,
  nameOf,
  type SyntaxNode,
  unwrap,
} from '../source/syntax.ts'

/** A place in a file of the project; lines and columns begin with 1. */
export interface Position {
  /** Relative to the project, with `/`. */
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Finds where something is written: the attribute, model, index or pattern, or as near to it as
 * can be found. */
export type Locate = (subject: IssueSubject) => Position

export interface LocateOptions {
  /** The file that exports the schema. */
  readonly file: string
  readonly exportName: string
  readonly definition: SchemaDefinition
  /** What files are relative to. */
  readonly directory: string
}

/** A node of a file. */
export interface Located {
  readonly file: CodeFile
  readonly node: SyntaxNode
}

/** Names that stand for names, and spreads of spreads: no farther than this. */
const DEPTH_MAX = 20
/** The type of the node that stands for all that a file exports. */
const NAMESPACE = 'ImportNamespaceSpecifier'
const EXTENSIONS = ['', '.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx']

/**
 * Reads the source of a schema, which may be put together from constants and from several files.
 * What can't be followed, such as models that a function makes, is located as a whole: at its
 * model, or at the export.
 */
export function locateSchema(options: LocateOptions): Locate {
  let locate: Locate | undefined
  // Parsed when the first subject is looked for: most designs have no finding.
  return (subject) => {
    locate ??= parseSchema(options)
    return locate(subject)
  }
}

/**
 * Finds the property at the end of a path in the source of a schema, and at no names its object.
 */
export function findInSchema(
  options: Pick<LocateOptions, 'file' | 'exportName'>,
): (names: readonly string[]) => Located | undefined {
  const sources = new Sources()
  const root = sources.schemaOf(options)
  return (names) => (names.length === 0 || root === undefined ? root : sources.at(root, names))
}

function parseSchema(options: LocateOptions): Locate {
  const { definition, directory } = options
  const find = findInSchema(options)
  const root = find([])
  const positionOf = ({ file, node }: Located): Position => {
    const { line, column } = node.loc.start
    const relative = path.relative(directory, file.path).split(path.sep).join('/')
    return { file: relative, line, column: column + 1 }
  }
  const start: Position = root
    ? positionOf(root)
    : {
        file: path.relative(directory, options.file).split(path.sep).join('/'),
        line: 1,
        column: 1,
      }
  return (subject) => {
    for (const names of pathsOf(subject, definition)) {
      const found = find(names)
      if (found) return positionOf(found)
    }
    return start
  }
}

/** The paths in a schema that a subject can be found at, the most exact one first. */
function pathsOf(
  { model, attribute, index, pattern }: IssueSubject,
  { models }: SchemaDefinition,
): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = []
  if (pattern !== undefined) {
    const [name = '', step] = pattern.split('.')
    if (step !== undefined) paths.push(['patterns', name, 'steps', step])
    paths.push(['patterns', name])
  }
  if (model !== undefined) {
    const owner = Object.entries(Object(models) as SchemaDefinition['models']).find(
      ([name, each]) => name !== model && getOwn(Object(Object(each).copies), model) !== undefined,
    )
    const own = owner && !Object.hasOwn(Object(models), model)
    const base = own ? ['models', owner[0], 'copies', model] : ['models', model]
    if (attribute !== undefined) {
      const parts = ['key', 'index', 'attributes'].map((part) => [...base, part, attribute])
      paths.push(...parts)
      if (own) paths.push(['models', owner[0], 'attributes', attribute])
    }
    paths.push(base, ...(own ? [['models', owner[0]]] : []))
  }
  if (index !== undefined) paths.push(['indexes', index])
  return paths
}

/** Files that were parsed, and what can be found in them. */
class Sources {
  readonly #files = new Map<string, CodeFile | undefined>()

  /** What the file exports as its schema; where the name is not known, whatever looks like one. */
  schemaOf({ file, exportName }: Pick<LocateOptions, 'file' | 'exportName'>): Located | undefined {
    const code = this.#open(file)
    if (code === undefined) return undefined
    const named = this.#exported(code, exportName, 0)
    const objects = code.nodes.filter(({ type }) => type === 'ObjectExpression')
    const candidates = named ? [named] : objects.map((node) => ({ file: code, node }))
    const isSchema = (each: Located): boolean =>
      ['indexes', 'models'].every((name) => this.#member(each, name, 0) !== undefined)
    return candidates.find((each) => isSchema(each)) ?? named
  }

  /** The member at the end of a path: the node of its name. */
  at(root: Located, names: readonly string[]): Located | undefined {
    let found: Located | undefined = root
    let property: Located | undefined
    for (const name of names) {
      property = found && this.#member(found, name, 0)
      found = property && valueIn(property)
    }
    return property
  }

  /** The property of an object with this name; one that comes later replaces those before it. */
  #member(of: Located, name: string, depth: number): Located | undefined {
    const object = this.#expand(of, depth)
    if (object === undefined || depth > DEPTH_MAX) return undefined
    const { file, node } = object
    if (node.type === NAMESPACE) return this.#exported(file, name, depth + 1)
    for (const property of children(node, 'properties').toReversed()) {
      if (property.type === 'SpreadElement') {
        const argument = child(property, 'argument')
        const found = argument && this.#member({ file, node: argument }, name, depth + 1)
        if (found) return found
      } else if (keyName(property) === name) return { file, node: property }
    }
    return undefined
  }

  /** An expression as the object that it stands for, through names, imports and calls such as
   * `defineSchema({ … })`. */
  #expand({ file, node }: Located, depth: number): Located | undefined {
    const inner = unwrap(node)
    if (inner === undefined || depth > DEPTH_MAX) return undefined
    const next = (value: SyntaxNode | undefined): Located | undefined =>
      value && this.#expand({ file, node: value }, depth + 1)
    if (inner.type === 'ObjectExpression' || inner.type === NAMESPACE) return { file, node: inner }
    if (inner.type === 'Identifier') {
      const name = String(inner.name)
      const binding = bindingOf(file, inner, name)
      if (binding?.kind === 'constant') return next(binding.value)
      const imported = this.#imported(file, name, depth + 1)
      return imported && this.#expand(imported, depth + 1)
    }
    if (isCall(inner)) return next(children(inner, 'arguments')[0])
    if (inner.type === 'NewExpression') {
      const [options] = children(inner, 'arguments')
      const schema = options && this.#member({ file, node: options }, 'schema', depth + 1)
      return schema && this.#expand(valueIn(schema), depth + 1)
    }
    const object = child(inner, 'object')
    const name = object && nameOf(inner)
    const member =
      object && name !== undefined
        ? this.#member({ file, node: object }, name, depth + 1)
        : undefined
    return member ? this.#expand(valueIn(member), depth + 1) : undefined
  }

  /** What an imported name is in the file it comes from. */
  #imported(file: CodeFile, local: string, depth: number): Located | undefined {
    const imported = file.imports.get(local)
    const target = imported && this.#open(moduleFile(file.path, imported.from))
    if (imported === undefined || target === undefined) return undefined
    const all = target.nodes[0]
    if (imported.name !== '*') return this.#exported(target, imported.name, depth)
    return all && { file: target, node: { ...all, type: NAMESPACE } }
  }

  /** What a file exports under a name. */
  #exported(file: CodeFile, name: string, depth: number): Located | undefined {
    for (const node of file.nodes) {
      if (node.type === 'ExportDefaultDeclaration' && name === 'default') {
        const value = child(node, 'declaration')
        if (value) return { file, node: value }
      }
      if (node.type !== 'ExportNamedDeclaration' && node.type !== 'ExportAllDeclaration') continue
      const from = child(node, 'source')
      const other = from && this.#open(moduleFile(file.path, String(from.value)))
      if (node.type === 'ExportAllDeclaration') {
        const found = other && depth < DEPTH_MAX && this.#exported(other, name, depth + 1)
        if (found) return found
        continue
      }
      for (const each of children(child(node, 'declaration'), 'declarations')) {
        if (nameOf(child(each, 'id')) === name) return { file, node: child(each, 'init') ?? each }
      }
      for (const each of children(node, 'specifiers')) {
        const exported = child(each, 'exported')
        const local = child(each, 'local')
        if (String(exported?.name ?? exported?.value) !== name || local === undefined) continue
        if (other === undefined) return { file, node: local }
        return this.#exported(other, String(local.name ?? local.value), depth + 1)
      }
    }
    return undefined
  }

  #open(file: string | undefined): CodeFile | undefined {
    if (file === undefined) return undefined
    if (!this.#files.has(file)) {
      const code = parseCode(file, readFileSync(file, 'utf8'))
      this.#files.set(file, typeof code === 'string' ? undefined : code)
    }
    return this.#files.get(file)
  }
}

/** The value of a property; any other node itself. */
function valueIn({ file, node }: Located): Located {
  return { file, node: child(node, 'value') ?? node }
}

/** The file of a module that is imported by a relative path. */
function moduleFile(from: string, module: string): string | undefined {
  if (!module.startsWith('.')) return undefined
  const target = path.resolve(path.dirname(from), module)
  // TypeScript imports `./post.js` and means post.ts.
  const written = target.replace(/\.([cm]?)js$/, '.$1ts')
  const candidates = [target, written].flatMap((each) =>
    [each, path.join(each, 'index')].flatMap((base) => EXTENSIONS.map((end) => base + end)),
  )
  return candidates.find((each) => existsSync(each) && statSync(each).isFile())
}
