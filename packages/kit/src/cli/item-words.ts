import type { Model } from 'singletable/tools'
import type { LoadedSchema } from '../schema-file/load-schema.ts'
import { oneLine } from '../text/terminal-text.ts'
import { padText, textColumns } from '../text/text-columns.ts'
import { printCell, printJson } from '../text/typed-values.ts'
import type { CommandOutput } from './command.ts'
import type { ArgumentSpecification, Parameters } from './help.ts'
import { readModelValues, splitKeyValues } from './key-values.ts'
import { requireModel } from './open-table.ts'
import { loadGivenSchema } from './schema-options.ts'
import { colorsFor } from './terminal.ts'
import { FailureError, UsageError } from './usage-error.ts'

export const ENTITY_ARGUMENT: ArgumentSpecification = {
  name: '<Entity>',
  text: 'its name in the schema',
  completes: 'entity',
}

/** What `<Entity> key=value…` says. */
export interface ItemWords {
  readonly loaded: LoadedSchema
  readonly model: Model
  readonly values: Readonly<Record<string, unknown>>
}

export async function readItemWords(given: Parameters, output: CommandOutput): Promise<ItemWords> {
  const [name, ...words] = given.positionals
  const loaded = await loadGivenSchema(given, output.directory)
  const model = requireModel(loaded, name)
  return { loaded, model, values: readModelValues(model, splitKeyValues(words)) }
}

/** Copies are written with what they are copies of. */
export function refuseCopy({ name, source }: Model, verb: string): void {
  if (source === undefined) return
  throw new UsageError(
    `${name} is a copy of ${source.name}, and copies are only read.`,
    `${verb} a ${source.name}`,
  )
}

export function missingItem(
  { model }: ItemWords,
  given: Parameters,
  where: { readonly table: string; readonly place: string },
): FailureError {
  return new FailureError(
    `There is no ${model.name} with ${given.positionals.slice(1).join(' ')}.`,
    `table "${where.table}" (${where.place})`,
    'check the key, and the table by singletable table describe',
  )
}

/** One attribute on a line, in full. */
export function printItem(item: object, given: Parameters, output: CommandOutput): void {
  if (given.flag('json')) {
    output.print(printJson(item))
    return
  }
  const colors = colorsFor(output, given)
  const entries = Object.entries(item)
  const width = Math.max(0, ...entries.map(([name]) => textColumns(name)))
  for (const [name, value] of entries) {
    output.print(`${colors.bold(padText(name, width))}  ${oneLine(printCell(value))}`)
  }
}
