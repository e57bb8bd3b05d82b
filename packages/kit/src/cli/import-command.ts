import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Table } from 'singletable'
import { Cutover } from 'singletable/cutover'
import {
  compileSchema,
  itemSizeBytes,
  type Schema,
  systemEnvironment,
  unitsToWrite,
} from 'singletable/tools'
import { printSchema } from '../adopt/print-schema.ts'
import { billOf } from '../cost/monthly-bill.ts'
import { pricesOf } from '../cost/prices.ts'
import { type Analysis, analyze } from '../import/analyze.ts'
import { findSources } from '../import/find-sources.ts'
import { joinedSources, mapperOf } from '../import/map-rows.ts'
import { printMapping } from '../import/print-mapping.ts'
import { type Design, proposeDesigns } from '../import/propose.ts'
import { type Question, readQuestions } from '../import/questions.ts'
import { PostgresSnapshots } from '../import/read-postgres.ts'
import { type RowContext, readRows } from '../import/read-rows.ts'
import { type ImportResult, runImport } from '../import/run-import.ts'
import { stageRows } from '../import/stage-rows.ts'
import { type ImportProgress, Staging } from '../import/staging.ts'
import { fileTarget, tableTarget } from '../import/targets.ts'
import { verifyImport } from '../import/verify-import.ts'
import { countOf, formatCount } from '../text/counts.ts'
import type { CommandOutput } from './command.ts'
import { tableNameOf, withConnection } from './connect-options.ts'
import type { Connection } from './data-connection.ts'
import { type CommandSpecification, type Parameters, wholeNumber } from './help.ts'
import { ANALYZE, IMPORT_COMMAND, IMPORT_PLAN, IMPORT_VERIFY, MAP, RUN } from './import-options.ts'
import { loadMapping } from './load-mapping.ts'
import { requireTable } from './missing-table.ts'
import { type Column, printTable } from './print-table.ts'
import { createProgress } from './progress.ts'
import { runCommand, runSubcommand } from './run-command.ts'
import { afterGrace, interruptible, processStops } from './stops.ts'
import {
  EnvironmentError,
  EXIT_DONE,
  EXIT_FAILED,
  FailureError,
  UsageError,
} from './usage-error.ts'

type Action = (given: Parameters, output: CommandOutput) => Promise<number>

const ACTIONS: readonly (readonly [CommandSpecification, Action])[] = [
  [ANALYZE, showAnalysis],
  [MAP, writeMapping],
  [IMPORT_PLAN, showPlan],
  [RUN, run],
  [IMPORT_VERIFY, verify],
]

export function runImportCommand(
  parameters: readonly string[],
  output: CommandOutput,
): Promise<number> {
  return runSubcommand(
    IMPORT_COMMAND,
    parameters,
    output,
    new Map(
      ACTIONS.map(([specification, action]) => [
        specification.name.split(' ').at(-1) ?? '',
        (rest: readonly string[]) =>
          runCommand(specification, rest, output, (given) => action(given, output)),
      ]),
    ),
  )
}

interface Proposal {
  readonly analysis: Analysis
  readonly designs: readonly (Design & { readonly dollars: number })[]
}

const SECONDS_MAX = 1_000_000_000

