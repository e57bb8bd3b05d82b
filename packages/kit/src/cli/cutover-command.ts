import { Table } from 'singletable'
import { Cutover, type CutoverStatus, PHASES } from 'singletable/cutover'
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
import { requireTable } from './missing-table.ts'
import { runCommand, runSubcommand } from './run-command.ts'
import { loadGivenSchema, SCHEMA_OPTIONS } from './schema-options.ts'
import { EXIT_DONE } from './usage-error.ts'

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
  groups: [...GROUPS, WRITE_OPTIONS],
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
  subcommands: [STATUS, ADVANCE, BACK],
}

const COMPARED_MAX = 1_000_000_000

export function runCutover(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runSubcommand(
    CUTOVER_COMMAND,
    parameters,
    output,
    new Map(
      [STATUS, ADVANCE, BACK].map((specification) => [
        specification.name.split(' ').at(-1) ?? '',
        (rest: readonly string[]) =>
          runCommand(specification, rest, output, (given) => act(specification, given, output)),
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
      if (specification === ADVANCE) await cutover.advance({ comparedMin })
      else if (specification === BACK) await cutover.back()
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
  for (const obstacle of status.obstacles) output.print(`! ${obstacle}`)
}
