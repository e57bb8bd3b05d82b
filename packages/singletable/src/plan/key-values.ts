import { canonicalValue } from '../schema/encode-attribute.ts'
import { ownValue, primaryTemplates } from '../schema/index-keys.ts'
import type { Model } from '../schema/model.ts'
import type { Component } from '../template/component.ts'
import type { KeyTemplate } from '../template/key-template.ts'
import type { Item } from '../values/attribute-value.ts'

type Values = Record<string, unknown>

interface KeyValues {
  /** Of the attributes whose values the key tells. */
  readonly told: Values
  /** With those that are in it only in small letters, or by a bucket of time. */
  readonly all: Values
  /** Whether the key has all that a template needs of an attribute: the same form of it. */
  suffices(name: string, template: KeyTemplate): boolean
}

/** The values that a primary key was made of. */
export function keyValues({ primary }: Model, key: Item): KeyValues {
  const told: Values = {}
  const lossy: Values = {}
  const forms = new Set<string>()
  for (const { name, template } of primaryTemplates(primary)) {
    const found = template.match(key[name]!.S!)
    for (const part of template.parts) {
      if (typeof part === 'string' || part.by) continue
      ;(part.lossy ? lossy : told)[part.name] = found?.[part.name]
      if (part.lossy) forms.add(formOf(part))
    }
  }
  const suffices = (name: string, { parts }: KeyTemplate): boolean =>
    parts.every(
      (part) =>
        typeof part === 'string' ||
        (part.by ? !part.by.some((each) => each.name === name) : part.name !== name) ||
        (!part.by && part.lossy && forms.has(formOf(part))),
    )
  return { told, all: { ...lossy, ...told }, suffices }
}

function formOf({ name, unit }: Component): string {
  return `${unit ?? 'lower'} ${name}`
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
