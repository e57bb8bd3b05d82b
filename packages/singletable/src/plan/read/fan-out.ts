import { compare } from '../../expression/build.ts'
import type { Condition, Operand } from '../../expression/tree.ts'
import { canonicalValue } from '../../schema/encode-attribute.ts'
import { componentsOf } from '../../schema/key-variables.ts'
import type { KeyPart, ModelIndex } from '../../schema/model.ts'
import { withoutPrefix } from '../../schema/without-prefix.ts'
import type { TemplatePart } from '../../template/key-template.ts'
import {
  type BucketUnit,
  bucketNumber,
  bucketStart,
  bucketTime,
  finerUnit,
  prefixTimes,
} from '../../template/time-bucket.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { refusePlan } from '../refuse-plan.ts'
import { type Conjunct, type Conjuncts, equalityOf, fixedBy, rangesOf, rawOf } from './conjuncts.ts'
import { isInput } from './input-value.ts'
import { type KeyPiece, type KeyPlace, LAST, type PartitionChoice } from './key-range.ts'

/** A query reads one bucket of time after the other, so that more of them are hardly meant. */
export const BUCKETS_MAX = 100_000

type Placeholder = Exclude<TemplatePart, string>

/** Partitions of one bucket of time that the values of `in()` make. */
export const LISTED_MAX = 100

/**
 * The partitions that a query reads: buckets of time, one after the other, and in each of them all
 * listed values and shards.
 */
export interface FanOut {
  /**
   * The numbers of the first and the last bucket in the order of time; there is none to read if the
   * last one is less.
   */
  readonly first: number
  readonly last: number
  /** What a bucket is; `undefined` where there is but one for all times. */
  readonly unit: BucketUnit | undefined
  /** Partitions in each bucket: for each of the listed values all shards. */
  readonly shards: number
  /** The last bucket is that of the clock, as no condition gives an end. */
  readonly isOpen: boolean
  /**
   * By listed value the partition key, one list for each of its attributes: text, and what is there
   * where it differs. One without listed values.
   */
  readonly keys: readonly PartitionPieces[]
  /**
   * Where the sort keys have the time of day: what is left out of the first and of the last bucket.
   */
  readonly cut?: FanCut | undefined
}

/** Bounds of a sort key, for the first and for the last bucket alone. */
export interface FanCut {
  readonly name: string
  /** What all sort keys that are read begin with. */
  readonly head: string
  readonly low: string | undefined
  readonly high: string | undefined
}

/** Nothing is read. */
export const NO_PARTITIONS: FanOut = {
  first: 0,
  last: -1,
  unit: undefined,
  shards: 1,
  isOpen: false,
  keys: [[]],
}

/**
 * A partition key: for each of its attributes the pieces of its text, or its value if it is not a
 * text; no text, if it is the same in all.
 */
export type PartitionPieces = readonly (readonly KeyPiece[] | AttributeValue)[]

/**
 * The partition key of one of the partitions, by key attribute; `undefined` where it is the same in
 * all.
 */
export function partitionKey(
  { keys, unit, shards }: FanOut,
  bucket: number,
  at: number,
): readonly (AttributeValue | undefined)[] {
  const ofEach = shards / keys.length
  const shard = at % ofEach
  const time = unit ? new Date(bucketStart(bucket, unit)).toISOString() : ''
  return (keys[Math.floor(at / ofEach)] ?? []).map((pieces) => {
    if (!isText(pieces)) return pieces
    const S = pieces
      .map((piece) => {
        if (typeof piece === 'string') return piece
        const { kind, width } = piece
        return kind === 'shard' ? String(shard).padStart(width, '0') : time.slice(0, width)
      })
      .join('')
    return S === '' ? undefined : { S }
  })
}

function isText(pieces: PartitionPieces[number]): pieces is readonly KeyPiece[] {
  return Array.isArray(pieces)
}

/**
 * What is asked of the sort keys of a bucket in place of the plan's condition: of the first and the
 * last one.
 */
