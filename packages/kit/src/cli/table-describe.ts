import type { TableDescription } from 'singletable/tools'
import { formatCount } from '../text/counts.ts'
import type { Colors } from '../text/terminal-text.ts'
import type { CommandOutput } from './command.ts'
import { CONNECT_OPTIONS, tableNameFor, withConnection } from './connect-options.ts'
import type { CommandSpecification, Parameters } from './help.ts'
import { requireTable } from './missing-table.ts'
import { printTable } from './print-table.ts'
import { SCHEMA_OPTIONS } from './schema-options.ts'
import { colorsFor, widthOf } from './terminal.ts'

export const TABLE_DESCRIBE: CommandSpecification = {
  name: 'table describe',
  summary: 'shows state, size, keys and indexes of the table',
  groups: [SCHEMA_OPTIONS, CONNECT_OPTIONS],
  notes: ['DynamoDB updates the counts of items and bytes about every six hours.'],
}

export async function runTableDescribe(
  given: Parameters,
  output: CommandOutput,
): Promise<undefined> {
  const TableName = await tableNameFor(given, output)
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
    const options = { colors: colorsFor(output, given), ...widthOf(output, given) }
    output.print(describe(table, place, lifetime, options))
  })
}

function describe(
  table: TableDescription,
  place: string,
  ttl: string | undefined,
  options: { readonly colors: Colors; readonly width?: number },
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
    `${options.colors.bold(table.TableName ?? '')} (${place})`,
    ...facts.flatMap(([name, value]) =>
      value === undefined ? [] : [`  ${name.padEnd(12)}  ${value}`],
    ),
    '',
    printTable(titles, rows, options),
  ].join('\n')
}

function projection(
  given: { ProjectionType?: string; NonKeyAttributes?: readonly string[] } | undefined,
): string {
  if (given?.ProjectionType === 'KEYS_ONLY') return 'keys'
  return given?.ProjectionType === 'INCLUDE' ? `keys, ${given.NonKeyAttributes?.join(', ')}` : 'all'
}
