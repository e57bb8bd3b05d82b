import { fixedValues } from '../../expression/fixed-values.ts'
import { canonicalValue } from '../../schema/encode-attribute.ts'
import type { KeyPart, ModelIndex } from '../../schema/model.ts'
import { withoutPrefix } from '../../schema/without-prefix.ts'
import type { KeyTemplate } from '../../template/key-template.ts'
import { clockText } from '../../template/time-bucket.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { PARTITION_KEY_MAX_BYTES, SORT_KEY_MAX_BYTES } from '../../values/limits.ts'
import { encodeWhere } from '../encode-where.ts'
import { createWhere } from '../operators.ts'
import type { Reference } from '../reference.ts'
import { storedReference } from '../references.ts'
import { refusePlan } from '../refuse-plan.ts'
import type { Where } from '../where.ts'
import { checkKeySize } from '../write/check-key-size.ts'
import {
  type Conjunct,
  type Conjuncts,
  equalityOf,
  listsOf,
  rawOf,
  type ValueList,
} from './conjuncts.ts'
import {
  type FanCut,
  type FanOut,
  LISTED_MAX,
  type PartitionPieces,
  type Spread,
  spreadOf,
} from './fan-out.ts'
import { inputText, isInput } from './input-value.ts'
import { type KeyPlace, keyPieces, keyRange, LAST, type PartitionChoice } from './key-range.ts'

/** What is known of one key attribute of the items read. */
export interface PartMatch {
  readonly condition: Where | undefined
  /** Its text, or the beginning of it; empty if it is not text. */
  readonly text: string
  readonly exact: boolean
  /** The conditions that took part. */
  readonly used: readonly Where[]
  /** Those of them that the condition answers in full. */
  readonly absorbed: readonly Where[]
  /** Makes it, unless it is asked for as it is stored, and how many parts of that are fixed. */
  readonly template?: KeyTemplate | undefined
  readonly fixed?: number
}

/** How an index answers a query. */
export interface KeyMatch {
  readonly use: ModelIndex
  /** Of the partition key and then the sort key, as far as anything is known. */
  readonly parts: readonly PartMatch[]
  /** How many conditions took part in the sort key's. */
  readonly sortCount: number
  /** Whether a conjunct took part in the partition key. */
  readonly fixed: boolean
  /**
   * The partitions that are read, if there is not just one; the parts are then those of the first.
   */
  readonly fan?: FanOut | undefined
  /** The conditions that decide which buckets of time are read. */
  readonly times: readonly Where[]
}

/**
 * The key condition that the conjuncts make for an index, or `undefined` if they leave its
 * partition key open or ask for what it never holds.
 */
