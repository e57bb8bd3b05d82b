import path from 'node:path'
import { setImmediate as others } from 'node:timers/promises'
import { makeItems, type SeedItem } from '../seed/make-items.ts'
import { createRandom, seededEnvironment, writingEnvironment } from '../seed/seeded-random.ts'
import { writeItems } from '../seed/write-items.ts'
import { formatCount } from '../text/counts.ts'
import { printJson } from '../text/typed-values.ts'
import type { CommandOutput } from './command.ts'
import { WRITE_OPTIONS } from './confirm-writes.ts'
import { CONNECT_OPTIONS } from './connect-options.ts'
import { type CommandSpecification, type Parameters, wholeNumber } from './help.ts'
import { withTable } from './open-table.ts'
import { createProgress } from './progress.ts'
import { readFixtures } from './read-fixtures.ts'
import { runCommand } from './run-command.ts'
import { loadGivenSchema, SCHEMA_OPTIONS } from './schema-options.ts'
import { interruptible, processStops } from './stops.ts'
import { printText } from './terminal.ts'
import { EXIT_DONE, EXIT_FAILED, UsageError } from './usage-error.ts'

export const SEED_COMMAND: CommandSpecification = {
  name: 'seed',
  summary: 'fills the table with your own items or sample data',
  arguments: [
    {
      name: '[file]',
      text: 'TypeScript, JavaScript or JSON: lists of inputs by entity, { User: [{ … }], Post: [{ … }] },\nas the default export or as an export named seed; without a file, sample data is made',
    },
  ],
  groups: [
    SCHEMA_OPTIONS,
    CONNECT_OPTIONS,
    WRITE_OPTIONS,
    {
      title: 'Sample data',
      options: [
        {
          name: 'count',
          value: 'number',
          text: 'the total number of items, in the proportions of stats.count in the schema; default 100',
        },
        { name: 'seed', value: 'number', text: 'the same seed gives the same items; default 1' },
        { name: 'dry-run', text: 'print each input as a line of JSON, and write nothing' },
      ],
    },
  ],
  notes: [
    'Items are put through their entities: checked, with keys, defaults, copies and counters. Items are reported as written only when they were found in the table.',
    'If no values are found for a model, it is left out with an error message, and the command exits with 1.',
  ],
}

const COUNT_DEFAULT = 100
const PRINTED_AT_ONCE = 500
export const COUNT_MAX = 10_000_000
export const SEED_MAX: number = 2 ** 32 - 1

export function runSeed(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(SEED_COMMAND, parameters, output, async (given) => {
    const loaded = await loadGivenSchema(given, output.directory)
    const count = wholeNumber(given, 'count', { min: 1, max: COUNT_MAX })
    const seed = wholeNumber(given, 'seed', { max: SEED_MAX })
    const [file, ...more] = given.positionals
    if (more.length > 0) throw new UsageError('There are several files.', 'name one')
    if (file !== undefined && (count !== undefined || seed !== undefined)) {
      throw new UsageError(
        '--count and --seed are for sample data.',
        'leave out these options or the file',
      )
    }
    const wanted = count ?? COUNT_DEFAULT
    const unseedable = new Map<string, string>()
    const random = createRandom(seed ?? 1)
    const fixtures =
      file === undefined
        ? undefined
        : await readFixtures(path.resolve(output.directory ?? '.', file), loaded)
    const items =
      fixtures ??
      makeItems(loaded.schema, {
        count: wanted,
        random,
        environment: seededEnvironment(random),
        onUnseedable: (model, reason) => unseedable.set(model, reason),
      })
    const interruption = interruptible(output.stops ?? processStops, () =>
      output.printError('finishing the current items …'),
    )
    const { signal } = interruption
    try {
      if (given.flag('dry-run')) {
        await printItems(items, output, signal)
        printUnseedable(unseedable, output)
        return interruption.exitCode ?? (unseedable.size > 0 ? EXIT_FAILED : EXIT_DONE)
      }
      return await withTable(
        given,
        output,
        async ({ table, transport, place }) => {
          const progress = createProgress({ output, unit: 'items', title: 'seed' })
          const total = fixtures?.length ?? wanted
          const { written, refused } = await writeItems(table, items, {
            schema: loaded.schema,
            transport,
            skipsRefused: fixtures === undefined,
            hasDistinctKeys: fixtures === undefined,
            signal,
            onProgress: (done) => progress.update(done, total),
          })
          progress.end()
          for (const [model, { count, reason }] of refused) {
            unseedable.set(model, `${formatCount(count)} of its items were refused: ${reason}`)
          }
          const isDone = interruption.exitCode === undefined
          printResult({ table: table.name, place, written, unseedable, isDone }, given, output)
          return interruption.exitCode ?? (unseedable.size > 0 ? EXIT_FAILED : EXIT_DONE)
        },
        { loaded, ...(fixtures === undefined && { environment: writingEnvironment() }) },
      )
    } finally {
      interruption.end()
    }
  })
}

async function printItems(
  items: Iterable<SeedItem>,
  output: CommandOutput,
  signal: AbortSignal,
): Promise<void> {
  let count = 0
  for (const { entity, input } of items) {
    output.print(printJson({ [entity]: input }))
    // A signal has to have its turn.
    if (++count % PRINTED_AT_ONCE === 0) await others()
    if (signal.aborted) return
  }
}

function printResult(
  result: {
    readonly table: string
    readonly place: string
    readonly written: ReadonlyMap<string, number>
    readonly unseedable: ReadonlyMap<string, string>
    readonly isDone: boolean
  },
  given: Parameters,
  output: CommandOutput,
): void {
  const { table, place, written, unseedable, isDone } = result
  if (given.flag('json')) {
    const [counts, refused] = [Object.fromEntries(written), Object.fromEntries(unseedable)]
    output.print(JSON.stringify({ table, place, written: counts, refused, done: isDone }))
    return
  }
  const counts = [...written].map(([entity, count]) => `${formatCount(count)} ${entity}`)
  const text = `wrote ${counts.join(', ') || 'nothing'} into "${table}" (${place})`
  if (isDone) printText(output, text)
  else output.printError(`interrupted: ${text}`)
  printUnseedable(unseedable, output)
}

/** Says of models that have no items, or fewer, why and what can be done. */
function printUnseedable(unseedable: ReadonlyMap<string, string>, output: CommandOutput): void {
  for (const [model, reason] of unseedable) {
    output.printError(`singletable seed: ${model} does not have all of its items: ${reason}.`)
  }
  if (unseedable.size === 0) return
  output.printError(
    '  fix:    list valid values of the attribute as examples: [...] in the schema, or give items of your own in a file: singletable seed <file>',
  )
}
