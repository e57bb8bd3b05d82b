import { type SchemaDefinition, Table } from 'singletable'
import type { Migration } from 'singletable/migrations'
import { compileSchema, type Item, systemEnvironment, type Transport } from 'singletable/tools'
import { Journal } from '../../packages/kit/src/migrate/journal.ts'
import { type RunOptions, runMigration } from '../../packages/kit/src/migrate/run-migration.ts'

interface Loose {
  put(input: object): Promise<unknown>
  create(input: object): Promise<unknown>
  get(key: object): Promise<object | undefined>
  delete(key: object): Promise<unknown>
  query(values: object): Promise<readonly object[]>
  update(key: object): { set(values: object): Promise<unknown> }
}
/** Those that the schemas of these tests have. */
export type Entities = Record<'User' | 'Note' | 'Person' | 'Address' | 'Comment', Loose>

export const PRIMARY = { primary: { hash: 'pk', sort: 'sk' } } as const
export const MIGRATION_ID = '20261118T000000Z_test'

/** A schema with a model User; its types say nothing, since it is made at run time. */
export function schemaOf(
  attributes: object,
  more: object = {},
  others: object = {},
): SchemaDefinition {
  return {
    indexes: PRIMARY,
    models: {
      User: {
        key: { pk: 'USER#${id}', sk: 'USER' },
        attributes: { id: { type: String, required: true }, ...attributes },
        ...more,
      },
      ...others,
    },
  } as unknown as SchemaDefinition
}

/** A table that is migrated. */
export interface Place {
  readonly transport: Transport
  readonly tableName: string
}

export function open(definition: SchemaDefinition, { transport, tableName }: Place) {
  const table = new Table({ name: tableName, schema: definition, client: transport })
  return { table, entities: table.entities as unknown as Entities }
}

/** All items but those of the command, in the order of their keys. */
export async function dump({ transport, tableName }: Place): Promise<Item[]> {
  const { Items = [] } = await transport.send('Scan', {
    TableName: tableName,
    ConsistentRead: true,
  })
  const textOf = ({ pk, sk }: Item): string => JSON.stringify([pk, sk])
  return Items.filter(({ _type }) => _type?.S !== '_kit').sort((a, b) =>
    textOf(a) < textOf(b) ? -1 : 1,
  )
}

export interface Change {
  readonly before: SchemaDefinition
  readonly after: SchemaDefinition
  readonly steps: Migration['steps']
}

export function runOptions(
  { transport, tableName }: Place,
  { before, after, steps }: Change,
  more: Partial<RunOptions> = {},
): RunOptions {
  const schema = compileSchema(after)
  const environment = systemEnvironment
  return {
    transport,
    tableName,
    environment,
    journal: new Journal({ transport, tableName, schema, environment, owner: 'test' }),
    id: MIGRATION_ID,
    checksum: 'x',
    before: compileSchema(before),
    after: schema,
    migration: { steps },
    segments: 2,
    signal: new AbortController().signal,
    onProgress() {},
    onRequest() {},
    ...more,
  }
}

export async function migrate(
  place: Place,
  change: Change,
  more: Partial<RunOptions> = {},
): Promise<boolean> {
  const options = runOptions(place, change, more)
  await options.journal.acquire()
  try {
    return await runMigration(options)
  } finally {
    await options.journal.release()
  }
}
