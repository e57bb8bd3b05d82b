import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { CommandOutput } from './command.ts'
import { WRITE_OPTIONS } from './confirm-writes.ts'
import { CONNECT_OPTIONS } from './connect-options.ts'
import type { CommandSpecification } from './help.ts'
import { ENTITY_ARGUMENT, printItem, readItemWords, refuseCopy } from './item-words.ts'
import { readModelJson } from './key-values.ts'
import { entityOf, withTable } from './open-table.ts'
import { runCommand } from './run-command.ts'
import { SCHEMA_OPTIONS } from './schema-options.ts'
import { EXIT_DONE, UsageError } from './usage-error.ts'

export const PUT_COMMAND: CommandSpecification = {
  name: 'put',
  summary: 'writes one item, through the entity: checked, with its keys, defaults and copies',
  arguments: [
    ENTITY_ARGUMENT,
    { name: '[key=value…]', text: 'its attributes, typed as the schema says' },
  ],
  groups: [
    SCHEMA_OPTIONS,
    CONNECT_OPTIONS,
    {
      title: 'What is written',
      options: [
        {
          name: 'json-input',
          value: 'json|@file',
          text: 'the attributes as JSON, or the file that has them; key=value adds to it',
        },
        { name: 'create', text: 'fail if the item already exists' },
      ],
    },
    WRITE_OPTIONS,
  ],
}

export function runPut(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(PUT_COMMAND, parameters, output, async (given) => {
    const { loaded, model, values } = await readItemWords(given, output)
    refuseCopy(model, 'put')
    const json = given.text('json-input')
    const input = {
      ...(json !== undefined && readModelJson(model, parseInput(json, output), '--json-input')),
      ...values,
    }
    return withTable(
      given,
      output,
      async ({ table }) => {
        const entity = entityOf(table, model.name)
        const builder = given.flag('create') ? entity.create(input) : entity.put(input)
        printItem((await builder.execute()) ?? {}, given, output)
        return EXIT_DONE
      },
      { loaded },
    )
  })
}

function parseInput(text: string, output: CommandOutput): unknown {
  const source = text.startsWith('@')
    ? readFileSync(path.resolve(output.directory ?? '.', text.slice(1)), 'utf8')
    : text
  try {
    return JSON.parse(source)
  } catch {
    // Node's own words about it differ from version to version.
    throw new UsageError(
      '--json-input is not valid JSON.',
      `give an object such as '{"name":"Alice"}', or @file`,
    )
  }
}
