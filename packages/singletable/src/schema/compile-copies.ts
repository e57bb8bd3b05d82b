import { didYouMean } from '../errors/did-you-mean.ts'
import { readTemplate } from '../template/read-template.ts'
import { checkOptions, entriesOf } from './check-options.ts'
import { compileWhen } from './compile-model.ts'
import { elementOf } from './copy-element.ts'
import { primaryTemplates, recoverableNames } from './index-keys.ts'
import { isCounted } from './is-counted.ts'
import type { Copy, Model, UniqueRule } from './model.ts'
import type { Place } from './place.ts'
import type { AttributeDefinition, CopyDefinition, ModelDefinition } from './schema-definition.ts'

/** Makes the model of a copy from what its items have in common with those of the source. */
export type CompileCopy = (
  name: string,
  definition: ModelDefinition,
  source: Model,
  place: Place,
) => Model

interface CopyPlace {
  /** Of the source. */
  readonly place: Place
  readonly unique: readonly UniqueRule[]
  readonly compileCopy: CompileCopy
}

/** The copies of a model, each with a model of its own. */
export function compileCopies(
  source: Model,
  definition: ModelDefinition,
  { place, unique, compileCopy }: CopyPlace,
): readonly Copy[] {
  return entriesOf(definition.copies, place.at('copies')).flatMap(([name, given]) => {
    const at = place.at(`copy "${name}"`, { model: name })
    const compiled = at.attempt((): Copy => {
      checkOptions(given, 'key index attributes when each as', at)
      // Its options were just checked, and each is read as what it is.
      const copy = given as CopyDefinition
      const { key, index = {}, when } = copy
      const placeholders = placeholdersOf(copy)
      const { shard } = definition
      const shardName = shard?.name ?? 'shard'
      const isSharded = shard && placeholders.includes(shardName)
      const inKeys = [...placeholders, ...(isSharded ? [shard.by ?? []].flat() : [])]
      const names = copiedNames(source, copy, inKeys, at)
      const unknown = placeholders.filter((name) => !(isSharded && name === shardName))
      const each = elementOf(source, copy, unknown, at)
      const attributes: { [name: string]: AttributeDefinition } = {}
      for (const name of names) {
        const attribute = source.attributes.get(name)!
        if (at.isFaulty(attribute)) at.leaveOut()
        // Roles that only writes have stay with the item.
        const { unique, counts, sums, copyOf, from, compute, stored, ...definition } =
          attribute.definition
        attributes[name] = definition
      }
      if (each) attributes[each.name] = each.definition
      const parts = { key, index, attributes, ...(isSharded && { shard }) }
      const model = compileCopy(name, parts, source, at)
      refuseShared(source, model, unique, at, each?.name)
      const element = each && model.attributes.get(each.name)!
      const known = element
        ? new Map([...source.attributes, [element.name, element]])
        : source.attributes
      const conditions = when === undefined ? undefined : compileWhen(when, known, at)
      return {
        model,
        when: conditions,
        each: element && { list: each.list, element },
        determinedBy: [...model.primary.names, ...(conditions?.keys() ?? [])].map((name) =>
          name === each?.name ? each.list.name : name,
        ),
        contains: names,
      }
    })
    if (compiled === undefined) place.markFaulty(`model ${name}`)
    return compiled ?? []
  })
}

/**
 * The attributes of a copy: those it chooses, those of its own keys and of the item's, and the time
 * to live, which ends both.
 */
function copiedNames(
  source: Model,
  copy: CopyDefinition,
  inKeys: readonly string[],
  place: Place,
): readonly string[] {
  const { attributes, primary, ttl } = source
  const all = [...attributes.values()].filter(({ definition }) => !isCounted(definition))
  const chosen = copy.attributes ?? all.map(({ name }) => name)
  if (!Array.isArray(chosen)) return place.refuse('its attributes are not a list', 'give a list')
  for (const name of chosen) {
    const found = all.find((each) => each.name === name)
    if (found && !found.definition.codec?.bound) continue
    place.report(
      found
        ? `"${name}" is stored by a codec that binds it to its item`
        : attributes.has(name)
          ? `"${name}" is a counter, which changes without the item`
          : `it has "${name}", which is not an attribute${didYouMean(String(name), attributes.keys())}`,
      `choose from the attributes of "${source.name}"`,
    )
  }
  const wanted = [...chosen, ...inKeys, ...primary.names, ...(ttl ? [ttl.name] : [])]
  // Names that are not attributes are reported with the template that has them.
  return all.map(({ name }) => name).filter((name) => wanted.includes(name))
}

/** The names in the templates of a copy. */
function placeholdersOf({ key, index }: CopyDefinition): readonly string[] {
  return [key, index]
    .flatMap((templates) => Object.values(Object(templates)))
    .flatMap((template) => {
      const text = typeof template === 'string' ? template : Object(template).value
      return readTemplate(String(text)).names
    })
}

/** If two items shared a copy, the last write would win, and the first delete would remove it. */
function refuseShared(
  source: Model,
  copy: Model,
  unique: readonly UniqueRule[],
  place: Place,
  element: string | undefined,
): void {
  if (element !== undefined && !copy.primary.names.includes(element)) {
    place.report('all elements would have the same copy', `put \${${element}} into its key`)
  }
  const recoverable = recoverableFromKey(copy)
  const lossy = source.primary.names.filter((name) => !recoverableFromKey(source).includes(name))
  const isOwn = source.primary.names.every(
    (name) =>
      recoverable.includes(name) || (lossy.includes(name) && copy.primary.names.includes(name)),
  )
  // Values that differ in more than case differ in small letters as well.
  const lowered = primaryTemplates(copy.primary).flatMap(({ template }) =>
    template.parts.flatMap((part) =>
      typeof part === 'object' && part.lossy && !part.unit ? part.name : [],
    ),
  )
  const isUnique = unique.some(({ attributes, ignoreCase }) =>
    attributes.every(
      ({ name }) => recoverable.includes(name) || (ignoreCase && lowered.includes(name)),
    ),
  )
  if (isOwn || isUnique) return
  place.report(
    `two items of "${source.name}" could have the same copy`,
    `put ${source.primary.names.map((name) => `\${${name}}`).join(' and ')} into its key, or attributes that are unique`,
  )
}

/** The attributes whose whole values can be recovered from a model's primary key. */
export function recoverableFromKey({ primary }: Model): readonly string[] {
  return [...primary.hash, ...primary.sort].flatMap(recoverableNames)
}
