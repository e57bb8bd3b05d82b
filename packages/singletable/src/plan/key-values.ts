import { canonicalValue } from '../schema/encode-attribute.ts'
import { ownValue, primaryTemplates } from '../schema/index-keys.ts'
import type { Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'

type Values = Record<string, unknown>

interface KeyValues {
  /** Of the attributes whose values the key tells. */
  readonly told: Values
  /** With those that are only in small letters in it. */
  readonly all: Values
}

/** The values that a primary key was made of. */
export function keyValues({ primary }: Model, key: Item): KeyValues {
  const told: Values = {}
  const lossy: Values = {}
  for (const { name, template } of primaryTemplates(primary)) {
    const found = template.match(key[name]!.S!)
    for (const part of template.parts) {
      if (typeof part !== 'string') (part.lossy ? lossy : told)[part.name] = found?.[part.name]
    }
  }
  return { told, all: { ...lossy, ...told } }
}

/** All values behind a primary key, with letters as the caller gave them where the key has them small. */
export function givenKeyValues(model: Model, key: Item, given: object): Values {
  const { all } = keyValues(model, key)
  for (const name of model.primary.names) {
    const value = canonicalValue(model.attributes.get(name)!, ownValue(given, name), [])
    if (typeof value === 'string' && value.toLowerCase() === all[name]) all[name] = value
  }
  return all
}
