import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { ITEM_SIZE_MAX_BYTES, NESTING_DEPTH_MAX } from '../../values/limits.ts'
import type { Path, Update } from '../tree.ts'
import { addedValue, remainingValue } from './add-and-delete.ts'
import { type Edits, editItem, REMOVED, recordEdit } from './edit-item.ts'
import { evaluateUpdateValue } from './evaluate-update-value.ts'
import { resolveParent, resolvePath } from './resolve-path.ts'
import { UpdateError } from './update-error.ts'

export { UpdateError } from './update-error.ts'

export interface UpdateOptions {
  /** False if the item is only the key of one to be created: then no REMOVE can fail. */
  readonly exists: boolean
}

const EXISTING: UpdateOptions = { exists: true }

/**
 * The item after the update. Everything is read from the item as it was before, and positions in
 * lists mean those it had then. The given item is not changed; unchanged parts and the values of
 * the update are shared with the result. Throws an `UpdateError` for the first action that can't be
 * done: SET, REMOVE, ADD, DELETE, each in the order written, a bad path before a bad value.
 */
export function applyUpdate(update: Update, item: Item, options: UpdateOptions = EXISTING): Item {
  const edits: Edits = new Map()
  let elements = 0
  for (const { path, value } of update.set) {
    requireParent(path, item)
    const result = evaluateUpdateValue(value, item)
    // A list that was made for a value of the item takes a byte for each element at least.
    elements += result.L?.length ?? 0
    if (elements > ITEM_SIZE_MAX_BYTES) throw new UpdateError('item-size')
    requireDepth(path, result)
    recordEdit(edits, path, result)
  }
  for (const path of update.remove) {
    if (options.exists) requireParent(path, item)
    else if (!hasParent(path, item)) continue
    recordEdit(edits, path, REMOVED)
  }
  for (const { path, value } of update.add) {
    requireParent(path, item)
    recordEdit(edits, path, addedValue(resolvePath(path, item), value))
  }
  for (const { path, value } of update.delete) {
    requireParent(path, item)
    const present = resolvePath(path, item)
    if (present === undefined) continue
    recordEdit(edits, path, remainingValue(present, value) ?? REMOVED)
  }
  return editItem(item, edits)
}

function requireParent(path: Path, item: Item): void {
  if (!hasParent(path, item)) throw new UpdateError('invalid-path')
}

/** True if a list is before a last step that is a position, or a map before one that is a name. */
function hasParent(path: Path, item: Item): boolean {
  if (path.length === 1) return true
  const parent = resolveParent(path, item)
  if (parent === undefined) return false
  return typeof path[path.length - 1] === 'number' ? parent.L !== undefined : parent.M !== undefined
}

/**
 * Values are checked for their depth when they come in, so only a value put further down can get
 * too deep; without this check an item could be nested into itself again and again. The elements of
 * a list or map are one level deeper than it is, and DynamoDB counts that level even if there are
 * none.
 */
function requireDepth(path: Path, value: AttributeValue): void {
  if (path.length > 1 && path.length + documentLevels(value) > NESTING_DEPTH_MAX) {
    throw new UpdateError('nesting')
  }
}

function documentLevels(value: AttributeValue): number {
  const children = value.L ?? (value.M === undefined ? undefined : Object.values(value.M))
  if (children === undefined) return 0
  let deepest = 0
  for (const child of children) deepest = Math.max(deepest, documentLevels(child))
  return deepest + 1
}
