import path from 'node:path'
import type { Transport } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import type { Schema } from 'singletable/tools'
import { type DevDesign, type DevReport, DevSession, type SeedSource } from '../dev/dev-session.ts'
import { tableNameFor } from '../dev/table-name.ts'
import { metered, Traffic } from '../dev/traffic.ts'
import { watchFiles } from '../dev/watch-files.ts'
import { ChangeCauses } from '../recorder/change-causes.ts'
import { PatternCalls, patternOfRequest } from '../recorder/pattern-calls.ts'
import { RECORDING_FILE } from '../recorder/recording-file.ts'
import { importedFiles } from '../schema-file/imported-files.ts'
import type { LoadedSchema } from '../schema-file/load-schema.ts'
import { makeItems } from '../seed/make-items.ts'
import { createRandom, seededEnvironment, writingEnvironment } from '../seed/seeded-random.ts'
import { type Listener, listen } from '../server/listen.ts'
import type { CommandOutput } from './command.ts'
import { type DevPrinter, devPrinter } from './dev-printer.ts'
import { findStudio, type ServeStudio } from './find-studio.ts'
import { type CommandSpecification, type Parameters, wholeNumber } from './help.ts'
import { createProgress, type Progress } from './progress.ts'
import { readFixtures } from './read-fixtures.ts'
import { runCommand } from './run-command.ts'
import { loadGivenSchema, SCHEMA_OPTIONS } from './schema-options.ts'
import { COUNT_MAX, SEED_MAX } from './seed-command.ts'
import { type Interruption, interruptible, processStops } from './stops.ts'
import { EXIT_DONE, EXIT_FAILED, FailureError, UsageError } from './usage-error.ts'

export const DEV_COMMAND: CommandSpecification = {
  name: 'dev',
  summary:
    'runs the schema on this machine: the table, sample items, and the result of each pattern',
  groups: [
    SCHEMA_OPTIONS,
    {
      title: 'The table',
      options: [
        {
          name: 'table',
          value: 'name',
          text: "the table's name; default: the name of an exported Table, of the schema's export, or of the folder",
        },
        {
          name: 'data',
          value: 'directory',
          completes: 'directory',
          text: 'where the table is stored; default .singletable/data, with --once in memory',
        },
        { name: 'memory', text: 'keep the table in memory only' },
        { name: 'reset', text: 'delete the table and all its items first' },
        {
          name: 'port',
          value: 'number',
          text: 'the port of the endpoint; default 8000, 0 chooses a free one',
        },
      ],
    },
    {
      title: 'Its items, if there are none',
      options: [
        {
          name: 'fixtures',
          value: 'file',
          completes: 'file',
          text: 'your own items, in the format of singletable seed; default: sample data',
        },
        { name: 'count', value: 'number', text: 'items of sample data; default 100' },
        { name: 'seed', value: 'number', text: 'the same seed gives the same items; default 1' },
        { name: 'no-seed', text: 'leave the table empty' },
      ],
    },
    {
      title: 'How long',
      options: [
        {
          name: 'once',
          text: 'print and exit, without an endpoint; exit with 1 if a pattern failed',
        },
      ],
    },
  ],
  notes: [
    'It watches the schema and the files it imports. Indexes follow an edited schema as DynamoDB allows; patterns that write are shown and not run.',
  ],
}

const PORT_DEFAULT = 8000
const PORT_MAX = 65_535
const COUNT_DEFAULT = 100
/** Of each model, so that no pattern finds just everything. */
const LEAST_ITEMS = 3

export function runDev(
  parameters: readonly string[],
  output: CommandOutput,
  studio: () => Promise<ServeStudio | undefined> = findStudio,
): Promise<number> {
  return runCommand(DEV_COMMAND, parameters, output, async (given) => {
    const options = readOptions(given, output)
    const loaded = await loadGivenSchema(given, output.directory)
    const tableName =
      given.text('table') ??
      loaded.tableName ??
      tableNameFor(loaded.exportName, path.resolve(output.directory ?? '.'))
    const engine = await openEngine(options.data)
    const dev = new Dev({ given, output, options, tableName, engine, loaded })
    try {
      if (given.flag('reset')) await dev.session.reset(loaded)
      if (options.isOnce) {
        const report = await dev.show(loaded)
        const isFailed = report.patterns.some(({ outcome }) => outcome.kind === 'failed')
        const isWhole = report.needsNewTable.length === 0 && !dev.isIncomplete
        return dev.exitCode ?? (isFailed || !isWhole ? EXIT_FAILED : EXIT_DONE)
      }
      await dev.serve(options.port, studio)
      return EXIT_DONE
    } finally {
      dev.end()
      await engine.close()
    }
  })
}

