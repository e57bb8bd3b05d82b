import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DefinitionError } from '../errors/definition-error.ts'
import { compareDecimal, parseDecimal } from '../values/decimal.ts'
import { compareUtf8 } from '../values/utf8.ts'
import type { ComponentKind } from './component.ts'
import { compileTemplate, type KeyTemplate } from './key-template.ts'
import { keysCanMeet } from './meeting.ts'

// A long run: PROPERTY_RUNS=1000000 PROPERTY_SEED=1. Runs are keys; a failure prints its seed in
// any case.
const runs = Number(process.env.PROPERTY_RUNS ?? 10_000)
const KEYS_PER_TEMPLATE = 10
const parameters: fc.Parameters<unknown> = {
  numRuns: Math.ceil(runs / KEYS_PER_TEMPLATE),
  ...(process.env.PROPERTY_SEED === undefined ? {} : { seed: Number(process.env.PROPERTY_SEED) }),
}
const TIMEOUT_MS = 1_800_000

type Values = Record<string, unknown>

/** A kind of component with its values and their order. */
interface Sample {
  readonly modifiers: string
  readonly kind: ComponentKind
  readonly values: fc.Arbitrary<unknown>
  readonly compare: (a: never, b: never) => number
}

const byOperator = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)
const turned =
  <T>(compare: (a: T, b: T) => number) =>
  (a: T, b: T): number =>
    compare(b, a)
const byPath = (a: readonly string[], b: readonly string[]): number => {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const order = compareUtf8(a[index] ?? '', b[index] ?? '')
    if (order !== 0) return order
  }
  return a.length - b.length
}

// Few letters, so that strings are often equal, start alike, look like literals, or contain what
// separates and escapes.
const letter = fc.constantFrom(
  ...'aAb01tZ-.:',
  ...['#', '/', '|', '_', '$', '$S', ' ', '!', '"', '%', '\0', '\n', '\x7f', '\x9f'],
  ...['é', 'ı', 'K', '中', '\uffff', '😀', '${', '$&', '%23', '＃', 'true', 'USER'],
)
const textOf = (letters: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> =>
  fc.array(letters, { minLength: 1, maxLength }).map((list) => list.join(''))
// The second kind often gives strings of which one starts with the other.
const anyText = fc.oneof(textOf(letter, 5), textOf(fc.constantFrom(...'a%! #'), 3))
/** What is left of it that may be unescaped in a key. */
const bare = (text: string, separator: string): string => {
  const left = [...text].filter((one) => !separator.includes(one) && !/\p{Cc}/u.test(one)).join('')
  return left === '' ? 'a' : left
}
const double = fc.oneof(
  // Zero has one key, whatever its sign.
  fc
    .double({ min: -9.9e125, max: 9.9e125, noNaN: true })
    .map((value) => (Math.abs(value) < 1e-130 ? 0 : value)),
  fc.integer({ min: -120, max: 120 }).map((value) => value / 4),
  fc.constantFrom(0, 1, 1.5, 1.51, 1e21, 1e-7, 1e-130, 9.87e125, 2 ** 53, 0.1),
)
const whole = fc.oneof(fc.nat(120), fc.integer({ min: 0, max: 9999_9999 }))
const large = fc.oneof(fc.bigInt(-(10n ** 38n) + 1n, 10n ** 38n - 1n), fc.bigInt(-120n, 120n))
const decimal = fc
  .record({ digits: large, exponent: fc.integer({ min: -100, max: 50 }) })
  .map(({ digits, exponent }) => parseDecimal(`${digits}e${exponent}`).text ?? '0')
const date = fc
  .oneof(
    fc.integer({ min: -62167219200000, max: 253402300799999 }),
    fc.constantFrom(-62167219200000, -1, 0, 1, 253402300799999),
  )
  .map((ms) => new Date(ms))
const byDate = (a: Date, b: Date): number => a.getTime() - b.getTime()
const byBigint = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)
const CHOICES = ['open', 'done', 'A', 'a1', 'true', '1']

const sample = (
  modifiers: string,
  kind: Partial<ComponentKind>,
  values: fc.Arbitrary<unknown>,
  compare: Sample['compare'],
): Sample => ({ modifiers, kind: { type: 'text', encode: false, ...kind }, values, compare })