/** The proposal, or the exit code of an interruption. */
async function propose(given: Parameters, output: CommandOutput): Promise<Proposal | number> {
  const from = given.values('from')
  if (from.length === 0) {
    throw new UsageError('No source is named.', 'pass --from <file, folder or address>')
  }
  const directory = output.directory ?? '.'
  const file = given.text('questions')
  const seconds = wholeNumber(given, 'seconds', { min: 1, max: SECONDS_MAX })
  const questions: readonly Question[] =
    file === undefined
      ? []
      : await readQuestions(readFileSync(path.resolve(directory, file), 'utf8'), file, seconds)
  const interruption = interruptible(output.stops ?? processStops, () => undefined)
  const progress = createProgress({ output, title: 'analyze', unit: 'rows' })
  const read = async (connection?: Connection): Promise<Analysis> => {
    const postgres = new PostgresSnapshots()
    const context = { directory, transport: connection?.transport, postgres }
    try {
      const sources = await findSources(from, context)
      return await analyze(sources, context, (rows) => progress.update(rows), interruption.signal)
    } finally {
      await postgres.close()
    }
  }
  try {
    const needsTable = from.some((each) => each.startsWith('dynamodb:'))
    const analysis = await (needsTable ? withConnection(given, output, read) : read())
    progress.end()
    // What is known of a part of the rows would be wrong about all of them.
    if (interruption.exitCode !== undefined) return interruption.exitCode
    const designs = proposeDesigns(analysis, questions).map((design) => {
      const schema = compileSchema(design.definition)
      return { ...design, dollars: billOf({ schema }).totals.all }
    })
    return { analysis, designs }
  } finally {
    interruption.end()
  }
}

async function showAnalysis(given: Parameters, output: CommandOutput): Promise<number> {
  const proposal = await propose(given, output)
  if (typeof proposal === 'number') return proposal
  const { analysis, designs } = proposal
  if (given.flag('json')) {
    const tables = analysis.tables
    const shown = designs.map(({ name, summary, dollars, definition, unanswered }) => ({
      name,
      summary,
      dollarsPerMonth: dollars,
      indexes: Object.keys(definition.indexes).length - 1,
      unanswered,
    }))
    output.print(JSON.stringify({ tables, designs: shown }))
    return EXIT_DONE
  }
  for (const { name, rows, bytes, columns, primaryKey, fanOut, isJoin } of analysis.tables) {
    output.print(
      `${name}: ${countOf(rows, 'row')}, ${countOf(bytes, 'byte')}, ${countOf(columns.length, 'column')}, key ${primaryKey.join(', ') || 'unknown'}${isJoin ? ', joins two tables' : ''}`,
    )
    for (const { key, average, most, histogram, orphans } of fanOut) {
      const bands = Object.entries(histogram).map(
        ([band, count]) => `${band}: ${formatCount(count)}`,
      )
      output.print(
        `  ${key.columns.join(', ')} → ${key.table}: ${average.toFixed(1)} rows each, at most ${formatCount(most)} (${bands.join(' · ')})${orphans > 0 ? `; ${formatCount(orphans)} of them do not exist` : ''}`,
      )
    }
  }
  output.print('')
  output.print(
    printTable(
      titles('design', 'indexes', '$ a month', 'what it is'),
      designs.map(({ name, definition, dollars, summary }) => [
        name,
        String(Object.keys(definition.indexes).length - 1),
        dollars.toFixed(2),
        summary,
      ]),
    ),
  )
  for (const { name, unanswered } of designs) {
    for (const each of unanswered) output.print(`${name}: ${each}`)
  }
  return EXIT_DONE
}

async function writeMapping(given: Parameters, output: CommandOutput): Promise<number> {
  const directory = output.directory ?? '.'
  const mappingFile = path.resolve(directory, given.text('out') ?? 'import.map.ts')
  const schemaFile = path.resolve(directory, given.text('out-schema') ?? 'schema.ts')
  for (const file of [mappingFile, schemaFile]) {
    if (existsSync(file) && !given.flag('force')) {
      throw new FailureError('The file already exists.', file, 'pass --force to overwrite it')
    }
  }
  const proposal = await propose(given, output)
  if (typeof proposal === 'number') return proposal
  const { analysis, designs } = proposal
  const wanted = given.text('design')
  const [cheapest] = [...designs].sort((a, b) => a.dollars - b.dollars)
  const design = designs.find(({ name }) => name === wanted) ?? cheapest!
  const relative = path.relative(path.dirname(mappingFile), schemaFile).replaceAll('\\', '/')
  const imported = relative.startsWith('.') ? relative : `./${relative}`
  writeFileSync(
    schemaFile,
    printSchema(design.definition, [
      `Design "${design.name}": ${design.summary}.`,
      ...design.unanswered,
    ]),
  )
  writeFileSync(mappingFile, printMapping(analysis, design, imported))
  if (given.flag('json')) {
    output.print(JSON.stringify({ design: design.name, schema: schemaFile, mapping: mappingFile }))
  } else {
    output.print(
      `wrote ${path.relative(directory, schemaFile)} and ${path.relative(directory, mappingFile)}, design "${design.name}"`,
    )
    output.print('review both, then run singletable import plan')
  }
  return EXIT_DONE
}

