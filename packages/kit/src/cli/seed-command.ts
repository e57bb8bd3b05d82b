import path from 'node:path'
import { makeItems } from '../seed/make-items.ts'
import { UnseedableError } from '../seed/make-value.ts'
import { createRandom, seededEnvironment } from '../seed/seeded-random.ts'
import { writeItems } from '../seed/write-items.ts'
import { formatCount } from '../text/counts.ts'
import type { CommandOutput } from './command.ts'
import { CONNECT_OPTIONS } from './connect-options.ts'
import { type CommandSpecification, wholeNumber } from './help.ts'
import { withTable } from './open-table.ts'
import { createProgress } from './progress.ts'
import { readFixtures } from './read-fixtures.ts'
import { runCommand } from './run-command.ts'
import { loadGivenSchema, SCHEMA_OPTIONS } from './schema-options.ts'
import { printJson } from './typed-values.ts'
import { EXIT_DONE, FailureError, UsageError } from './usage-error.ts'

export const SEED_COMMAND: CommandSpecification = {
  name: 'seed',
  summary: 'fills the table with given or made-up items',
  arguments: [
    {
      name: '[file]',
      text: 'TypeScript, JavaScript or JSON: lists of inputs by entity, { User: [{ … }], Post: [{ … }] },\nas the default export or as an export named seed; without a file, items are made up',
    },
  ],
  groups: [
    SCHEMA_OPTIONS,
    CONNECT_OPTIONS,
    {
      title: 'What is made up',
      options: [
        {
          name: 'count',
          value: 'number',
          text: 'items in all, dealt out as stats in the schema say; default 100',
        },
        { name: 'seed', value: 'number', text: 'the same seed gives the same items; default 1' },
        { name: 'dry-run', text: 'print the inputs, a line of JSON for each, and write nothing' },
      ],
    },
  ],
  notes: [
    'Items are put through their entities: checked, with keys, defaults, copies and counters.',
  ],
}

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
        '--count and --seed are for made-up items.',
        'leave out them or the file',
      )
    }
    const random = createRandom(seed ?? 1)
    const environment = seededEnvironment(random)
    const items =
      file === undefined
        ? makeItems(loaded.schema, { count: count ?? 100, random, environment })
        : await readFixtures(path.resolve(output.directory ?? '.', file), loaded)
    return named(async () => {
      if (given.flag('dry-run')) {
        for (const { entity, input } of items) output.print(printJson({ [entity]: input }))
        return EXIT_DONE
      }
      return withTable(
        given,
        output,
        async ({ table, place }) => {
          const progress = createProgress({ output, unit: 'items', title: 'seed' })
          const written = await writeItems(table, items, (count) => progress.update(count))
          progress.end()
          output.print(
            given.flag('json')
              ? JSON.stringify({ table: table.name, place, written: Object.fromEntries(written) })
              : `wrote ${[...written].map(([entity, n]) => `${formatCount(n)} ${entity}`).join(', ') || 'nothing'} into "${table.name}" (${place})`,
          )
          return EXIT_DONE
        },
        { loaded, ...(file === undefined && { environment }) },
      )
    })
  })
}

/** Says of an attribute that can't be made up what can be done. */
async function named(work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UnseedableError)) throw error
    throw new FailureError(
      `${error.message}.`,
      'seed',
      'give items of your own in a file: singletable seed <file>',
    )
  }
}
