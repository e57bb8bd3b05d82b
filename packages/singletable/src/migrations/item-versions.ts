import { DefinitionError } from '../errors/definition-error.ts'
import type { Schema } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn, setOwn } from '../values/own.ts'
import type { Step } from './step.ts'

/** Steps after which an item has another key, or is not one item. */
export const MOVING: readonly string[] = [
  'rekey',
  'renameModel',
  'splitModel',
  'mergeModel',
  'deleteModel',
]

export function versionOf(item: Item, attribute: string | undefined): string | undefined {
  return attribute === undefined ? undefined : getOwn(item, attribute)?.S
}

/**
 * The migrations that a version names: one, or after branches were merged the last one of each that
 * the item has had.
 */
export function idsOf(version: string | undefined): readonly string[] {
  return version === undefined ? [] : version.split(SEPARATOR)
}

/** The version of an item that has had all of these; undefined for none. */
export function joinedVersion(ids: Iterable<string>): string | undefined {
  return [...new Set(ids)].sort().join(SEPARATOR) || undefined
}

/** Names of folders have no spaces. */
const SEPARATOR = ' '

/** The item with another version. The same object if it has that version already. */
export function withVersion(
  item: Item,
  attribute: string | undefined,
  version: string | undefined,
): Item {
  if (attribute === undefined || versionOf(item, attribute) === version) return item
  const result = { ...item }
  if (version === undefined) delete result[attribute]
  else setOwn(result, attribute, { S: version })
  return result
}

/** The attribute that has the version of items. No model may use it for something else. */
export function versionAttributeOf(schema: Schema): string {
  const { itemVersionField } = schema.params
  const model = [...schema.models.values()].find((each) =>
    [...each.attributes.values()].some(({ stored }) => stored === itemVersionField),
  )
  if (model === undefined && !schema.keyTypes.has(itemVersionField)) return itemVersionField
  throw new DefinitionError('OPTION_INVALID', {
    what: `"${itemVersionField}" is where migrations keep the version of items, and also an attribute of the schema.`,
    where: model ? `model "${model.name}"` : 'indexes',
    fix: "choose another name for the version: params: { itemVersionField: '_migration' }",
  })
}

/** The models whose items the steps change or make. */
export function modelsOfSteps(steps: readonly Step[]): ReadonlySet<string> {
  return new Set(
    steps.flatMap((step) => {
      if (!('model' in step)) return []
      const others = 'to' in step && step.kind === 'renameModel' ? [step.to] : []
      const into = 'into' in step ? [step.into].flat() : []
      return [step.model, ...others, ...into]
    }),
  )
}
