import type { CommandOutput } from './command.ts'
import { CONNECT_OPTIONS } from './connect-options.ts'
import type { CommandSpecification } from './help.ts'
import { ENTITY_ARGUMENT, missingItem, printItem, readItemWords } from './item-words.ts'
import { entityOf, withTable } from './open-table.ts'
import { runCommand } from './run-command.ts'
import { SCHEMA_OPTIONS } from './schema-options.ts'
import { EXIT_DONE } from './usage-error.ts'

export const GET_COMMAND: CommandSpecification = {
  name: 'get',
  summary: 'shows one item by its key',
  arguments: [ENTITY_ARGUMENT, { name: '[key=value…]', text: 'the attributes of its key' }],
  groups: [SCHEMA_OPTIONS, CONNECT_OPTIONS],
}

export function runGet(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(GET_COMMAND, parameters, output, async (given) => {
    const words = await readItemWords(given, output)
    const { loaded, model, values } = words
    return withTable(
      given,
      output,
      async ({ table, place }) => {
        const item = await entityOf(table, model.name).get(values).execute()
        if (item === undefined) throw missingItem(words, given, { table: table.name, place })
        printItem(item, given, output)
        return EXIT_DONE
      },
      { loaded },
    )
  })
}
