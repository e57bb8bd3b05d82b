import type { Item } from '../values/attribute-value.ts'
import { setOwn } from '../values/own.ts'
import { partsOf } from './build.ts'
import type { Condition } from './tree.ts'

/** The attributes that every item has with one value that fulfils the condition, as far as
 * equalities at its top say so. */
export function fixedValues(condition: Condition): Item {
  const values: Item = {}
  for (const part of partsOf('and', condition)) {
    if (part.kind !== 'compare' || part.operator !== '=') continue
    const { left, right } = part
    // DynamoDB takes them in either order.
    const [path, value] = left.kind === 'path' ? [left, right] : [right, left]
    if (path.kind === 'path' && path.path.length === 1 && value.kind === 'value') {
      setOwn(values, path.path[0], value.value)
    }
  }
  return values
}
