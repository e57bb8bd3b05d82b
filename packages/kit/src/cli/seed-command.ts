import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { SchemaDefinition, Table } from 'singletable'
import { makeItems, type SeedItem } from '../seed/make-items.ts'
import { UnseedableError } from '../seed/make-value.ts'
import { seededEnvironment, seededRandom } from '../seed/seeded-random.ts'
import type { CommandOutput } from './command.ts'
import { CONNECT_OPTIONS } from './connect-options.ts'
import { type CommandSpecification, wholeNumber } from './help.ts'
import { readModelJson } from './key-values.ts'
import { importModule, type LoadedSchema, loadGivenSchema, SCHEMA_OPTIONS } from './load-schema.ts'
import { entityOf, requireModel, withTable } from './open-table.ts'
import { createProgress, formatCount } from './progress.ts'
import { runCommand } from './run-command.ts'
import { printJson } from './typed-values.ts'
import { EnvironmentError, EXIT_DONE, FailureError, UsageError } from './usage-error.ts'

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

const COUNT_MAX = 10_000_000
const SEED_MAX = 2 ** 32 - 1
const CHUNK_ITEMS = 100

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
    const random = seededRandom(seed ?? 1)
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
          const written = await write(table, items, output)
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

async function write(
  table: Table<SchemaDefinition>,
  items: Iterable<SeedItem>,
  output: CommandOutput,
): Promise<ReadonlyMap<string, number>> {
  const progress = createProgress({ output, unit: 'items', title: 'seed' })
  const written = new Map<string, number>()
  let chunk: SeedItem[] = []
  let count = 0
  const flush = async (): Promise<void> => {
    const builders = chunk.map(({ entity, input }) => entityOf(table, entity).put(input))
    // They are put builders of this table, which the types of a schema loaded at run time can't tell.
    await table.batchWrite(builders as never).execute()
    count += chunk.length
    chunk = []
    progress.update(count)
  }
  for (const item of items) {
    written.set(item.entity, (written.get(item.entity) ?? 0) + 1)
    if (chunk.push(item) === CHUNK_ITEMS) await flush()
  }
  if (chunk.length > 0) await flush()
  progress.end()
  return written
}

async function readFixtures(file: string, loaded: LoadedSchema): Promise<readonly SeedItem[]> {
  if (!existsSync(file)) {
    throw new EnvironmentError('There is no such file.', file, 'name the file that has the items')
  }
  const fixtures = file.endsWith('.json') ? parseJsonFile(file) : await exportedFixtures(file)
  if (typeof fixtures !== 'object' || fixtures === null || Array.isArray(fixtures)) {
    throw new EnvironmentError(
      'The file has no lists of items.',
      file,
      'export { User: [{ … }] } as default or as seed',
    )
  }
  return Object.entries(fixtures).flatMap(([entity, list]): SeedItem[] => {
    const model = requireModel(loaded, entity)
    if (!Array.isArray(list)) {
      throw new EnvironmentError(`${entity} is no list.`, file, `write ${entity}: [{ … }]`)
    }
    return list.map((input, at) => ({
      entity,
      input: readModelJson(model, input, `${entity}[${at}]`),
    }))
  })
}

function parseJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new EnvironmentError('The file is no JSON.', file, 'mend it', { cause })
  }
}

async function exportedFixtures(file: string): Promise<unknown> {
  const exported = await importModule(file)
  const found = exported.seed ?? exported.default
  return typeof found === 'function' ? await found() : found
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
