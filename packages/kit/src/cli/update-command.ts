import { keyVariables } from 'singletable/tools'
import type { CommandOutput } from './command.ts'
import { WRITE_OPTIONS } from './confirm-writes.ts'
import { CONNECT_OPTIONS } from './connect-options.ts'
import type { CommandSpecification, Parameters } from './help.ts'
import {
  ENTITY_ARGUMENT,
  type ItemWords,
  printItem,
  readItemWords,
  refuseCopy,
} from './item-words.ts'
import { readModelValues, requireAttribute, splitKeyValues } from './key-values.ts'
import { entityOf, type LooseUpdate, withTable } from './open-table.ts'
import { runCommand } from './run-command.ts'
import { SCHEMA_OPTIONS } from './schema-options.ts'
import { EXIT_DONE, UsageError } from './usage-error.ts'

export const UPDATE_COMMAND: CommandSpecification = {
  name: 'update',
  summary: 'changes one item, through the entity: index keys, copies and counters follow',
  arguments: [
    ENTITY_ARGUMENT,
    {
      name: '[key=value…]',
      text: 'the attributes of its key, and those that get a new value',
    },
  ],
  groups: [
    SCHEMA_OPTIONS,
    CONNECT_OPTIONS,
    {
      title: 'What is changed',
      options: [
        {
          name: 'set',
          value: 'name=value',
          repeatable: true,
          text: 'the same as name=value; for an attribute of the key it moves the item',
        },
        {
          name: 'add',
          value: 'name=number',
          repeatable: true,
          text: 'add to a number, or a member to a set',
        },
        { name: 'remove', value: 'name', repeatable: true, text: 'remove an attribute' },
        { name: 'upsert', text: 'create the item if there is none' },
      ],
    },
    WRITE_OPTIONS,
  ],
}

export function runUpdate(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runCommand(UPDATE_COMMAND, parameters, output, async (given) => {
    const words = await readItemWords(given, output)
    const { loaded, model } = words
    refuseCopy(model, 'update')
    const { key, change } = readChanges(words, given)
    return withTable(
      given,
      output,
      async ({ table }) => {
        const entity = entityOf(table, model.name)
        const builder = change(given.flag('upsert') ? entity.upsert(key) : entity.update(key))
        printItem((await builder.execute()) ?? {}, given, output)
        return EXIT_DONE
      },
      { loaded },
    )
  })
}

function readChanges({ model, values }: ItemWords, given: Parameters) {
  const names = new Set(keyVariables([...model.primary.hash, ...model.primary.sort]))
  const pick = (isKey: boolean): Record<string, unknown> =>
    Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name) === isKey))
  const typed = (option: string) => readModelValues(model, splitKeyValues(given.values(option)))
  const [key, set, add] = [pick(true), { ...pick(false), ...typed('set') }, typed('add')]
  const remove = given.values('remove')
  for (const name of remove) requireAttribute(model, name)
  if (Object.keys(set).length + Object.keys(add).length + remove.length === 0) {
    throw new UsageError(
      'Nothing would be changed.',
      `give an attribute in addition to the key (${[...names].join(', ')}), --set, --add or --remove`,
    )
  }
  const change = (builder: LooseUpdate): LooseUpdate => {
    let changed = builder
    if (Object.keys(set).length > 0) changed = changed.set(set)
    if (Object.keys(add).length > 0) changed = changed.add(add)
    return remove.length > 0 ? changed.remove(...remove) : changed
  }
  return { key, change }
}
