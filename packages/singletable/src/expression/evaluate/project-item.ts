import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { getOwn, setOwn } from '../../values/own.ts'
import type { Path, Projection } from '../tree.ts'

/** The steps of several paths merged: what is wanted below each name or position, `'all'` where a
 * path ends. */
type Selection = Map<string | number, Selection | 'all'>

/**
 * The parts of the item that the paths name, in the structure they have there. Parts of one map or
 * one list element are merged, several elements of one list come back without gaps in the order of
 * the list, and a path that leads nowhere leaves no trace. Values taken over as a whole are those
 * of the item.
 */
export function projectItem(projection: Projection, item: Item): Item {
  const projected: { [name: string]: AttributeValue } = {}
  if (projection.every(isTopLevel)) {
    for (const [name] of projection) {
      const value = getOwn(item, name)
      if (value !== undefined) setOwn(projected, name, value)
    }
    return projected
  }
  return selectFromMap(selectionOf(projection), item) ?? projected
}

function isTopLevel(path: Path): boolean {
  return path.length === 1
}

function selectionOf(projection: Projection): Selection {
  const selection: Selection = new Map()
  for (const path of projection) addPath(selection, path)
  return selection
}

function addPath(root: Selection, path: Path): void {
  let selection = root
  for (let index = 0; index < path.length - 1; index++) {
    const step = path[index]!
    let below = selection.get(step)
    // Overlapping paths are refused before they come here; should they come, the wider one wins.
    if (below === 'all') return
    if (below === undefined) {
      below = new Map()
      selection.set(step, below)
    }
    selection = below
  }
  selection.set(path[path.length - 1]!, 'all')
}

/** Paths have at most 32 steps, so recursion is safe. */
function select(selection: Selection | 'all', value: AttributeValue): AttributeValue | undefined {
  if (selection === 'all') return value
  if (value.M !== undefined) {
    const map = selectFromMap(selection, value.M)
    return map === undefined ? undefined : { M: map }
  }
  if (value.L === undefined) return undefined
  const positions = [...selection.keys()].filter((step) => typeof step === 'number')
  const elements: AttributeValue[] = []
  for (const position of positions.sort((a, b) => a - b)) {
    const element = value.L[position]
    if (element === undefined) continue
    const part = select(selection.get(position)!, element)
    if (part !== undefined) elements.push(part)
  }
  return elements.length === 0 ? undefined : { L: elements }
}

function selectFromMap(selection: Selection, map: Item): Item | undefined {
  const selected: { [name: string]: AttributeValue } = {}
  let found = false
  for (const [step, below] of selection) {
    if (typeof step === 'number') continue
    const value = getOwn(map, step)
    const part = value === undefined ? undefined : select(below, value)
    if (part === undefined) continue
    setOwn(selected, step, part)
    found = true
  }
  return found ? selected : undefined
}
