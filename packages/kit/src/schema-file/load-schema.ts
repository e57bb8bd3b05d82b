import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import {
  compileSchema,
  DefinitionError,
  type DefinitionIssue,
  type Schema,
  type SchemaDefinition,
  SingletableError,
} from 'singletable/tools'
import { EnvironmentError } from './environment-error.ts'
import { importModule } from './import-module.ts'

/** A schema as a file has it, which may not be one that can be used. */
export interface LoadedDefinition {
  /** The absolute path of the file. */
  readonly file: string
  /** The name the file exports it by. */
  readonly exportName: string
  readonly definition: SchemaDefinition
  /** The table's name, where the file exports a `Table`. */
  readonly tableName: string | undefined
}

/** A schema as a file has it, made ready for use. */
export interface LoadedSchema extends LoadedDefinition {
  readonly schema: Schema
}

export interface LoadSchemaOptions {
  /** Where relative paths begin, and where the schema is looked for; the working directory unless
   * given. */
  readonly directory?: string | undefined
  /** Which export to take, where there are several schemas. */
  readonly exportName?: string | undefined
}

const FOLDERS = ['', 'src', 'src/db', 'db']
const NAMES = ['singletable.schema', 'schema']
const EXTENSIONS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']

/**
 * Loads the schema of a file, in TypeScript or JavaScript, of an ESM or a CommonJS project; without
 * a file, that of the project. Whatever keeps it from being used is an `EnvironmentError`, or the
 * library's own error about the schema.
 */
export async function loadSchema(
  file: string | undefined,
  options: LoadSchemaOptions = {},
): Promise<LoadedSchema> {
  const loaded = await loadDefinition(file, options)
  try {
    return { ...loaded, schema: compileSchema(loaded.definition) }
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error
    const { code, issues, what, where, fix } = error
    const file = `${loaded.file}, export "${loaded.exportName}"`
    const place = issues.length === 1 ? `${file}: ${where}` : file
    throw new EnvironmentError(`${code}: ${what}${printIssues(issues)}`, place, fix, {
      cause: error,
    })
  }
}

/** All that is wrong with a schema; one issue alone is in the error itself. */
function printIssues(issues: readonly DefinitionIssue[]): string {
  if (issues.length < 2) return ''
  const lines = issues.map(
    ({ what, where, fix }, at) =>
      `\n  ${at + 1}. ${what}\n     where:  ${where}\n     fix:    ${fix}`,
  )
  return lines.join('')
}

/** Loads what a file exports as its schema, whether it can be used or not. */
export async function loadDefinition(
  file: string | undefined,
  options: LoadSchemaOptions = {},
): Promise<LoadedDefinition> {
  const { directory = process.cwd(), exportName } = options
  const found = file === undefined ? requireSchema(directory) : path.resolve(directory, file)
  if (!existsSync(found) || !statSync(found).isFile()) {
    throw new EnvironmentError(
      `There is no file "${file ?? found}".`,
      found,
      'pass --schema <file> with the file that exports the schema',
    )
  }
  try {
    const exported = await importModule(found)
    return { file: found, ...chooseExport(exported, found, exportName) }
  } catch (error) {
    // defineSchema() throws before anything is exported, and its error has the schema. It may be
    // the error of another copy of the library, which a package that the file imports has.
    const { definition } = Object(error) as { definition?: unknown }
    if (!SingletableError.is(error) || !isDefinition(definition)) throw error
    return {
      file: found,
      exportName: exportName ?? 'schema',
      definition,
      tableName: undefined,
    }
  }
}

/** The file that has the schema of a project: the one that package.json names, else one in the
 * usual places. */
export function findSchema(directory: string): string | undefined {
  const manifest = path.join(directory, 'package.json')
  const named = existsSync(manifest) ? schemaOfManifest(manifest) : undefined
  if (named !== undefined) return path.resolve(directory, named)
  const candidates = FOLDERS.flatMap((folder) =>
    NAMES.flatMap((name) => EXTENSIONS.map((end) => path.join(folder, `${name}.${end}`))),
  )
  const found = candidates.find((each) => existsSync(path.join(directory, each)))
  return found === undefined ? undefined : path.join(directory, found)
}

function requireSchema(directory: string): string {
  const found = findSchema(directory)
  if (found !== undefined) return found
  throw new EnvironmentError(
    'No schema was found.',
    `${directory}: neither package.json names one under "singletable": { "schema": … }, nor is there schema.ts, src/schema.ts, src/db/schema.ts or db/schema.ts`,
    'pass --schema <file> with the file that exports the schema',
  )
}

function schemaOfManifest(file: string): string | undefined {
  let manifest: unknown
  try {
    manifest = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new EnvironmentError(
      `package.json can't be read: ${firstLine(cause)}.`,
      file,
      'fix it, or pass --schema <file>',
      { cause },
    )
  }
  // Reading members of whatever it is can't fail but for null and undefined.
  const { singletable } = Object(manifest) as { singletable?: { schema?: unknown } | null }
  const schema = singletable?.schema
  return typeof schema === 'string' ? schema : undefined
}

interface Candidate {
  readonly exportName: string
  readonly definition: SchemaDefinition
  readonly tableName: string | undefined
}

function chooseExport(
  exported: Record<string, unknown>,
  file: string,
  wanted: string | undefined,
): Candidate {
  // The exports of a CommonJS module are under default as well.
  const members = new Map(Object.entries(exported))
  for (const [name, value] of Object.entries(Object(exported.default))) {
    if (!members.has(name) && candidateOf(name, value)) members.set(name, value)
  }
  const candidates = [...members].flatMap(([name, value]) => candidateOf(name, value) ?? [])
  const names = candidates.map(({ exportName }) => exportName)
  if (wanted !== undefined) {
    const found = candidates.find(({ exportName }) => exportName === wanted)
    if (found) return found
    throw new EnvironmentError(
      members.has(wanted)
        ? `What is exported as "${wanted}" is not a schema.`
        : `Nothing is exported as "${wanted}".`,
      file,
      names.length > 0 ? `pass --export ${names.join(' or ')}` : 'export the schema',
    )
  }
  const [first] = candidates
  if (first === undefined) {
    throw new EnvironmentError(
      'The file exports no schema.',
      `${file}, which exports ${[...members.keys()].join(', ') || 'nothing'}`,
      'export what defineSchema() gives: an object with indexes and models',
    )
  }
  // A table and its schema, or one schema under two names, count as one.
  const definitions = new Set(candidates.map(({ definition }) => definition))
  if (definitions.size > 1) {
    throw new EnvironmentError(
      `The file exports ${definitions.size} schemas.`,
      file,
      `pass --export ${names.join(' or ')}`,
    )
  }
  return { ...first, tableName: candidates.find(({ tableName }) => tableName)?.tableName }
}

/** A schema, or a table, which has one. */
function candidateOf(exportName: string, value: unknown): Candidate | undefined {
  if (isDefinition(value)) return { exportName, definition: value, tableName: undefined }
  const { schema, name } = Object(value ?? {}) as { schema?: unknown; name?: unknown }
  if (!isDefinition(schema)) return undefined
  return { exportName, definition: schema, tableName: typeof name === 'string' ? name : undefined }
}

/** Has what every schema has; whether it is right is for the compilation to say. */
function isDefinition(value: unknown): value is SchemaDefinition {
  if (typeof value !== 'object' || value === null) return false
  return ['indexes', 'models'].every((name) => {
    const member = (value as Record<string, unknown>)[name]
    return typeof member === 'object' && member !== null
  })
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return (message.split('\n')[0] ?? '').trim()
}
