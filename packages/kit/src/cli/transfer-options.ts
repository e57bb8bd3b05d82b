import path from 'node:path'
import type { TableDescription, Transport } from 'singletable/tools'
import type { LoadedSchema } from '../schema-file/load-schema.ts'
import type { ItemFormat } from '../transfer/item-format.ts'
import { jsonLines } from '../transfer/json-lines.ts'
import type { CommandOutput } from './command.ts'
import { tableNameOf } from './connect-options.ts'
import type { OptionGroup, Parameters } from './help.ts'
import { requireTable } from './missing-table.ts'
import { loadGivenSchema } from './schema-options.ts'
import { UsageError } from './usage-error.ts'

/** What export and load have in common. */
export const FORMAT_OPTIONS: readonly OptionGroup['options'][number][] = [
  {
    name: 'format',
    value: 'format',
    choices: ['json', 'csv'],
    text: 'json: DynamoDB JSON, a line for each item; csv: a table of text, needs the schema;\ndefault: by the name of the file, else json',
  },
  {
    name: 'raw',
    text: 'csv: no apostrophe in front of cells that begin like a formula (= + - @);\nfor programs, not for spreadsheets',
  },
]

export const RESUME_OPTIONS: readonly OptionGroup['options'][number][] = [
  { name: 'resume', text: 'continue where an interrupted run ended' },
  { name: 'restart', text: 'start again from the beginning, even after an interrupted run' },
  {
    name: 'checkpoint',
    value: 'file',
    completes: 'file',
    text: 'where to save the progress; default: <file>.checkpoint',
  },
]

/** What a transfer works on. */
export interface TransferSetting {
  /** As it was typed, for messages. */
  readonly file: string
  /** The absolute path, or undefined for the standard streams. */
  readonly path: string | undefined
  readonly checkpoint: string | undefined
  readonly format: ItemFormat
  readonly tableName: string
}

/** Reads the parameters; the schema is loaded only where something of it is needed. */
export async function readTransferSetting(
  given: Parameters,
  output: CommandOutput,
): Promise<TransferSetting> {
  const [file, ...more] = given.positionals
  if (file === undefined || more.length > 0) {
    throw new UsageError(
      file === undefined ? 'No file is named.' : `There are ${more.length + 1} files.`,
      'name one file, or - for the standard stream',
    )
  }
  const directory = output.directory ?? '.'
  const isStream = file === '-'
  const kind = given.text('format') ?? (/\.csv(\.gz)?$/.test(file) ? 'csv' : 'json')
  if (given.flag('resume') && given.flag('restart')) {
    throw new UsageError("--resume and --restart can't be combined.", 'leave one of them out')
  }
  let loaded: LoadedSchema | undefined
  if (kind === 'csv' || given.text('table') === undefined) {
    loaded = await loadGivenSchema(given, output.directory)
  }
  const raw = given.flag('raw')
  if (raw && kind !== 'csv') {
    throw new UsageError('--raw is for CSV alone.', 'leave it out, or pass --format csv')
  }
  const format =
    kind === 'csv' && loaded
      ? (await import('../transfer/csv-format.ts')).csvFormat(loaded.schema, { raw })
      : jsonLines
  const checkpoint = given.text('checkpoint') ?? `${file}.checkpoint`
  return {
    file: isStream ? 'the standard stream' : file,
    path: isStream ? undefined : path.resolve(directory, file),
    checkpoint: isStream ? undefined : path.resolve(directory, checkpoint),
    format,
    tableName: tableNameOf(given, loaded),
  }
}

/** The table as it is; one that is not there is a failure in our words. */
export async function describeTable(
  transport: Transport,
  TableName: string,
  place: string,
): Promise<TableDescription> {
  const { Table: table } = await requireTable(TableName, place, () =>
    transport.send('DescribeTable', { TableName }),
  )
  return table ?? {}
}

/** Said where a checkpoint is there and nobody said what to do with it. */
export function refuseCheckpoint(checkpoint: string): never {
  throw new UsageError(
    `An earlier run was interrupted: ${checkpoint} has its progress.`,
    'pass --resume to continue it, or --restart to start again',
  )
}