export function matchKey(
  use: ModelIndex,
  conjuncts: Conjuncts,
  place: KeyPlace,
): KeyMatch | undefined {
  if (exclusionOf(use, conjuncts)) return undefined
  const lists = place.now ? keyLists(use, conjuncts) : []
  const alternatives = lists.length > 0 ? alternativesOf(lists, place) : [NO_EQUALITIES]
  const partitions: (PartitionMatch & { readonly pieces: PartitionPieces })[] = []
  for (const equalities of alternatives) {
    const asked =
      lists.length > 0 ? { ...conjuncts, usable: [...conjuncts.usable, ...equalities] } : conjuncts
    // An index that never holds one of the values still has the others.
    if (lists.length > 0 && exclusionOf(use, asked)) continue
    const match = matchPartition(use, asked, place)
    if (match === undefined) return undefined
    const { parts, spread } = match
    const pieces = parts.map(({ text, template, condition }, at) => {
      if (template && spread) return keyPieces(template, asked, place, spread.choice)
      // Of a listed number or bytes there is a value in place of a text. What is wrong with it is
      // refused here.
      if (text !== '' || lists.length === 0) return [text]
      return fixedValues(encodeWhere(condition!, place.model, place.text))[use.hash[at]!.name]!
    })
    // Listed values can make the same key, in lower case or within a bucket of time. Read twice,
    // its items would be returned twice.
    const isThere = partitions.some((other) => isSame(other.pieces, pieces))
    if (!isThere) partitions.push({ parts, spread, pieces })
  }
  const [first] = partitions
  if (first === undefined) return undefined
  const { spread } = first
  const parts = first.parts.map((part): PartMatch => {
    if (lists.length === 0) return part
    const absorbed = lists.filter(({ reference }) =>
      part.absorbed.some(
        ({ operator, operands: [left] }) => operator === '=' && left === reference,
      ),
    )
    const listed = absorbed.map(({ where }) => where)
    return { ...part, absorbed: [...part.absorbed, ...listed], used: [...part.used, ...listed] }
  })
  const fixed = (spread && spread.used.length > 0) || parts.some(({ used }) => used.length > 0)
  const isOne = partitions.length === 1
  let fan: FanOut | undefined =
    isOne && (!spread || !isFan(spread))
      ? undefined
      : {
          first: spread?.first ?? 0,
          last: spread?.last ?? 0,
          unit: spread?.unit,
          isOpen: spread?.isOpen ?? false,
          shards: (spread?.shards ?? 1) * partitions.length,
          keys: partitions.map(({ pieces }) => pieces),
        }
  // The sort key has the shard only if it is the same in all partitions.
  const sortChoice = spread && {
    shard: isOne && spread.shards === 1 ? spread.choice.shard : undefined,
    isSpread: false,
    name: undefined,
    timeMs: 0,
    isLong: spread.first !== spread.last,
  }
  let sortCount = 0
  // From left to right: equality as long as it goes, then at most one range.
  for (const part of use.sort) {
    const match = matchPart(part, SORT_KEY_MAX_BYTES, conjuncts, place, sortChoice)
    if (match !== undefined) {
      parts.push(match)
      sortCount += match.used.length
      if (fan && spread) fan = { ...fan, cut: cutOf(part, match, spread) ?? fan.cut }
    }
    if (!match?.exact) break
  }
  return { use, parts, sortCount, fixed, fan, times: spread?.used ?? NONE }
}

const NO_EQUALITIES: readonly Conjunct[] = []

/** One partition, or those that shards and buckets of time make of it. */
interface PartitionMatch {
  readonly parts: readonly PartMatch[]
  readonly spread: Spread | undefined
}

function matchPartition(
  use: ModelIndex,
  conjuncts: Conjuncts,
  place: KeyPlace,
): PartitionMatch | undefined {
  const isEnumerable = use.hash.some(hasEnumerable) || use.sort.some(hasEnumerable)
  const spread = isEnumerable ? spreadOf(use, conjuncts, place) : undefined
  if (isEnumerable && spread === undefined) return undefined
  const parts: PartMatch[] = []
  for (const part of use.hash) {
    const match = matchPart(part, PARTITION_KEY_MAX_BYTES, conjuncts, place, spread?.choice)
    if (!match?.exact) return undefined
    parts.push(match)
  }
  return { parts, spread }
}

/** What lists values of attributes that the partition key is made of. */
function keyLists({ hash }: ModelIndex, conjuncts: Conjuncts): readonly ValueList[] {
  const names = new Set(hash.flatMap(({ name, template }) => [name, ...(template?.names ?? [])]))
  return listsOf(conjuncts).filter(({ reference }) => names.has(reference.name))
}

/** The equalities of each combination of listed values. */
function alternativesOf(
  lists: readonly ValueList[],
  place: KeyPlace,
): readonly (readonly Conjunct[])[] {
  let all: (readonly Conjunct[])[] = [NO_EQUALITIES]
  for (const { reference, values } of lists) {
    all = all.flatMap((before) =>
      values.map((value) => [...before, createWhere('=', [reference, value]) as Conjunct]),
    )
    if (all.length > LISTED_MAX) {
      refusePlan(
        'PLAN_RANGE_WIDE',
        place.text,
        `The values of ${lists.map((list) => `"${list.reference.name}"`).join(' and ')} make more than ${LISTED_MAX} partitions, and at most that many are read.`,
        'ask for fewer values at once, in several queries',
      )
    }
  }
  return all
}

function isSame(one: PartitionPieces, other: PartitionPieces): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

const NONE: readonly Where[] = []

function hasEnumerable({ template }: KeyPart): boolean {
  return template?.enumerable === true
}

/** More than one partition is read, or a number of them that the clock changes. */
function isFan({ first, last, shards, isOpen }: Spread): boolean {
  return shards > 1 || first !== last || isOpen
}

