import type { Item } from '../../values/attribute-value.ts'
import type { Path, Update } from '../tree.ts'
import { projectItem } from './project-item.ts'

/**
 * What UPDATED_OLD (given the item before) or UPDATED_NEW (given the item after) returns: the
 * updated paths as a projection sees them. So an element appended by a position beyond the end
 * isn't returned, and after REMOVE of a list element the one that took its position is: that is
 * what DynamoDB does.
 */
export function updatedAttributes(update: Update, item: Item): Item {
  return projectItem(updatedPaths(update), item)
}

/** All paths that the update writes or removes. */
export function updatedPaths(update: Update): Path[] {
  return [
    ...update.set.map(({ path }) => path),
    ...update.remove,
    ...update.add.map(({ path }) => path),
    ...update.delete.map(({ path }) => path),
  ]
}
