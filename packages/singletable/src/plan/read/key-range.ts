import type { InputIssue } from '../../errors/input-error.ts'
import { canonicalValue } from '../../schema/encode-attribute.ts'
import { refuseInput } from '../../schema/input-issues.ts'
import type { Model } from '../../schema/model.ts'
import { warnOfPrefix, withoutPrefix } from '../../schema/without-prefix.ts'
import type { Component } from '../../template/component.ts'
import { KeyComponentError } from '../../template/key-component-error.ts'
import type { KeyTemplate, TemplatePart } from '../../template/key-template.ts'
import { SORT_KEY_MAX_BYTES } from '../../values/limits.ts'
import { compareUtf8, utf8Length } from '../../values/utf8.ts'
import type { Operator, Where } from '../where.ts'
import { type Conjunct, type Conjuncts, elementsOf, fixedBy, rangesOf } from './conjuncts.ts'

import { inputText, isInput, placeholderBody } from './input-value.ts'

/** Greater than every string that continues after the same beginning. */
export const LAST = '\u{10FFFF}'

/** The call that keys are made for. */
export interface KeyPlace {
  readonly model: Model
  /** For messages. */
  readonly text: string
  readonly warn: ((message: string) => void) | undefined
  /**
   * The clock, for who can read several partitions; it may be unknown before a pattern is called.
   */
  readonly now?: (() => number | undefined) | undefined
}

/** Which of several partitions a key is for. */
export interface PartitionChoice {
  /** The text of the shard. */
  readonly shard: string | undefined
  /** All shards are read, and this is the first. */
  readonly isSpread: boolean
  /**
   * The attribute whose bucket of time is chosen, and when that begins; not known before there are
   * values.
   */
  readonly name: string | undefined
  readonly timeMs: number | undefined
  /**
   * Buckets of several days are read, so that bounds of a range say nothing of the times of day.
   */
  readonly isLong?: boolean
}

/**
 * Text of a key, the number of the shard with this many digits, or this many characters of the
 * bucket's beginning.
 */
export type KeyPiece = string | { readonly kind: 'shard' | 'bucket'; readonly width: number }

/** What conjuncts make of a key. */
export interface KeyRange {
  /** The part of it that equalities fix: all, or up to the first placeholder that has none. */
  readonly head: string
  /** How many parts of the template that is. */
  readonly fixed: number
  /** The condition on its text. */
  readonly operator: Operator
  readonly bounds: readonly string[]
  /** Conditions that took part. */
  readonly used: readonly Where[]
  /** Those of them that the condition answers in full. */
  readonly absorbed: readonly Conjunct[]
}

/** The range behind what is fixed. */
type Behind = Omit<KeyRange, 'head' | 'fixed'>

interface Bound {
  readonly text: string
  readonly conjunct: Conjunct
  /** The range has just the values the conjunct asks for, as far as this bound goes. */
  readonly exact: boolean
}

/**
 * The condition on a key: equality if all of it is fixed; else, from what is asked of the
 * placeholder behind the head, a prefix or a range that is closed at both ends, so that it never
 * goes beyond the head.
 */
