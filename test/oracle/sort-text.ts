import { type Attribute, compareUtf8, type KeyPart, type TemplatePart } from 'singletable/tools'
import { compareValues } from '../../packages/kit/src/check/exercise/compare-values.ts'
import { bucketText } from './entry-order.ts'
import type { Entry } from './written-items.ts'

type Placeholder = Exclude<TemplatePart, string>

/** A key attribute of an item as its values determine it: all of it, or the beginning up to what is
 * not known. */
interface KeyText {
  readonly text: string
  readonly isWhole: boolean
}

/**
 * Orders items of different models by a sort key they share: negative, zero or positive,
 * `undefined` where the values don't determine it. The strings are made here and not by the
 * templates that wrote them, so that a mistake in those is found.
 */
export function compareSortKeys(
  one: Entry,
  other: Entry,
  ours: readonly KeyPart[],
  theirs: readonly KeyPart[],
): number | undefined {
  for (const [position, part] of ours.entries()) {
    const their = theirs[position]
    if (their === undefined) return undefined
    const order =
      part.attribute && their.attribute
        ? compareAttributes(one, other, part.attribute, their.attribute)
        : compareStrings(textOf(one, part), textOf(other, their))
    if (order !== 0) return order
  }
  return 0
}

function compareAttributes(
  one: Entry,
  other: Entry,
  ours: Attribute,
  theirs: Attribute,
): number | undefined {
  const isDecimal = ours.definition.type === 'decimal'
  return compareValues(one.values.get(ours.name), other.values.get(theirs.name), isDecimal)
}

/** The one that ends where the other continues comes first. */
function compareStrings(one: KeyText, other: KeyText): number | undefined {
  if (one.text === other.text) return one.isWhole && other.isWhole ? 0 : undefined
  const isDecided =
    !(other.text.startsWith(one.text) && !one.isWhole) &&
    !(one.text.startsWith(other.text) && !other.isWhole)
  return isDecided ? Math.sign(compareUtf8(one.text, other.text)) : undefined
}

function textOf({ values, model }: Entry, { attribute, template }: KeyPart): KeyText {
  if (template === undefined) {
    const value = values.get(attribute.name)
    return typeof value === 'string' && attribute.definition.type !== 'decimal'
      ? { text: value, isWhole: true }
      : { text: '', isWhole: false }
  }
  let text = ''
  for (const part of template.parts) {
    const next =
      typeof part === 'string' ? part : valueText(part, values.get(part.name), model.attributes)
    if (next === undefined) return { text, isWhole: false }
    text += next
  }
  return { text, isWhole: true }
}

/** What stands for a value in a key; undefined for what is escaped, hashed, or turned around in a
 * way of its own. */
function valueText(
  part: Placeholder,
  value: unknown,
  attributes: ReadonlyMap<string, Attribute>,
): string | undefined {
  const { encode, type } = attributes.get(part.name)?.definition ?? {}
  if (part.by) return undefined
  if (part.unit) return bucketText(value, part)
  if (part.path || encode) return undefined
  if (typeof value === 'boolean') return String(value)
  if (value instanceof Date) return part.descending ? undefined : value.toISOString()
  if (typeof value === 'string' && type !== 'decimal') {
    return part.lossy ? value.toLowerCase() : value
  }
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined
  const digits = String(value)
  if (part.width === undefined || !/^\d+$/.test(digits)) return undefined
  const padded = digits.padStart(part.width, '0')
  return part.descending ? padded.replace(/\d/g, (digit) => String(9 - Number(digit))) : padded
}
