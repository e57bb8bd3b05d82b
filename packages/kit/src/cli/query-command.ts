import { type Pattern, type PatternPlan, planPattern } from 'singletable/tools'
import { countOf } from '../text/counts.ts'
import type { Colors } from '../text/terminal-text.ts'
import { printJson } from '../text/typed-values.ts'
import type { CommandOutput } from './command.ts'
import { CONNECT_OPTIONS } from './connect-options.ts'
import { type CommandSpecification, type Parameters, wholeNumber } from './help.ts'
import { readPatternInput, splitKeyValues } from './key-values.ts'
import { requirePattern, withTable } from './open-table.ts'
import { keyConditionText } from './pattern-text.ts'
import { printOutputs } from './print-outputs.ts'
import { AD_HOC_OPTIONS, runAdHoc } from './query-ad-hoc.ts'
import { runCommand } from './run-command.ts'
import { loadGivenSchema, SCHEMA_OPTIONS } from './schema-options.ts'
import { skipUndecodable } from './skip-undecodable.ts'
import { colorsFor, printText } from './terminal.ts'
import { EXIT_DONE, EXIT_FAILED, UsageError } from './usage-error.ts'

export const QUERY_COMMAND: CommandSpecification = {
  name: 'query',
  summary: 'runs an access pattern that reads, or an ad-hoc query',
  arguments: [
    { name: '[pattern]', text: 'its name in the schema', completes: 'pattern' },
    {
      name: '[key=value…]',
      text: 'its input, typed as the schema says; postId.from=… and to, gt, lt, beginsWith bound a range;\nthe same name again makes a list',
    },
  ],
  groups: [
    SCHEMA_OPTIONS,
    CONNECT_OPTIONS,
    { title: 'Without a pattern', options: AD_HOC_OPTIONS },
    {
      title: 'How much',
      options: [
        {
          name: 'limit',
          value: 'number',
          text: 'return at most this many results, instead of the limit of the pattern',
        },
        { name: 'page', text: 'one page, and the cursor of the next one' },
        { name: 'cursor', value: 'text', text: 'continue after this page' },
        {
          name: 'all',
          text: 'all results, without the limit of the pattern; with --json one line each',
        },
        { name: 'plan', text: 'show the plan, and send nothing' },
      ],
    },
  ],
}

const LIMIT_MAX = 1_000_000
/** Results of --all that are laid out together: columns are as wide as these need. */
const ALL_ROWS_MAX = 500

/** A pattern's function, as a command calls it: the library checks what it is given. */
interface LoosePattern {
  (input: unknown, options?: object): Promise<LooseResult> & { page(): Promise<LooseResult> }
  all?(input: unknown): AsyncGenerator<unknown, void, undefined>
}

interface LooseResult {
  readonly count?: number
  readonly exists?: boolean
  readonly item?: unknown
  readonly items?: readonly unknown[]
  readonly groups?: Readonly<Record<string, readonly unknown[]>>
  readonly cursor?: string | undefined
  readonly consumed?: number | undefined
}

export function runQuery(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(QUERY_COMMAND, parameters, output, async (given) => {
    if (given.values('partition').length > 0 || given.text('partiql') !== undefined) {
      return runAdHoc(given, output)
    }
    refuseAdHoc(given)
    const [name, ...words] = given.positionals
    const loaded = await loadGivenSchema(given, output.directory)
    const pattern = requirePattern(loaded, name)
    const input = readInput(pattern, words)
    const colors = colorsFor(output, given)
    if (given.flag('plan')) {
      const now = output.now?.() ?? Date.now()
      const plan = planPattern(pattern, words.length > 0 ? Object(input) : undefined, now)
      if (given.flag('json')) output.print(printJson(plan))
      else printText(output, printPlan(plan, colors))
      return EXIT_DONE
    }
    refuseOthers(pattern)
    let skipped = (): number => 0
    const code = await withTable(
      given,
      output,
      async ({ table }) => {
        // The types of a schema that is loaded at run time say nothing; the function itself checks
        // what it is given.
        const patterns = table.patterns as unknown as Readonly<Record<string, LoosePattern>>
        const call = patterns[pattern.name]
        if (call === undefined) throw new Error(`Pattern "${pattern.name}" can't be called.`)
        if (given.flag('all')) return runAll(call, pattern, input, given, output)
        return runOnce(call, pattern, input, given, output)
      },
      {
        loaded,
        around: (transport) => {
          const skipping = skipUndecodable(transport, loaded.schema, (reason) =>
            output.printError(`singletable query: an item is left out: ${reason}`),
          )
          skipped = skipping.skipped
          return skipping.transport
        },
      },
    )
    // What was printed is not all that there is.
    return skipped() > 0 ? EXIT_FAILED : code
  })
}

async function runOnce(
  call: LoosePattern,
  pattern: Pattern,
  input: unknown,
  given: Parameters,
  output: CommandOutput,
): Promise<number> {
  const limit = wholeNumber(given, 'limit', { min: 1, max: LIMIT_MAX })
  const cursor = given.text('cursor')
  const isPage = given.flag('page')
  if (!isPaged(pattern) && (isPage || limit !== undefined || cursor !== undefined)) {
    throw new UsageError(
      `${pattern.name} gives no pages.`,
      'use --page, --limit and --cursor only with patterns that query or scan',
    )
  }
  const run = call(input, {
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  })
  const result = await (isPage ? run.page() : run)
  const isMissing = pattern.definition.op === 'get' && result.item === undefined
  if (given.flag('json')) {
    output.print(printJson(result))
    return isMissing ? EXIT_FAILED : EXIT_DONE
  }
  const colors = colorsFor(output, given)
  const { count, exists } = result
  if (count !== undefined || exists !== undefined) {
    output.print(String(count ?? exists))
    return EXIT_DONE
  }
  if (isMissing) output.printError('There is no such item.')
  else if (result.groups) {
    for (const [entity, items] of Object.entries(result.groups)) {
      if (items.length > 0)
        output.print(`${printOutputs(items, output, { given, colors, title: entity })}\n`)
    }
  } else output.print(printOutputs(result.items ?? [result.item], output, { given, colors }))
  if (!isMissing) {
    const { limit: declared } = { limit: undefined, ...pattern.definition }
    output.printError(footer(result, isPage ? undefined : (limit ?? declared), colors))
  }
  return isMissing ? EXIT_FAILED : EXIT_DONE
}

