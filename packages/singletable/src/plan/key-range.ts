import type { Condition, Operand } from '../expression/tree.ts'
import type { Component } from '../template/component.ts'
import { KeyComponentError } from '../template/key-component-error.ts'
import type { KeyTemplate } from '../template/key-template.ts'
import { SORT_KEY_MAX_BYTES } from '../values/limits.ts'
import { compareUtf8, utf8Length } from '../values/utf8.ts'
import type { Conjunct, Conjuncts } from './conjuncts.ts'
import { componentText, type Head, type KeyPlace } from './key-head.ts'

/** Greater than every text that goes on after the same beginning. */
const LAST = '\u{10FFFF}'

export interface KeyRange {
  readonly condition: Condition | undefined
  readonly absorbed: readonly Conjunct[]
  /** Conjuncts that narrow the range, absorbed or not. */
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
  name: string,
  template: KeyTemplate,
  head: Head,
  conjuncts: Conjuncts,
  place: KeyPlace,
): KeyRange {
  // The head ends at a placeholder.
  const component = template.parts[head.end] as Component
  const asked = conjuncts.ranges.get(component.name) ?? []
  // Values that share a key have no order in it, and lists have none at all.
  if (asked.length > 0 && !component.lossy && !component.path) {
    const at = { name, template, head, component, place }
    const range = prefixRange(at, asked) ?? boundedRange(at, asked)
    if (range !== undefined) return range
  }
  const condition = head.text === '' ? undefined : beginsWith(name, head.text)
  return { condition, absorbed: [], count: 0 }
}

interface RangePlace {
  readonly name: string
  readonly template: KeyTemplate
  readonly head: Head
  readonly component: Component
  readonly place: KeyPlace
}

function prefixRange(at: RangePlace, asked: readonly Conjunct[]): KeyRange | undefined {
  const { name, template, head } = at
  const conjunct = asked.find(({ operator }) => operator === 'begins')
  if (conjunct?.reference?.codec.tag !== 'S' || typeof conjunct.value !== 'string') return undefined
  const encoded = encode(at, conjunct.value)
  if (encoded === undefined) return undefined
  const text = head.text + encoded
  if (!isKeyText(text)) return undefined
  // What follows the component could make up the rest of the text, unless it is a separator.
  const next = template.parts[head.end + 1] ?? template.separator
  const exact = typeof next === 'string' && next.startsWith(template.separator)
  const condition = beginsWith(name, text)
  return { condition, absorbed: exact ? [conjunct] : [], count: 1 }
}

function boundedRange(at: RangePlace, asked: readonly Conjunct[]): KeyRange | undefined {
  const { name, head } = at
  let low: Bound | undefined
  let high: Bound | undefined
  for (const conjunct of asked) {
    const { operator, value } = conjunct
    const inclusive = operator === '>=' || operator === '<=' || operator === 'between'
    const { descending } = at.component
    if (operator === '>' || operator === '>=' || operator === 'between') {
      if (descending) high ??= upperBound(at, conjunct, value, inclusive)
      else low ??= lowerBound(at, conjunct, value, inclusive)
    }
    if (operator === '<' || operator === '<=' || operator === 'between') {
      const bound = operator === 'between' ? conjunct.high : value
      if (descending) low ??= lowerBound(at, conjunct, bound, inclusive)
      else high ??= upperBound(at, conjunct, bound, inclusive)
    }
  }
  if (low === undefined && high === undefined) return undefined
  const lowText = low?.text ?? head.text
  const highText = high?.text ?? head.text + LAST
  // Bounds that contradict each other are no range; as filters they find nothing, as they should.
  if (compareUtf8(lowText, highText) > 0) return undefined
  if (!isKeyText(lowText) || !isKeyText(highText)) return undefined
  const used = new Set([low, high].flatMap((bound) => (bound ? [bound.conjunct] : [])))
  const absorbed = [...used].filter(
    (conjunct) =>
      [low, high].filter((bound) => bound?.exact && bound.conjunct === conjunct).length ===
      (conjunct.operator === 'between' ? 2 : 1),
  )
  const operand: Operand = { kind: 'path', path: [name] }
  // Without a head there is no text to begin with, and an empty one is no key.
  const condition: Condition =
    head.text !== '' || (low && high)
      ? { kind: 'between', operand, low: textOperand(lowText), high: textOperand(highText) }
      : {
          kind: 'compare',
          operator: low ? '>=' : '<=',
          left: operand,
          right: textOperand(low ? lowText : highText),
        }
  return { condition, absorbed, count: used.size }
}

function lowerBound(
  at: RangePlace,
  conjunct: Conjunct,
  value: unknown,
  inclusive: boolean,
): Bound | undefined {
  const { template, head, component } = at
  const encoded = encode(at, value)
  if (encoded === undefined) return undefined
  const text = head.text + encoded
  if (!component.ordered) {
    // Whatever is not less than the value comes after its text, if the text keeps the order of values.
    return keepsOrder(template) ? { text, conjunct, exact: false } : undefined
  }
  if (inclusive) return { text, conjunct, exact: true }
  return { text: text + (isLast(at) ? '\0' : following(at) + LAST), conjunct, exact: true }
}

function upperBound(
  at: RangePlace,
  conjunct: Conjunct,
  value: unknown,
  inclusive: boolean,
): Bound | undefined {
  const { template, head, component } = at
  const encoded = encode(at, value)
  if (encoded === undefined) return undefined
  const text = head.text + encoded
  const next = following(at)
  if (!component.ordered) {
    // A shorter value is followed by the literal where a longer one has its next character, which must therefore be the greater one.
    const narrow = keepsOrder(template) && next !== '' && allAbove(encoded, next.slice(0, 1))
    return narrow ? { text: text + next + LAST, conjunct, exact: false } : undefined
  }
  if (isLast(at)) return { text, conjunct, exact: inclusive }
  // With more behind it, every key of the value itself is greater than the value's text.
  return { text: inclusive ? text + next + LAST : text, conjunct, exact: true }
}

/** DynamoDB refuses longer texts, also where they are only compared with keys. */
function isKeyText(text: string): boolean {
  return text.length * 3 <= SORT_KEY_MAX_BYTES || utf8Length(text) <= SORT_KEY_MAX_BYTES
}

function isLast({ template, head }: RangePlace): boolean {
  return head.end === template.parts.length - 1
}

/** The literal that stands behind the component. */
function following({ template, head }: RangePlace): string {
  const next = template.parts[head.end + 1]
  return typeof next === 'string' ? next : ''
}

/** Escapes keep the order of texts only with separators that come before `$`; plain text always does, but can't be told apart here. */
function keepsOrder({ separator }: KeyTemplate): boolean {
  return separator.split('').every((letter) => letter < '$')
}

function allAbove(text: string, least: string): boolean {
  return text.split('').every((letter) => letter > least)
}

/** The text of a bound; `undefined` for what no key has, such as a number of more digits than keys have, which is left to a filter. */
function encode({ template, head, place }: RangePlace, value: unknown): string | undefined {
  try {
    return componentText(template, head.end, value, place)
  } catch (error) {
    if (error instanceof KeyComponentError) return undefined
    throw error
  }
}

function beginsWith(name: string, text: string): Condition {
  return { kind: 'begins_with', operand: { kind: 'path', path: [name] }, prefix: textOperand(text) }
}

function textOperand(text: string): Operand {
  return { kind: 'value', value: { S: text } }
}
