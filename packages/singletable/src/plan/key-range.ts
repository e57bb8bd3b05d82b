import { KeyComponentError } from '../template/key-component-error.ts'
import type { KeyTemplate } from '../template/key-template.ts'
import { SORT_KEY_MAX_BYTES } from '../values/limits.ts'
import { compareUtf8, utf8Length } from '../values/utf8.ts'
import { type Conjunct, type Conjuncts, rangesOf } from './conjuncts.ts'
import { componentText, type Head, type KeyPlace } from './key-head.ts'
import type { Operator } from './where.ts'

/** Greater than every text that goes on after the same beginning. */
const LAST = '\u{10FFFF}'

/** A condition on the text of a sort key. */
export interface KeyRange {
  readonly operator: Operator
  readonly texts: readonly string[]
  /** Conjuncts that it answers in full. */
  readonly absorbed: readonly Conjunct[]
  /** Conjuncts that narrow it, absorbed or not. */
  readonly count: number
}

interface Bound {
  readonly text: string
  readonly conjunct: Conjunct
  /** The range has just the values the conjunct asks for, as far as this bound goes. */
  readonly exact: boolean
}

/**
 * The condition on a sort key whose head is fixed, from what is asked of the placeholder that follows: a prefix, or a range that is closed at both
 * ends, so that it never goes beyond the head.
 */
export function keyRange(
  template: KeyTemplate,
  head: Head,
  conjuncts: Conjuncts,
  place: KeyPlace,
): KeyRange {
  const { open, next } = head
  // Values that share a key have no order in it, and lists have none at all.
  const asked = open && !open.lossy && !open.path ? rangesOf(conjuncts, open.name) : []
  const range = asked.length > 0 ? (prefix() ?? between()) : undefined
  // DynamoDB refuses longer texts, also where they are only compared with keys.
  return range?.texts.every((text) => utf8Length(text) <= SORT_KEY_MAX_BYTES)
    ? range
    : beginsWith(head.text, [], 0)

  function prefix(): KeyRange | undefined {
    const conjunct = asked.find(({ operator }) => operator === 'begins_with')
    const value = conjunct?.operands[1]
    if (conjunct?.operands[0].codec.tag !== 'S' || typeof value !== 'string') return undefined
    const encoded = encode(value)
    if (encoded === undefined) return undefined
    // What follows the component could make up the rest of the text, unless it is a separator.
    const exact = next === undefined || next.startsWith(template.separator)
    return beginsWith(head.text + encoded, exact ? [conjunct] : [], 1)
  }

  function between(): KeyRange | undefined {
    const bounds: [low?: Bound | undefined, high?: Bound | undefined] = []
    for (const conjunct of asked) {
      const { operator, operands } = conjunct
      if (operator === 'begins_with') continue
      for (const value of operands.slice(1)) {
        const isGreatest =
          operator.startsWith('<') || (operator === 'BETWEEN' && value === operands[2])
        const isUpper = isGreatest !== open?.descending
        bounds[isUpper ? 1 : 0] ??= bound(conjunct, value, isUpper)
      }
    }
    const [low, high] = bounds
    const count = asked.filter((each) => bounds.some((it) => it?.conjunct === each)).length
    const lowText = low?.text ?? head.text
    const highText = high?.text ?? head.text + LAST
    // Bounds that contradict each other are no range; as filters they find nothing, as they should.
    if (count === 0 || compareUtf8(lowText, highText) > 0) return undefined
    const absorbed = asked.filter(
      (each) =>
        bounds.filter((it) => it?.exact && it.conjunct === each).length ===
        each.operands.length - 1,
    )
    // Without a head there is no text to begin with, and an empty one is no key.
    if (head.text !== '' || (low && high)) {
      return { operator: 'BETWEEN', texts: [lowText, highText], absorbed, count }
    }
    return low
      ? { operator: '>=', texts: [lowText], absorbed, count }
      : { operator: '<=', texts: [highText], absorbed, count }
  }

  function bound(conjunct: Conjunct, value: unknown, isUpper: boolean): Bound | undefined {
    const encoded = encode(value)
    if (open === undefined || encoded === undefined) return undefined
    const text = head.text + encoded
    // Keys of the value itself are its text, or start with it if more follows.
    const behind = text + (next !== undefined ? next + LAST : isUpper ? '' : '\0')
    const inclusive = !/^[<>]$/.test(conjunct.operator)
    if (open.ordered) {
      // Nothing comes between a text and those before it, so the last component's upper bound is always one of the values.
      const exact = inclusive || !isUpper || next !== undefined
      return { text: inclusive === isUpper ? behind : text, conjunct, exact }
    }
    // Escapes keep the order of texts only with separators that come before `$`; plain text always does, but can't be told apart here. A shorter
    // value is followed by the literal where a longer one has its next character, which must therefore be the greater one.
    const keepsOrder = isAll(template.separator, (letter) => letter < '$')
    const isNarrow = !isUpper || (next && isAll(encoded, (letter) => letter > next.charAt(0)))
    return keepsOrder && isNarrow
      ? { text: isUpper ? behind : text, conjunct, exact: false }
      : undefined
  }

  /** The text of a bound; `undefined` for what no key has, such as a number of more digits than keys have, which is left to a filter. */
  function encode(value: unknown): string | undefined {
    try {
      return open && componentText(template, open, value, place)
    } catch (error) {
      if (error instanceof KeyComponentError) return undefined
      throw error
    }
  }
}

function beginsWith(text: string, absorbed: readonly Conjunct[], count: number): KeyRange {
  return { operator: 'begins_with', texts: [text], absorbed, count }
}

function isAll(text: string, holds: (letter: string) => boolean): boolean {
  return text.split('').every(holds)
}
