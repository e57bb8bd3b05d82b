import { allOf, anyOf, compare, exists as has } from '../../expression/build.ts'
import type { Condition, Operand, Path } from '../../expression/tree.ts'
import { refuseInput } from '../../schema/input-issues.ts'
import type { Model } from '../../schema/model.ts'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { getOwn } from '../../values/own.ts'
import { encodeWhere } from '../encode-where.ts'
import type { Where } from '../where.ts'
import type { AttributeChange } from './encode-changes.ts'

/** Current values by stored name; `undefined` means that there is no such attribute. */
export type KnownValues = ReadonlyMap<string, AttributeValue | undefined>

export const NOTHING_KNOWN: KnownValues = new Map()

/** Those of an item. */
export function knownValues(names: readonly string[], item: Item | undefined): KnownValues {
  return new Map(names.map((name) => [name, item && getOwn(item, name)]))
}

/**
 * What a write takes for granted about the item under its key, so that a failed condition can be
 * reported by name.
 */
export interface Expectations {
  readonly exists: boolean
  readonly absent: boolean
  readonly version: number | undefined
  /** Members are taken from these sets, which must keep at least one. */
  readonly lasting?: readonly AttributeChange[]
}

interface ConditionalWrite {
  readonly model: Model
  readonly place: string
  readonly where: Where | undefined
  readonly expects: Expectations
  /** It makes the item from what is there, so that an expired one has to be deleted before. */
  readonly creates: boolean
  /** What the caller says of the item. */
  readonly given: KnownValues
  /** What was read of it, whether it had expired or not. */
  readonly known: KnownValues
  readonly complete: readonly string[]
  readonly now: number
}

/**
 * All that a write takes for granted about the item under its key; `undefined` if that is nothing.
 */
export function writeCondition(write: ConditionalWrite): Condition | undefined {
  const { model, creates, known } = write
  const asked = allOf(askedConditions(write))
  let whole = asked
  // DynamoDB deletes an item some time after its time to live is over; until then it counts as
  // absent.
  if (model.ttl && (asked || creates)) {
    const { stored } = model.ttl
    const now = { N: String(Math.floor(write.now / 1000)) }
    const alive = anyOf([has(stored, true), compare(stored, '>', now)])!
    if (!asked) whole = alive
    else if (creates || !holdsForNothing(asked)) whole = allOf([asked, alive])
    else whole = anyOf([asked, compare(stored, '<=', now)])
  }
  // Outside of what the time to live decides: an expired item that was read must still be the one
  // that is replaced.
  if (known.size === 0) return whole
  const equal = equalities(known)
  return allOf(whole ? [whole, ...equal] : equal)
}

const NONE: readonly AttributeChange[] = []

/** What the caller asks of the item, or of there being none. */
function askedConditions({
  model,
  place,
  where,
  expects,
  given,
  complete,
}: ConditionalWrite): Condition[] {
  const { exists, absent, version, lasting = NONE } = expects
  const [hash] = model.schema.primary.hash as [string]
  const conditions: Condition[] = []
  if (exists) conditions.push(has(hash))
  if (absent) conditions.push(has(hash, true))
  else if (model.isShared) {
    // Another model's item can be under this key, and is never replaced.
    const own = compare(model.schema.params.typeField, '=', { S: model.type })
    conditions.push(exists ? own : anyOf([has(hash, true), own])!)
  }
  if (version !== undefined) {
    if (model.version === undefined || !Number.isSafeInteger(version)) {
      refuseInput(
        `${model.name} has no version ${version}`,
        place,
        'declare a Number attribute with version: true, and give the version that was read',
      )
    }
    conditions.push(compare(model.version!.stored, '=', { N: String(version) }))
  }
  if (where !== undefined) conditions.push(encodeWhere(where, model, place))
  if (given.size > 0) conditions.push(...equalities(given))
  for (const change of lasting) conditions.push(keepsMember(change))
  if (complete.length > 0) {
    const all = allOf(complete.map((stored) => has(stored)))!
    conditions.push(anyOf([has(hash, true), all])!)
  }
  return conditions
}

/** Members that are taken at once, at most, where every set that would be emptied is named. */
const NAMED_MEMBERS_MAX = 6

/**
 * That a set keeps a member: it is none of those that consist of what is taken, or has more
 * members.
 */
function keepsMember({ path, value }: AttributeChange): Condition {
  const [[tag, members]] = Object.entries(value!) as [[string, readonly string[]]]
  const operand = { kind: 'path', path } as const
  if (members.length > NAMED_MEMBERS_MAX) {
    const size = { kind: 'value', value: { N: String(members.length) } } as const
    return { kind: 'compare', operator: '>', left: { kind: 'size', operand }, right: size }
  }
  const subsets = Array.from({ length: 2 ** members.length - 1 }, (_, at) =>
    members.filter((_, position) => (at + 1) & (1 << position)),
  )
  const list = subsets.map(
    (subset): Operand => ({ kind: 'value', value: { [tag]: subset } as never }),
  )
  return { kind: 'not', condition: { kind: 'in', operand, list } }
}

/** What an item has at a path. */
export function valueAt(item: Item, path: Path): AttributeValue | undefined {
  let found: AttributeValue | undefined = { M: item }
  for (const step of path) {
    found = typeof step === 'number' ? found?.L?.[step] : getOwn(found?.M ?? {}, step)
  }
  return found
}

/** Whether what is taken from a set leaves nothing of it, or may. */
export function emptiesSet({ path, value }: AttributeChange, item: Item): boolean {
  const found = valueAt(item, path)
  const membersOf = (set = {} as AttributeValue): readonly string[] =>
    set.SS ?? set.NS ?? set.BS ?? []
  const [members, taken] = [membersOf(found), membersOf(value)]
  return taken.length > NAMED_MEMBERS_MAX
    ? members.length <= taken.length
    : members.length > 0 && members.every((member) => taken.includes(member))
}

function equalities(values: KnownValues): Condition[] {
  return Array.from(values, ([stored, value]) =>
    value === undefined ? has(stored, true) : compare(stored, '=', value),
  )
}

/**
 * Whether a condition holds where there is no item. Every comparison has an attribute on its left.
 */
function holdsForNothing(condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
      return holdsForNothing(condition.left) && holdsForNothing(condition.right)
    case 'or':
      return holdsForNothing(condition.left) || holdsForNothing(condition.right)
    case 'not':
      return !holdsForNothing(condition.condition)
    case 'exists':
      return condition.negated
    default:
      // What is not there differs from every value, and no other comparison with it is true.
      return condition.kind === 'compare' && condition.operator === '<>'
  }
}
