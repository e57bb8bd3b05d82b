import { existsSync } from 'node:fs'
import path from 'node:path'
import { Table } from 'singletable'
import {
  type CopyReport,
  Cutover,
  type CutoverStatus,
  type DualWrite,
  type MissedWrite,
  PHASES,
} from 'singletable/cutover'
import { runLiveCopy } from '../cutover/live-copy.ts'
import { importModule } from '../schema-file/import-module.ts'
import { countOf, formatCount } from '../text/counts.ts'
import type { CommandOutput } from './command.ts'
import { requireYes, WRITE_OPTIONS } from './confirm-writes.ts'
import { CONNECT_OPTIONS, tableNameOf, withConnection } from './connect-options.ts'
import {
  type CommandSpecification,
  type OptionGroup,
  type Parameters,
  wholeNumber,
} from './help.ts'
import { loadMapping } from './load-mapping.ts'
import { requireTable } from './missing-table.ts'
import { printTable } from './print-table.ts'
import { processOwner } from './process-owner.ts'
import { createProgress } from './progress.ts'
import { RATE_OPTION, rateOf } from './rate-option.ts'
import { runCommand, runSubcommand } from './run-command.ts'
import { loadGivenSchema, SCHEMA_OPTIONS } from './schema-options.ts'
import { interruptible, processStops } from './stops.ts'
import { EnvironmentError, EXIT_DONE, EXIT_FAILED, UsageError } from './usage-error.ts'

const WHICH: OptionGroup = {
  title: 'Which move',
  options: [{ name: 'name', value: 'name', text: 'as dualWrite names it; default: default' }],
}

const COMPARISONS: OptionGroup = {
  title: 'Before new reads are used',
  options: [
    {
      name: 'compared',
      value: 'n',
      text: 'each read must have been compared this often; default: 1',
    },
    {
      name: 'allow-uncompared',
      value: 'names',
      text: 'reads that need not have been, as in getUser,listUsers',
    },
  ],
}

const GROUPS = [SCHEMA_OPTIONS, CONNECT_OPTIONS, WHICH]

const STATUS: CommandSpecification = {
  name: 'cutover status',
  summary: 'shows the phase of a move, and what keeps the next one from beginning',
  groups: [...GROUPS, COMPARISONS],
}

const ADVANCE: CommandSpecification = {
  name: 'cutover advance',
  summary: 'begins the next phase, unless something is missing or results differ',
  groups: [
    ...GROUPS,
    COMPARISONS,
    {
      title: 'From other DynamoDB tables',
      options: [
        {
          name: 'live-copy',
          text: 'when the move begins: the application writes the old tables alone, and cutover copy\nfollows their streams',
        },
      ],
    },
    WRITE_OPTIONS,
  ],
}

const COPY: CommandSpecification = {
  name: 'cutover copy',
  summary: 'copies DynamoDB tables into the new one over their streams while the application runs',
  arguments: [{ name: '[mapping]', text: 'the mapping file; default: import.map.ts' }],
  groups: [
    CONNECT_OPTIONS,
    {
      title: 'What is copied',
      options: [
        { name: 'name', value: 'name', text: 'the move, as dualWrite names it; default: default' },
        { name: 'once', text: 'end when what the phase asks for is done' },
        { name: 'restart', text: 'begin again from the start, whatever was copied' },
      ],
    },
    {
      title: 'How',
      options: [
        RATE_OPTION,
        { name: 'take-over', text: 'take the lock of a process that you know is dead' },
      ],
    },
    WRITE_OPTIONS,
  ],
  notes: [
    'Runs until the move has ended, and does what each phase asks for: follows the streams, copies all rows, compares everything, brings over the last writes.\nCtrl-C ends it; the next run continues.',
  ],
}

const BACK: CommandSpecification = {
  name: 'cutover back',
  summary: 'returns to the phase before',
  groups: [...GROUPS, WRITE_OPTIONS],
}

const RECOUNT: CommandSpecification = {
  name: 'cutover recount',
  summary: 'counts compared reads again from 0, after you have repaired what differed',
  groups: [...GROUPS, WRITE_OPTIONS],
}

const MISSED: CommandSpecification = {
  name: 'cutover missed',
  summary: 'lists writes that one of the stores has missed; repairs or drops them',
  groups: [
    ...GROUPS,
    {
      title: 'What to do with them',
      options: [
        {
          name: 'repair',
          value: 'module',
          text: 'a module that exports what dualWrite returns: its repair() is called',
        },
        { name: 'drop', text: 'forget them; the stores stay different' },
        { name: 'key', value: 'key', text: 'only those of this key' },
      ],
    },
    WRITE_OPTIONS,
  ],
  notes: ['Exits with 1 if writes are left that --repair or --drop could not do.'],
}