/** Of several days only the first and the last have times of day that are not asked for. */
function cutOf(
  { name }: KeyPart,
  { template, fixed = 0, text: head }: PartMatch,
  { first, last, lowMs, highMs }: Spread,
): FanCut | undefined {
  const open = template?.parts[fixed]
  if (typeof open !== 'object' || open.unit !== 'time' || first === last) return undefined
  return {
    name,
    head,
    low: lowMs === undefined ? undefined : head + clockText(lowMs),
    high: highMs === undefined ? undefined : head + clockText(highMs) + LAST,
  }
}

function matchPart(
  { name, template }: KeyPart,
  bytesMax: number,
  conjuncts: Conjuncts,
  place: KeyPlace,
  choice: PartitionChoice | undefined,
): PartMatch | undefined {
  const raw = rawOf(conjuncts, name)
  const equal = raw.find(({ operator }) => operator === '=')
  if (equal !== undefined) {
    const [{ codec }, value] = equal.operands
    // What is wrong with the value is reported when the condition is printed.
    const { S: text = '' } = isInput(value) ? { S: inputText(value) } : codec.encode(value, [])
    if (text !== '') checkKeySize(text, bytesMax, name, place.text)
    return { condition: equal, text, exact: true, used: [equal], absorbed: [equal] }
  }
  const [first] = raw
  // Only a sort key can be compared with a range; DynamoDB finds a partition by equality alone.
  if (first !== undefined && bytesMax === SORT_KEY_MAX_BYTES) {
    const closed = closedRange(raw)
    const absorbed = closed ? raw : [first]
    const text = first.operator === 'begins_with' ? String(first.operands[1]) : ''
    return { condition: closed ?? first, text, exact: false, used: absorbed, absorbed }
  }
  if (template === undefined) return undefined
  const { head, fixed, operator, bounds, used, absorbed } = keyRange(
    template,
    conjuncts,
    place,
    choice,
  )
  const exact = operator === '='
  // A key that ends where a value is missing can be that of an empty one.
  const answered = template.isShort ? NONE : absorbed
  if (head !== '') checkKeySize(head, bytesMax, name, place.text)
  return {
    // Nothing is asked where everything begins so.
    condition: bounds[0]
      ? createWhere(operator, [storedReference(name), ...bounds.map((S) => ({ S }))])
      : undefined,
    text: head,
    exact,
    used,
    absorbed: answered,
    template,
    fixed,
  }
}

/** The values of the partition key, or of the first of several. */
export function keyValues({ use, parts }: KeyMatch): readonly (AttributeValue | undefined)[] {
  return use.hash.map((_, at) => valuesOf(parts[at]?.condition)[0])
}

/** The values that a condition on a key compares with. */
export function valuesOf(condition: Where | undefined): readonly AttributeValue[] {
  // The first operand of such a condition is the key attribute.
  const [reference, ...values] = (condition?.operands ?? []) as [Reference?, ...unknown[]]
  return reference
    ? values.map((value) =>
        isInput(value) ? { S: inputText(value) } : reference.codec.encode(value, []),
      )
    : []
}

/** `>=` and `<=` together are one BETWEEN; a key can't have other pairs of conditions. */
function closedRange(raw: readonly Conjunct[]): Where | undefined {
  const [low, high] = ['>=', '<='].map((bound) => raw.find(({ operator }) => operator === bound))
  if (raw.length !== 2 || !low || !high) return undefined
  return createWhere('BETWEEN', [...low.operands, high.operands[1]])
}

/**
 * What an index holds alone, if an equality asks for something else, so that it could only find
 * nothing.
 */
export function exclusionOf(
  { hash, sort, when }: ModelIndex,
  conjuncts: Conjuncts,
): string | undefined {
  for (const [name, allowed] of when ?? []) {
    const [reference, value] = equalityOf(conjuncts, name)?.operands ?? []
    // What is wrong with a value is reported elsewhere.
    let asked = reference && !isInput(value) ? canonicalValue(reference, value, []) : undefined
    if (asked === undefined) continue
    // Keys take a text also with its prefix.
    for (const { template } of [...hash, ...sort]) {
      if (template && typeof asked === 'string') asked = withoutPrefix(template, name, asked)
    }
    if (!allowed.includes(asked)) {
      return `holds only items whose ${name} is ${allowed.join(' or ')}`
    }
  }
  return undefined
}