export function cutAt({ cut, first, last }: FanOut, bucket: number): Condition | undefined {
  const low = bucket === first ? cut?.low : undefined
  const high = bucket === last ? cut?.high : undefined
  if (!cut || (low === undefined && high === undefined)) return undefined
  const { name, head } = cut
  // Without a head there is no text that all keys come after, and a key can't be empty.
  if (head === '' && low === undefined) return compare(name, '<=', { S: high! })
  const value = (S: string): Operand => ({ kind: 'value', value: { S } })
  return {
    kind: 'between',
    operand: { kind: 'path', path: [name] },
    low: value(low ?? head),
    high: value(high ?? head + LAST),
  }
}

/** How many partitions are read. */
export function partitionsOf(fan: FanOut | undefined): number {
  return fan ? Math.max(0, fan.last - fan.first + 1) * fan.shards : 1
}

/** What is known of the placeholders that need no equality. */
export interface Spread extends Omit<FanOut, 'keys' | 'cut'> {
  /** Of the one partition, or the first of them. */
  readonly choice: PartitionChoice
  /** The asked for times, as far as conjuncts say. */
  readonly lowMs: number | undefined
  readonly highMs: number | undefined
  /**
   * The conditions that took part in the buckets of time; a shard alone says nothing of the items
   * in it.
   */
  readonly used: readonly Conjunct[]
}

/**
 * Finds out which shards and which buckets of time a query reads; `undefined` if it leaves open
 * which.
 */
export function spreadOf(
  { hash, sort }: ModelIndex,
  conjuncts: Conjuncts,
  place: KeyPlace,
): Spread | undefined {
  const { now } = place
  // A partition key given as it is stored says which one.
  const open = hash.filter(
    ({ name }) => !rawOf(conjuncts, name).some(({ operator }) => operator === '='),
  )
  const shard = componentsOf([...hash, ...sort]).find(({ by }) => by)
  const values = shard && shardValues(shard, [...hash, ...sort], conjuncts, place)
  const isShardKnown = values && !Object.values(values).some(isInput)
  const shardText = isShardKnown ? shard.encode(values) : values && `\${${shard.name}}`
  const buckets = componentsOf(open).filter(
    ({ name, unit }) => unit && !equalityOf(conjuncts, name),
  )
  const [time] = buckets
  const isSpread = componentsOf(open).some(({ by }) => by) && shardText === undefined
  if (buckets.some(({ name }) => name !== time?.name)) return undefined
  const shards = isSpread ? shard!.count! : 1
  let unit: BucketUnit | undefined
  let first = 0
  let last = 0
  let isOpen = false
  // The time of day is in no partition key.
  for (const each of buckets) unit = finerUnit(unit, each.unit as BucketUnit)
  const { startMs } = time ?? {}
  const range = time ? askedTimes(time, conjuncts) : NO_TIMES
  const { used, isKnown, low = startMs, high } = range
  if (time !== undefined && used.length === 0 && startMs === undefined) return undefined
  if (time !== undefined && isKnown) {
    if (low === undefined || (high ?? startMs) === undefined) {
      refusePlan(
        'PLAN_RANGE_OPEN',
        place.text,
        `The range of "${time.name}" has no ${low === undefined ? 'beginning' : 'end'}, and its buckets of time are read one by one.`,
        `give both ends, as in op.between(attr.${time.name}, from, to); or declare start: '2026-01-01' for "${time.name}": a range without a beginning then starts there, and one without an end ends now`,
      )
    }
    isOpen = high === undefined
    first = bucketNumber(low, unit!)
    last = bucketNumber(high ?? now?.() ?? low, unit!)
    if (last - first >= BUCKETS_MAX) {
      refusePlan(
        'PLAN_RANGE_WIDE',
        place.text,
        `The range of "${time.name}" has ${last - first + 1} buckets, one for each ${unit}, and at most ${BUCKETS_MAX} are read.`,
        'ask for a shorter range, or make the buckets of the key longer',
      )
    }
  }
  // Who reads one partition can't do with several.
  if (now === undefined && (shards > 1 || isOpen || first !== last)) return undefined
  const choice = {
    shard: isSpread ? shard!.print(0) : shardText,
    isSpread,
    name: time?.name,
    timeMs: unit && isKnown ? bucketStart(first, unit) : undefined,
  }
  const [lowMs, highMs] = isKnown ? [range.low, range.high] : []
  return { first, last, unit, shards, isOpen, used, choice, lowMs, highMs }
}

