import { createTableRequest, type TableDescription } from 'singletable/tools'
import { formatCount } from '../text/counts.ts'
import type { Colors } from '../text/terminal-text.ts'
import type { CommandOutput } from './command.ts'
import { WRITE_OPTIONS } from './confirm-writes.ts'
import { CONNECT_OPTIONS, tableNameOf, withConnection } from './connect-options.ts'
import type { CommandSpecification, Parameters } from './help.ts'
import { requireTable } from './missing-table.ts'
import { withTable } from './open-table.ts'
import { printTable } from './print-table.ts'
import { runCommand, runSubcommand } from './run-command.ts'
import { loadGivenSchema, SCHEMA_OPTIONS } from './schema-options.ts'
import { colorsFor } from './terminal.ts'
import { EXIT_DONE, FailureError, UsageError } from './usage-error.ts'

const CREATE: CommandSpecification = {
  name: 'table create',
  summary: 'makes the table that the schema describes, with all its indexes',
  groups: [
    SCHEMA_OPTIONS,
    CONNECT_OPTIONS,
    {
      title: 'How',
      options: [
        { name: 'if-missing', text: 'a table that is there already is no failure' },
        { name: 'dry-run', text: 'print the CreateTable request, and send nothing' },
      ],
    },
    WRITE_OPTIONS,
  ],
}

const DESCRIBE: CommandSpecification = {
  name: 'table describe',
  summary: 'shows state, size, keys and indexes of the table',
  groups: [SCHEMA_OPTIONS, CONNECT_OPTIONS],
  notes: ['DynamoDB counts items and bytes anew every six hours or so.'],
}

const DELETE: CommandSpecification = {
  name: 'table delete',
  summary: 'deletes the table with everything in it',
  groups: [
    SCHEMA_OPTIONS,
    CONNECT_OPTIONS,
    {
      title: 'To be sure',
      options: [{ name: 'yes', value: 'name', text: "the table's name once more; needed" }],
    },
  ],
}

export const TABLE_COMMAND: CommandSpecification = {
  name: 'table',
  summary: 'makes, shows or deletes the table',
  groups: [],
  subcommands: [CREATE, DESCRIBE, DELETE],
}

export function runTable(parameters: readonly string[], output: CommandOutput): Promise<number> {
  const action =
    (specification: CommandSpecification, work: typeof createTable) => (rest: readonly string[]) =>
      runCommand(specification, rest, output, async (given) => {
        await work(given, output)
        return EXIT_DONE
      })
  return runSubcommand(
    TABLE_COMMAND,
    parameters,
    output,
    new Map([
      ['create', action(CREATE, createTable)],
      ['describe', action(DESCRIBE, describeTable)],
      ['delete', action(DELETE, deleteTable)],
    ]),
  )
}

async function createTable(given: Parameters, output: CommandOutput): Promise<void> {
  const isJson = given.flag('json')
  const loaded = await loadGivenSchema(given, output.directory)
  if (given.flag('dry-run')) {
    const request = createTableRequest(loaded.schema, tableNameOf(given, loaded))
    output.print(JSON.stringify(request, null, 2))
    return
  }
  await withTable(
    given,
    output,
    async ({ table, place }) => {
      const tell = (created: boolean): void =>
        output.print(
          isJson
            ? JSON.stringify({ table: table.name, place, created })
            : `table "${table.name}" ${created ? 'is ready' : 'is there already'} (${place})`,
        )
      if (await table.exists()) {
        if (given.flag('if-missing')) return tell(false)
        throw new FailureError(
          `There is a table "${table.name}" already.`,
          place,
          'say --if-missing if that is all right, or choose another name by --table',
        )
      }
      await table.create()
      tell(true)
    },
    { loaded, makesData: true },
  )
}

