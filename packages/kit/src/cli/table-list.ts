import type { TableDescription } from 'singletable/tools'
import { describeTable } from '../infra/live-shape.ts'
import { formatCount } from '../text/counts.ts'
import type { CommandOutput } from './command.ts'
import { CONNECT_OPTIONS, withConnection } from './connect-options.ts'
import type { CommandSpecification, Parameters } from './help.ts'
import { printTable } from './print-table.ts'
import { colorsFor, widthOf } from './terminal.ts'

export const TABLE_LIST: CommandSpecification = {
  name: 'table list',
  summary: 'lists the tables',
  groups: [
    {
      ...CONNECT_OPTIONS,
      options: CONNECT_OPTIONS.options.filter(({ name }) => name !== 'table'),
    },
    {
      title: 'What is listed',
      options: [{ name: 'long', short: 'l', text: 'state, items, bytes and indexes of each' }],
    },
  ],
}

export async function runTableList(given: Parameters, output: CommandOutput): Promise<undefined> {
  await withConnection(given, output, async ({ transport, place }) => {
    const names: string[] = []
    for (let last: string | undefined, isMore = true; isMore; isMore = last !== undefined) {
      const page = await transport.send('ListTables', last ? { ExclusiveStartTableName: last } : {})
      names.push(...(page.TableNames ?? []))
      last = page.LastEvaluatedTableName
    }
    const found: (TableDescription | undefined)[] = []
    if (given.flag('long')) {
      // One after the other: DynamoDB allows few of these requests at once.
      for (const name of names) found.push(await describeTable(transport, name))
    }
    // Between the two requests a table may have been deleted.
    const tables = found.filter((table) => table !== undefined)
    if (given.flag('json')) {
      output.print(JSON.stringify({ place, tables: given.flag('long') ? tables : names }))
    } else if (names.length === 0) output.printError(`There are no tables (${place}).`)
    else if (!given.flag('long')) output.print(names.join('\n'))
    else {
      const rows = tables.map((table) => [
        table.TableName,
        table.TableStatus,
        formatCount(table.ItemCount ?? 0),
        formatCount(table.TableSizeBytes ?? 0),
        String(
          (table.GlobalSecondaryIndexes ?? []).length + (table.LocalSecondaryIndexes ?? []).length,
        ),
      ])
      const columns = [
        { title: 'table' },
        { title: 'state' },
        ...['items', 'bytes', 'indexes'].map((title) => ({ title, align: 'right' as const })),
      ]
      const options = { colors: colorsFor(output, given), ...widthOf(output, given) }
      output.print(printTable(columns, rows, options))
    }
  })
}
