import { Table } from 'singletable'
import { type CopyReport, Cutover, type CutoverStatus, PHASES } from 'singletable/cutover'
import { runLiveCopy } from '../cutover/live-copy.ts'
import { formatCount } from '../text/counts.ts'
import type { CommandOutput } from './command.ts'
import { WRITE_OPTIONS } from './confirm-writes.ts'
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
import { EXIT_DONE, EXIT_FAILED } from './usage-error.ts'

const WHICH: OptionGroup = {
  title: 'Which move',
  options: [
    { name: 'name', value: 'name', text: 'as dualWrite names it; default: default' },
    {
      name: 'compared',
      value: 'n',
      text: 'reads must have been compared this often before new ones are used; default: 1',
    },
  ],
}

const GROUPS = [SCHEMA_OPTIONS, CONNECT_OPTIONS, WHICH]

const STATUS: CommandSpecification = {
  name: 'cutover status',
  summary: 'shows the phase of a move, and what keeps the next one from beginning',
  groups: GROUPS,
}

const ADVANCE: CommandSpecification = {
  name: 'cutover advance',
  summary: 'begins the next phase, unless something is missing or results differ',
  groups: [
    ...GROUPS,
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

export const CUTOVER_COMMAND: CommandSpecification = {
  name: 'cutover',
  summary: 'moves an application to the table, phase by phase',
  groups: [],
  subcommands: [STATUS, ADVANCE, BACK, COPY],
}

const COMPARED_MAX = 1_000_000_000

export function runCutover(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runSubcommand(
    CUTOVER_COMMAND,
    parameters,
    output,
    new Map(
      [STATUS, ADVANCE, BACK, COPY].map((specification) => [
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
  const comparedMin = wholeNumber(given, 'compared', { min: 1, max: COMPARED_MAX })
  return withConnection(given, output, async ({ transport, place }) => {
    const table = new Table({ name: tableName, schema: loaded.definition, client: transport })
    const name = given.text('name')
    const cutover = new Cutover(table, {
      now: output.now ?? Date.now,
      ...(name !== undefined && { name }),
    })
    return requireTable(tableName, place, async () => {
      if (specification === ADVANCE) {
        await cutover.advance({ comparedMin, isLiveCopy: given.flag('live-copy') })
      }
      if (specification === BACK) await cutover.back()
      print(given, output, await cutover.status({ comparedMin }))
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
