import type { CommandOutput } from './command.ts'
import { WRITE_OPTIONS } from './confirm-writes.ts'
import { CONNECT_OPTIONS } from './connect-options.ts'
import type { CommandSpecification } from './help.ts'
import { ENTITY_ARGUMENT, missingItem, printItem, readItemWords, refuseCopy } from './item-words.ts'
import { entityOf, withTable } from './open-table.ts'
import { runCommand } from './run-command.ts'
import { SCHEMA_OPTIONS } from './schema-options.ts'
import { EXIT_DONE } from './usage-error.ts'

export const DELETE_COMMAND: CommandSpecification = {
  name: 'delete',
  summary: 'deletes one item, through the entity, with its copies and unique values; prints it',
  arguments: [ENTITY_ARGUMENT, { name: '[key=value…]', text: 'the attributes of its key' }],
  groups: [
    SCHEMA_OPTIONS,
    CONNECT_OPTIONS,
    {
      title: 'How',
      options: [{ name: 'if-exists', text: 'succeed even if there is no such item' }],
    },
    WRITE_OPTIONS,
  ],
}

export function runDelete(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(DELETE_COMMAND, parameters, output, async (given) => {
    const words = await readItemWords(given, output)
    const { loaded, model, values } = words
    refuseCopy(model, 'delete')
    return withTable(
      given,
      output,
      async ({ table, place }) => {
        const item = await entityOf(table, model.name).delete(values).returning('ALL_OLD').execute()
        if (item !== undefined) printItem(item, given, output)
        else if (!given.flag('if-exists')) {
          throw missingItem(words, given, { table: table.name, place })
        } else if (given.flag('json')) output.print('null')
        return EXIT_DONE
      },
      { loaded },
    )
  })
}