const FIXED: readonly Sample[] = [
  sample(':pad(8)', { type: 'number' }, whole, byOperator),
  sample('', { type: 'number', pad: 9 }, whole, byOperator),
  sample(':pad(8):desc', { type: 'number' }, whole, turned(byOperator)),
  sample(
    ':pad(38)',
    { type: 'bigint' },
    large.map((value) => (value < 0n ? -value : value)),
    byBigint,
  ),
  sample(':desc:pad(9)', { type: 'bigint' }, whole.map(BigInt), turned(byBigint)),
  sample(':pad(8)', { type: 'decimal' }, whole.map(String), compareDecimal),
  sample('', { type: 'date' }, date, byDate),
  sample(':desc', { type: 'date' }, date, turned(byDate)),
]
const PATHS: readonly Sample[] = [false, true].map((encode) =>
  sample('', { type: 'path', encode }, fc.array(anyText, { minLength: 1, maxLength: 3 }), byPath),
)
const VARIABLE: readonly Sample[] = [
  sample('', {}, anyText, compareUtf8),
  sample('', { encode: true }, anyText, compareUtf8),
  sample(
    ':lower',
    {},
    anyText.map((text) => text.toLowerCase()),
    compareUtf8,
  ),
  sample(
    ':lower',
    { encode: true },
    anyText.map((text) => text.toLowerCase()),
    compareUtf8,
  ),
  sample('', { values: CHOICES }, fc.constantFrom(...CHOICES), compareUtf8),
  sample('', { type: 'boolean' }, fc.boolean(), (a: boolean, b: boolean) => Number(a) - Number(b)),
  sample('', { type: 'number', encode: true }, double, byOperator),
  sample(':desc', { type: 'number', encode: true }, double, turned(byOperator)),
  sample('', { type: 'bigint', encode: true }, large, byBigint),
  sample(':desc', { type: 'decimal', encode: true }, decimal, turned(compareDecimal)),
]

interface Case {
  readonly template: KeyTemplate
  readonly samples: ReadonlyMap<string, Sample>
}

const literal = fc.constantFrom(
  '',
  '',
  '',
  'A',
  'a',
  '1',
  'USER',
  'true',
  '-',
  '.json',
  '$',
  ' ',
  'é',
)
const segment = fc.record({
  before: literal,
  fixed: fc.option(fc.constantFrom(...FIXED), { freq: 2 }),
  between: literal,
  variable: fc.option(fc.constantFrom(...VARIABLE)),
  after: literal,
  last: fc.option(fc.constantFrom(...FIXED), { freq: 5 }),
})
const SEPARATORS = ['#', '#', '#', '/', '|', ':', '::', '_/', ' ', '#!', '-']

const templatesWith = (separators: readonly string[]): fc.Arbitrary<Case> =>
  fc
    .record({
      segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
      path: fc.option(fc.constantFrom(...PATHS), { freq: 4 }),
      separator: fc.constantFrom(...separators),
      twice: fc.boolean(),
    })
    .map(({ segments, path, separator, twice }) => {
      const samples = new Map<string, Sample>()
      const place = (one: Sample | null): string => {
        if (one === null) return ''
        // The same kind again may be the same attribute again.
        const known = twice ? [...samples].find(([, other]) => other === one)?.[0] : undefined
        const name =
          known ?? ['__proto__', 'toString', 'c', 'd', 'e'][samples.size] ?? `x${samples.size}`
        samples.set(name, one)
        return `\${${name}${one.modifiers}}`
      }
      const strings = segments.map(
        ({ before, fixed, between, variable, after, last }) =>
          before + place(fixed) + between + place(variable) + after + place(last),
      )
      if (path) strings.push(place(path))
      const source = strings.join(separator)
      return source === '' ? undefined : compiled(source, { samples, separator })
    })
    .filter((one) => one !== undefined)

function compiled(
  source: string,
  { samples, separator }: { samples: ReadonlyMap<string, Sample>; separator: string },
): Case | undefined {
  const where = 'test'
  const kindOf = (name: string): ComponentKind =>
    samples.get(name)?.kind ?? { type: 'text', encode: false }
  try {
    const template = compileTemplate(source, { kindOf, separator, where })
    return { template, samples }
  } catch (error) {
    // A date next to the separator ":" for one; unit tests say which templates are refused.
    if (error instanceof DefinitionError) return undefined
    throw error
  }
}

function valuesFor({ template, samples }: Case): fc.Arbitrary<Values> {
  const names = [...samples.keys()]
  const arbitraryOf = ({ kind, values }: Sample): fc.Arbitrary<unknown> => {
    if (kind.encode || kind.values !== undefined) return values
    return values.map((value) => {
      if (kind.type === 'text') return bare(String(value), template.separator)
      return Array.isArray(value) ? value.map((text) => bare(text, template.separator)) : value
    })
  }
  return fc
    .tuple(...[...samples.values()].map(arbitraryOf))
    .map((list) => Object.fromEntries(names.map((name, index) => [name, list[index]])))
}

const severalOf = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(one, { minLength: KEYS_PER_TEMPLATE, maxLength: KEYS_PER_TEMPLATE })

const withKeys = (separators: readonly string[]) =>
  templatesWith(separators).chain((one) =>
    fc.record({ one: fc.constant(one), list: severalOf(valuesFor(one)), shared: fc.nat(3) }),
  )
const cases = withKeys(SEPARATORS)

