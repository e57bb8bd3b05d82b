import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Transport } from 'singletable'
import { tableNameFor } from '../dev/table-name.ts'
import { RECORDING_FILE } from '../recorder/recording-file.ts'
import { findSchema, type LoadedSchema } from '../schema-file/load-schema.ts'
import type { CloudWatch } from '../studio/api/cloudwatch.ts'
import { STUDIO_PORT, type Studio, serveStudio } from '../studio/serve-studio.ts'
import type { CommandOutput } from './command.ts'
import { CONNECT_OPTIONS, isOnAws, openConnection } from './connect-options.ts'
import { type CommandSpecification, type Parameters, wholeNumber } from './help.ts'
import { requireTable } from './missing-table.ts'
import { openCloudWatch } from './open-cloudwatch.ts'
import { runCommand } from './run-command.ts'
import { loadGivenSchema, SCHEMA_OPTIONS } from './schema-options.ts'
import { processStops, untilSignal } from './stops.ts'
import type { Sample } from './studio-sample.ts'
import { EnvironmentError, EXIT_DONE, UsageError } from './usage-error.ts'

export const STUDIO_COMMAND: CommandSpecification = {
  name: 'studio',
  summary: 'shows the table in the browser: items, access patterns, design and findings',
  arguments: [{ name: '[schema]', text: 'the same as --schema', option: 'schema' }],
  groups: [
    SCHEMA_OPTIONS,
    CONNECT_OPTIONS,
    {
      title: 'What it may do',
      options: [
        { name: 'write', text: 'allow changes of a table on AWS, which is read-only otherwise' },
        { name: 'read-only', text: 'allow no changes, wherever the table is' },
      ],
    },
    {
      title: 'The page',
      options: [
        {
          name: 'port',
          value: 'number',
          text: `default ${STUDIO_PORT}, or the next that is free; 0 takes any`,
        },
        {
          name: 'tables',
          text: 'show the other tables of the endpoint too, each with a schema guessed from its items',
        },
        { name: 'no-open', text: 'print the address, and do not open the browser' },
        {
          name: 'idle',
          value: 'minutes',
          text: 'end when no page was open for as long; default: run until Ctrl-C',
        },
        { name: 'sample', text: 'show sample data in memory, also where dev keeps a table' },
        { name: 'count', value: 'number', text: 'items of sample data; default 200' },
        {
          name: 'migrations',
          value: 'directory',
          completes: 'directory',
          text: 'where the migrations of the project are; default: migrations',
        },
        {
          name: 'recording',
          value: 'file',
          completes: 'file',
          text: `what singletable recorder wrote, to show which patterns tests run; default: ${RECORDING_FILE}, if it is there`,
        },
      ],
    },
  ],
  notes: [
    'Without --endpoint, --data and --aws it shows .singletable/data, where singletable dev keeps its table, or sample data in memory.',
    'Where no schema is found, --endpoint and --data show all tables, each with a guessed schema.',
    'Only this machine can reach it, with the address that it prints.',
  ],
}

const PORT_MAX = 65_535
const IDLE_MINUTES_MAX = 10_000
const COUNT_DEFAULT = 200
const COUNT_MAX = 100_000
const DATA = '.singletable/data'

/** Serves the studio until a signal comes. */
export function runStudio(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(STUDIO_COMMAND, parameters, output, async (given) => {
    if (given.flag('write') && given.flag('read-only')) {
      throw new UsageError("--write and --read-only can't be combined.", 'leave one of them out')
    }
    if (given.flag('sample')) {
      const other = ['endpoint', 'data', 'profile'].find((name) => given.text(name) !== undefined)
      const named = given.flag('aws') ? 'aws' : other
      if (named !== undefined) {
        throw new UsageError(`--sample and --${named} can't be combined.`, 'leave one of them out')
      }
    }
    const port = wholeNumber(given, 'port', { max: PORT_MAX })
    const minutes = wholeNumber(given, 'idle', { min: 1, max: IDLE_MINUTES_MAX })
    let end = (): void => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const isGuessed = guesses(given, output)
    const loaded = isGuessed ? undefined : await loadGivenSchema(given, output.directory)
    const place = loaded ? await openPlace(given, output, loaded) : await openTables(given, output)
    let studio: Studio | undefined
    try {
      const isAws = place.isAws
      const reload = async (): Promise<LoadedSchema> => {
        if (loaded) return loadGivenSchema(given, output.directory)
        const { guessSchema } = await import('../studio/api/table-sources.ts')
        return guessSchema(place.transport, place.tableName, !isAws)
      }
      studio = await serveStudio({
        ...place,
        isGuessed,
        showsTables: isGuessed || given.flag('tables'),
        isReadOnly: given.flag('read-only') || (isAws && !given.flag('write')),
        migrations: path.resolve(output.directory ?? '.', given.text('migrations') ?? 'migrations'),
        recording: recordingFile(given.text('recording'), output),
        loaded: loaded ?? (await reload()),
        reload,
        port,
        ...(minutes !== undefined && { idle: { ms: minutes * 60_000, onIdle: () => end() } }),
        onFault: (line) => output.printError(`singletable studio: ${line}`),
      })
      const { url } = studio
      output.print(
        given.flag('json')
          ? JSON.stringify({ event: 'listening', url })
          : `studio of ${place.tableName} (${place.place})\n${url}`,
      )
      if (output.isTerminal && !given.flag('no-open')) openBrowser(url)
      const stopped = Promise.race([untilSignal(output.stops ?? processStops), ended])
      await Promise.race([studio.shown.then(place.fill), stopped])
      await stopped
      return EXIT_DONE
    } finally {
      await studio?.close()
      await place.close()
    }
  })
}