export const CUTOVER_COMMAND: CommandSpecification = {
  name: 'cutover',
  summary: 'moves an application to the table, phase by phase',
  groups: [],
  subcommands: [STATUS, ADVANCE, BACK, RECOUNT, MISSED, COPY],
}

const COMPARED_MAX = 1_000_000_000

export function runCutover(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runSubcommand(
    CUTOVER_COMMAND,
    parameters,
    output,
    new Map(
      [STATUS, ADVANCE, BACK, RECOUNT, MISSED, COPY].map((specification) => [
        specification.name.split(' ').at(-1) ?? '',
        (rest: readonly string[]) =>
          runCommand(specification, rest, output, (given) =>
            specification === COPY ? copy(given, output) : act(specification, given, output),
          ),
      ]),
    ),
  )
}

async function act(
  specification: CommandSpecification,
  given: Parameters,
  output: CommandOutput,
): Promise<number> {
  const loaded = await loadGivenSchema(given, output.directory)
  const tableName = tableNameOf(given, loaded)
  const hasComparisons = specification === STATUS || specification === ADVANCE
  const options = hasComparisons
    ? {
        comparedMin: wholeNumber(given, 'compared', { min: 1, max: COMPARED_MAX }),
        allowUncompared: given.text('allow-uncompared')?.split(','),
      }
    : {}
  return withConnection(given, output, async ({ transport, place }) => {
    const table = new Table({ name: tableName, schema: loaded.definition, client: transport })
    const name = given.text('name')
    const cutover = new Cutover(table, {
      now: output.now ?? Date.now,
      ...(name !== undefined && { name }),
    })
    return requireTable(tableName, place, async () => {
      if (specification === ADVANCE) {
        await cutover.advance({ ...options, isLiveCopy: given.flag('live-copy') })
      }
      if (specification === BACK) await cutover.back()
      if (specification === RECOUNT) await cutover.recount()
      if (specification === MISSED) return missed(given, output, cutover)
      print(given, output, await cutover.status(options))
      return EXIT_DONE
    })
  })
}

function print(given: Parameters, output: CommandOutput, status: CutoverStatus): void {
  if (given.flag('json')) {
    output.print(JSON.stringify(status))
    return
  }
  for (const phase of PHASES) output.print(`${phase === status.phase ? '→' : ' '} ${phase}`)
  for (const [read, { compared, different }] of Object.entries(status.reads)) {
    output.print(`${read}: ${formatCount(compared)} compared, ${formatCount(different)} different`)
  }
  if (status.copy) printCopy(output, status.copy, (output.now ?? Date.now)())
  for (const obstacle of status.obstacles) output.print(`! ${obstacle}`)
}

async function missed(given: Parameters, output: CommandOutput, cutover: Cutover): Promise<number> {
  const key = given.text('key')
  const module = given.text('repair')
  const isDropping = given.flag('drop')
  if (isDropping && module !== undefined) {
    throw new UsageError('Writes are either repaired or dropped.', 'use --repair or --drop')
  }
  const find = async (): Promise<readonly MissedWrite[]> =>
    (await cutover.missedWrites()).filter((each) => key === undefined || each.key === key)
  const before = await find()
  if (module !== undefined) {
    if (key !== undefined) {
      throw new UsageError('--repair repairs all missed writes.', 'leave out --key')
    }
    for (const app of await loadDualWrites(module, output)) await app.repair()
  } else if (isDropping && before.length > 0) {
    if (!given.flag('yes')) {
      const count = countOf(before.length, 'missed write')
      await requireYes(
        `This drops ${count}: the stores stay different`,
        output,
        'Nothing was dropped.',
      )
    }
    for (const each of before) await cutover.dropMissedWrite(each)
  }
  const isListing = module === undefined && !isDropping
  const left = isListing ? before : await find()
  const done = Math.max(before.length - left.length, 0)
  if (given.flag('json')) {
    const did = isListing ? {} : { [isDropping ? 'dropped' : 'repaired']: done }
    output.print(JSON.stringify({ missedWrites: left, ...did }))
  } else {
    if (!isListing) output.print(`${countOf(done, 'write')} ${isDropping ? 'dropped' : 'repaired'}`)
    printMissed(output, left)
  }
  return isListing || left.length === 0 ? EXIT_DONE : EXIT_FAILED
}