interface DevOptions {
  readonly isOnce: boolean
  readonly port: number
  /** The folder; undefined for memory. */
  readonly data: string | undefined
}

function readOptions(given: Parameters, output: CommandOutput): DevOptions {
  const isOnce = given.flag('once')
  const data = given.text('data')
  const exclude = (one: string, other: string): void => {
    throw new UsageError(`--${one} and --${other} can't be combined.`, 'leave one of them out')
  }
  if (given.flag('memory') && data !== undefined) exclude('memory', 'data')
  for (const name of ['fixtures', 'count', 'seed']) {
    if (given.flag('no-seed') && given.text(name) !== undefined) exclude('no-seed', name)
    if (name !== 'fixtures' && given.text('fixtures') && given.text(name)) exclude('fixtures', name)
  }
  wholeNumber(given, 'count', { min: 1, max: COUNT_MAX })
  wholeNumber(given, 'seed', { max: SEED_MAX })
  const isKept = data !== undefined || !(isOnce || given.flag('memory'))
  return {
    isOnce,
    port: wholeNumber(given, 'port', { max: PORT_MAX }) ?? PORT_DEFAULT,
    data: isKept ? path.resolve(output.directory ?? '.', data ?? '.singletable/data') : undefined,
  }
}

async function openEngine(data: string | undefined): Promise<Engine> {
  if (data === undefined) return createEngine()
  // Loaded only when data is kept: it is native code, which others should not wait for.
  const { lmdbStorage } = await import('../storage/index.ts')
  // A machine that loses power may lose the last moments of an experiment.
  return createEngine({ storage: lmdbStorage(data, { durability: 'os' }) })
}

interface DevParts {
  readonly given: Parameters
  readonly output: CommandOutput
  readonly options: DevOptions
  readonly tableName: string
  readonly engine: Engine
  readonly loaded: LoadedSchema
}

class Dev {
  readonly session: DevSession
  readonly #parts: DevParts
  readonly #printer: DevPrinter
  readonly #progress: Progress
  readonly #interruption: Interruption
  /** Resolves at the first signal. */
  readonly #stopped: Promise<void>
  readonly #traffic: Traffic
  readonly #programs = new PatternCalls()
  readonly #causes = new ChangeCauses()
  /** As it was shown last. */
  #schema: Schema
  #shown: DevReport | undefined