const SAMPLE_ROWS = 1_000
/** DynamoDB's import from S3 is billed by the size of the files. */
const GIGABYTE = 1024 ** 3

async function showPlan(given: Parameters, output: CommandOutput): Promise<number> {
  const { definition, schema } = await loadMapping(given, output)
  const directory = output.directory ?? '.'
  const needsTable = Object.values(definition.sources).some(({ kind }) => kind === 'table')
  const interruption = interruptible(output.stops ?? processStops, () => undefined)
  const read = async (connection?: Connection): Promise<number> => {
    const staging = new Staging(mkdtempSync(path.join(tmpdir(), 'singletable-import-')))
    const postgres = new PostgresSnapshots()
    try {
      const { signal } = interruption
      const context = { directory, transport: connection?.transport, postgres, staging, signal }
      return await plan(context)
    } finally {
      interruption.end()
      await postgres.close()
      await staging.remove()
    }
  }
  const plan = async (
    context: RowContext & { readonly staging: Staging; readonly signal: AbortSignal },
  ): Promise<number> => {
    const { staging, signal } = context
    const sums = new Map<string, { items: number; bytes: number; units: number }>()
    let rows = 0
    for (const source of joinedSources(definition).keys()) {
      await stageRows(definition, source, context)
    }
    for (const [name, source] of Object.entries(definition.sources)) {
      const mapper = mapperOf(definition, schema, name, systemEnvironment)
      const sample = new Map<string, { items: number; bytes: number; units: number }>()
      let count = 0
      for await (const row of readRows(source, context)) {
        if (signal.aborted) break
        count++
        if (count > SAMPLE_ROWS) continue
        const made = mapper.map(row, (other, key) => staging.getRow(other, key))
        for (const { model, item } of made) {
          const sum = sample.get(model.name) ?? { items: 0, bytes: 0, units: 0 }
          const bytes = itemSizeBytes(item)
          sample.set(model.name, {
            items: sum.items + 1,
            bytes: sum.bytes + bytes,
            units: sum.units + unitsToWrite(bytes) * model.indexes.length,
          })
        }
      }
      if (signal.aborted) return interruption.exitCode ?? EXIT_DONE
      rows += count
      const factor = count / Math.min(count, SAMPLE_ROWS)
      for (const [model, { items, bytes, units }] of sample) {
        const sum = sums.get(model) ?? { items: 0, bytes: 0, units: 0 }
        sums.set(model, {
          items: sum.items + Math.round(items * factor),
          bytes: sum.bytes + Math.round(bytes * factor),
          units: sum.units + Math.round(units * factor),
        })
      }
    }
    const total = [...sums.values()].reduce(
      (a, b) => ({
        items: a.items + b.items,
        bytes: a.bytes + b.bytes,
        units: a.units + b.units,
      }),
      { items: 0, bytes: 0, units: 0 },
    )
    const dollars = (total.units / 1_000_000) * (pricesOf()?.standard.onDemand.writeMillion ?? 0)
    if (given.flag('json')) {
      output.print(JSON.stringify({ rows, models: Object.fromEntries(sums), total, dollars }))
      return EXIT_DONE
    }
    output.print(
      printTable(
        titles('model', 'items', 'bytes', 'write units'),
        [...sums].map(([model, { items, bytes, units }]) => [
          model,
          ...[items, bytes, units].map(formatCount),
        ]),
      ),
    )
    output.print(
      `${countOf(rows, 'row')} ${rows === 1 ? 'becomes' : 'become'} about ${countOf(total.items, 'item')}`,
    )
    output.print(
      `into a table on demand: about $${dollars.toFixed(2)} for writes, at the prices of us-east-1`,
    )
    output.print(
      `as an import from S3 into a new table: no write units; billed by size, ${(total.bytes / GIGABYTE).toFixed(3)} GB`,
    )
    return EXIT_DONE
  }
  return needsTable ? withConnection(given, output, read) : read()
}

