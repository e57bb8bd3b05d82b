import type { ComponentKind } from '../template/component.ts'
import { compileTemplate, type KeyTemplate } from '../template/key-template.ts'
import { didYouMean } from './did-you-mean.ts'
import { keyAttributes } from './index-keys.ts'
import type { Attribute, DerivedKey, Index, KeyPart, ModelIndex, Schema } from './model.ts'
import { refuseSchema } from './refuse-schema.ts'
import type {
  AttributeDefinition,
  KeyDefinition,
  ModelDefinition,
  WhenDefinition,
} from './schema-definition.ts'

/** The templates of a model by key attribute, wherever they are written. */
export function collectTemplates(
  definition: ModelDefinition,
  schema: Schema,
  where: string,
): ReadonlyMap<string, string> {
  const { hash, sort } = schema.primary
  const primary = [...hash, ...sort]
  const given = Object.keys(definition.key ?? {})
  if (given.length !== primary.length || !primary.every((name) => given.includes(name))) {
    refuseSchema(
      where,
      `its key names ${given.join(', ') || 'nothing'}`,
      `give templates for ${primary.join(' and ')}, the attributes of the primary index`,
    )
  }
  const templates = new Map<string, string>()
  const add = (name: string, key: KeyDefinition | AttributeDefinition): void => {
    const place = `${where}, key attribute "${name}"`
    if (templates.has(name)) refuseSchema(place, 'it has two templates', 'remove one of them')
    if (![...schema.indexes.values()].some((index) => keyAttributes(index).includes(name))) {
      refuseSchema(place, 'no index has this attribute in its key', 'add an index, or remove it')
    }
    const { type, value = '' } = typeof key === 'string' ? { type: String, value: key } : key
    if (type !== String) {
      refuseSchema(place, 'its type is not String', 'a template makes text: use String')
    }
    templates.set(name, value)
  }
  for (const [name, key] of Object.entries(definition.key)) add(name, key)
  for (const [name, key] of Object.entries(definition.index ?? {})) add(name, key)
  for (const [name, attribute] of Object.entries(definition.attributes ?? {})) {
    if (attribute?.value !== undefined) add(name, attribute)
  }
  return templates
}

/** The templates, with the attributes their placeholders name. */
export function compileTemplates(
  templates: ReadonlyMap<string, string>,
  attributes: ReadonlyMap<string, Attribute>,
  separator: string,
  model: string,
): ReadonlyMap<string, KeyTemplate> {
  const compiled = new Map<string, KeyTemplate>()
  for (const [name, source] of templates) {
    const where = `${model}, key attribute "${name}"`
    const kindOf = (placeholder: string): ComponentKind => {
      const attribute = attributes.get(placeholder)
      if (attribute !== undefined) return componentKind(attribute, where)
      const hint = didYouMean(placeholder, attributes.keys())
      return refuseSchema(
        where,
        `template "${source}" names "${placeholder}", which is no attribute of the model${hint}`,
        'declare the attribute, or correct the name',
      )
    }
    compiled.set(name, compileTemplate(source, { kindOf, separator, where }))
  }
  return compiled
}

function componentKind({ name, definition }: Attribute, where: string): ComponentKind {
  const { type, items, pad } = definition
  const encode = definition.encode === true
  switch (type) {
    case String: {
      // A text with an enum of texts only: others were refused with the codec.
      const values = definition.enum as readonly string[] | undefined
      return { type: 'text', encode, values }
    }
    case Number:
      return { type: 'number', encode, pad }
    case BigInt:
      return { type: 'bigint', encode, pad }
    case 'decimal':
      return { type: 'decimal', encode, pad }
    case Boolean:
      return { type: 'boolean', encode }
    case Date:
      return { type: 'date', encode }
    default:
      if (type === Array && items?.type === String) return { type: 'path', encode }
      return refuseSchema(
        where,
        `"${name}" is of a type that can't stand in a key`,
        "use a String, Number, BigInt, 'decimal', Boolean, Date or Array of String",
      )
  }
}

/** An index as the model fills it; `undefined` if it leaves a part of its key empty. */
export function compileModelIndex(
  index: Index,
  partOf: (name: string) => KeyPart | undefined,
  when: ReadonlyMap<string, readonly unknown[]> | undefined,
): ModelIndex | undefined {
  const hash = index.hash.map(partOf)
  const sort = index.sort.map(partOf)
  const isPart = (part: KeyPart | undefined): part is KeyPart => part !== undefined
  if (!hash.every(isPart) || !sort.every(isPart)) return undefined
  const names = new Set(when?.keys())
  for (const { template, attribute } of [...hash, ...sort]) {
    for (const name of template?.names ?? [attribute?.name ?? '']) names.add(name)
  }
  return { index, hash, sort, names: [...names], when }
}

/** The conditions of `when` for one index, each as the values that are allowed. */
export function compileWhen(
  definition: WhenDefinition,
  attributes: ReadonlyMap<string, Attribute>,
  where: string,
): ReadonlyMap<string, readonly unknown[]> {
  const when = new Map<string, readonly unknown[]>()
  for (const [name, values] of Object.entries(definition)) {
    const attribute = attributes.get(name)
    if (attribute === undefined) {
      refuseSchema(where, `it asks for "${name}", which is no attribute`, 'name an attribute')
    }
    const list = Array.isArray(values) ? [...values] : [values]
    for (const value of list) {
      const issues: { path: readonly (string | number)[]; message: string }[] = []
      attribute.codec.encode(value, issues)
      if (issues.length > 0) {
        refuseSchema(
          where,
          `"${name}" can't have the value ${JSON.stringify(value)}`,
          'give values it can have',
        )
      }
    }
    when.set(name, list)
  }
  return when
}

/** The rendered key attributes outside the primary key. One that completes no index would be written for nothing. */
export function compileDerived(
  templates: ReadonlyMap<string, KeyTemplate>,
  indexes: readonly ModelIndex[],
  { primary }: Schema,
  where: string,
): readonly DerivedKey[] {
  const derived: DerivedKey[] = []
  for (const [name, template] of templates) {
    if (keyAttributes(primary).includes(name)) continue
    const uses = indexes.filter(({ index }) => keyAttributes(index).includes(name))
    if (uses.length === 0) {
      refuseSchema(
        `${where}, key attribute "${name}"`,
        'the model leaves another part of the index key empty, so it would never be in the index',
        "give templates for all of the index's key attributes, or for none",
      )
    }
    derived.push({ name, template, uses })
  }
  return derived
}