describe('keys of random templates', () => {
  test('a key gives back the values it was made from', { timeout: TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(cases, ({ one: { template }, list }) => {
        for (const values of list) {
          const found = template.match(template.render(values) ?? '')
          // The slow comparison is for its message.
          if (!isDeepStrictEqual(found, values)) expect(found).toEqual(values)
        }
      }),
      parameters,
    )
  })

  test('keys order as the values do and differ if these do', { timeout: TIMEOUT_MS }, () => {
    let ordered = 0
    fc.assert(
      fc.property(cases, ({ one: { template, samples }, list, shared }) => {
        const [first = {}] = list
        // Keys that start alike: with the first values of the first key.
        const alike = template.names.slice(0, shared).map((name) => [name, first[name]])
        for (const [index, values] of list.entries()) {
          const others = { ...list[index - 1], ...Object.fromEntries(alike) }
          const mine = { ...values, ...Object.fromEntries(alike) }
          if (index > 0 && compareKeys({ template, samples }, mine, others)) ordered++
        }
      }),
      parameters,
    )
    // Many pairs have to say something about the order.
    expect(ordered).toBeGreaterThan(runs / 4)
  })

  test('no text is read as values that would have another key', { timeout: TIMEOUT_MS }, () => {
    let read = 0
    fc.assert(
      fc.property(
        cases,
        fc.nat(),
        anyText,
        fc.nat(2),
        ({ one: { template }, list }, at, text, cut) => {
          for (const values of list) {
            const key = template.render(values) ?? ''
            const place = at % (key.length + 1)
            const changed = key.slice(0, place) + text + key.slice(place + cut)
            const found = template.match(changed)
            if (found === undefined) continue
            read++
            if (template.render(found) !== changed) expect(template.render(found)).toBe(changed)
          }
        },
      ),
      parameters,
    )
    expect(read).toBeGreaterThan(runs / 50)
  })
})

describe('templates that cannot meet', () => {
  test('never have a key in common', { timeout: TIMEOUT_MS }, () => {
    let apart = 0
    fc.assert(
      fc.property(withKeys(['#']), templatesWith(['#']), ({ one, list }, other) => {
        const meet = keysCanMeet(one.template, other.template)
        if (meet !== keysCanMeet(other.template, one.template)) expect.fail('the order matters')
        if (meet) return
        for (const values of list) {
          apart++
          const key = one.template.render(values) ?? ''
          if (other.template.match(key) !== undefined) expect.fail(`both have the key ${key}`)
        }
      }),
      parameters,
    )
    expect(apart).toBeGreaterThan(runs / 10)
  })

  test('are never two of which one was made to fit a key of the other', {
    timeout: TIMEOUT_MS,
  }, () => {
    let fitting = 0
    const piece = fc.record({
      part: fc.constantFrom(...FIXED, ...VARIABLE, ...PATHS, undefined, undefined),
      cut: fc.nat(9),
    })
    const pieces = fc.array(piece, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(withKeys(['#']), pieces, ({ one: { template }, list }, cuts) => {
        for (const values of list) {
          const key = template.render(values) ?? ''
          const other = templateFor(key, cuts)
          if (other?.match(key) === undefined) continue
          fitting++
          if (keysCanMeet(template, other)) continue
          expect.fail(`${template.source} and ${other.source} have the key ${key}`)
        }
      }),
      parameters,
    )
    expect(fitting).toBeGreaterThan(runs / 20)
  })
})

/** Compares two keys with their values, as far as the template promises an order; true if it
 * does. */
function compareKeys({ template, samples }: Case, a: Values, b: Values): boolean {
  const order = Math.sign(compareUtf8(template.render(a) ?? '', template.render(b) ?? ''))
  for (const part of template.parts) {
    if (typeof part === 'string') continue
    // The comparison belongs to the values of this attribute.
    const compare = samples.get(part.name)?.compare as (a: unknown, b: unknown) => number
    const expected = Math.sign(compare(a[part.name], b[part.name]))
    if (expected === 0) continue
    if (order === 0) expect.fail('two sets of values have one key')
    if (part.ordered && order !== expected) expect(order).toBe(expected)
    return part.ordered
  }
  if (order !== 0) expect.fail('one set of values has two keys')
  return false
}

/** A template whose literals and placeholders are pieces of the key; whether it fits, `match`
 * decides. */
function templateFor(
  key: string,
  pieces: readonly { readonly part: Sample | undefined; readonly cut: number }[],
): KeyTemplate | undefined {
  const samples = new Map<string, Sample>()
  const literalOf = (from: number, to?: number): string => key.slice(from, to).replaceAll('${', '')
  let source = ''
  let from = 0
  for (const { part, cut } of pieces) {
    if (from >= key.length) break
    if (part === undefined) {
      source += literalOf(from, from + cut + 1)
      from += cut + 1
      continue
    }
    const name = `x${samples.size}`
    samples.set(name, part)
    source += `\${${name}${part.modifiers}}`
    const separator = part.kind.type === 'path' ? -1 : key.indexOf('#', from)
    if (separator < 0) from = key.length
    else {
      source += '#'
      from = separator + 1
    }
  }
  source += literalOf(from)
  return compiled(source, { samples, separator: '#' })?.template
}
