import { canonicalValue } from '../../schema/encode-attribute.ts'
import type { KeyPart, ModelIndex } from '../../schema/model.ts'
import { withoutPrefix } from '../../schema/without-prefix.ts'
import type { KeyTemplate } from '../../template/key-template.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { PARTITION_KEY_MAX_BYTES, SORT_KEY_MAX_BYTES } from '../../values/limits.ts'
import { createWhere } from '../operators.ts'
import type { Reference } from '../reference.ts'
import { storedReference } from '../references.ts'
import type { Where } from '../where.ts'
import { checkKeySize } from '../write/check-key-size.ts'
import { type Conjunct, type Conjuncts, equalityOf, rawOf } from './conjuncts.ts'
import { type FanOut, type Spread, spreadOf } from './fan-out.ts'
import { inputText, isInput } from './input-value.ts'
import { type KeyPlace, keyPieces, keyRange, type PartitionChoice } from './key-range.ts'

/** What is known of one key attribute of the items read. */
export interface PartMatch {
  readonly condition: Where | undefined
  /** Its text, or the beginning of it; empty if it is no text. */
  readonly text: string
  readonly exact: boolean
  /** How many conjuncts took part. */
  readonly count: number
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
  /** How many conjuncts took part in the sort key's condition. */
  readonly sortCount: number
  /** Whether a conjunct took part in the partition key. */
  readonly fixed: boolean
  /** The partitions that are read, if there is not just one; the parts are then those of the first. */
  readonly fan?: FanOut | undefined
}

/** The key condition that the conjuncts make for an index, or `undefined` if they leave its partition key open or ask for what it never holds. */
export function matchKey(
  use: ModelIndex,
  conjuncts: Conjuncts,
  place: KeyPlace,
): KeyMatch | undefined {
  if (exclusionOf(use, conjuncts)) return undefined
  const parts: PartMatch[] = []
  let sortCount = 0
  const isEnumerable = use.hash.some(hasEnumerable) || use.sort.some(hasEnumerable)
  const spread = isEnumerable ? spreadOf(use, conjuncts, place) : undefined
  if (isEnumerable && spread === undefined) return undefined
  const choice = spread?.choice
  let fixed = spread !== undefined && spread.count > 0
  for (const part of use.hash) {
    const match = matchPart(part, PARTITION_KEY_MAX_BYTES, conjuncts, place, choice)
    if (!match?.exact) return undefined
    parts.push(match)
    fixed ||= match.count > 0
  }
  const fan = spread && fanOf(parts, conjuncts, place, spread)
  // The sort key has the shard only if it is the same in all partitions.
  const sortChoice = choice && {
    shard: spread.shards > 1 ? undefined : choice.shard,
    isSpread: false,
    name: undefined,
    timeMs: 0,
  }
  // From left to right: equality as long as it goes, then at most one range.
  for (const part of use.sort) {
    const match = matchPart(part, SORT_KEY_MAX_BYTES, conjuncts, place, sortChoice)
    if (match !== undefined) {
      parts.push(match)
      sortCount += match.count
    }
    if (!match?.exact) break
  }
  return { use, parts, sortCount, fixed, fan }
}

function hasEnumerable({ template }: KeyPart): boolean {
  return template?.enumerable === true
}

/** What is read where it is more than one partition, whose number the clock does not change. */
function fanOf(
  parts: readonly PartMatch[],
  conjuncts: Conjuncts,
  place: KeyPlace,
  { first, last, unit, shards, isOpen, choice }: Spread,
): FanOut | undefined {
  if (shards === 1 && first === last && !isOpen) return undefined
  const keys = parts.map(({ text, template }) =>
    template ? keyPieces(template, conjuncts, place, choice) : [text],
  )
  return { first, last, unit, shards, isOpen, keys }
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
    // What is wrong with the value is told when the condition is printed.
    const { S: text = '' } = isInput(value) ? { S: inputText(value) } : codec.encode(value, [])
    if (text !== '') checkKeySize(text, bytesMax, name, place.text)
    return { condition: equal, text, exact: true, count: 1, absorbed: [equal] }
  }
  const [first] = raw
  if (first !== undefined && bytesMax === SORT_KEY_MAX_BYTES) {
    const closed = closedRange(raw)
    const absorbed = closed ? raw : [first]
    const text = first.operator === 'begins_with' ? String(first.operands[1]) : ''
    return { condition: closed ?? first, text, exact: false, count: absorbed.length, absorbed }
  }
  if (template === undefined) return undefined
  const { head, fixed, operator, texts, count, absorbed } = keyRange(
    template,
    conjuncts,
    place,
    choice,
  )
  const exact = operator === '='
  if (head !== '') checkKeySize(head, bytesMax, name, place.text)
  return {
    // Nothing is asked where everything begins so.
    condition: texts[0]
      ? createWhere(operator, [storedReference(name), ...texts.map((S) => ({ S }))])
      : undefined,
    text: head,
    exact,
    count,
    absorbed,
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

/** What an index holds alone, if an equality asks for something else, so that it could only find nothing. */
export function exclusionOf(
  { hash, sort, when }: ModelIndex,
  conjuncts: Conjuncts,
): string | undefined {
  for (const [name, allowed] of when ?? []) {
    const [reference, value] = equalityOf(conjuncts, name)?.operands ?? []
    // What is wrong with a value is told elsewhere.
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
