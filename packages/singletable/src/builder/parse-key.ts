import type { Model } from '../schema/model.ts'
import { getOwn, setOwn } from '../values/own.ts'

/** The attributes that a key of the model was made of; `undefined` if it is no key of the model. */
export function parseKey(model: Model, key: unknown): Record<string, unknown> | undefined {
  const parts = model.indexes.flatMap(({ hash, sort }) => [...hash, ...sort])
  if (typeof key === 'string') {
    for (const { template } of parts) {
      const values = template?.match(key)
      if (values !== undefined) return values
    }
    return undefined
  }
  if (typeof key !== 'object' || key === null) return undefined
  const found: Record<string, unknown> = {}
  let isKey = false
  for (const part of parts) {
    // Any object can be asked for an own member.
    const given = getOwn(key as { readonly [name: string]: unknown }, part.name)
    if (given === undefined) continue
    const text = textOf(given)
    const values = text === undefined ? undefined : part.template?.match(text)
    if (values === undefined) {
      if (part.template === undefined) continue
      return undefined
    }
    isKey = true
    for (const name of Object.keys(values)) {
      // A key that has only a part of the value tells less than one that has all of it.
      if (!Object.hasOwn(found, name) || part.template?.told.includes(name)) {
        setOwn(found, name, values[name])
      }
    }
  }
  if (!isKey) return undefined
  // An attribute that stands in several keys must be the same in all of them.
  const agrees = parts.every(({ name, template }) => {
    const text = textOf(getOwn(key as { readonly [name: string]: unknown }, name))
    if (template === undefined || text === undefined) return true
    const rendered = template.render(found)
    // What a shard is made of may stand in a key that is not given.
    return rendered === undefined ? template.enumerable : rendered === text
  })
  return agrees ? found : undefined
}

/** A key attribute given as it is, or as an attribute value. */
function textOf(given: unknown): string | undefined {
  const text = typeof given === 'object' && given !== null && 'S' in given ? given.S : given
  return typeof text === 'string' ? text : undefined
}
