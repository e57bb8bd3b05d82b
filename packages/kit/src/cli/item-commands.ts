import { readFileSync } from 'node:fs'
import path from 'node:path'
import { oneLine } from '../text/terminal-text.ts'
import { padText, textColumns } from '../text/text-columns.ts'
import type { CommandOutput } from './command.ts'
import { WRITE_OPTIONS } from './confirm-writes.ts'
import { CONNECT_OPTIONS } from './connect-options.ts'
import type { CommandSpecification } from './help.ts'
import { readModelJson, readModelValues, splitKeyValues } from './key-values.ts'
import { entityOf, requireModel, withTable } from './open-table.ts'
import { runCommand } from './run-command.ts'
import { loadGivenSchema, SCHEMA_OPTIONS } from './schema-options.ts'
import { colorsFor } from './terminal.ts'
import { printCell, printJson } from './typed-values.ts'
import { EXIT_DONE, FailureError, UsageError } from './usage-error.ts'

export const GET_COMMAND: CommandSpecification = {
  name: 'get',
  summary: 'shows one item by its key',
  arguments: [
    { name: '<Entity>', text: 'its name in the schema' },
    { name: '[key=value…]', text: 'the attributes that make its key' },
  ],
  groups: [SCHEMA_OPTIONS, CONNECT_OPTIONS],
}

export const PUT_COMMAND: CommandSpecification = {
  name: 'put',
  summary: 'writes one item, through the entity: checked, with its keys, defaults and copies',
  arguments: [
    { name: '<Entity>', text: 'its name in the schema' },
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
        { name: 'create', text: 'fail if there is such an item already' },
      ],
    },
    WRITE_OPTIONS,
  ],
}

export function runGet(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(GET_COMMAND, parameters, output, async (given) => {
    const [name, ...words] = given.positionals
    const loaded = await loadGivenSchema(given, output.directory)
    const model = requireModel(loaded, name)
    const key = readModelValues(model, splitKeyValues(words))
    return withTable(
      given,
      output,
      async ({ table, place }) => {
        const item = await entityOf(table, model.name).get(key).execute()
        if (item === undefined) {
          throw new FailureError(
            `There is no ${model.name} with ${words.join(' ')}.`,
            `table "${table.name}" (${place})`,
            'check the key, and the table by singletable table describe',
          )
        }
        printItem(item, given.flag('json'), output)
        return EXIT_DONE
      },
      { loaded },
    )
  })
}

export function runPut(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(PUT_COMMAND, parameters, output, async (given) => {
    const [name, ...words] = given.positionals
    const loaded = await loadGivenSchema(given, output.directory)
    const model = requireModel(loaded, name)
    if (model.source) {
      throw new UsageError(
        `${model.name} is a copy of ${model.source.name}, and copies are only read.`,
        `put a ${model.source.name}`,
      )
    }
    const json = given.text('json-input')
    const input = {
      ...(json !== undefined && readModelJson(model, parseInput(json, output), '--json-input')),
      ...readModelValues(model, splitKeyValues(words)),
    }
    return withTable(
      given,
      output,
      async ({ table }) => {
        const entity = entityOf(table, model.name)
        const builder = given.flag('create') ? entity.create(input) : entity.put(input)
        printItem((await builder.execute()) ?? {}, given.flag('json'), output)
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
      '--json-input is no JSON.',
      `give an object such as '{"name":"Alice"}', or @file`,
    )
  }
}

function printItem(item: object, isJson: boolean, output: CommandOutput): void {
  if (isJson) {
    output.print(printJson(item))
    return
  }
  const colors = colorsFor(output)
  const entries = Object.entries(item)
  const width = Math.max(0, ...entries.map(([name]) => textColumns(name)))
  for (const [name, value] of entries) {
    output.print(`${colors.bold(padText(name, width))}  ${oneLine(printCell(value))}`)
  }
}