async function runAll(
  call: LoosePattern,
  pattern: Pattern,
  input: unknown,
  given: Parameters,
  output: CommandOutput,
): Promise<number> {
  if (call.all === undefined) {
    throw new UsageError(`${pattern.name} gives no pages.`, 'leave out --all')
  }
  if (
    given.flag('page') ||
    given.text('limit') !== undefined ||
    given.text('cursor') !== undefined
  ) {
    throw new UsageError(
      '--all gives every result from the first to the last.',
      'leave out --page, --limit and --cursor',
    )
  }
  const colors = colorsFor(output, given)
  let rows: unknown[] = []
  let count = 0
  for await (const item of call.all(input)) {
    count++
    if (given.flag('json')) output.print(printJson(item))
    else if (rows.push(item) === ALL_ROWS_MAX) {
      output.print(printOutputs(rows, output, { given, colors }))
      rows = []
    }
  }
  if (given.flag('json')) return EXIT_DONE
  if (rows.length > 0) output.print(printOutputs(rows, output, { given, colors }))
  output.printError(colors.dim(countOf(count, 'item')))
  return EXIT_DONE
}

/**
 * Patterns by several keys take a list: the words are dealt out to as many keys as each name is
 * given.
 */
function readInput(pattern: Pattern, words: readonly string[]): unknown {
  const { op } = pattern.definition
  const typed = splitKeyValues(words)
  if (op !== 'batchGet' && op !== 'transactGet') return readPatternInput(pattern, typed)
  const count = Math.max(0, ...[...typed.values()].map((typedValues) => typedValues.length))
  return Array.from({ length: count }, (_, at) => {
    const one = [...typed].map(([name, typedValues]): [string, string[]] => {
      // A value given once is the same for all.
      const text = typedValues.length === 1 ? typedValues[0] : typedValues[at]
      if (text !== undefined) return [name, [text]]
      throw new UsageError(
        `${name} has ${typedValues.length} values and others ${count}.`,
        'give each name once, or once for each item',
      )
    })
    return readPatternInput(pattern, new Map(one))
  })
}

function refuseAdHoc(given: Parameters): void {
  const option = ['index', 'sk', 'reverse', 'raw'].find(
    (name) => given.text(name) !== undefined || given.flag(name),
  )
  if (option === undefined) return
  throw new UsageError(
    `--${option} is for questions without a pattern.`,
    'add --partition pk=… or --partiql',
  )
}

function refuseOthers({ name, definition }: Pattern): void {
  const { op } = definition
  if (op === 'external') {
    throw new UsageError(
      `${name} is answered by ${definition.service}, not by the table.`,
      'ask that service; --plan shows what the schema says',
    )
  }
  if (op === 'query' || op === 'scan' || /[gG]et$/.test(op)) return
  throw new UsageError(
    `${name} writes, and query only reads.`,
    'use singletable put, or see --plan for what it would do',
  )
}

function isPaged({ definition }: Pattern): boolean {
  return definition.op === 'query' ? !definition.gives : definition.op === 'scan'
}

function footer(result: LooseResult, limit: number | undefined, colors: Colors): string {
  const groups = Object.values(result.groups ?? {}).flat()
  const given = result.items ?? (result.groups ? groups : [result.item])
  const count = given.filter((each) => each !== undefined).length
  const units = result.consumed === undefined ? '' : `, ${countOf(result.consumed, 'read unit')}`
  const more =
    result.cursor !== undefined
      ? `\nmore with --cursor ${result.cursor}`
      : count === limit
        ? `\nthe limit is ${limit}: more with --limit, --page or --all`
        : ''
  return colors.dim(countOf(count, 'item') + units) + more
}

/** The plan in lines; what it does not say is left out. */
function printPlan(plan: PatternPlan, colors: Colors): string {
  const lines = [
    `${colors.bold(plan.pattern)}: ${plan.op}${plan.index === null ? '' : ` on ${plan.index}`}`,
  ]
  const add = (title: string, value: unknown): void => {
    if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
      return
    const text = Array.isArray(value)
      ? value.join(', ')
      : typeof value === 'object'
        ? printJson(value)
        : String(value)
    // The end of a range is marked by the last character there is, which no terminal can show.
    lines.push(`  ${title.padEnd(12)}  ${text.replaceAll('\u{10FFFF}', '\\u{10FFFF}')}`)
  }
  add('entities', plan.entities)
  for (const [attribute, key] of Object.entries(plan.key ?? {})) {
    add(attribute, keyConditionText(key))
  }
  add('filter', plan.filter)
  add('order', plan.order)
  add('limit', plan.limit)
  add('consistency', plan.consistency)
  add('then', plan.then)
  add('shares with', plan.sharesPartitionWith)
  add('reads also', plan.alsoReads)
  add('requests', plan.requests)
  add('cost', plan.cost?.basis)
  add('service', plan.service)
  add('reason', plan.reason)
  for (const step of Object.values(plan.steps ?? {})) {
    lines.push(
      ...printPlan(step, colors)
        .split('\n')
        .map((line) => `  ${line}`),
    )
  }
  return lines.join('\n')
}