interface Place {
  readonly transport: Transport
  readonly tableName: string
  readonly place: string
  readonly isAws: boolean
  readonly cloudWatch?: CloudWatch | undefined
  /** Gives the table its items; requests wait for that. */
  readonly fill?: () => Promise<unknown>
  close(): Promise<void>
}

/** A file that is named must be there. */
function recordingFile(named: string | undefined, { directory = '.' }: CommandOutput): string {
  const file = path.resolve(directory, named ?? RECORDING_FILE)
  if (named !== undefined && !existsSync(file)) {
    throw new EnvironmentError(
      'There is no such file.',
      file,
      'record it with singletable recorder -- <command…>',
    )
  }
  return file
}

/** Whether there is no schema, and a table is named that can be shown without. */
function guesses(given: Parameters, { directory = '.' }: CommandOutput): boolean {
  if (given.text('schema') !== undefined || findSchema(path.resolve(directory)) !== undefined) {
    return false
  }
  const isLocal = given.text('endpoint') !== undefined || given.text('data') !== undefined
  if (given.flag('sample')) return false
  return given.flag('tables') || (isLocal && !isOnAws(given))
}

/** An endpoint that is gone is shown after less than a second. */
const ATTEMPTS_MAX = 4

/** The tables of an endpoint, beginning with the one that is named, or the first. */
async function openTables(given: Parameters, output: CommandOutput): Promise<Place> {
  const connection = await openConnection(given, output, { attemptsMax: ATTEMPTS_MAX })
  const { transport, place } = connection
  const { tableNames } = await import('../studio/api/table-sources.ts')
  const tableName = given.text('table') ?? (await tableNames(transport))[0]
  if (tableName === undefined) {
    await connection.close()
    throw new EnvironmentError(
      'There are no tables.',
      place,
      'make one with singletable table create',
    )
  }
  await requireTable(tableName, place, () =>
    transport.send('DescribeTable', { TableName: tableName }),
  )
  const cloudWatch = await openCloudWatch(connection, output.environment ?? process.env)
  return { ...connection, cloudWatch, tableName, isAws: isOnAws(given) }
}

/** The table that the options name; without any, the one of `dev`, or sample data. */
async function openPlace(
  given: Parameters,
  output: CommandOutput,
  loaded: LoadedSchema,
): Promise<Place> {
  const directory = path.resolve(output.directory ?? '.')
  const tableName =
    given.text('table') ?? loaded.tableName ?? tableNameFor(loaded.exportName, directory)
  const isNamed = ['endpoint', 'data', 'profile'].some((name) => given.text(name) !== undefined)
  const isAws =
    given.flag('aws') ||
    (given.text('profile') !== undefined && given.text('endpoint') === undefined)
  if (isNamed || isAws || output.transport !== undefined) {
    const connection = await openConnection(given, output, { attemptsMax: ATTEMPTS_MAX })
    const { transport, place } = connection
    await requireTable(tableName, place, () =>
      transport.send('DescribeTable', { TableName: tableName }),
    )
    const cloudWatch = await openCloudWatch(connection, output.environment ?? process.env)
    const isThere = isAws || /\.amazonaws\.com/.test(place)
    return { ...connection, cloudWatch, tableName, isAws: isThere }
  }
  const data = path.join(directory, DATA)
  const isKept = !given.flag('sample') && existsSync(data)
  const count = wholeNumber(given, 'count', { min: 1, max: COUNT_MAX }) ?? COUNT_DEFAULT
  const open = async (): Promise<Sample> => {
    const { openSample } = await import('./studio-sample.ts')
    return openSample({
      tableName,
      count,
      data: isKept ? data : undefined,
      onWarning: (message) => output.printError(`singletable studio: ${message}`),
    })
  }
  // A folder that can't be opened is an error of the command. Memory can always be had, so that the
  // engine is loaded and filled when the address is known, while the browser opens the page.
  let opened: Promise<Sample> | undefined = isKept ? Promise.resolve(await open()) : undefined
  let filled: Promise<Sample> | undefined
  const fill = (): Promise<Sample> => {
    opened ??= open()
    filled ??= opened.then(async (sample) => {
      await sample.fill(loaded)
      return sample
    })
    return filled
  }
  const transport: Transport = {
    send: async (operation, request, options) =>
      (await fill()).engine.send(operation, request, options),
  }
  return {
    transport,
    tableName,
    place: isKept ? DATA : 'sample data in memory',
    isAws: false,
    fill,
    close: async () => (await opened)?.engine.close(),
  }
}

/** Whoever has no browser opens the address by hand. */
function openBrowser(url: string): void {
  const [program, ...words] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', url]
        : ['xdg-open', url]
  spawn(program ?? '', words, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
