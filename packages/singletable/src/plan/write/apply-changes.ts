import type { UpdateValue } from '../../expression/tree.ts'
import { printPath, refuseInput } from '../../schema/input-issues.ts'
import { type AttributeValue, type Item, typeOf } from '../../values/attribute-value.ts'
import { addDecimals, subtractDecimals } from '../../values/decimal.ts'
import { getOwn, setOwn } from '../../values/own.ts'
import { MISSING_SOURCE_FIX } from '../update-values.ts'
import type { AttributeChange } from './encode-changes.ts'
import { valueAt } from './write-condition.ts'

/** An item, a map or a list, by names or positions. */
type Holder = { [step: string]: AttributeValue }

/**
 * The item after the changes, as DynamoDB would make it. No change is inside the place of another.
 * Index keys and derived items are computed from this before DynamoDB computes it, so both must
 * agree to the last digit.
 */
export function applyChanges(item: Item, changes: readonly AttributeChange[], place: string): Item {
  // Only what is changed inside is copied as a whole.
  const isDeep = changes.some(({ path }) => path.length > 1)
  const after: Holder = isDeep ? structuredClone(item) : { ...item }
  const lists = new Set<AttributeValue[]>()
  for (const change of changes) {
    const { path } = change
    let holder: Holder | undefined = after
    for (let depth = 1; depth < path.length; depth++) {
      const inside: AttributeValue | undefined = getOwn(holder, String(path[depth - 1]))
      // A list can be looked at by its positions as well.
      holder = (typeof path[depth] === 'number' ? inside?.L : inside?.M) as Holder | undefined
      if (holder === undefined) return unsuited(change, place)
    }
    const step = String(path.at(-1))
    // From `item`, not `after`: DynamoDB evaluates all values on the item before the update.
    const value = change.source
      ? computeFrom(change.source, item, change, place)
      : valueAfter(getOwn(holder, step), change, place)
    if (value === undefined) delete holder[step]
    else setOwn(holder, step, value)
    if (Array.isArray(holder)) lists.add(holder)
  }
  // Positions are those before the update: what was removed or set past the end has left gaps,
  // which close now.
  for (const list of lists) {
    const elements = Object.values(list)
    list.length = 0
    for (const each of elements) list.push(each)
  }
  return after
}

/** What is at the place of a change afterwards; `undefined` if nothing does. */
function valueAfter(
  stored: AttributeValue | undefined,
  change: AttributeChange,
  place: string,
): AttributeValue | undefined {
  const { kind, value, start } = change
  const current = stored ?? start
  if (kind === 'set' || value === undefined) return value
  if (current === undefined) return kind === 'delete' ? undefined : value
  if (kind === 'default') return current
  const tag = typeOf(current)
  const before = current[tag]
  const given = value[tag]
  if (tag === 'N' && given !== undefined) {
    // The tag says that both are numbers.
    const sum = addDecimals(before as string, given as string)
    return sum === undefined ? unsuited(change, place) : { N: sum }
  }
  if (!Array.isArray(before) || !Array.isArray(given)) return unsuited(change, place)
  if (tag === 'L') return { L: kind === 'append' ? [...before, ...given] : [...given, ...before] }
  const members =
    kind === 'add'
      ? [...new Set([...before, ...given])]
      : before.filter((member) => !given.includes(member))
  // DynamoDB has no empty sets: without members the attribute is removed.
  // The tag is that of the set which both are.
  return members.length === 0 ? undefined : ({ [tag]: members } as unknown as AttributeValue)
}

/** What an expression gives for the item as it was before. */
function computeFrom(
  source: UpdateValue,
  item: Item,
  change: AttributeChange,
  place: string,
): AttributeValue {
  const of = (value: UpdateValue): AttributeValue => computeFrom(value, item, change, place)
  switch (source.kind) {
    case 'value':
      return source.value
    case 'path':
      return (
        valueAt(item, source.path) ??
        refuseInput(
          `The item lacks an attribute that the update computes with: "${change.name}" from "${printPath(source.path)}"`,
          place,
          MISSING_SOURCE_FIX,
        )
      )
    case 'if_not_exists':
      return valueAt(item, source.path) ?? of(source.otherwise)
    case 'arithmetic': {
      const [left, right] = [of(source.left).N, of(source.right).N]
      const compute = source.operator === '+' ? addDecimals : subtractDecimals
      const N = left && right ? compute(left, right) : undefined
      return N ? { N } : unsuited(change, place)
    }
    default:
      return unsuited(change, place)
  }
}

function unsuited({ name }: AttributeChange, place: string): never {
  return refuseInput(
    [{ path: [name], message: "can't be changed in this way from its stored value" }],
    place,
    'read the item, and set the whole attribute',
  )
}
