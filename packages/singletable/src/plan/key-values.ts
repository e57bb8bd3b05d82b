import { canonicalValue } from '../schema/encode-attribute.ts'
import { matchPart, ownValue, renderPart } from '../schema/index-keys.ts'
import type { Model } from '../schema/model.ts'
import type { Component } from '../template/component.ts'
import type { KeyTemplate } from '../template/key-template.ts'
import { joinTimes } from '../template/time-bucket.ts'
import type { Item } from '../values/attribute-value.ts'
import { sameValue } from '../values/same-value.ts'

type Values = Record<string, unknown>

interface KeyValues {
  /** Of the attributes whose values can be recovered from the key. */
  readonly recoverable: Values
  /** With those that are in it only in small letters, or by a bucket of time. */
  readonly all: Values
  /** Whether the key has all that a template needs of an attribute: the same form of it. */
  suffices(name: string, template: KeyTemplate): boolean
}

/** The values that a primary key was made of. */
export function keyValues({ primary }: Model, key: Item): KeyValues {
  const recoverable: Values = {}
  const lossy: Values = {}
  const forms = new Set<string>()
  for (const keyPart of [...primary.hash, ...primary.sort]) {
    const found = matchPart(keyPart, key[keyPart.name])
    if (!keyPart.template) Object.assign(recoverable, found)
    for (const part of keyPart.template?.parts ?? []) {
      if (typeof part === 'string' || part.by) continue
      const isRecoverable = !part.lossy && keyPart.template?.recoverable.includes(part.name)
      const value = found?.[part.name]
      const isClock = part.unit === 'time' && Object.hasOwn(lossy, part.name)
      const values = isRecoverable ? recoverable : lossy
      values[part.name] = isClock ? joinTimes(lossy[part.name], value) : value
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
  return { recoverable, all: { ...lossy, ...recoverable }, suffices }
}

function formOf({ name, unit }: Component): string {
  return `${unit ?? 'lower'} ${name}`
}

/**
 * All values behind a primary key, as the caller gave them where the key has them in small letters
 * or by a bucket of time.
 */
export function givenKeyValues(model: Model, key: Item, given: object): Values {
  const { recoverable, all } = keyValues(model, key)
  const { primary, attributes } = model
  for (const name of primary.names) {
    if (Object.hasOwn(recoverable, name)) continue
    const value = canonicalValue(attributes.get(name)!, ownValue(given, name), [])
    const values = { ...all, [name]: value }
    // The caller may have given the key in its stored form, or a value that is not the one behind
    // it.
    const isSameKey = [...primary.hash, ...primary.sort].every((part) =>
      sameValue(renderPart(part, values), key[part.name]),
    )
    if (isSameKey) all[name] = value
  }
  return all
}

/** A primary key as callers can give it where they know it as it is stored. */
export function storedKey({ primary }: Model, key: Item): Values {
  return Object.fromEntries(
    [...primary.hash, ...primary.sort].map(({ name, attribute }) =>
      attribute ? [attribute.name, attribute.codec.decode(key[name]!)] : [name, key[name]?.S],
    ),
  )
}
