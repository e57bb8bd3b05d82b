import { keyBytesMax } from '../schema/key-text.ts'
import type { Attribute, Model } from '../schema/model.ts'

/** What updates ask of a model again and again, looked up once. */
export interface ModelRules {
  /** By stored name, timestamps included. */
  readonly byStored: ReadonlyMap<string, Attribute>
  readonly byName: ReadonlyMap<string, Attribute>
  /** The attributes of the primary key. */
  readonly primary: ReadonlySet<string>
  /** Attributes of the primary key whose value its text does not tell, because it is in small letters there. */
  readonly lossy: ReadonlySet<string>
  /** Attributes that every item of the model has. */
  readonly lasting: ReadonlySet<string>
  /** Of attributes that are a key as they are, by stored name: the bytes they can have. */
  readonly keyBytesMax: ReadonlyMap<string, number>
  /** Attributes whose values, not only their presence, decide about rendered key attributes. */
  readonly valued: ReadonlySet<string>
}

const rulesByModel = new WeakMap<Model, ModelRules>()

export function rulesOf(model: Model): ModelRules {
  let rules = rulesByModel.get(model)
  if (rules === undefined) {
    rules = createRules(model)
    rulesByModel.set(model, rules)
  }
  return rules
}

function createRules(model: Model): ModelRules {
  const byStored = new Map<string, Attribute>()
  const byName = new Map<string, Attribute>()
  const lasting = new Set<string>()
  const primary = new Set(model.primary.names)
  const always = [model.createdAt, model.updatedAt, model.version]
  for (const attribute of [...always, ...model.attributes.values()]) {
    if (attribute === undefined) continue
    byStored.set(attribute.stored, attribute)
    byName.set(attribute.name, attribute)
    const { name, definition } = attribute
    if (definition.required || primary.has(name) || always.includes(attribute)) lasting.add(name)
  }
  const plainKeys = new Map<string, number>()
  for (const stored of byStored.keys()) {
    if (model.schema.keyTypes.has(stored)) plainKeys.set(stored, keyBytesMax(model.schema, stored))
  }
  const lossy = new Set<string>()
  for (const { template } of [...model.primary.hash, ...model.primary.sort]) {
    for (const part of template?.parts ?? []) {
      if (typeof part !== 'string' && part.lossy) lossy.add(part.name)
    }
  }
  const valued = new Set<string>()
  for (const derived of model.derived) {
    for (const name of derived.template.names) valued.add(name)
    for (const use of derived.uses) {
      for (const name of use.when?.keys() ?? []) valued.add(name)
    }
  }
  return { byStored, byName, primary, lossy, lasting, keyBytesMax: plainKeys, valued }
}
