import { type SchemaDefinition, Table, type Transport } from 'singletable'
import { didYouMean, type Environment, type Model, type Pattern } from 'singletable/tools'
import type { LoadedSchema } from '../schema-file/load-schema.ts'
import type { CommandOutput } from './command.ts'
import { type ConnectionOptions, openConnection, tableNameOf } from './connect-options.ts'
import type { Parameters } from './help.ts'
import { requireTable } from './missing-table.ts'
import { loadGivenSchema } from './schema-options.ts'
import { UsageError } from './usage-error.ts'

/** A table that a command works on; its types are known at run time alone. */
export interface OpenTable {
  readonly table: Table<SchemaDefinition>
  readonly loaded: LoadedSchema
  readonly transport: Transport
  readonly place: string
}

export interface OpenTableOptions extends ConnectionOptions {
  readonly loaded?: LoadedSchema | undefined
  readonly environment?: Environment | undefined
  /** Wraps the transport of the table. */
  readonly around?: ((transport: Transport) => Transport) | undefined
}

/** Loads the schema, opens the connection for the time of the work, and gives the table. */
export async function withTable<T>(
  given: Parameters,
  output: CommandOutput,
  work: (open: OpenTable) => Promise<T>,
  options: OpenTableOptions = {},
): Promise<T> {
  const loaded = options.loaded ?? (await loadGivenSchema(given, output.directory))
  const name = tableNameOf(given, loaded)
  const connection = await openConnection(given, output, options)
  try {
    const table = new Table({
      name,
      schema: loaded.definition,
      client: options.around?.(connection.transport) ?? connection.transport,
      onWarning: (message) => output.printError(`singletable: ${message}`),
      ...(options.environment && { environment: options.environment }),
    })
    const { place, transport } = connection
    return await requireTable(name, place, () => work({ table, loaded, transport, place }))
  } finally {
    await connection.close()
  }
}

/**
 * The function of an entity by name, as a command calls it: what it takes and gives is checked by
 * the library.
 */
export interface LooseEntity {
  get(key: object): LooseBuilder
  put(input: object): LooseBuilder
  create(input: object): LooseBuilder
  update(key: object): LooseUpdate
  upsert(key: object): LooseUpdate
  delete(key: object): LooseBuilder & { returning(what: 'ALL_OLD'): LooseBuilder }
}

export interface LooseUpdate extends LooseBuilder {
  set(changes: object): LooseUpdate
  add(changes: object): LooseUpdate
  remove(...names: readonly string[]): LooseUpdate
}

export interface LooseBuilder {
  execute(): Promise<Record<string, unknown> | undefined>
}

export function entityOf(table: Table<SchemaDefinition>, name: string): LooseEntity {
  // The types of a schema that is loaded at run time say nothing; the entity itself checks what it
  // is given.
  const entities = table.entities as unknown as Readonly<Record<string, LooseEntity>>
  const entity = entities[name]
  if (entity === undefined)
    throw new Error(`There is no entity "${name}", though its model was found.`)
  return entity
}

/** The model that a word names. */
export function requireModel(
  { schema }: Pick<LoadedSchema, 'schema'>,
  name: string | undefined,
): Model {
  const names = [...schema.models.keys()]
  if (name === undefined)
    throw new UsageError('No entity is named.', `use one of ${names.join(', ')}`)
  const model = schema.models.get(name)
  if (model) return model
  throw new UsageError(
    `The schema has no entity "${name}"${didYouMean(name, names)}.`,
    `use one of ${names.join(', ')}`,
  )
}

/** The access pattern that a word names. */
export function requirePattern({ schema }: LoadedSchema, name: string | undefined): Pattern {
  const names = [...schema.patterns.keys()]
  const fix =
    names.length > 0 ? `use one of ${names.join(', ')}` : 'declare patterns in the schema first'
  if (name === undefined) throw new UsageError('No access pattern is named.', fix)
  const pattern = schema.patterns.get(name)
  if (pattern) return pattern
  throw new UsageError(`The schema has no pattern "${name}"${didYouMean(name, names)}.`, fix)
}
