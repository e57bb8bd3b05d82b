import { createReadStream, existsSync, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { countOf } from '../text/counts.ts'
import { readCheckpoint, removeCheckpoint, writeCheckpoint } from '../transfer/checkpoint.ts'
import { LOAD_FORMAT, type LoadCheckpoint, loadItems } from '../transfer/load-items.ts'
import { readText } from '../transfer/read-text.ts'
import type { CommandOutput } from './command.ts'
import { WRITE_OPTIONS } from './confirm-writes.ts'
import { CONNECT_OPTIONS, withConnection } from './connect-options.ts'
import type { CommandSpecification, Parameters } from './help.ts'
import { createProgress, formatDuration } from './progress.ts'
import { runCommand } from './run-command.ts'
import { SCHEMA_OPTIONS } from './schema-options.ts'
import { interruptible, processStops } from './stops.ts'
import { printText } from './terminal.ts'
import {
  describeTable,
  FORMAT_OPTIONS,
  RESUME_OPTIONS,
  readTransferSetting,
  refuseCheckpoint,
  type TransferSetting,
} from './transfer-options.ts'
import { EnvironmentError, EXIT_DONE, UsageError } from './usage-error.ts'

export const LOAD_COMMAND: CommandSpecification = {
  name: 'load',
  summary: 'writes the items of a file into the table',
  arguments: [
    {
      name: '<file>',
      text: 'a file of singletable export; decompressed if its name ends in .gz; - is standard input',
    },
  ],
  groups: [
    SCHEMA_OPTIONS,
    CONNECT_OPTIONS,
    WRITE_OPTIONS,
    {
      title: 'How',
      options: [
        ...FORMAT_OPTIONS,
        { name: 'dry-run', text: 'read and check the file, and write nothing' },
        ...RESUME_OPTIONS,
      ],
    },
  ],
  notes: [
    'Items are written as they are in the file. They replace existing items with the same keys, and are not checked against the schema.\nCtrl-C finishes the current batches and saves its progress; a second one stops at once.',
  ],
}

/** The note is written now and then, and at the end; what comes after it is written again. */
const CHECKPOINT_MS = 2_000

export function runLoad(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(LOAD_COMMAND, parameters, output, async (given) => {
    const setting = await readTransferSetting(given, output)
    const isDry = given.flag('dry-run')
    const started = await findBeginning(setting, given)
    return withConnection(given, output, async ({ transport, place }) => {
      const table = await describeTable(transport, setting.tableName, place)
      const types = new Map(
        table.AttributeDefinitions?.map((each) => [each.AttributeName, each.AttributeType]),
      )
      const keys = new Map(
        table.KeySchema?.map((each) => [each.AttributeName, types.get(each.AttributeName) ?? 'S']),
      )
      const progress = createProgress({
        output,
        unit: 'items',
        title: 'load',
        before: started.records,
      })
      const interruption = interruptible(output.stops ?? processStops, () =>
        output.printError('finishing the current batches …'),
      )
      let bytesRead = 0
      let loaded = started.records
      let notedMs = (output.now ?? Date.now)()
      const note = async (): Promise<void> => {
        if (setting.checkpoint === undefined || isDry) return
        const reached: LoadCheckpoint = { ...started, records: loaded }
        await writeCheckpoint(setting.checkpoint, reached)
      }
      try {
        const source = openSource(setting, output)
        const records = setting.format.read(
          readText(source, setting.path ?? '', (bytes) => {
            bytesRead += bytes
          }),
          setting.file,
        )
        loaded = await loadItems({
          transport,
          tableName: setting.tableName,
          keys,
          records,
          file: setting.file,
          skip: started.records,
          dryRun: isDry,
          signal: interruption.signal,
          onLoaded: async (count) => {
            loaded = count
            // Items are of about the same size throughout a file, so its size shows how many there
            // are.
            const isKnown = bytesRead > 0 && started.fileBytes > 0
            progress.update(
              count,
              isKnown ? Math.round((count * started.fileBytes) / bytesRead) : undefined,
            )
            const nowMs = (output.now ?? Date.now)()
            if (nowMs - notedMs < CHECKPOINT_MS) return
            notedMs = nowMs
            await note()
          },
        })
      } catch (error) {
        // The cause of the failure may be fixed, and the run resumed.
        if (loaded > 0) await note()
        throw error
      } finally {
        interruption.end()
      }
      const { elapsedMs } = progress.end()
      const isDone = interruption.exitCode === undefined
      if (!isDone) await note()
      else if (setting.checkpoint !== undefined && !isDry)
        await removeCheckpoint(setting.checkpoint)
      printResult({ setting, loaded, isDone, isDry, elapsedMs }, given, output)
      return interruption.exitCode ?? EXIT_DONE
    })
  })
}

async function findBeginning(
  { path, checkpoint, tableName }: TransferSetting,
  given: Parameters,
): Promise<LoadCheckpoint> {
  const common = { format: LOAD_FORMAT, table: tableName } as const
  if (path === undefined || checkpoint === undefined) {
    return { ...common, fileBytes: 0, fileModifiedMs: 0, records: 0 }
  }
  if (!existsSync(path)) {
    throw new EnvironmentError('There is no such file.', path, 'name the file that export wrote')
  }
  const { size, mtimeMs } = statSync(path)
  const fresh = { ...common, fileBytes: size, fileModifiedMs: Math.floor(mtimeMs), records: 0 }
  if (given.flag('resume')) {
    const found = await readCheckpoint<LoadCheckpoint>(checkpoint, common)
    if (found === undefined) {
      throw new UsageError(`There is nothing to resume: no ${checkpoint}.`, 'leave out --resume')
    }
    if (found.fileBytes === size && found.fileModifiedMs === fresh.fileModifiedMs) return found
    throw new EnvironmentError(
      'The file was changed since the run that was interrupted.',
      path,
      'start again with --restart',
    )
  }
  if (given.flag('restart')) await removeCheckpoint(checkpoint)
  else if (existsSync(checkpoint) && !given.flag('dry-run')) refuseCheckpoint(checkpoint)
  return fresh
}

function openSource({ path }: TransferSetting, output: CommandOutput): Readable {
  return path === undefined ? (output.standardInput ?? process.stdin) : createReadStream(path)
}

function printResult(
  result: {
    readonly setting: TransferSetting
    readonly loaded: number
    readonly isDone: boolean
    readonly isDry: boolean
    readonly elapsedMs: number
  },
  given: Parameters,
  output: CommandOutput,
): void {
  const { setting, loaded, isDone, isDry, elapsedMs } = result
  if (given.flag('json')) {
    const { tableName: table, path: file = '-' } = setting
    output.print(
      JSON.stringify({ table, file, items: loaded, dryRun: isDry, done: isDone, elapsedMs }),
    )
    return
  }
  const count = countOf(loaded, 'item')
  if (!isDone) {
    output.printError(
      setting.path === undefined || isDry
        ? `interrupted after ${count}`
        : `interrupted after ${count}; continue with the same command and --resume`,
    )
  } else if (isDry) printText(output, `${setting.file} has ${count}; nothing was written`)
  else
    printText(output, `loaded ${count} into "${setting.tableName}" in ${formatDuration(elapsedMs)}`)
}
