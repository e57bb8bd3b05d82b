import {
  capitals,
  digits,
  hex,
  likelyNumber,
  likelyText,
  type Naming,
  sentence,
} from './likely-value.ts'
import { patternMaker } from './match-pattern.ts'
import { DAY_MS, SAMPLE_NOW_MS } from './sample-time.ts'
import { type JsonSchema, patternOf, type ValidatorHints } from './validator-hints.ts'
import { WORDS } from './words.ts'

/** Makes one value that may or may not be accepted. */
export type Candidate = (naming: Naming) => unknown

const SMALL = Array.from({ length: 33 }, (_, number) => number)
const ROUND = [
  40, 50, 60, 64, 75, 80, 90, 99, 100, 120, 128, 150, 180, 200, 250, 255, 256, 300, 365, 400, 500,
  512, 600, 750, 1_000, 1_024, 1_500, 1_900, 1_950, 1_984, 2_000, 2_020, 2_026, 2_030, 4_096, 5_000,
  8_080, 10_000, 65_535, 100_000, 1_000_000, 1_000_000_000,
]
const LENGTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 24, 26, 32, 36, 40, 64]

/**
 * Numbers around the bounds that a validator names, small ones, round ones, times, fractions and
 * negative ones.
 */
export function numbersToTry({ numbers, schema }: ValidatorHints): readonly number[] {
  const bounds = [
    schema?.minimum,
    schema?.maximum,
    schema?.exclusiveMinimum,
    schema?.exclusiveMaximum,
    schema?.multipleOf,
  ].filter((each) => each !== undefined)
  const named = [...numbers, ...bounds].sort((a, b) => a - b)
  const around = named.flatMap((each) => [each, each + 1, each - 1, each + 0.5, each - 0.5, -each])
  const between = named.flatMap((each, at) => {
    const next = named[at + 1]
    const step = next === undefined ? 0 : (next - each) / 8
    return next === undefined ? [] : [1, 2, 3, 4, 5, 6, 7].map((part) => each + part * step)
  })
  const seconds = Math.floor(SAMPLE_NOW_MS / 1000)
  const whole = between.map((each) => Math.round(each))
  return [
    ...new Set([
      ...around,
      ...whole,
      ...between,
      ...SMALL,
      ...ROUND,
      seconds,
      SAMPLE_NOW_MS,
      seconds + 10_000_000,
      SAMPLE_NOW_MS + 100 * DAY_MS,
      ...[0.1, 0.25, 0.5, 0.75, 0.9, 1.5, 2.5, 9.99],
      ...[...SMALL, ...ROUND].map((each) => -each),
    ]),
  ]
}

/**
 * Strings: those in the source of the validator, common forms, then letters and digits of each
 * length.
 */
export function stringsToTry({ strings, patterns, schema }: ValidatorHints): readonly Candidate[] {
  const written = schema?.pattern === undefined ? undefined : patternOf(schema.pattern)
  const made = [...patterns, ...(written ? [written] : [])].flatMap((each) => {
    const make = patternMaker(each)
    return make ? [({ random }: Naming) => make(random)] : []
  })
  const lengths = [schema?.minLength, schema?.maxLength].filter((each) => each !== undefined)
  const each = [...new Set([...lengths, ...LENGTHS])]
  const word = ({ random }: Naming): string => random.pick(WORDS)
  return [
    ...formatToTry(schema?.format),
    ...made,
    ...strings.map((text) => () => text),
    // The value may have to start or end with one of these.
    ...strings.flatMap((text): Candidate[] => [
      (naming) => `${text}${word(naming)}${naming.number}`,
      (naming) => `${word(naming)}${naming.number}${text}`,
    ]),
    ({ random, number }) => `${random.pick(WORDS)}${number}`,
    (naming) => likelyText({ ...naming, name: 'email' }),
    (naming) => likelyText({ ...naming, name: 'url' }),
    (naming) => likelyText({ ...naming, name: 'phone' }),
    uuid,
    isoTime,
    (naming) => isoTime(naming).slice(0, 10),
    (naming) => isoTime(naming).slice(0, 7),
    (naming) => isoTime(naming).slice(11, 16),
    (naming) => likelyText({ ...naming, name: 'ip' }),
    ({ random, number }) => `${random.pick(WORDS)}-${random.pick(WORDS)}-${number}`,
    ({ random }) => `${random.pick(WORDS)}-${random.pick(WORDS)}`,
    ({ random }) => `${random.pick(WORDS)}.${random.pick(WORDS)}`,
    ({ random }) => `/${random.pick(WORDS)}/${random.pick(WORDS)}`,
    word,
    (naming) => word(naming).toUpperCase(),
    (naming) => `${word(naming).toUpperCase()}${naming.number}`,
    ({ random }) => `${random.below(9)}.${random.below(9)}.${random.below(9)}`,
    ({ random }) => `#${hex(random, 6)}`,
    ({ random }) => sentence(random, 6, 10),
    ({ random }) => sentence(random, 30, 40),
    ...each.flatMap((count): Candidate[] => [
      ({ random }) => digits(random, count),
      ({ random }) => capitals(random, count),
      ({ random }) => capitals(random, count).toLowerCase(),
      ({ random }) => hex(random, count),
      ({ random }) => sentence(random, count, count).slice(0, count),
    ]),
  ]
}

