import { canonicalValue } from '../schema/encode-attribute.ts'
import { ownValue } from '../schema/index-keys.ts'
import type { Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'

type Values = Record<string, unknown>

/** The values that a primary key was made of, as far as its text tells them. */
export function keyValues({ primary }: Model, key: Item): Values {
  const values: Values = {}
  for (const { name, template } of [...primary.hash, ...primary.sort]) {
    Object.assign(values, template?.match(key[name]!.S!))
  }
  return values
}

/** As `keyValues`, with the letters as the caller gave them where the key has them small. */
export function givenKeyValues(model: Model, key: Item, given: object): Values {
  const values = keyValues(model, key)
  for (const name of model.primary.names) {
    const value = canonicalValue(model.attributes.get(name)!, ownValue(given, name), [])
    if (typeof value === 'string' && value.toLowerCase() === values[name]) values[name] = value
  }
  return values
}

/** Whether an attribute's value can be told from the primary key. */
export function isInKey({ primary }: Model, name: string): boolean {
  if (!primary.names.includes(name)) return false
  for (const { template } of [...primary.hash, ...primary.sort]) {
    for (const part of template?.parts ?? []) {
      if (typeof part !== 'string' && part.name === name && part.lossy) return false
    }
  }
  return true
}
