import { canonicalValue } from '../schema/encode-attribute.ts'
import { ownValue, primaryTemplates } from '../schema/index-keys.ts'
import type { Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'

type Values = Record<string, unknown>

interface KeyValues {
  /** Of the attributes whose values the key tells. */
  readonly told: Values
  /** With those that are in it only in small letters, or by a bucket of time. */
  readonly all: Values
}

/** The values that a primary key was made of. */
export function keyValues({ primary }: Model, key: Item): KeyValues {
  const told: Values = {}
  const lossy: Values = {}
  for (const { name, template } of primaryTemplates(primary)) {
    const found = template.match(key[name]!.S!)
    for (const part of template.parts) {
      if (typeof part === 'string' || part.by) continue
      ;(part.lossy ? lossy : told)[part.name] = found?.[part.name]
    }
  }
  return { told, all: { ...lossy, ...told } }
}

/** All values behind a primary key, as the caller gave them where the key has them in small letters or by a bucket of time. */
export function givenKeyValues(model: Model, key: Item, given: object): Values {
  const { told, all } = keyValues(model, key)
  const { primary, attributes } = model
  for (const name of primary.names) {
    if (Object.hasOwn(told, name)) continue
    const value = canonicalValue(attributes.get(name)!, ownValue(given, name), [])
    const values = { ...all, [name]: value }
    const isSameKey = primaryTemplates(primary).every(
      (part) => part.template.render(values) === key[part.name]!.S,
    )
    if (isSameKey) all[name] = value
  }
  return all
}