export function keyRange(
  template: KeyTemplate,
  conjuncts: Conjuncts,
  place: KeyPlace,
  choice?: PartitionChoice,
): KeyRange {
  const { parts, separator } = template
  const taken: Conjunct[] = []
  // Equalities that a bucket of time or a text in lower case takes part of, which leaves the rest
  // to others.
  const inPart: Conjunct[] = []
  // Of the segment that continues after the head. If it has a component of variable length, other
  // values can start with the same text: `new` is the start of `news`, and only a separator after
  // it would distinguish them.
  let segment: Conjunct[] = []
  let variable = false
  let head = ''
  // Behind text as it is, which can contain separators, a beginning of the key says nothing for
  // certain.
  let raw = 0
  for (const [position, part] of parts.entries()) {
    if (typeof part === 'string') {
      head += part
      if (part.includes(separator)) {
        taken.push(...segment)
        segment = []
        variable = false
      }
      continue
    }
    const chosen = choice && textOfChoice(template, part, choice)
    if (chosen !== undefined) {
      head += chosen
      continue
    }
    const conjunct = part.by ? undefined : fixedBy(conjuncts, part)
    if (conjunct === undefined) {
      const next = parts[position + 1]
      const range = rangeBehind(part, typeof next === 'object' ? '' : next)
      const used = [...taken, ...segment, ...inPart, ...range.used]
      if (!variable) taken.push(...segment)
      taken.push(...range.absorbed)
      const { operator, bounds } = range
      const isUnsure = raw > 0 || (part.raw && next !== undefined)
      const absorbed = isUnsure ? [] : taken
      return { head, fixed: position, operator, bounds, used, absorbed }
    }
    head += textOf(template, part, conjunct.operands[1], place)
    // A key in lower case narrows an equality, and a filter decides it.
    if (part.unit || (part.folds && conjunct.operator === '=')) inPart.push(conjunct)
    else segment.push(conjunct)
    variable ||= part.width === undefined
    if (part.raw) raw++
  }
  taken.push(...segment)
  const used = inPart.length > 0 ? [...taken, ...inPart] : taken
  return {
    head,
    fixed: parts.length,
    operator: '=',
    bounds: [head],
    used,
    absorbed: raw > 1 ? [] : taken,
  }

  /**
   * What is asked of the first placeholder without a value. `next` is the literal behind it;
   * `undefined` if it is the last part.
   */
  function rangeBehind(open: Component, next: string | undefined): Behind {
    // Values that share a key have no order in it unless they are times.
    const isUnordered = (open.lossy && !open.unit) || (open.raw && !open.ordered)
    const isCut = open.unit === 'time' && choice?.isLong
    const asked = isUnordered || isCut ? [] : rangesOf(conjuncts, open.name)
    const range = open.path ? below() : asked.length > 0 ? (prefix() ?? between()) : undefined
    // DynamoDB refuses longer strings, also where they are only compared with keys.
    return range?.bounds.every((text) => utf8Length(text) <= SORT_KEY_MAX_BYTES)
      ? range
      : { operator: 'begins_with', bounds: [head], absorbed: [], used: [] }

    /**
     * Lists whose first elements are given. `a` is followed by what continues with the separator,
     * but for signs before it: a filter excludes `a!`.
     */
    function below(): Behind | undefined {
      const used = elementsOf(conjuncts, place.model.attributes.get(open.name)?.stored)
      const elements = used.map(({ operands }) => operands[1])
      // A pattern knows only the name of all of them.
      const named = elements.find(isInput)
      const encoded = elements.length > 0 ? encode(named ?? elements) : undefined
      if (encoded === undefined) return undefined
      const text = head + encoded
      const bounds = [text, text + separator + LAST]
      return { operator: 'BETWEEN', bounds, absorbed: [], used }
    }

    function prefix(): Behind | undefined {
      const conjunct = asked.find(({ operator }) => operator === 'begins_with')
      const value = conjunct?.operands[1]
      if (conjunct?.operands[0].codec.tag !== 'S') return undefined
      if (typeof value !== 'string' && !isInput(value)) return undefined
      if (open.unit) return undefined
      const encoded = encode(value)
      if (encoded === undefined) return undefined
      // What follows the component could make up the rest of the text, unless it is a separator.
      const exact = next === undefined || next.startsWith(separator)
      return {
        operator: 'begins_with',
        bounds: [head + encoded],
        absorbed: exact ? [conjunct] : [],
        used: [conjunct],
      }
    }

    function between(): Behind | undefined {
      const bounds: [low?: Bound | undefined, high?: Bound | undefined] = []
      for (const conjunct of asked) {
        const { operator, operands } = conjunct
        if (operator === 'begins_with') continue
        for (const [position, value] of operands.slice(1).entries()) {
          const isGreatest = operator.startsWith('<') || position === 1
          const isUpper = isGreatest !== open.descending
          bounds[isUpper ? 1 : 0] ??= bound(conjunct, value, isUpper)
        }
      }
      const [low, high] = bounds
      const of = (each: Conjunct): Bound[] =>
        [low, high].filter((it): it is Bound => it?.conjunct === each)
      const used = asked.filter((each) => of(each).length > 0)
      const lowText = low?.text ?? head
      const highText = high?.text ?? head + LAST
      if (used.length === 0) return undefined
      const isKnown = !asked.some(({ operands }) => operands.some(isInput))
      if (isKnown && compareUtf8(lowText, highText) > 0) {
        // Between bounds that contradict each other is nothing. No key is the head alone, and none
        // comes before the first sign there is.
        const bounds = head === '' ? ['\0'] : [head, head]
        return { operator: head === '' ? '<' : 'BETWEEN', bounds, absorbed: asked, used }
      }
      const absorbed = asked.filter(
        (each) => of(each).filter(({ exact }) => exact).length === each.operands.length - 1,
      )
      // Without a head there is no text to begin with, and a key can't be empty.
      if (head !== '' || (low && high)) {
        return { operator: 'BETWEEN', bounds: [lowText, highText], absorbed, used }
      }
      return { operator: low ? '>=' : '<=', bounds: [low ? lowText : highText], absorbed, used }
    }

    function bound(conjunct: Conjunct, value: unknown, isUpper: boolean): Bound | undefined {
      const encoded = encode(value)
      if (encoded === undefined) return undefined
      const text = head + encoded
      // Keys of the value itself are its text, or start with it if more follows.
      const behind = text + (next !== undefined ? next + LAST : isUpper ? '' : '\0')
      const inclusive = open.unit !== undefined || !/^[<>]$/.test(conjunct.operator)
      if (open.ordered) {
        // Between the strings of the two booleans there are others, and a filter can't compare
        // booleans.
        if (isUpper && !inclusive && typeof value === 'boolean') {
          return { text: text.slice(0, -1), conjunct, exact: true }
        }
        // No text is the last one before another, so the upper bound of the last component is
        // always one of the values.
        const exact = !open.unit && (inclusive || !isUpper || next !== undefined)
        return { text: inclusive === isUpper ? behind : text, conjunct, exact }
      }
      // Escapes keep the order of strings only with separators that come before `$`; plain text
      // always does, but can't be recognised here. A shorter value is followed by the literal where
      // a longer one has its next character, which must therefore be the greater one.
      const keepsOrder = isAll(separator, (letter) => letter < '$')
      const isNarrow =
        !isUpper || isInput(value) || (next && isAll(encoded, (letter) => letter > next.charAt(0)))
      return keepsOrder && isNarrow
        ? { text: isUpper ? behind : text, conjunct, exact: false }
        : undefined
    }

    /**
     * The text of a bound; `undefined` for what no key has, such as a number of more digits than
     * keys have, which is left to a filter.
     */
    function encode(value: unknown): string | undefined {
      try {
        return textOf(template, open, value, place)
      } catch (error) {
        if (error instanceof KeyComponentError) return undefined
        throw error
      }
    }
  }
}

