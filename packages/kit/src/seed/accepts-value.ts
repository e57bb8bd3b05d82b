import type { Attribute, Model, TemplatePart } from 'singletable/tools'

/** Whether a value can be stored as an attribute of a model: its type, its validator and all keys that it stands in take it. */
export function acceptsValue(attribute: Attribute, model: Model, value: unknown): boolean {
  const issues: Parameters<typeof attribute.codec.encode>[1] = []
  attribute.codec.encode(value, issues, true)
  if (issues.length > 0) return false
  // A key attribute that is the attribute as it is can't be empty.
  if (value === '' && isPlainKey(attribute, model)) return false
  return componentsOf(attribute.name, model).every(({ print }) => print(value) !== undefined)
}

type Placeholder = Exclude<TemplatePart, string>

/** Models are asked for each value again. */
const known = new WeakMap<Model, readonly Placeholder[]>()

/** The placeholders of an attribute in the keys of a model and of its copies. */
export function componentsOf(name: string, model: Model): readonly Placeholder[] {
  const components = known.get(model) ?? placeholdersOf(model)
  known.set(model, components)
  return components.filter((component) => component.name === name)
}

function placeholdersOf(model: Model): readonly Placeholder[] {
  const copies = model.companions?.copies.map((copy) => copy.model) ?? []
  return [model, ...copies]
    .flatMap(({ indexes }) => indexes.flatMap(({ hash, sort }) => [...hash, ...sort]))
    .flatMap(({ template }) => template?.parts ?? [])
    .filter((part) => typeof part !== 'string')
    .filter(({ by }) => by === undefined)
}

function isPlainKey(attribute: Attribute, { indexes }: Model): boolean {
  return indexes.some(({ hash, sort }) =>
    [...hash, ...sort].some((part) => part.attribute === attribute),
  )
}
