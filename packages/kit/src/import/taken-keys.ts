import { type derivedOf, type Item, keyFromItem, type Schema } from 'singletable/tools'

/** A key that an item takes for itself alone. */
export interface TakenKey {
  /** The values of the primary key, as JSON. */
  readonly key: string
  readonly what: 'key' | 'unique value' | 'key of a copy'
}

/**
 * The keys that no other row may give: of the item, which comes first, of its unique values and of
 * its copies.
 */
export function takenKeys(
  schema: Schema,
  item: Item,
  derived: ReturnType<typeof derivedOf>,
): readonly TakenKey[] {
  return [
    { key: keyText(schema, item), what: 'key' },
    ...derived.flatMap((each): readonly TakenKey[] => {
      if (each.kind === 'count' || !each.item) return []
      const what = each.role?.kind === 'unique' ? 'unique value' : 'key of a copy'
      return [{ key: keyText(schema, each.item), what }]
    }),
  ]
}

function keyText(schema: Schema, item: Item): string {
  return JSON.stringify(
    Object.values(keyFromItem(schema.primary, item)).map(({ S, N, B }) => S ?? N ?? B),
  )
}