function titles(first: string, ...figures: readonly string[]): readonly Column[] {
  return [{ title: first }, ...figures.map((title) => ({ title, align: 'right' }) as const)]
}

async function run(given: Parameters, output: CommandOutput): Promise<number> {
  const mapping = await loadMapping(given, output)
  const { schema, file } = mapping
  const directory = output.directory ?? '.'
  const files = given.text('files')
  if (given.flag('resume') && given.flag('restart')) {
    throw new UsageError("--resume and --restart can't be combined.", 'leave one of them out')
  }
  if (files !== undefined && given.text('bucket') === undefined) {
    throw new UsageError('The bucket of the files is missing.', 'pass --bucket <name>')
  }
  const tableName = tableNameOf(given)
  const folder = `${file}.progress`
  if (existsSync(folder) && !given.flag('resume') && !given.flag('restart')) {
    throw new UsageError(
      `An earlier run was interrupted: ${path.basename(folder)} says how far it came.`,
      'pass --resume to continue it, or --restart to start again',
    )
  }
  if (!existsSync(folder) && given.flag('resume')) {
    throw new UsageError(`There is nothing to resume: no ${folder}.`, 'leave out --resume')
  }
  if (given.flag('restart')) await new Staging(folder).remove()
  const work = async (connection?: Connection): Promise<number> => {
    const staging = new Staging(folder)
    const started: ImportProgress = staging.progress ?? {
      startedAt: (output.now ?? Date.now)(),
      checksum: mapping.checksum,
      rows: {},
      staged: [],
      items: 0,
      parts: 0,
    }
    if (started.checksum !== mapping.checksum) {
      await staging.close()
      throw new EnvironmentError(
        'The mapping was changed since the run that was interrupted.',
        file,
        'start again with --restart',
      )
    }
    staging.save(started)
    const interruption = interruptible(output.stops ?? processStops, () => undefined)
    const target =
      connection && files === undefined
        ? tableTarget(connection.transport, tableName, schema, {
            signal: afterGrace(interruption.signal),
            concurrentWrites: connection.concurrentRequests,
          })
        : fileTarget({
            directory: path.resolve(directory, files ?? ''),
            schema,
            tableName,
            bucket: given.text('bucket') ?? '',
            prefix: given.text('prefix') ?? '',
            parts: started.parts,
          })
    const progress = createProgress({
      output,
      title: 'import',
      unit: 'items',
      before: started.items,
    })
    let result: ImportResult
    try {
      result = await runImport({
        ...mapping,
        tableName,
        directory,
        transport: connection?.transport,
        staging,
        progress: started,
        target,
        signal: interruption.signal,
        onProgress: (items) => progress.update(items),
      })
    } catch (error) {
      await staging.close()
      throw error
    } finally {
      interruption.end()
    }
    progress.end()
    await (result.isDone ? staging.remove() : staging.close())
    if (result.isDone && connection) await noteWork(given, output, connection, schema, 'backfill')
    report(given, output, result, files)
    return interruption.exitCode ?? EXIT_DONE
  }
  if (
    files !== undefined &&
    Object.values(mapping.definition.sources).every(({ kind }) => kind !== 'table')
  ) {
    return work()
  }
  return withConnection(given, output, (connection) =>
    requireTable(tableName, connection.place, async () => {
      if (files === undefined)
        await connection.transport.send('DescribeTable', { TableName: tableName })
      return work(connection)
    }),
  )
}

