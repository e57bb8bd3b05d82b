import type { CommandOutput } from './command.ts'
import type { CommandSpecification, Parameters } from './help.ts'
import { runCommand, runSubcommand } from './run-command.ts'
import { runTableApply, TABLE_APPLY } from './table-apply.ts'
import { runTableCreate, TABLE_CREATE } from './table-create.ts'
import { runTableDelete, TABLE_DELETE } from './table-delete.ts'
import { runTableDescribe, TABLE_DESCRIBE } from './table-describe.ts'
import { runTableList, TABLE_LIST } from './table-list.ts'
import { EXIT_DONE } from './usage-error.ts'

type Action = (given: Parameters, output: CommandOutput) => Promise<number | undefined>

const ACTIONS: readonly (readonly [CommandSpecification, Action])[] = [
  [TABLE_LIST, runTableList],
  [TABLE_CREATE, runTableCreate],
  [TABLE_DESCRIBE, runTableDescribe],
  [TABLE_APPLY, runTableApply],
  [TABLE_DELETE, runTableDelete],
]

export const TABLE_COMMAND: CommandSpecification = {
  name: 'table',
  summary: 'lists, creates, shows, changes or deletes tables',
  groups: [],
  subcommands: ACTIONS.map(([specification]) => specification),
}

export function runTable(parameters: readonly string[], output: CommandOutput): Promise<number> {
  const actions = ACTIONS.map(
    ([specification, work]) =>
      [
        specification.name.split(' ').at(-1) ?? '',
        (rest: readonly string[]) =>
          runCommand(
            specification,
            rest,
            output,
            async (given) => (await work(given, output)) ?? EXIT_DONE,
          ),
      ] as const,
  )
  return runSubcommand(TABLE_COMMAND, parameters, output, new Map(actions))
}
