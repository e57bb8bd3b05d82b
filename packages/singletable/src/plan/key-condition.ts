import type { Condition } from '../expression/tree.ts'
import type { KeyPart, ModelIndex } from '../schema/model.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { PARTITION_KEY_MAX_BYTES, SORT_KEY_MAX_BYTES } from '../values/limits.ts'
import { compileWhere } from './compile-where.ts'
import type { Conjunct, Conjuncts } from './conjuncts.ts'
import { checkKeySize } from './index-keys.ts'
import { type KeyPlace, readHead } from './key-head.ts'
import { keyRange } from './key-range.ts'

/** What the sort keys of the items read can be: one text, texts that start so, or any. */
export interface Reach {
  readonly kind: 'exact' | 'prefix' | 'any'
  readonly text: string
}

/** How an index answers a query. */
export interface KeyMatch {
  readonly use: ModelIndex
  readonly condition: Condition
  /** Conjuncts that the key condition answers in full, so that no filter repeats them. */
  readonly absorbed: ReadonlySet<Conjunct>
  /** How many conjuncts took part in the sort key's condition. */
  readonly sortCount: number
  /** Whether a conjunct took part in the partition key, or all of it is literal. */
  readonly fixed: boolean
  /** The partition key, if the caller gave it as it is stored. */
  readonly rawHash: AttributeValue | undefined
  readonly reach: Reach
}

const ANY: Reach = { kind: 'any', text: '' }

/** The key condition that the conjuncts make for an index, or `undefined` if they leave its partition key open. */
export function matchKey(
  use: ModelIndex,
  conjuncts: Conjuncts,
  place: KeyPlace,
): KeyMatch | undefined {
  const absorbed = new Set<Conjunct>()
  let condition: Condition | undefined
  let rawHash: AttributeValue | undefined
  const add = (more: Condition): void => {
    condition = condition === undefined ? more : { kind: 'and', left: condition, right: more }
  }
  for (const part of use.hash) {
    const raw = rawEqual(part, conjuncts)
    if (raw !== undefined) {
      const compiled = compileWhere(raw.where, place.model, place.text)
      absorbed.add(raw)
      rawHash = valueOfEquality(compiled, part, PARTITION_KEY_MAX_BYTES, place)
      add(compiled)
      continue
    }
    if (!part.template?.names.every((name) => conjuncts.equal.has(name))) return undefined
    const head = readHead(part.template, conjuncts, place)
    for (const conjunct of [...head.taken, ...head.open]) absorbed.add(conjunct)
    checkKeySize(head.text, PARTITION_KEY_MAX_BYTES, part.name, place.text)
    add(equals(part.name, head.text))
  }
  const fixed = absorbed.size > 0
  const sort = matchSort(use.sort, conjuncts, place, absorbed)
  for (const more of sort.conditions) add(more)
  return condition && { use, condition, absorbed, fixed, rawHash, ...sort }
}

/** The names whose equality would fix the partition key, as far as they are missing. */
export function missingNames(use: ModelIndex, { equal }: Conjuncts): string[] {
  return use.hash.flatMap((part) => {
    if (rawEqual(part, { equal }) !== undefined) return []
    const names = part.template?.names ?? [part.attribute?.name ?? part.name]
    return names.filter((name) => !equal.has(name))
  })
}

/** Sort keys from left to right: equality as long as it goes, then at most one range. */
function matchSort(
  parts: readonly KeyPart[],
  conjuncts: Conjuncts,
  place: KeyPlace,
  absorbed: Set<Conjunct>,
): { conditions: Condition[]; sortCount: number; reach: Reach } {
  const conditions: Condition[] = []
  let reach: Reach | undefined
  let sortCount = 0
  for (const part of parts) {
    const raw = rawEqual(part, conjuncts)
    if (raw !== undefined) {
      const compiled = compileWhere(raw.where, place.model, place.text)
      const value = valueOfEquality(compiled, part, SORT_KEY_MAX_BYTES, place)
      absorbed.add(raw)
      sortCount++
      conditions.push(compiled)
      reach ??= value.S === undefined ? ANY : { kind: 'exact', text: value.S }
      continue
    }
    const ranges = rawRanges(part, conjuncts)
    if (ranges.length > 0) {
      const compiled = ranges.map(({ where }) => compileWhere(where, place.model, place.text))
      const both = closedRange(compiled)
      const used = both === undefined ? ranges.slice(0, 1) : ranges
      for (const conjunct of used) absorbed.add(conjunct)
      sortCount += used.length
      conditions.push(both ?? compiled[0]!)
      reach ??= prefixOf(compiled[0]!)
      break
    }
    const { template } = part
    if (template === undefined) break
    const head = readHead(template, conjuncts, place)
    for (const conjunct of head.taken) absorbed.add(conjunct)
    sortCount += head.taken.length + head.open.length
    if (head.text !== '') checkKeySize(head.text, SORT_KEY_MAX_BYTES, part.name, place.text)
    if (head.end === template.parts.length) {
      for (const conjunct of head.open) absorbed.add(conjunct)
      conditions.push(equals(part.name, head.text))
      reach ??= { kind: 'exact', text: head.text }
      continue
    }
    if (!head.variable) for (const conjunct of head.open) absorbed.add(conjunct)
    const range = keyRange(part.name, template, head, conjuncts, place)
    for (const conjunct of range.absorbed) absorbed.add(conjunct)
    sortCount += range.count
    if (range.condition !== undefined) conditions.push(range.condition)
    reach ??= { kind: 'prefix', text: head.text }
    break
  }
  return { conditions, sortCount, reach: reach ?? ANY }
}

function rawEqual(part: KeyPart, { equal }: Pick<Conjuncts, 'equal'>): Conjunct | undefined {
  return (
    equal.get(part.name) ??
    (part.attribute === undefined ? undefined : equal.get(part.attribute.name))
  )
}

function rawRanges(part: KeyPart, { ranges }: Conjuncts): readonly Conjunct[] {
  return ranges.get(part.name) ?? (part.attribute && ranges.get(part.attribute.name)) ?? []
}

function equals(name: string, text: string): Condition {
  return {
    kind: 'compare',
    operator: '=',
    left: { kind: 'path', path: [name] },
    right: { kind: 'value', value: { S: text } },
  }
}

function valueOfEquality(
  condition: Condition,
  part: KeyPart,
  bytesMax: number,
  place: KeyPlace,
): AttributeValue {
  // It was compiled from a comparison with a value.
  const value =
    condition.kind === 'compare' && condition.right.kind === 'value' ? condition.right.value : {}
  const { S } = value as AttributeValue
  if (S !== undefined) checkKeySize(S, bytesMax, part.name, place.text)
  return value as AttributeValue
}

/** `>=` and `<=` together are one BETWEEN; a key can't have other pairs of conditions. */
function closedRange(conditions: readonly Condition[]): Condition | undefined {
  const bound = (operator: '>=' | '<='): (Condition & { kind: 'compare' }) | undefined =>
    conditions.find(
      (condition): condition is Condition & { kind: 'compare' } =>
        condition.kind === 'compare' && condition.operator === operator,
    )
  const low = bound('>=')
  const high = bound('<=')
  if (conditions.length !== 2 || low === undefined || high === undefined) return undefined
  return { kind: 'between', operand: low.left, low: low.right, high: high.right }
}

function prefixOf(condition: Condition): Reach {
  const text =
    condition.kind === 'begins_with' && condition.prefix.kind === 'value'
      ? condition.prefix.value.S
      : undefined
  return text === undefined ? ANY : { kind: 'prefix', text }
}