function report(
  given: Parameters,
  output: CommandOutput,
  result: ImportResult,
  files: string | undefined,
): void {
  if (given.flag('json')) {
    output.print(JSON.stringify(result))
    return
  }
  const rows = Object.values(result.rows).reduce((sum, count) => sum + count, 0)
  output.print(
    result.isDone
      ? `${countOf(rows, 'row')} became ${countOf(result.items, 'item')}${files === undefined ? '' : ` in ${files}; upload the folder, then run aws dynamodb import-table --cli-input-json file://import-table.json`}`
      : `stopped after ${countOf(result.items, 'item')}; continue with --resume`,
  )
  if (result.present > 0)
    output.print(
      `${countOf(result.present, 'item')} ${result.present === 1 ? 'was' : 'were'} in the table already`,
    )
  if (result.keptCount > 0) {
    output.print(
      `${formatCount(result.keptCount)} items are in the table with other values, which stay:`,
    )
    for (const where of result.kept) output.print(`  ${where}`)
  }
  if (result.countersSkipped > 0) {
    output.print(
      `${formatCount(result.countersSkipped)} counters were changed meanwhile: count again with a migration of countItems`,
    )
  }
}

/** Notes for the move that its backfill or its comparison ended well. */
async function noteWork(
  given: Parameters,
  output: CommandOutput,
  { transport }: Pick<Connection, 'transport'>,
  { definition }: Schema,
  work: 'backfill' | 'verify',
): Promise<void> {
  const name = given.text('cutover')
  if (name === undefined) return
  const table = new Table({ name: tableNameOf(given), schema: definition, client: transport })
  const isNoted = await new Cutover(table, { name, now: output.now ?? Date.now }).note(work)
  if (!isNoted) {
    output.printError(`the move "${name}" is not in its phase "${work}", so nothing was noted`)
  }
}

async function verify(given: Parameters, output: CommandOutput): Promise<number> {
  const mapping = await loadMapping(given, output)
  const tableName = tableNameOf(given)
  return withConnection(given, output, async ({ transport, place }) => {
    const staging = new Staging(mkdtempSync(path.join(tmpdir(), 'singletable-import-')))
    const progress = createProgress({ output, title: 'verify', unit: 'items' })
    const interruption = interruptible(output.stops ?? processStops, () => undefined)
    try {
      const comparison = await requireTable(tableName, place, () =>
        verifyImport({
          ...mapping,
          tableName,
          directory: output.directory ?? '.',
          transport,
          staging,
          signal: interruption.signal,
          onProgress: (items) => progress.update(items),
        }),
      )
      progress.end()
      if (interruption.exitCode !== undefined) return interruption.exitCode
      if (comparison.isSame) {
        await noteWork(given, output, { transport }, mapping.schema, 'verify')
      }
      if (given.flag('json')) output.print(JSON.stringify(comparison))
      else {
        output.print(
          printTable(
            titles('model', 'in the source', 'in the table', 'missing', 'different', 'extra'),
            comparison.models.map((each) => [
              each.model,
              ...[each.expected, each.found, each.missing, each.different, each.extra].map(
                formatCount,
              ),
            ]),
          ),
        )
        for (const { model, sums } of comparison.models) {
          for (const [attribute, { source, table }] of Object.entries(sums)) {
            if (source !== table)
              output.print(
                `sum of ${model}.${attribute}: ${source} in the source, ${table} in the table`,
              )
          }
        }
        for (const each of comparison.examples) output.print(`  ${each}`)
        output.print(comparison.isSame ? 'source and table agree' : 'source and table differ')
      }
      return comparison.isSame ? EXIT_DONE : EXIT_FAILED
    } catch (error) {
      if (interruption.exitCode !== undefined) return interruption.exitCode
      throw error
    } finally {
      interruption.end()
      await staging.remove()
    }
  })
}
