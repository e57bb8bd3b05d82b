import type { Environment, Item, Model } from 'singletable/tools'

/** The primary key of the item that an input makes. */
export function keyOf(model: Model, input: object, environment: Environment): Item {
  const { primary, attributes, schema } = model
  const isComputed = primary.names.some((name) => attributes.get(name)?.from !== undefined)
  if (!isComputed) return model.encodeKey(input, 'seed')
  const { item } = model.encodeNew(input, environment, 'seed')
  const names = [...schema.primary.hash, ...schema.primary.sort]
  return Object.fromEntries(
    names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])),
  )
}

/** A string that is equal for equal keys. */
export function keyText(key: Item, names: readonly string[]): string {
  return names.map((name) => key[name]?.S ?? key[name]?.N ?? key[name]?.B ?? '').join('\u0000')
}
