import { type AttributeDefinition, getOwn, type Placeholder } from 'singletable/tools'
import { bucketStrings, DESCENDING_MAX, ISO_TIME, isUnit } from './calendar.ts'
import {
  beginningWith,
  digits,
  type Language,
  letter,
  literal,
  noneOrMore,
  numbersUpTo,
  oneOf,
  oneOfStrings,
  oneOrMore,
  SOME_TEXT,
  sequence,
} from './language.ts'
import { lettersFrom, lettersOf } from './letters.ts'
import { type TextOptions, textValue, textValues } from './text-values.ts'

/** What is known of the values in a template. */
export interface TemplateValues {
  readonly attributes: ReadonlyMap<string, AttributeDefinition>
  readonly separator: string
  readonly shard?: { readonly name: string; readonly count: number } | undefined
  /** By attribute: the only values that come here, as a condition says. */
  readonly only?: { readonly [attribute: string]: unknown } | undefined
  /** The attributes whose strings are taken as they come, with the separator in them. */
  readonly loose?: ((attribute: string) => boolean) | undefined
}

/** What a template consists of: as it is written, or compiled. */
export interface TemplateParts {
  readonly parts: readonly (string | Placeholder)[]
}

/** All strings that a template can become. Each placeholder is taken by itself, as if no other had
 * its name. */
export function templateStrings(template: TemplateParts, values: TemplateValues): Language {
  return sequence(...template.parts.map((part) => partStrings(part, values)))
}

/** All strings that begin as the template does up to its first placeholder that is not fixed; the
 * template's own, if all are. */
export function reachOf(
  template: TemplateParts,
  fixed: readonly string[],
  values: TemplateValues,
): Language {
  const open = template.parts.findIndex(
    (part) => typeof part !== 'string' && !fixed.includes(part.name),
  )
  if (open < 0) return templateStrings(template, values)
  const head = template.parts.slice(0, open).map((part) => partStrings(part, values))
  return beginningWith(sequence(...head))
}

/** What an attribute can be that is in a key as it is. */
export const ANY_VALUE: Language = SOME_TEXT

function partStrings(part: string | Placeholder, values: TemplateValues): Language {
  if (typeof part === 'string') return literal(part)
  const { name, modifiers } = part
  const { shard } = values
  if (shard?.name === name) return numbersUpTo(String(Math.max(1, shard.count) - 1))
  const definition = values.attributes.get(name)
  const unit = modifiers.find(isUnit)
  if (unit) return bucketStrings(unit)
  const only = getOwn(values.only ?? {}, name)
  const chosen = only === undefined ? definition?.enum : [only].flat()
  const text: TextOptions = {
    separator: values.separator,
    encode: definition?.encode === true,
    lower: modifiers.includes('lower'),
    loose: definition?.encode === 'raw' || values.loose?.(name) === true,
  }
  switch (definition?.type) {
    case Boolean:
      return oneOf(
        (only === undefined ? [false, true] : [only].flat()).map((value) => literal(String(value))),
      )
    case Date:
      return modifiers.includes('desc') ? numbersUpTo(DESCENDING_MAX) : ISO_TIME
    case Number:
    case BigInt:
    case 'decimal':
      return numberStrings(part, definition, chosen)
    case Array: {
      const segment = textValues({ ...text, lower: false })
      return sequence(segment, noneOrMore(sequence(literal(values.separator), segment)))
    }
    default:
      return chosen?.length
        ? oneOfStrings(chosen.map((value) => textValue(String(value), text)))
        : textValues(text)
  }
}

const DIGIT = letter(lettersFrom('0', '9'))
const FIRST_DIGIT = letter(lettersFrom('1', '9'))
/** Exponents from -130 to 125, moved so that all have three digits, and their complements. */
const EXPONENT = oneOfStrings(Array.from({ length: 256 }, (_, at) => String(270 + at)))
const EXPONENT_TURNED = oneOfStrings(Array.from({ length: 256 }, (_, at) => String(474 + at)))

/** Digits of a fixed width, or the form that keeps the order of all numbers: see encode in
 * docs/keys.md. */
function numberStrings(
  { modifiers }: Placeholder,
  definition: AttributeDefinition,
  chosen: readonly unknown[] | undefined,
): Language {
  const padded = modifiers.map((each) => /^pad\((\d+)\)$/.exec(each)?.[1]).find(Boolean)
  const width = padded === undefined ? definition.pad : Number(padded)
  const isTurned = modifiers.includes('desc')
  if (width !== undefined) {
    // A width that no number can have is refused by the library, and must not make an automaton of
    // that size.
    const count = Math.min(Math.max(0, Math.trunc(width)), 38)
    const isListed = chosen?.every((value) => /^\d+$/.test(String(value)))
    if (!chosen?.length || !isListed) return digits(count)
    return oneOfStrings(
      chosen.map((value) => {
        const text = String(value).padStart(count, '0')
        return isTurned ? text.replace(/\d/g, (digit) => String(9 - Number(digit))) : text
      }),
    )
  }
  if (definition.encode !== true) return oneOf([literal('0'), plainNumber()])
  return oneOf([
    literal('o'),
    sequence(literal('p'), EXPONENT, significand(FIRST_DIGIT)),
    sequence(
      literal('n'),
      EXPONENT_TURNED,
      significand(letter(lettersFrom('0', '8'))),
      literal('Z'),
    ),
  ])
}

/** One digit or more; neither the first nor the last is the one that says nothing. */
function significand(significant: Language): Language {
  return oneOf([significant, sequence(significant, noneOrMore(DIGIT), significant)])
}

/** As code without this library would write it. */
function plainNumber(): Language {
  return sequence(
    oneOf([literal('-'), literal('')]),
    oneOrMore(DIGIT),
    oneOf([literal(''), sequence(letter(lettersOf('.')), oneOrMore(DIGIT))]),
  )
}
