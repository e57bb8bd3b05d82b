import { compileSchema, type TableDescription, type Transport } from 'singletable/tools'
import { sampleTable } from '../../check/evidence/sample-table.ts'
import { InfraError } from '../../infra/infra-error.ts'
import { describeTable, readLiveTable } from '../../infra/live-shape.ts'
import { inferSchema } from '../../pull/infer-schema.ts'
import type { LoadedSchema } from '../../schema-file/load-schema.ts'
import type { TablesView, TableView } from './contract.ts'
import { StudioError } from './studio-error.ts'
import { Meter, StudioSource } from './studio-source.ts'

/** Tables that are listed; DynamoDB allows 2,500 in an account. */
const TABLES_MAX = 500
/** Read units that guessing a schema may take. On AWS nothing is read for it. */
const GUESS_UNITS = 50

/** The tables that pages may ask for: the one of the schema, and others where that was allowed. */
export class TableSources {
  readonly first: StudioSource
  readonly #showsAll: boolean
  readonly #others = new Map<string, Promise<StudioSource>>()

  constructor(first: StudioSource, showsAll: boolean) {
    this.first = first
    this.#showsAll = showsAll
  }

  /** The table that a page names; without a name, the first. */
  async find(name: string | undefined): Promise<StudioSource> {
    if (name === undefined || name === this.first.connection.tableName) return this.first
    this.#requireAll()
    const found = this.#others.get(name) ?? this.#open(name)
    this.#others.set(name, found)
    try {
      return await found
    } catch (error) {
      // It may be there the next time.
      this.#others.delete(name)
      throw error
    }
  }

  async list(): Promise<TablesView> {
    this.#requireAll()
    const meter = new Meter(this.first.connection.transport)
    const names = await tableNames(meter.transport)
    const tables: TableView[] = []
    // One after the other: DynamoDB allows few of these requests at once.
    for (const name of names) {
      const found = await describeTable(meter.transport, name)
      if (found) tables.push(viewOf(found))
    }
    return { tables, spent: meter.spent(0, null) }
  }

  #requireAll(): void {
    if (this.#showsAll) return
    throw new StudioError(
      `Only ${this.first.connection.tableName} is shown.`,
      'start singletable studio with --tables to see the others',
      'TABLE_REFUSED',
    )
  }

  async #open(tableName: string): Promise<StudioSource> {
    const { transport, place, isAws, isReadOnly, cloudWatch } = this.first.connection
    const loaded = await guessSchema(transport, tableName, !isAws)
    const places = { transport, tableName, place, isAws, isReadOnly, cloudWatch }
    const connection = { ...places, showsTables: true }
    return new StudioSource({ ...connection, isOther: true, isGuessed: true }, loaded)
  }
}

/** The names of all tables, or of the first ones. */
export async function tableNames(transport: Transport): Promise<readonly string[]> {
  const names: string[] = []
  let last: string | undefined
  do {
    const page = await transport.send('ListTables', last ? { ExclusiveStartTableName: last } : {})
    names.push(...(page.TableNames ?? []))
    last = page.LastEvaluatedTableName
  } while (last !== undefined && names.length < TABLES_MAX)
  return names.slice(0, TABLES_MAX)
}

/** A schema for a table that has none: its keys and indexes, and models by the look of its items. */
export async function guessSchema(
  transport: Transport,
  tableName: string,
  readsItems: boolean,
): Promise<LoadedSchema> {
  try {
    const { shape } = await readLiveTable(transport, tableName)
    const today = new Date().toISOString().slice(0, 10)
    const { items } = readsItems
      ? await sampleTable({ transport, tableName, budget: GUESS_UNITS, today })
      : { items: [] }
    const { definition } = inferSchema(shape, items)
    // Models say the types of keys, and there may be none.
    const keyTypes = new Map(shape.keys.map(({ name, type }) => [name, type]))
    const schema = { ...compileSchema(definition), keyTypes }
    return { file: '', exportName: 'schema', definition, tableName, schema }
  } catch (error) {
    if (!(error instanceof InfraError)) throw error
    throw new StudioError(error.message, error.fix)
  }
}

function viewOf(table: TableDescription): TableView {
  const { TableName, TableStatus, ItemCount, TableSizeBytes, KeySchema = [] } = table
  const types = new Map(
    table.AttributeDefinitions?.map((each) => [each.AttributeName, each.AttributeType]),
  )
  const indexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])]
  return {
    name: TableName ?? '',
    status: TableStatus ?? 'UNKNOWN',
    itemCount: ItemCount ?? 0,
    sizeBytes: TableSizeBytes ?? 0,
    keys: KeySchema.map(({ AttributeName }) => `${AttributeName} (${types.get(AttributeName)})`),
    indexes: indexes.map(({ IndexName }) => IndexName ?? ''),
    billing:
      table.BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST' ? 'on demand' : 'provisioned',
    hasStream: table.StreamSpecification?.StreamEnabled === true,
  }
}