/** The text of a partition key in pieces, where several partitions are read. */
export function keyPieces(
  template: KeyTemplate,
  conjuncts: Conjuncts,
  place: KeyPlace,
  choice: PartitionChoice,
): readonly KeyPiece[] {
  return template.parts.map((part): KeyPiece => {
    if (typeof part === 'string') return part
    if (part.by && choice.isSpread) return { kind: 'shard', width: part.width! }
    const chosen = textOfChoice(template, part, choice)
    if (chosen !== undefined) return part.by ? chosen : { kind: 'bucket', width: part.width! }
    // What is not chosen is fixed, or such partitions would not exist.
    return textOf(template, part, fixedBy(conjuncts, part)!.operands[1], place)
  })
}

/** What the partition that is read says of a placeholder, if no equality says it. */
function textOfChoice(
  template: KeyTemplate,
  part: Exclude<TemplatePart, string>,
  { shard, name, timeMs }: PartitionChoice,
): string | undefined {
  if (part.by) return shard
  if (!part.unit || part.name !== name) return undefined
  return timeMs === undefined
    ? `\${${placeholderBody(template, part)}}`
    : new Date(timeMs).toISOString().slice(0, part.width)
}

/** The text of a value for a placeholder, in the form in which it would be stored. */
function textOf(
  template: KeyTemplate,
  part: Component,
  value: unknown,
  { model, text, warn }: KeyPlace,
): string {
  if (isInput(value)) return inputText(value, placeholderBody(template, part))
  const { name, encode } = part
  const attribute = model.attributes.get(name)
  const { encode: escapes, normalize, set } = attribute?.definition ?? {}
  let bare = value
  // A component that escapes its text can contain the separator, so the value is meant as it is.
  if (typeof value === 'string' && !escapes) bare = withoutPrefix(template, name, value)
  if (bare !== value && warn !== undefined) warnOfPrefix(warn, model.name, name)
  if (set) {
    const issues: InputIssue[] = []
    bare = canonicalValue(attribute!, bare, issues)
    if (issues.length > 0) refuseInput(issues, text, "give values of the attributes' types")
  }
  return encode(typeof bare === 'string' && normalize ? bare.normalize(normalize) : bare)
}

function isAll(text: string, holds: (letter: string) => boolean): boolean {
  return text.split('').every(holds)
}
