import { describeTable } from '../infra/live-shape.ts'
import { createCalls } from '../infra/sdk.ts'
import type { CommandOutput } from './command.ts'
import { WRITE_OPTIONS } from './confirm-writes.ts'
import { CONNECT_OPTIONS, openConnection } from './connect-options.ts'
import type { CommandSpecification, Parameters } from './help.ts'
import { SCHEMA_OPTIONS } from './schema-options.ts'
import { applyTable, wantedShape } from './table-apply.ts'
import { FailureError } from './usage-error.ts'

export const TABLE_CREATE: CommandSpecification = {
  name: 'table create',
  summary: 'creates the table that the schema describes, with all its indexes',
  groups: [
    SCHEMA_OPTIONS,
    CONNECT_OPTIONS,
    {
      title: 'How',
      options: [
        { name: 'if-missing', text: 'succeed if the table exists already' },
        { name: 'dry-run', text: 'print the requests, and send nothing' },
      ],
    },
    WRITE_OPTIONS,
  ],
  notes: [
    'The table is as infra writes it: point-in-time recovery and deletion protection are on unless the schema turns them off.',
  ],
}

export async function runTableCreate(
  given: Parameters,
  output: CommandOutput,
): Promise<number | undefined> {
  const wanted = await wantedShape(given, output)
  if (given.flag('dry-run')) {
    output.print(JSON.stringify(createCalls(wanted), null, 2))
    return undefined
  }
  const connection = await openConnection(given, output, { makesData: true })
  const { transport, place } = connection
  const report = (created: boolean): void =>
    output.print(
      given.flag('json')
        ? JSON.stringify({ table: wanted.name, place, created })
        : `table "${wanted.name}" ${created ? 'is ready' : 'is there already'} (${place})`,
    )
  try {
    const found = await describeTable(transport, wanted.name)
    if (found !== undefined && found.TableStatus !== 'DELETING') {
      if (!given.flag('if-missing')) {
        throw new FailureError(
          `There is a table "${wanted.name}" already.`,
          place,
          'pass --if-missing to accept it, or choose another name by --table; table apply changes it',
        )
      }
      report(false)
      return undefined
    }
    const code = await applyTable(wanted, connection, given, output)
    if (code === undefined) report(true)
    return code
  } finally {
    await connection.close()
  }
}
