import type { Attribute, Schema } from 'singletable/tools'
import { askFor, quote } from './step-text.ts'
import { formOf, type ValueChange, versionedValue } from './value-changes.ts'

type InSchema = readonly [attribute: Attribute, schema: Schema]

const SAME = '(value) => value'
const TO_TEXT = '(value) => String(value)'
const TO_SET = '(value) => new Set(value as string[])'

/** Conversions that lose nothing, or report it; with those back they are the way back. */
const CONVERSIONS: Readonly<Record<string, string>> = {
  'String to Number': '(value) => Number(value)',
  'String to BigInt': '(value) => BigInt(value as string)',
  'String to decimal': SAME,
  'String to a Date in milliseconds': '(value) => new Date(value as string)',
  'Number to String': TO_TEXT,
  'BigInt to String': TO_TEXT,
  'decimal to String': SAME,
  'a Date in milliseconds to String': '(value) => (value as Date).toISOString()',
  'a Date in milliseconds to a Date as text': SAME,
  'a Date as text to a Date in milliseconds': SAME,
  'Array to a Set': TO_SET,
  'a Set to Array': '(value) => [...(value as Set<string>)]',
}

/** Those that lose something, which the undo log keeps. */
const LOSSY: Readonly<Record<string, string>> = {
  'a Date as text to a Date in seconds': SAME,
  'a Date in seconds to a Date as text': SAME,
  'Array to a Set': TO_SET,
}

/** Types of one tag, which are distinguished by what a value would be as a time. */
const TIMES: Readonly<Record<string, string>> = {
  'a Date in milliseconds to a Date in seconds':
    "(value) => (value as Date) < new Date('1971-01-01')",
  'a Date in seconds to a Date in milliseconds':
    "(value) => (value as Date) > new Date('2900-01-01')",
}

/** The step that stores the values of an attribute in their new form. */
export function retypeText(
  model: string,
  [old, before]: InSchema,
  [now, after]: InSchema,
  { isInside, what }: ValueChange,
): string {
  const start = `retypeAttribute(${quote(model)}, ${quote(now.name)}, `
  const [was, is] = [[old, before] as const, [now, after] as const].map(([attribute, schema]) =>
    formOf(versionedValue(attribute, schema)),
  )
  const names = [was, is].map((form) => (form?.startsWith('a Set of') ? 'a Set' : form))
  const way = names.join(' to ')
  if (isInside || old.definition.set || now.definition.set) return asked()
  if (was === is) {
    const isSeen = old.codec.tag !== now.codec.tag
    if (isSeen) return `${start}${SAME}, { back: ${SAME} })`
    // Text in its Unicode form stays as it is when it is brought into that form again.
    return what.endsWith(' normalize') ? `${start}${SAME})` : asked()
  }
  const times = TIMES[way]
  if (times) return `${start}${SAME}, { isConverted: ${times} })`
  const lossy = LOSSY[way]
  if (lossy) return `${start}${lossy})`
  const convert = CONVERSIONS[way]
  const back = CONVERSIONS[names.reverse().join(' to ')]
  return convert && back ? `${start}${convert}, { back: ${back}, isLossless: true })` : asked()

  function asked(): string {
    const options =
      old.codec.tag === now.codec.tag
        ? `, { isConverted: ${askFor(`whether a value of ${now.name} is converted`)} }`
        : ''
    return `${start}${askFor(`how ${now.name} is converted`)}${options})`
  }
}
