import { canonicalValue } from '../schema/encode-attribute.ts'
import type { KeyPart, ModelIndex } from '../schema/model.ts'
import { withoutPrefix } from '../schema/without-prefix.ts'
import { PARTITION_KEY_MAX_BYTES, SORT_KEY_MAX_BYTES } from '../values/limits.ts'
import { checkKeySize } from './check-key-size.ts'
import { type Conjunct, type Conjuncts, equalityOf, rawOf } from './conjuncts.ts'
import { type KeyPlace, keyRange } from './key-range.ts'
import { createWhere } from './operators.ts'
import { storedReference } from './references.ts'
import type { Where } from './where.ts'

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
}

/** The key condition that the conjuncts make for an index, or `undefined` if they leave its partition key open or ask for what it never holds. */
export function matchKey(
  use: ModelIndex,
  conjuncts: Conjuncts,
  place: KeyPlace,
): KeyMatch | undefined {
  if (exclusionOf(use, conjuncts)) return undefined
  const parts: PartMatch[] = []
  let fixed = false
  let sortCount = 0
  for (const part of use.hash) {
    const match = matchPart(part, PARTITION_KEY_MAX_BYTES, conjuncts, place)
    if (!match?.exact) return undefined
    parts.push(match)
    fixed ||= match.count > 0
  }
  // From left to right: equality as long as it goes, then at most one range.
  for (const part of use.sort) {
    const match = matchPart(part, SORT_KEY_MAX_BYTES, conjuncts, place)
    if (match !== undefined) {
      parts.push(match)
      sortCount += match.count
    }
    if (!match?.exact) break
  }
  return { use, parts, sortCount, fixed }
}

function matchPart(
  { name, template }: KeyPart,
  bytesMax: number,
  conjuncts: Conjuncts,
  place: KeyPlace,
): PartMatch | undefined {
  const raw = rawOf(conjuncts, name)
  const equal = raw.find(({ operator }) => operator === '=')
  if (equal !== undefined) {
    const [{ codec }, value] = equal.operands
    // What is wrong with the value is told when the condition is printed.
    const { S: text = '' } = codec.encode(value, [])
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
  const { head, operator, texts, count, absorbed } = keyRange(template, conjuncts, place)
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
  }
}

/** `>=` and `<=` together are one BETWEEN; a key can't have other pairs of conditions. */
function closedRange(raw: readonly Conjunct[]): Where | undefined {
  const [low, high] = ['>=', '<='].map((bound) => raw.find(({ operator }) => operator === bound))
  if (raw.length !== 2 || !low || !high) return undefined
  return createWhere('BETWEEN', [...low.operands, high.operands[1]])
}

/** The names whose equality would fix the partition key, as far as they are missing. */
export function missingNames({ hash }: ModelIndex, conjuncts: Conjuncts): string[] {
  return hash.flatMap(({ name, template, attribute }) => {
    if (rawOf(conjuncts, name).some(({ operator }) => operator === '=')) return []
    const names = template?.names ?? [attribute?.name ?? name]
    return names.filter((each) => !equalityOf(conjuncts, each))
  })
}

/** What an index holds alone, if an equality asks for something else, so that it could only find nothing. */
export function exclusionOf(
  { hash, sort, when }: ModelIndex,
  conjuncts: Conjuncts,
): string | undefined {
  for (const [name, allowed] of when ?? []) {
    const [reference, value] = equalityOf(conjuncts, name)?.operands ?? []
    // What is wrong with a value is told elsewhere.
    let asked = reference && canonicalValue(reference, value, [])
    if (asked === undefined) continue
    // Keys take a text also with its prefix, and some in letters of any size.
    let fold = false
    for (const { template } of [...hash, ...sort]) {
      if (template === undefined || typeof asked !== 'string') continue
      asked = withoutPrefix(template, name, asked)
      fold ||= template.parts.some(
        (part) => typeof part !== 'string' && part.lossy && !part.unit && part.name === name,
      )
    }
    const textOf = (each: unknown): unknown => (fold ? String(each).toLowerCase() : each)
    if (!allowed.some((each) => textOf(each) === textOf(asked))) {
      return `holds only items whose ${name} is ${allowed.join(' or ')}`
    }
  }
  return undefined
}