function printMissed(output: CommandOutput, missedWrites: readonly MissedWrite[]): void {
  if (missedWrites.length === 0) {
    output.print('no write is missing')
    return
  }
  output.print(
    printTable(
      ['missing in', 'key', 'method', 'when', 'reason'].map((title) => ({ title })),
      missedWrites.map(({ repository, side, key, method, at, reason }) => [
        `the ${side} store`,
        key,
        repository === '' ? method : `${repository}.${method}`,
        new Date(at).toISOString(),
        reason,
      ]),
    ),
  )
}

/** Everything that a module exports and that dualWrite returned. */
async function loadDualWrites(
  name: string,
  output: CommandOutput,
): Promise<readonly Pick<DualWrite<object>, 'repair'>[]> {
  const file = path.resolve(output.directory ?? '.', name)
  if (!existsSync(file)) {
    throw new EnvironmentError('There is no such module.', file, 'give the path of a file')
  }
  const found = new Set<Pick<DualWrite<object>, 'repair'>>()
  for (const exported of Object.values(await importModule(file))) {
    const { repair, flush, repository } = Object(exported) as Partial<DualWrite<object>>
    if (typeof repair === 'function' && typeof flush === 'function' && repository) {
      found.add(exported as DualWrite<object>)
    }
  }
  if (found.size > 0) return [...found]
  throw new EnvironmentError(
    'The module exports nothing that dualWrite returned.',
    file,
    'write: export const app = dualWrite({ … })',
  )
}

/** Follows the streams, and does what the phase asks for. */
async function copy(given: Parameters, output: CommandOutput): Promise<number> {
  const { definition, schema, checksum } = await loadMapping(given, output)
  const tableName = tableNameOf(given)
  const now = output.now ?? Date.now
  const name = given.text('name') ?? 'default'
  return withConnection(given, output, async ({ transport, place }) => {
    const table = new Table({ name: tableName, schema: schema.definition, client: transport })
    const unitsPerSecond = await requireTable(tableName, place, () =>
      rateOf(given, { transport, tableName }),
    )
    const interruption = interruptible(output.stops ?? processStops, () => undefined)
    const progress = createProgress({ output, title: 'copy', unit: 'rows' })
    let units = 0
    try {
      const report = await requireTable(tableName, place, () =>
        runLiveCopy({
          transport,
          tableName,
          definition,
          schema,
          checksum,
          cutover: new Cutover(table, { name, now }),
          name,
          now,
          signal: interruption.signal,
          owner: processOwner(),
          isTakingOver: given.flag('take-over'),
          unitsPerSecond,
          isRestart: given.flag('restart'),
          isOnce: given.flag('once'),
          onUnits: (consumed) => {
            units = consumed
          },
          onReport: ({ rows }) =>
            progress.update(rows, undefined, [`${formatCount(Math.ceil(units))} units`]),
        }),
      )
      progress.end()
      if (given.flag('json')) output.print(JSON.stringify(report))
      else printCopy(output, report, now())
      const isDifferent = (report.convergence?.different ?? 0) > 0
      return interruption.exitCode ?? (isDifferent ? EXIT_FAILED : EXIT_DONE)
    } finally {
      interruption.end()
    }
  })
}

function printCopy(output: CommandOutput, report: CopyReport, now: number): void {
  const { rows, isBackfilled, caughtUpAt, drainedAt, convergence, gap } = report
  const age =
    caughtUpAt === undefined
      ? 'not caught up'
      : `${((now - caughtUpAt) / 1000).toFixed(1)} s behind`
  const all = isBackfilled ? `all ${formatCount(rows)} rows copied` : 'backfill not done'
  const state = gap ?? (drainedAt === undefined ? `${all}, ${age}` : 'the last writes are copied')
  output.print(`live copy: ${state}`)
  if (convergence === undefined) return
  output.print(
    printTable(
      [
        { title: 'model' },
        ...['rows give', 'in the table'].map((title) => ({ title, align: 'right' }) as const),
        { title: 'checksum of the rows' },
        { title: 'checksum of the table' },
      ],
      Object.entries(convergence.models).map(([model, { source, table }]) => [
        model,
        formatCount(source.items),
        formatCount(table.items),
        source.checksum,
        table.checksum,
      ]),
    ),
  )
  const { different, examples } = convergence
  output.print(different === 0 ? 'all items agree' : `${formatCount(different)} items differ:`)
  for (const example of examples) output.print(`  ${example}`)
}
