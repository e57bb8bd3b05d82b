import type { Path } from '../expression/tree.ts'
import { type AttributeValue, typeOf } from '../values/attribute-value.ts'
import { addDecimals } from '../values/decimal.ts'
import { getOwn, setOwn } from '../values/own.ts'
import type { Change } from './encode-changes.ts'
import { refuseInput } from './refuse-input.ts'

/**
 * The value an attribute has after its changes, as DynamoDB would make it. `undefined` is no attribute. All changes are of this one attribute,
 * and none is inside the place of another.
 */
export function applyChanges(
  current: AttributeValue | undefined,
  changes: readonly Change[],
  place: string,
): AttributeValue | undefined {
  let value = current
  for (const change of inOrder(changes)) {
    const { kind, path } = change
    if (path.length > 1) {
      // Places are those of the item before the update, not what another change has put there.
      const step = path.at(-1)
      const parent = lookUp(current, path, path.length - 1)
      if ((typeof step === 'number' ? parent?.L : parent?.M) === undefined) {
        unsuited(change, 'has no such place in the stored item', place)
      }
      if (kind === 'remove' && lookUp(current, path, path.length) === undefined) continue
    }
    value = applyAt(value, change, 1, place)
  }
  return value
}

/** What stands at the first steps of a path. */
function lookUp(
  current: AttributeValue | undefined,
  path: Path,
  steps: number,
): AttributeValue | undefined {
  let value = current
  for (let depth = 1; depth < steps; depth++) {
    const step = path[depth]!
    value = typeof step === 'number' ? value?.L?.[step] : value?.M && getOwn(value.M, step)
  }
  return value
}

/** Positions are those before the update: what is set past the end goes on in order, and what is removed goes from the end. */
function inOrder(changes: readonly Change[]): readonly Change[] {
  if (changes.length < 2) return changes
  return changes.toSorted((a, b) => {
    const late = Number(a.kind === 'remove') - Number(b.kind === 'remove')
    if (late !== 0) return late
    const order = comparePositions(a.path, b.path)
    return a.kind === 'remove' ? -order : order
  })
}

function comparePositions(a: Path, b: Path): number {
  for (let index = 0; index < a.length && index < b.length; index++) {
    const left = a[index]
    const right = b[index]
    if (typeof left === 'number' && typeof right === 'number' && left !== right) return left - right
  }
  return 0
}

/** Recursion ends with the path, which is at most 32 steps long. */
function applyAt(
  current: AttributeValue | undefined,
  change: Change,
  depth: number,
  place: string,
): AttributeValue | undefined {
  const step = change.path[depth]
  if (step === undefined) return applyHere(current, change, place)
  if (typeof step === 'number') {
    const list = [...(current?.L ?? [])]
    const value = applyAt(list[step], change, depth + 1, place)
    if (value === undefined) list.splice(step, 1)
    else list[Math.min(step, list.length)] = value
    return { L: list }
  }
  const members = current?.M ?? {}
  const { [step]: _, ...map } = members
  const value = applyAt(getOwn(members, step), change, depth + 1, place)
  if (value !== undefined) setOwn(map, step, value)
  return { M: map }
}

function applyHere(
  current: AttributeValue | undefined,
  change: Change,
  place: string,
): AttributeValue | undefined {
  const { kind, value } = change
  if (kind === 'set' || kind === 'remove') return value
  if (kind === 'default') return current ?? value
  if (current === undefined) return kind === 'delete' ? undefined : value
  if (kind === 'append' || kind === 'prepend') {
    if (current.L === undefined) return unsuited(change, 'is no list', place)
    const added = value?.L ?? []
    return { L: kind === 'append' ? [...current.L, ...added] : [...added, ...current.L] }
  }
  if (current.N !== undefined && value?.N !== undefined) {
    const sum = addDecimals(current.N, value.N)
    return sum === undefined ? unsuited(change, 'would be too large', place) : { N: sum }
  }
  const tag = typeOf(current)
  const members = value?.[tag]
  if ((tag !== 'SS' && tag !== 'NS' && tag !== 'BS') || members === undefined) {
    return unsuited(change, 'has another type in the stored item', place)
  }
  // The tag says that both are lists of text.
  const set = new Set(current[tag] as readonly string[])
  for (const member of members as readonly string[]) {
    if (kind === 'add') set.add(member)
    else set.delete(member)
  }
  return set.size === 0 ? undefined : ({ [tag]: [...set] } as unknown as AttributeValue)
}

function unsuited({ attribute }: Change, message: string, place: string): never {
  return refuseInput(
    [{ path: [attribute.name], message }],
    place,
    'read the item, and set the whole attribute',
  )
}