async function describeTable(given: Parameters, output: CommandOutput): Promise<void> {
  const TableName = await nameFor(given, output)
  await withConnection(given, output, async ({ transport, place }) => {
    const { Table: table } = await requireTable(TableName, place, () =>
      transport.send('DescribeTable', { TableName }),
    )
    const { TimeToLiveDescription: ttl } = await transport.send('DescribeTimeToLive', { TableName })
    if (given.flag('json')) {
      output.print(JSON.stringify({ place, ...table, TimeToLiveDescription: ttl }))
      return
    }
    const lifetime = ttl?.TimeToLiveStatus === 'ENABLED' ? ttl.AttributeName : undefined
    if (table) output.print(describe(table, place, lifetime, colorsFor(output, given)))
  })
}

async function deleteTable(given: Parameters, output: CommandOutput): Promise<void> {
  const TableName = await nameFor(given, output)
  if (given.text('yes') !== TableName) {
    throw new UsageError(
      `This deletes the table "${TableName}" with everything in it.`,
      `say --yes ${TableName} if you are sure`,
    )
  }
  await withConnection(given, output, async ({ transport, place }) => {
    await requireTable(TableName, place, () => transport.send('DeleteTable', { TableName }))
    output.print(
      given.flag('json')
        ? JSON.stringify({ table: TableName, place, deleted: true })
        : `table "${TableName}" is deleted (${place})`,
    )
  })
}

/** The schema is loaded only where the name is not typed: a table can be looked at without one. */
async function nameFor(given: Parameters, output: CommandOutput): Promise<string> {
  if (given.text('table') !== undefined) return tableNameOf(given)
  return tableNameOf(given, await loadGivenSchema(given, output.directory))
}

function describe(
  table: TableDescription,
  place: string,
  ttl: string | undefined,
  colors: Colors,
): string {
  const { KeySchema = [], GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = table
  const types = new Map(
    table.AttributeDefinitions?.map((each) => [each.AttributeName, each.AttributeType]),
  )
  const keys = (elements: typeof KeySchema): string =>
    elements.map((each) => `${each.AttributeName} (${types.get(each.AttributeName)})`).join(', ')
  const billing =
    table.BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST' ? 'on demand' : 'provisioned'
  const stream = table.StreamSpecification?.StreamEnabled
    ? table.StreamSpecification.StreamViewType
    : undefined
  const facts: [string, string | undefined][] = [
    ['state', table.TableStatus],
    ['items', `about ${formatCount(table.ItemCount ?? 0)}`],
    ['bytes', `about ${formatCount(table.TableSizeBytes ?? 0)}`],
    ['billing', billing],
    ['stream', stream],
    ['time to live', ttl],
    ['protected', table.DeletionProtectionEnabled ? 'from deletion' : undefined],
  ]
  const rows = [
    ['primary', 'primary', keys(KeySchema), 'all', table.TableStatus ?? ''],
    ...GlobalSecondaryIndexes.map((index) => [
      index.IndexName ?? '',
      'global',
      keys(index.KeySchema ?? []),
      projection(index.Projection),
      index.IndexStatus ?? '',
    ]),
    ...LocalSecondaryIndexes.map((index) => [
      index.IndexName ?? '',
      'local',
      keys(index.KeySchema ?? []),
      projection(index.Projection),
      table.TableStatus ?? '',
    ]),
  ]
  const titles = ['index', 'kind', 'keys', 'has', 'state'].map((title) => ({ title }))
  return [
    `${colors.bold(table.TableName ?? '')} (${place})`,
    ...facts.flatMap(([name, value]) =>
      value === undefined ? [] : [`  ${name.padEnd(12)}  ${value}`],
    ),
    '',
    printTable(titles, rows, { colors }),
  ].join('\n')
}

function projection(
  given: { ProjectionType?: string; NonKeyAttributes?: readonly string[] } | undefined,
): string {
  if (given?.ProjectionType === 'KEYS_ONLY') return 'keys'
  return given?.ProjectionType === 'INCLUDE' ? `keys, ${given.NonKeyAttributes?.join(', ')}` : 'all'
}