/**
 * The placeholders of a partition key that need an equality, and whether a conjunct says anything
 * of it at all.
 */
export function demandsOf(
  { hash }: ModelIndex,
  conjuncts: Conjuncts,
): { readonly missing: readonly string[]; readonly isNarrowed: boolean } {
  const missing = new Set<string>()
  let isNarrowed = false
  let time: string | undefined
  for (const { name, template, attribute } of hash) {
    if (rawOf(conjuncts, name).some(({ operator }) => operator === '=')) {
      isNarrowed = true
      continue
    }
    for (const part of template?.parts ?? [attribute!]) {
      if (typeof part === 'string') continue
      const { by, unit, startMs }: Partial<Placeholder> = part
      const isFixed = (by ?? [part]).every((each) => fixedBy(conjuncts, each))
      isNarrowed ||= isFixed && !by
      if (isFixed || by) continue
      const isRange = unit !== undefined && rangesOf(conjuncts, part.name).length > 0
      isNarrowed ||= isRange
      // Buckets of one attribute are counted up, not of several.
      if (unit && (isRange || startMs !== undefined)) time ??= part.name
      if (part.name !== time) missing.add(part.name)
    }
  }
  return { missing: [...missing], isNarrowed }
}

/**
 * What equalities say of the attributes that a shard is made of; `undefined` unless it is all of
 * them.
 */
function shardValues(
  shard: Placeholder,
  parts: readonly KeyPart[],
  conjuncts: Conjuncts,
  { model }: KeyPlace,
): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {}
  for (const { name, folds } of shard.by!) {
    const conjunct = fixedBy(conjuncts, { name, folds })
    if (conjunct === undefined) return undefined
    const attribute = model.attributes.get(name)!
    let value = conjunct.operands[1]
    for (const { template } of attribute.definition.encode ? [] : parts) {
      if (template && typeof value === 'string') value = withoutPrefix(template, name, value)
    }
    // As it would be stored; what is wrong with it is reported by the placeholder.
    values[name] = isInput(value) ? value : (canonicalValue(attribute, value, []) ?? value)
  }
  return values
}

const NO_TIMES: AskedTimes = { used: [], isKnown: true }

interface AskedTimes {
  readonly low?: number
  readonly high?: number
  readonly used: readonly Conjunct[]
  /** Not before a pattern is called. */
  readonly isKnown: boolean
}

/** The times between which all asked for ones are; an end that is not given is undefined. */
function askedTimes({ name, encode }: Placeholder, conjuncts: Conjuncts): AskedTimes {
  let low: number | undefined
  let high: number | undefined
  const used: Conjunct[] = []
  let isKnown = true
  for (const conjunct of rangesOf(conjuncts, name)) {
    const { operator, operands } = conjunct
    if (operands.some(isInput)) {
      used.push(conjunct)
      isKnown = false
      continue
    }
    if (operator === 'begins_with') {
      const times = prefixTimes(String(operands[1]))
      if (times === undefined) continue
      used.push(conjunct)
      low = Math.max(low ?? times[0], times[0])
      high = Math.min(high ?? times[1], times[1])
      continue
    }
    used.push(conjunct)
    for (const [position, value] of operands.slice(1).entries()) {
      const ms = bucketTime(value)
      // A value that is not a time is refused with the reason.
      if (ms === undefined) encode(value)
      else if (operator.startsWith('<') || position === 1) high = Math.min(high ?? ms, ms)
      else low = Math.max(low ?? ms, ms)
    }
  }
  return { used, isKnown, ...(low !== undefined && { low }), ...(high !== undefined && { high }) }
}
