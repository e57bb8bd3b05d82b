import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { getOwn } from '../../values/own.ts'
import type { Path } from '../tree.ts'

/** The value at that path, or `undefined` if any step of it leads nowhere: a missing name or
 * position, or the wrong type. */
export function resolvePath(path: Path, item: Item): AttributeValue | undefined {
  return resolveSteps(path, path.length, item)
}

/** The list or map that holds the last step of a path of two or more steps. */
export function resolveParent(path: Path, item: Item): AttributeValue | undefined {
  return resolveSteps(path, path.length - 1, item)
}

function resolveSteps(path: Path, count: number, item: Item): AttributeValue | undefined {
  let value = getOwn(item, path[0])
  for (let index = 1; index < count && value !== undefined; index++) {
    value = childOf(value, path[index]!)
  }
  return value
}

function childOf(value: AttributeValue, step: string | number): AttributeValue | undefined {
  if (typeof step === 'number') return value.L?.[step]
  return value.M === undefined ? undefined : getOwn(value.M, step)
}
