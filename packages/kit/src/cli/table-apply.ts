import { applyChange, planTable, settleTable, type TableTask } from '../infra/apply-table.ts'
import { InfraError } from '../infra/infra-error.ts'
import { type TableShape, tableShape } from '../infra/table-shape.ts'
import type { CommandOutput } from './command.ts'
import { WRITE_OPTIONS } from './confirm-writes.ts'
import { CONNECT_OPTIONS, openConnection, tableNameOf } from './connect-options.ts'
import type { Connection } from './data-connection.ts'
import type { CommandSpecification, Parameters } from './help.ts'
import { loadGivenSchema, SCHEMA_OPTIONS } from './schema-options.ts'
import { interruptible, processStops } from './stops.ts'
import { printText } from './terminal.ts'
import { FailureError, UsageError } from './usage-error.ts'

export const TABLE_APPLY: CommandSpecification = {
  name: 'table apply',
  summary: 'changes a table to match the schema: settings, and one index after the other',
  groups: [
    SCHEMA_OPTIONS,
    CONNECT_OPTIONS,
    {
      title: 'How',
      options: [
        { name: 'dry-run', text: 'show what would be changed, without changing it' },
        {
          name: 'delete-indexes',
          text: 'also delete indexes that the schema does not have, or has with other keys',
        },
      ],
    },
    WRITE_OPTIONS,
  ],
  notes: [
    'A missing table is created. Afterwards infra diff finds no difference. To continue an interrupted change, run this again.',
  ],
}

export async function runTableApply(
  given: Parameters,
  output: CommandOutput,
): Promise<number | undefined> {
  const wanted = await wantedShape(given, output)
  const connection = await openConnection(given, output, { makesData: !given.flag('dry-run') })
  try {
    return await applyTable(wanted, connection, given, output, (changes) =>
      reportChanges(changes, wanted.name, connection.place, given, output),
    )
  } catch (error) {
    if (!(error instanceof InfraError)) throw error
    throw new FailureError(error.message, connection.place, error.fix, { cause: error })
  } finally {
    await connection.close()
  }
}

/** What the schema asks for, under the name that the options say. */
export async function wantedShape(given: Parameters, output: CommandOutput): Promise<TableShape> {
  const loaded = await loadGivenSchema(given, output.directory)
  try {
    return tableShape(loaded.schema, tableNameOf(given, loaded))
  } catch (error) {
    if (!(error instanceof InfraError)) throw error
    throw new UsageError(error.message, error.fix)
  }
}

/** Plans, and does it unless it is only to be shown. Gives an exit code if it was interrupted. */
export async function applyTable(
  wanted: TableShape,
  { transport, place }: Connection,
  given: Parameters,
  output: CommandOutput,
  onDone?: (changes: readonly TableTask[]) => void,
): Promise<number | undefined> {
  const { changes, unknown } = await planTable(transport, wanted)
  const lossy = changes.filter(({ isDestructive }) => isDestructive)
  if (lossy.length > 0 && !given.flag('delete-indexes') && !given.flag('dry-run')) {
    throw new UsageError(
      `This would ${lossy.map(({ text }) => text).join(' and ')}.`,
      'pass --delete-indexes if no program needs them any more, or add them to the schema',
    )
  }
  if (unknown.length > 0)
    note(`not compared, because ${place} does not say: ${unknown.join(', ')}`, output)
  if (given.flag('dry-run')) {
    onDone?.(changes)
    return undefined
  }
  const interruption = interruptible(output.stops ?? processStops, () => {})
  try {
    await settleTable({
      transport,
      table: wanted.name,
      signal: interruption.signal,
      onWait: (text) => output.progress?.(`${text} …`),
    })
    for (const [at, change] of changes.entries()) {
      const title = `${at + 1}/${changes.length} ${change.text}`
      if (output.progress === undefined && changes.length > 1) output.printError(`${title} …`)
      const unsupported = await applyChange(change, {
        transport,
        table: wanted.name,
        signal: interruption.signal,
        onWait: () => output.progress?.(`${title} …`),
      })
      for (const operation of unsupported) note(`${place} does not support ${operation}`, output)
    }
    output.progress?.('')
    onDone?.(changes)
    return undefined
  } catch (error) {
    if (interruption.exitCode === undefined) throw error
    output.progress?.('')
    output.printError(
      'singletable table: interrupted; DynamoDB completes what it began. Run this again.',
    )
    return interruption.exitCode
  } finally {
    interruption.end()
  }
}

function note(text: string, output: CommandOutput): void {
  output.printError(`singletable table: ${text}`)
}

function reportChanges(
  changes: readonly TableTask[],
  table: string,
  place: string,
  given: Parameters,
  output: CommandOutput,
): void {
  const isDry = given.flag('dry-run')
  if (given.flag('json')) {
    output.print(JSON.stringify({ table, place, applied: !isDry, changes }))
    return
  }
  if (changes.length === 0) {
    printText(output, `The table "${table}" (${place}) matches the schema.`)
    return
  }
  printText(
    output,
    `The table "${table}" (${place}) ${isDry ? 'would be changed:' : 'is changed:'}`,
  )
  for (const { text } of changes) printText(output, `  ${text}`)
}