function formatToTry(format: string | undefined): readonly Candidate[] {
  if (format === 'uuid') return [uuid]
  if (format === 'date') return [(naming) => isoTime(naming).slice(0, 10)]
  if (format === 'date-time') return [isoTime]
  if (format === 'email' || format === 'uri' || format === 'ipv4') {
    const name = { email: 'email', uri: 'url', ipv4: 'ip' }[format]
    return [(naming) => likelyText({ ...naming, name })]
  }
  return []
}

/** Times before and after the "now" of sample data, near and far. */
export const TIMES_TO_TRY: readonly number[] = [
  ...[1, 7, 30, 365, 3650, 10_000].flatMap((days) => [
    SAMPLE_NOW_MS - days * DAY_MS,
    SAMPLE_NOW_MS + days * DAY_MS,
  ]),
  0,
]

/**
 * A value that a JSON Schema describes: an object with its properties, a list with its items.
 * Undefined if it describes nothing.
 */
export function fromJsonSchema(schema: JsonSchema, naming: Naming): unknown {
  const { random } = naming
  const given = schema.enum ?? schema.examples
  if (given && given.length > 0) return random.pick(given)
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  const choices = schema.anyOf ?? schema.oneOf
  if (choices?.[0]) return fromJsonSchema(choices[0], naming)
  const [type] = typeof schema.type === 'object' ? schema.type : [schema.type]
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, inside]) => [
          name,
          fromJsonSchema(inside, { ...naming, name, owner: naming.name, isOwn: false }),
        ]),
      )
    case 'array': {
      const { items = { type: 'string' } } = schema
      return Array.from({ length: schema.minItems ?? 1 }, () => fromJsonSchema(items, naming))
    }
    case 'integer':
    case 'number':
      return boundedNumber(schema, type === 'integer', naming)
    case 'boolean':
      return random.next() < 0.5
    case 'string': {
      const hints = { numbers: [], strings: [], patterns: [], schema }
      const isFree = schema.pattern === undefined && schema.format === undefined
      const text = isFree ? likelyText(naming) : stringsToTry(hints)[0]?.(naming)
      const { minLength = 0, maxLength } = schema
      return String(text).padEnd(minLength, 'x').slice(0, maxLength)
    }
    default:
      return undefined
  }
}

function boundedNumber(schema: JsonSchema, isWhole: boolean, naming: Naming): number {
  const { random } = naming
  const step = schema.multipleOf ?? (isWhole ? 1 : undefined)
  const low = schema.minimum ?? (schema.exclusiveMinimum ?? -1) + (step ?? 0.01)
  const high = schema.maximum ?? (schema.exclusiveMaximum ?? low + 100) - (step ?? 0.01)
  const likely = likelyNumber(naming)
  const isFitting = likely >= low && likely <= high && (step === undefined || likely % step === 0)
  if (isFitting) return likely
  if (step === undefined) return Number((low + random.next() * (high - low)).toFixed(2))
  const first = Math.ceil(low / step)
  return step * (first + random.below(Math.max(1, Math.floor(high / step) - first + 1)))
}

function uuid({ random }: Naming): string {
  return `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-8${hex(random, 3)}-${hex(random, 12)}`
}

function isoTime({ random }: Naming): string {
  return new Date(SAMPLE_NOW_MS - random.below(7_776_000) * 1000).toISOString()
}