  constructor(parts: DevParts) {
    const { given, output, engine, tableName } = parts
    this.#parts = parts
    this.#traffic = new Traffic(parts.loaded.definition)
    this.#schema = parts.loaded.schema
    this.#printer = devPrinter(given, output)
    this.#progress = createProgress({ output, unit: 'items', title: 'seed' })
    let stop = (): void => {}
    this.#stopped = new Promise((resolve) => {
      stop = resolve
    })
    this.#interruption = interruptible(output.stops ?? processStops, stop)
    const total = given.text('fixtures') === undefined ? countOf(given) : undefined
    this.session = new DevSession({
      engine,
      tableName,
      seed: given.flag('no-seed') ? undefined : (design) => this.#seedSource(design),
      onWarning: (message) => output.printError(`singletable: ${message}`),
      signal: this.#interruption.signal,
      onProgress: (done) => this.#progress.update(done, total),
    })
  }

  /** Some models have not all of their items. */
  isIncomplete = false

  async #seedSource(design: DevDesign): Promise<SeedSource> {
    const { given, output } = this.#parts
    const fixtures = given.text('fixtures')
    if (fixtures !== undefined) {
      const file = path.resolve(output.directory ?? '.', fixtures)
      return { items: await readFixtures(file, design), isSample: false }
    }
    const random = createRandom(wholeNumber(given, 'seed', { max: SEED_MAX }) ?? 1)
    const count = countOf(given)
    const items = makeItems(design.schema, {
      count,
      least: Math.min(count, LEAST_ITEMS),
      random,
      environment: seededEnvironment(random),
      onUnseedable: (model, reason) => {
        this.isIncomplete = true
        output.printError(
          `singletable dev: ${model} does not have all of its items: ${reason}.\n  fix:    list valid values of the attribute as examples: [...] in the schema, or give items of your own with --fixtures <file>`,
        )
      },
    })
    return { items, environment: writingEnvironment(), isSample: true }
  }

  /** What the process should end with, if a signal came. */
  get exitCode(): number | undefined {
    return this.#interruption.exitCode
  }

  end(): void {
    this.#interruption.end()
  }

  async show(loaded: LoadedSchema): Promise<DevReport> {
    const { given, tableName } = this.#parts
    const report = await this.session.show(loaded)
    this.#schema = loaded.schema
    this.#progress.end()
    const fixtures = given.text('fixtures')
    const origin =
      fixtures === undefined ? `sample data, seed ${given.text('seed') ?? 1}` : fixtures
    this.#printer.report({ tableName, loaded, report, origin }, this.#shown)
    if (report.needsNewTable.length === 0) this.#shown = report
    return report
  }

  /** Listens and watches until a signal comes. */
  async serve(port: number, studio: () => Promise<ServeStudio | undefined>): Promise<void> {
    const { given, output, tableName, loaded, options } = this.#parts
    // First of all the port: nobody should wait for items to hear that it is taken.
    const listener = await this.#listen(port)
    const watch = watchFiles(() => void this.#reload(watch.follow))
    try {
      const files = importedFiles(loaded.file)
      watch.follow(files)
      await this.show(loaded)
      if (this.exitCode !== undefined) return
      const served = await (await studio())?.({
        transport: this.#watched(),
        tableName,
        loaded,
        migrations: path.resolve(output.directory ?? '.', 'migrations'),
        traffic: this.#traffic,
        recording: path.resolve(output.directory ?? '.', RECORDING_FILE),
        programs: this.#programs,
        causes: this.#causes,
        reload: () => loadGivenSchema(given, output.directory),
        onFault: (line) => output.printError(`singletable dev: ${line}`),
      })
      const { url } = listener
      this.#printer.listening({ url, port: listener.port, data: options.data, studio: served?.url })
      this.#printer.watching(files)
      await this.#stopped
      await served?.close()
    } finally {
      watch.close()
      await this.#reloading
      await listener.close()
    }
  }

  /** What the studio writes is kept, as are the requests of others. */
  #watched(): Transport {
    const { engine } = this.#parts
    return {
      send: (operation, request, options) => {
        this.session.noteRequest(operation)
        return engine.send(operation, request, options)
      },
    }
  }

  /** The engine for the server, which asks it for nothing else. */
  #counted(engine: Engine): Engine {
    const sendText: Engine['sendText'] = async (operation, request, options) => {
      const asked = metered(operation, request)
      let answer: { ConsumedCapacity?: unknown } | undefined
      const start = performance.now()
      try {
        const text = await this.#causes.follow(
          { operation, request, by: 'program' },
          (onStreamRecord) =>
            engine.sendText(operation, asked ?? request, { ...options, onStreamRecord }),
        )
        this.#noteCall(operation, request, performance.now() - start)
        // Units are reported only to callers that asked for them.
        if (asked === undefined) return text
        answer = JSON.parse(text) as { ConsumedCapacity?: unknown }
        const { ConsumedCapacity: _, ...rest } = answer
        return JSON.stringify(rest)
      } finally {
        this.#traffic.note(operation, request, answer)
      }
    }
    return { sendText } as Engine
  }

  /** After the answer is on its way: the caller need not wait until the pattern is found. */
  #noteCall(operation: string, request: unknown, durationMs: number): void {
    if (operation !== 'Query' && operation !== 'Scan') return
    setImmediate(() => {
      const { tableName } = this.#parts
      const pattern = patternOfRequest(this.#schema, { operation, request, table: tableName })
      if (pattern !== undefined) this.#programs.note(pattern, durationMs)
    })
  }

  #reloading: Promise<void> = Promise.resolve()

  /** One after the other, each with the files as they are then. */
  #reload(follow: (files: readonly string[]) => void): Promise<void> {
    const { given, output, loaded } = this.#parts
    this.#reloading = this.#reloading.then(async () => {
      try {
        follow(importedFiles(loaded.file))
        await this.show(await loadGivenSchema(given, output.directory))
      } catch (error) {
        this.#printer.broken(error)
      }
    })
    return this.#reloading
  }

  async #listen(port: number): Promise<Listener> {
    const { engine, output } = this.#parts
    try {
      return await listen(this.#counted(engine), {
        port,
        onRequest: ({ operation }) => this.session.noteRequest(operation),
        onFailure: (_error, requestId) =>
          output.printError(`singletable dev: request ${requestId} failed.`),
      })
    } catch (error) {
      const { cause } = error as { readonly cause?: { readonly code?: unknown } }
      if (cause?.code !== 'EADDRINUSE') throw error
      throw new FailureError(
        `Port ${port} is in use.`,
        'another singletable dev or serve, or DynamoDB Local, may be running',
        'stop it, or pass --port with another one; --port 0 takes any that is free',
        { cause: error },
      )
    }
  }
}

function countOf(given: Parameters): number {
  return wholeNumber(given, 'count', { min: 1, max: COUNT_MAX }) ?? COUNT_DEFAULT
}
