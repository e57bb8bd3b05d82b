import { getOwn } from 'singletable/tools'
import { sameValue } from '../../packages/kit/src/check/exercise/same-value.ts'
import { showValue } from '../../packages/kit/src/text/show-value.ts'
import type { Output } from './exercise-table.ts'
import type { Entry } from './written-items.ts'

/** Whether this is what reading the item should give: all attributes that are shown, or those of a
 * projection. */
export function isOutputOf(
  { model, values }: Entry,
  output: Output,
  project?: readonly string[],
): boolean {
  const { params, keyTypes } = model.schema
  const isInternal = (name: string): boolean =>
    !model.attributes.has(name) &&
    !params.cleanInternalKeys &&
    (keyTypes.has(name) || name === params.typeField)
  const names = [...model.attributes.values()]
    .filter(({ definition }) => !definition.hidden)
    .map(({ name }) => name)
    .filter((name) => project === undefined || project.includes(name))
    .filter((name) => values.get(name) !== undefined)
  const given = Object.keys(output).filter((name) => !isInternal(name))
  return (
    given.length === names.length &&
    names.every(
      (name) => Object.hasOwn(output, name) && sameValue(values.get(name), getOwn(output, name)),
    )
  )
}

/** Each output with the item that it is of, each item once. */
export interface Matching {
  readonly pairs: readonly (Entry | undefined)[]
  readonly missing: readonly Entry[]
}

export function matchOutputs(
  entries: readonly Entry[],
  outputs: readonly Output[],
  project?: readonly string[],
): Matching {
  const missing = [...entries]
  const pairs = outputs.map((output) => {
    const at = missing.findIndex((entry) => isOutputOf(entry, output, project))
    return at < 0 ? undefined : missing.splice(at, 1)[0]
  })
  return { pairs, missing }
}

/** An item in a message: its model and its key, and what distinguishes it from others. */
export function showEntry({ model, values }: Entry): string {
  const names = [...new Set(model.indexes.flatMap((use) => use.names))]
  const shown = names.map((name) => `${name}: ${showValue(values.get(name))}`)
  return `${model.name} { ${shown.join(', ')} }`
}
