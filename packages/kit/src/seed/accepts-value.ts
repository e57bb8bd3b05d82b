import type { Attribute, Codec, Model, TemplatePart } from 'singletable/tools'

/** Whether the type, the validator and all keys of an attribute accept a value. */
export function acceptsValue(attribute: Attribute, model: Model, value: unknown): boolean {
  if (!acceptsContent(attribute.codec, value)) return false
  // A key attribute that is stored without a template can't be empty.
  if (value === '' && isPlainKey(attribute, model)) return false
  if (!componentsOf(attribute.name, model).every(({ print }) => print(value) !== undefined)) {
    return false
  }
  // Each element is in the key of a copy.
  return (model.derivedItems?.copies ?? []).every(
    ({ each }) =>
      each?.list !== attribute ||
      [...(value as Iterable<unknown>)].every((one) => acceptsValue(each.element, model, one)),
  )
}

/** Whether a value has the type and the content that its definition asks for. */
export function acceptsContent(codec: Codec, value: unknown): boolean {
  const issues: Parameters<Codec['encode']>[1] = []
  codec.encode(value, issues, true)
  return issues.length === 0
}

type Placeholder = Exclude<TemplatePart, string>

/** Cached by model, because it is needed for every value. */
const known = new WeakMap<Model, ReadonlyMap<string, readonly Placeholder[]>>()

/** The placeholders of an attribute in the keys of a model and of its copies. */
export function componentsOf(name: string, model: Model): readonly Placeholder[] {
  let components = known.get(model)
  if (components === undefined) {
    const all = placeholdersOf(model)
    const names = new Set(all.map((each) => each.name))
    components = new Map([...names].map((each) => [each, all.filter((one) => one.name === each)]))
    known.set(model, components)
  }
  return components.get(name) ?? []
}

/** The attributes that keys of a model and of its copies contain. */
export function keyNamesOf(model: Model): ReadonlySet<string> {
  return new Set(withCopies(model).flatMap(({ indexes }) => indexes.flatMap(({ names }) => names)))
}

/** The model and its copies, which have keys of their own. */
export function withCopies(model: Model): readonly Model[] {
  return [model, ...(model.derivedItems?.copies.map((copy) => copy.model) ?? [])]
}

function placeholdersOf(model: Model): readonly Placeholder[] {
  return withCopies(model)
    .flatMap(({ indexes }) => indexes.flatMap(({ hash, sort }) => [...hash, ...sort]))
    .flatMap(({ template }) => template?.components ?? [])
    .filter(({ by }) => by === undefined)
}

function isPlainKey(attribute: Attribute, model: Model): boolean {
  return withCopies(model).some(({ indexes }) =>
    indexes.some(({ hash, sort }) =>
      [...hash, ...sort].some((part) => part.attribute?.name === attribute.name),
    ),
  )
}
