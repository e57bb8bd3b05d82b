import { parseKey } from '../builder/parse-key.ts'
import type { Model, Schema } from '../schema/model.ts'
import { GUARD, SEQUENCE } from '../schema/reserved-items.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import type { UnknownChange } from './change.ts'

/** The types of items that the library keeps for itself. */
const INTERNAL = new Map<string | undefined, UnknownChange['kind']>([
  [GUARD.type, 'unique'],
  [SEQUENCE.type, 'sequence'],
])

/** The model of an item: by its type, or by its keys where it has none or where they are all there
 * is. */
export function modelOf(schema: Schema, item: Item): Model | UnknownChange['kind'] {
  const type = getOwn(item, schema.params.typeField)
  if (type !== undefined) return schema.types.get(type.S ?? '') ?? INTERNAL.get(type.S) ?? 'unknown'
  for (const model of schema.models.values()) {
    if (!model.isShared && keysOf(model, item) !== undefined) return model
  }
  return 'unknown'
}

/** The attributes that the item's primary key was made of; `undefined` if it is not a key of the
 * model. */
export function keysOf(model: Model, item: Item): Record<string, unknown> | undefined {
  const { hash, sort } = model.primary.index
  const key = [...hash, ...sort].map((name) => [name, getOwn(item, name)] as const)
  return parseKey(model, Object.fromEntries(key))
}
