import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { getOwn, setOwn } from '../../values/own.ts'
import type { Path } from '../tree.ts'

/** Stands for a value that is taken away. */
export const REMOVED: unique symbol = Symbol('removed')

/** What becomes of each named attribute or list position: a new value, none, or edits further
 * down. */
export type Edits = Map<string | number, AttributeValue | typeof REMOVED | Edits>

/** Adds an edit at that path. No two paths may overlap, which the expression's own checks make sure
 * of. */
export function recordEdit(
  edits: Edits,
  path: Path,
  change: AttributeValue | typeof REMOVED,
): void {
  let current = edits
  for (let index = 0; index < path.length - 1; index++) {
    const step = path[index]!
    const below = current.get(step)
    if (below instanceof Map) {
      current = below
    } else {
      const created: Edits = new Map()
      current.set(step, created)
      current = created
    }
  }
  current.set(path[path.length - 1]!, change)
}

/** A new item with the edits made; parts without edits are shared with the old one. */
export function editItem(item: Item, edits: Edits): Item {
  const edited: { [name: string]: AttributeValue } = { ...item }
  let removals = false
  for (const [name, edit] of edits) {
    if (typeof name === 'number') continue
    if (edit === REMOVED) {
      removals ||= Object.hasOwn(item, name)
    } else {
      const value = editValue(getOwn(item, name), edit)
      if (value !== undefined) setOwn(edited, name, value)
    }
  }
  return removals ? withoutRemoved(edited, edits) : edited
}

/** Builds a new object instead of deleting members, which would turn the object into a slow
 * dictionary for good. */
function withoutRemoved(item: Item, edits: Edits): Item {
  const kept: { [name: string]: AttributeValue } = {}
  for (const name of Object.keys(item)) {
    if (edits.get(name) !== REMOVED) setOwn(kept, name, item[name]!)
  }
  return kept
}

/** Paths have at most 32 steps, so recursion is safe. */
function editValue(
  value: AttributeValue | undefined,
  edit: AttributeValue | Edits,
): AttributeValue | undefined {
  if (!(edit instanceof Map)) return edit
  if (value?.M !== undefined) return { M: editItem(value.M, edit) }
  if (value?.L !== undefined) return { L: editList(value.L, edit) }
  return value
}

/** Positions are those of the old list. Those beyond its end append, in ascending order and without
 * gaps. */
function editList(list: readonly AttributeValue[], edits: Edits): AttributeValue[] {
  const edited: AttributeValue[] = []
  for (let index = 0; index < list.length; index++) {
    const edit = edits.get(index)
    if (edit === REMOVED) continue
    edited.push(edit === undefined ? list[index]! : editValue(list[index], edit)!)
  }
  const beyond = [...edits.keys()].filter((step) => typeof step === 'number' && step >= list.length)
  for (const position of (beyond as number[]).sort((a, b) => a - b)) {
    const edit = edits.get(position)
    if (edit !== undefined && edit !== REMOVED && !(edit instanceof Map)) edited.push(edit)
  }
  return edited
}
