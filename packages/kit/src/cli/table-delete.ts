import { describeTable } from '../infra/live-shape.ts'
import type { CommandOutput } from './command.ts'
import { CONNECT_OPTIONS, tableNameFor, withConnection } from './connect-options.ts'
import type { CommandSpecification, Parameters } from './help.ts'
import { requireTable } from './missing-table.ts'
import { SCHEMA_OPTIONS } from './schema-options.ts'
import { FailureError, UsageError } from './usage-error.ts'

export const TABLE_DELETE: CommandSpecification = {
  name: 'table delete',
  summary: 'deletes the table with everything in it',
  groups: [
    SCHEMA_OPTIONS,
    CONNECT_OPTIONS,
    {
      title: 'To be sure',
      options: [
        { name: 'yes', value: 'name', text: "the table's name once more; needed" },
        { name: 'unprotect', text: 'delete it even if it is protected from deletion' },
      ],
    },
  ],
}

export async function runTableDelete(given: Parameters, output: CommandOutput): Promise<undefined> {
  const TableName = await tableNameFor(given, output)
  if (given.text('yes') !== TableName) {
    throw new UsageError(
      `This deletes the table "${TableName}" with everything in it.`,
      `pass --yes ${TableName} if you are sure`,
    )
  }
  await withConnection(given, output, async ({ transport, place }) => {
    const table = await describeTable(transport, TableName)
    if (table?.DeletionProtectionEnabled) {
      if (!given.flag('unprotect')) {
        throw new FailureError(
          `The table "${TableName}" is protected from deletion.`,
          place,
          'add --unprotect to delete it anyway',
        )
      }
      await transport.send('UpdateTable', { TableName, DeletionProtectionEnabled: false })
    }
    await requireTable(TableName, place, () => transport.send('DeleteTable', { TableName }))
    output.print(
      given.flag('json')
        ? JSON.stringify({ table: TableName, place, deleted: true })
        : `table "${TableName}" is deleted (${place})`,
    )
  })
}
