import { existsSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { countOf } from '../text/counts.ts'
import { readCheckpoint, removeCheckpoint, writeCheckpoint } from '../transfer/checkpoint.ts'
import {
  EXPORT_FORMAT,
  type ExportCheckpoint,
  exportItems,
  type SegmentPosition,
} from '../transfer/export-items.ts'
import type { CommandOutput } from './command.ts'
import { CONNECT_OPTIONS, withConnection } from './connect-options.ts'
import { type CommandSpecification, type Parameters, wholeNumber } from './help.ts'
import { createProgress, formatDuration } from './progress.ts'
import { runCommand } from './run-command.ts'
import { SCHEMA_OPTIONS } from './schema-options.ts'
import { interruptible, processStops } from './stops.ts'
import {
  describeTable,
  FORMAT_OPTIONS,
  RESUME_OPTIONS,
  readTransferSetting,
  refuseCheckpoint,
  type TransferSetting,
} from './transfer-options.ts'
import { EnvironmentError, EXIT_DONE, UsageError } from './usage-error.ts'

export const EXPORT_COMMAND: CommandSpecification = {
  name: 'export',
  summary: 'writes all items of the table into a file',
  arguments: [
    { name: '<file>', text: 'the file; compressed if its name ends in .gz; - is standard output' },
  ],
  groups: [
    SCHEMA_OPTIONS,
    CONNECT_OPTIONS,
    {
      title: 'How',
      options: [
        ...FORMAT_OPTIONS,
        {
          name: 'segments',
          value: 'number',
          text: 'how many parts of the table to read at the same time, 1 to 64; default 4',
        },
        { name: 'consistent', text: 'use consistent reads, at twice the cost' },
        { name: 'force', text: 'replace an existing file' },
        ...RESUME_OPTIONS,
      ],
    },
  ],
  notes: [
    'An export is a scan: every item is read and paid for. Items that are written meanwhile may or may not be in it.\nCtrl-C finishes the current pages and saves its progress; a second one stops at once.',
  ],
}

const SEGMENTS_MAX = 64
/** The note is written now and then, and at the end; what comes after it is read again. */
const CHECKPOINT_MS = 2_000
const pack = promisify(gzip)

export function runExport(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(EXPORT_COMMAND, parameters, output, async (given) => {
    const setting = await readTransferSetting(given, output)
    const count = wholeNumber(given, 'segments', { min: 1, max: SEGMENTS_MAX }) ?? 4
    const started = await findBeginning(setting, given, count)
    return withConnection(given, output, async ({ transport, place }) => {
      const { ItemCount } = await describeTable(transport, setting.tableName, place)
      const target = await openTarget(setting, started, output)
      const progress = createProgress({
        output,
        unit: 'items',
        title: 'export',
        before: started.items,
      })
      const interruption = interruptible(output.stops ?? processStops, () =>
        output.printError('finishing the current pages …'),
      )
      let notedMs = Number.NEGATIVE_INFINITY
      const note = async (checkpoint: ExportCheckpoint): Promise<void> => {
        if (setting.checkpoint === undefined) return
        await target.flush()
        await writeCheckpoint(setting.checkpoint, checkpoint)
      }
      try {
        const end = await exportItems({
          transport,
          tableName: setting.tableName,
          format: setting.format,
          segments: started.segments,
          before: started,
          consistent: given.flag('consistent'),
          signal: interruption.signal,
          append: target.append,
          onPage: async (checkpoint) => {
            progress.update(checkpoint.items, ItemCount)
            const nowMs = (output.now ?? Date.now)()
            if (nowMs - notedMs < CHECKPOINT_MS) return
            notedMs = nowMs
            await note(checkpoint)
          },
        })
        const { elapsedMs } = progress.end()
        const isDone = end.segments.every(({ done }) => done)
        if (isDone) await removeNote(setting)
        else await note(end)
        printResult({ setting, end, isDone, elapsedMs }, given, output)
        return isDone ? EXIT_DONE : (interruption.exitCode ?? EXIT_DONE)
      } finally {
        interruption.end()
        await target.close()
      }
    })
  })
}

interface Beginning {
  readonly items: number
  readonly bytes: number
  readonly segments: readonly SegmentPosition[]
}

async function findBeginning(
  { path, checkpoint, file, tableName, format }: TransferSetting,
  given: Parameters,
  count: number,
): Promise<Beginning> {
  const fresh = {
    items: 0,
    bytes: 0,
    segments: Array.from({ length: count }, () => ({ done: false })),
  }
  if (path === undefined || checkpoint === undefined) return fresh
  if (given.flag('resume')) {
    const expected = { format: EXPORT_FORMAT, table: tableName } as const
    const found = await readCheckpoint<ExportCheckpoint>(checkpoint, expected)
    if (found === undefined) {
      throw new UsageError(`There is nothing to resume: no ${checkpoint}.`, 'leave out --resume')
    }
    if (found.kind !== format.name || !existsSync(path)) {
      throw new EnvironmentError(
        existsSync(path)
          ? `The file was started as ${found.kind}.`
          : 'The file that was started is missing.',
        path,
        'start again with --restart',
      )
    }
    return found
  }
  if (given.flag('restart')) {
    await removeCheckpoint(checkpoint)
    return fresh
  }
  if (existsSync(checkpoint)) refuseCheckpoint(checkpoint)
  if (existsSync(path) && !given.flag('force')) {
    throw new UsageError(`${file} already exists.`, 'name another file, or pass --force')
  }
  return fresh
}

/** What the text goes into. */
interface Target {
  append(text: string): Promise<number>
  /** What was appended is on the disk. */
  flush(): Promise<void>
  close(): Promise<void>
}

async function openTarget(
  { path }: TransferSetting,
  { bytes }: Beginning,
  output: CommandOutput,
): Promise<Target> {
  if (path === undefined) return streamTarget(output.standardOutput ?? process.stdout)
  const handle: FileHandle = await open(path, bytes > 0 ? 'r+' : 'w', 0o600)
  // What was written after the last note is read again.
  await handle.truncate(bytes)
  let end = bytes
  const isPacked = path.endsWith('.gz')
  return {
    async append(text) {
      // Each page is a packed part of its own: the file is whole after each, and unpacks as one.
      const data = isPacked ? await pack(text) : Buffer.from(text)
      await handle.write(data, 0, data.length, end)
      end += data.length
      return data.length
    },
    flush: () => handle.sync(),
    close: () => handle.close(),
  }
}

function streamTarget(stream: Writable): Target {
  return {
    async append(text) {
      const data = Buffer.from(text)
      await new Promise<void>((resolve, reject) => {
        stream.write(data, (error) => (error ? reject(error) : resolve()))
      })
      return data.length
    },
    flush: async () => {},
    close: async () => {},
  }
}

async function removeNote({ checkpoint }: TransferSetting): Promise<void> {
  if (checkpoint !== undefined) await removeCheckpoint(checkpoint)
}

function printResult(
  result: {
    readonly setting: TransferSetting
    readonly end: ExportCheckpoint
    readonly isDone: boolean
    readonly elapsedMs: number
  },
  given: Parameters,
  output: CommandOutput,
): void {
  const { setting, end, isDone, elapsedMs } = result
  const notes = setting.format.notes()
  // Standard output is the items' own where they go there.
  const say = (text: string): void =>
    setting.path === undefined ? output.printError(text) : output.print(text)
  if (given.flag('json')) {
    const { table, items, bytes } = end
    say(
      JSON.stringify({
        table,
        file: setting.path ?? '-',
        items,
        bytes,
        done: isDone,
        elapsedMs,
        notes,
      }),
    )
    return
  }
  const count = `${countOf(end.items, 'item')}, ${countOf(end.bytes, 'byte')}`
  if (isDone) {
    say(`exported ${count} to ${setting.file} in ${formatDuration(elapsedMs)}`)
    for (const note of notes) output.printError(note)
  } else {
    output.printError(
      setting.path === undefined
        ? `interrupted after ${count}`
        : `interrupted after ${count}; continue with the same command and --resume`,
    )
  }
}
