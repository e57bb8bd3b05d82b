import { checkOptions } from './check-options.ts'
import { compileWhen } from './compile-model.ts'
import { didYouMean } from './did-you-mean.ts'
import { primaryTemplates } from './index-keys.ts'
import type { Copy, Model, UniqueRule } from './model.ts'
import { refuseSchema } from './refuse-schema.ts'
import type { AttributeDefinition, CopyDefinition, ModelDefinition } from './schema-definition.ts'

/** Makes the model of a copy from what its items have in common with those of the source. */
export type CompileCopy = (name: string, definition: ModelDefinition, source: Model) => Model

/** The copies of a model, each with a model of its own. */
export function compileCopies(
  source: Model,
  definition: ModelDefinition,
  unique: readonly UniqueRule[],
  compileCopy: CompileCopy,
): readonly Copy[] {
  return Object.entries(definition.copies ?? {}).map(([name, copy]) => {
    const where = `schema, model "${source.name}", copy "${name}"`
    checkOptions(copy, 'key index attributes when', where)
    const { key, index = {}, when } = copy
    const placeholders = placeholdersOf(copy)
    const { shard } = definition
    const isSharded = shard && placeholders.includes(shard.name ?? 'shard')
    const inKeys = [...placeholders, ...(isSharded ? (shard.by ?? []) : [])]
    const names = copiedNames(source, copy, inKeys, where)
    const attributes: { [name: string]: AttributeDefinition } = {}
    for (const each of names) {
      // Roles that only writes have stay with the item.
      const { unique, counts, copyOf, ...definition } = source.attributes.get(each)!.definition
      attributes[each] = definition
    }
    const model = compileCopy(name, { key, index, attributes, ...(isSharded && { shard }) }, source)
    refuseShared(source, model, unique, where)
    return {
      model,
      when: when && compileWhen(when, source.attributes, where),
      stored: names.map((each) => source.attributes.get(each)!.stored),
    }
  })
}

/** The attributes of a copy: those it chooses, those of its own keys and of the item's, and the time to live, which ends both. */
function copiedNames(
  source: Model,
  copy: CopyDefinition,
  inKeys: readonly string[],
  where: string,
): readonly string[] {
  const { attributes, primary, ttl } = source
  const all = [...attributes.values()].filter(({ definition }) => !definition.counts)
  const chosen = copy.attributes ?? all.map(({ name }) => name)
  for (const name of chosen) {
    const found = all.find((each) => each.name === name)
    if (found && !found.definition.codec?.bound) continue
    refuseSchema(
      where,
      found
        ? `"${name}" is stored by a codec that binds it to its item`
        : attributes.has(name)
          ? `"${name}" is a counter, which changes without the item`
          : `it has "${name}", which is no attribute${didYouMean(name, attributes.keys())}`,
      `choose from the attributes of "${source.name}"`,
    )
  }
  const wanted = [...chosen, ...inKeys, ...primary.names, ...(ttl ? [ttl.name] : [])]
  // What is no attribute is told with the template that names it.
  return all.map(({ name }) => name).filter((name) => wanted.includes(name))
}

/** The names that stand in the templates of a copy. */
function placeholdersOf({ key = {}, index = {} }: CopyDefinition): readonly string[] {
  return [...Object.values(key), ...Object.values(index)].flatMap((template) => {
    const text = typeof template === 'string' ? template : template?.value
    return [...String(text).matchAll(/\$\{([^}:]*)/g)].map(([, name]) => name!)
  })
}

/** A copy that two items share would be the last one's, and gone with the first. */
function refuseShared(
  source: Model,
  copy: Model,
  unique: readonly UniqueRule[],
  where: string,
): void {
  const told = toldNames(copy)
  const lossy = source.primary.names.filter((name) => !toldNames(source).includes(name))
  const isOwn = source.primary.names.every(
    (name) => told.includes(name) || (lossy.includes(name) && copy.primary.names.includes(name)),
  )
  const isUnique = unique.some(
    ({ attributes, ignoreCase }) =>
      !ignoreCase && attributes.every(({ name }) => told.includes(name)),
  )
  if (isOwn || isUnique) return
  refuseSchema(
    where,
    `two items of "${source.name}" can have the same copy`,
    `put ${source.primary.names.map((name) => `\${${name}}`).join(' and ')} into its key, or attributes that are unique`,
  )
}

/** The attributes whose values a model's primary key tells in full. */
export function toldNames({ primary }: Model): readonly string[] {
  return primaryTemplates(primary).flatMap(({ template }) => template.told)
}
