import fc from 'fast-check'
import {
  type AttributeDefinition,
  compareUtf8,
  compileSchema,
  type KeyTemplate,
  readTemplate,
} from 'singletable/tools'
import { expect, test } from 'vitest'
import { canMeet, commonText } from './common-text.ts'
import { beginningWith, type Language, literal } from './language.ts'
import { reachOf, type TemplateValues, templateStrings } from './template-language.ts'
import { stringsBetween } from './text-range.ts'

// A long run: PROPERTY_RUNS=100000 PROPERTY_SEED=1. A failure prints its seed in any case.
const numRuns = Number(process.env.PROPERTY_RUNS ?? 150)
const parameters: fc.Parameters<unknown> = {
  numRuns,
  ...(process.env.PROPERTY_SEED === undefined ? {} : { seed: Number(process.env.PROPERTY_SEED) }),
}
const TIMEOUT_MS = 1_800_000

/**
 * Force is applied by asking the library itself: every text over a few letters up to a length, and
 * keys that it renders, whole and damaged, is matched with both templates. The algebra must find a
 * common text where there is one among these, and what it finds must match both.
 */
const LETTERS = ['a', 'b', 'A', '#', '$', 'S', '0', '1']
const LENGTH_MAX = 4
const SHORT_STRINGS: readonly string[] = (() => {
  let strings = ['']
  const all: string[] = []
  for (let length = 1; length <= LENGTH_MAX; length++) {
    strings = strings.flatMap((text) => LETTERS.map((letter) => text + letter))
    all.push(...strings)
  }
  return all
})()

interface Kind {
  readonly definition: AttributeDefinition
  readonly modifiers: string
  readonly values: readonly unknown[]
}

const text = { type: String, required: true } as const
const KINDS: readonly Kind[] = [
  { definition: text, modifiers: '', values: ['a', 'b1', 'true', '2024', 'é😀'] },
  { definition: text, modifiers: ':lower', values: ['Ab', 'İ', '0'] },
  { definition: { ...text, encode: true }, modifiers: '', values: ['a#b', '$', '#', ' a'] },
  { definition: { ...text, encode: true }, modifiers: ':lower', values: ['A#B', 'S'] },
  { definition: { ...text, enum: ['a', 'ab', 'b1'] }, modifiers: '', values: ['a', 'ab', 'b1'] },
  { definition: { ...text, enum: ['A', 'a$'], encode: true }, modifiers: '', values: ['A', 'a$'] },
  { definition: { type: Boolean, required: true }, modifiers: '', values: [true, false] },
  { definition: { type: Number, required: true }, modifiers: ':pad(1)', values: [0, 1, 9] },
  { definition: { type: Number, required: true, pad: 2 }, modifiers: '', values: [0, 10, 99] },
  { definition: { type: Number, required: true }, modifiers: ':pad(2):desc', values: [0, 10] },
  {
    definition: { type: Number, required: true, encode: true },
    modifiers: '',
    values: [0, 5, -12.5, 1e-130, 9e125],
  },
  {
    definition: { type: Date, required: true },
    modifiers: '',
    values: [new Date(0), new Date('2024-02-29T23:59:59.999Z'), new Date('0000-01-01')],
  },
  {
    definition: { type: Date, required: true },
    modifiers: ':desc',
    values: [new Date(0), new Date('9999-12-31T23:59:59.999Z'), new Date('0000-01-01')],
  },
  ...['year', 'month', 'day', 'hour', 'minute'].map((unit) => ({
    definition: { type: Date, required: true },
    modifiers: `:${unit}`,
    values: [new Date('2024-02-29'), new Date('1900-12-31T10:30:00Z')],
  })),
]
const PATH: Kind = {
  definition: { type: Array, items: { type: String }, required: true },
  modifiers: '',
  values: [['a'], ['a', 'b'], ['b', '0', 'A']],
}
const SHARD_COUNTS = [1, 2, 3, 10, 12]

interface Case {
  readonly source: string
  readonly template: KeyTemplate
  readonly language: Language
  readonly values: TemplateValues
  /** Keys that the library renders. */
  readonly keys: readonly string[]
}

const piece = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('#', '#', '##', '::', 'a', 'b#', 'A', '0', '1', '$', '#a'),
  },
  { weight: 3, arbitrary: fc.nat(KINDS.length - 1) },
  // Any text meets most.
  { weight: 2, arbitrary: fc.constant(0) },
)

const parts = {
  pieces: fc.array(piece, { minLength: 1, maxLength: 5 }),
  withPath: fc.boolean(),
  shard: fc.option(fc.constantFrom(...SHARD_COUNTS), { nil: undefined }),
  separator: fc.constantFrom('#', '#', '#', '::', '##'),
}

const cases = fc
  .record(parts)
  .map(makeCase)
  .filter((made) => made !== undefined)

/** Two of one schema; the second has often the pieces of the first, with one of them replaced, so
 * that they meet now and then. */
const pairs = fc
  .record({
    ...parts,
    others: fc.option(parts.pieces, { nil: undefined, freq: 1 }),
    at: fc.nat(4),
    instead: piece,
    otherPath: fc.constantFrom(true, false, undefined, undefined, undefined),
  })
  .map(({ others, at, instead, otherPath, ...first }) => {
    const pieces = others ?? first.pieces.with(at % first.pieces.length, instead)
    return [
      makeCase(first),
      makeCase({ ...first, pieces, withPath: otherPath ?? first.withPath }),
    ] as const
  })
  .filter((pair): pair is readonly [Case, Case] => pair.every((made) => made !== undefined))

function makeCase(given: {
  readonly pieces: readonly (string | number)[]
  readonly withPath: boolean
  readonly shard: number | undefined
  readonly separator: string
}): Case | undefined {
  const { separator } = given
  const attributes = new Map<string, AttributeDefinition>([['id', text]])
  const samples = new Map<string, readonly unknown[]>([['id', ['x', 'y']]])
  const add = (kind: Kind): string => {
    const name = `v${attributes.size}`
    attributes.set(name, kind.definition)
    samples.set(name, kind.values)
    return `\${${name}${kind.modifiers}}`
  }
  const body = given.pieces.map((each) => {
    const kind = typeof each === 'number' ? KINDS[each] : undefined
    return kind ? add(kind) : each
  })
  if (given.shard !== undefined) body.push(separator, '${shard}')
  if (given.withPath) body.push(separator, add(PATH))
  const source = body.join('')
  try {
    const schema = compileSchema({
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        One: {
          key: { pk: source, sk: 'S${id}' },
          attributes: Object.fromEntries(attributes),
          ...(given.shard !== undefined && { shard: { count: given.shard } }),
        },
      },
      params: { separator },
    })
    const template = schema.models.get('One')?.primary.hash[0]?.template
    if (template === undefined) return undefined
    const values: TemplateValues = {
      attributes,
      separator,
      shard: given.shard === undefined ? undefined : { name: 'shard', count: given.shard },
    }
    const keys = Array.from({ length: 6 }, (_, at) =>
      template.render(
        Object.fromEntries(
          [...samples].map(([name, list], place) => [name, list[(at + place) % list.length]]),
        ),
      ),
    ).filter((key) => key !== undefined)
    return {
      source,
      template,
      language: templateStrings(readTemplate(source), values),
      values,
      keys,
    }
  } catch {
    // The library refuses many templates that are generated so.
    return undefined
  }
}

/** Keys with a letter more, less or another. */
function damaged(keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => {
    const letters = [...key]
    return letters.flatMap((letter, at) => {
      const [before, after] = [letters.slice(0, at).join(''), letters.slice(at + 1).join('')]
      return [before + after, `${before}9${after}`, `${before}#${letter}${after}`]
    })
  })
}

const matches = ({ template }: Case, key: string): boolean => template.match(key) !== undefined

test(
  'a template has just the strings that the library takes for its keys',
  () => {
    fc.assert(
      fc.property(cases, (one) => {
        const strings = [
          ...SHORT_STRINGS.filter((_, at) => at % 60 === 0),
          ...one.keys,
          ...damaged(one.keys),
        ]
        for (const key of strings) {
          if (canMeet(literal(key), one.language) !== matches(one, key)) {
            expect.fail(
              `${one.source}: the algebra and the library differ on ${JSON.stringify(key)}`,
            )
          }
        }
      }),
      parameters,
    )
  },
  TIMEOUT_MS,
)

test(
  'two templates have a text in common just when force finds one, and the shortest is given',
  () => {
    let meeting = 0
    fc.assert(
      fc.property(pairs, ([one, other]) => {
        const found = commonText(one.language, other.language)
        const strings = [...SHORT_STRINGS, ...one.keys, ...other.keys, ...damaged(one.keys)]
        const common = strings.filter((key) => matches(one, key) && matches(other, key))
        expectShortest(found, common, (key) => matches(one, key) && matches(other, key))
        if (found !== undefined) meeting++
      }),
      parameters,
    )
    expect(meeting).toBeGreaterThan(numRuns / 20)
  },
  TIMEOUT_MS,
)

test(
  'what begins as a template does is found just when force finds it',
  () => {
    fc.assert(
      fc.property(pairs, fc.nat(5), ([one, other], cut) => {
        const { parts } = readTemplate(one.source)
        const names = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.name]))
        const fixed = names.slice(0, cut)
        const open = parts.findIndex(
          (part) => typeof part !== 'string' && !fixed.includes(part.name),
        )
        if (open < 0) return
        const head = headOf(one, open)
        if (head === undefined) return
        const begins = (key: string): boolean =>
          head === ''
            ? true
            : [...key].some((_, at) => head.match([...key].slice(0, at + 1).join('')) !== undefined)
        const reach = reachOf(readTemplate(one.source), fixed, one.values)
        const isCommon = (key: string): boolean => matches(other, key) && begins(key)
        const strings = [
          ...SHORT_STRINGS.filter((_, at) => at % 5 === 0),
          ...one.keys,
          ...other.keys,
        ]
        expectShortest(commonText(reach, other.language), strings.filter(isCommon), isCommon)
      }),
      parameters,
    )
  },
  TIMEOUT_MS,
)

test(
  'a range of keys has a key of a template just when force finds one',
  () => {
    const bound = fc.oneof(
      fc.array(fc.constantFrom(...LETTERS, '\u{10ffff}', '😀', '\uffff', '\0'), { maxLength: 4 }),
      fc.constantFrom('2024-02', '2024-02-29T', 'true', '0').map((each) => [...each]),
    )
    const bounds = fc.record({
      low: fc.option(
        bound.map((letters) => letters.join('')),
        { nil: undefined },
      ),
      high: fc.option(
        bound.map((letters) => letters.join('')),
        { nil: undefined },
      ),
    })
    let hits = 0
    fc.assert(
      fc.property(cases, bounds, (one, { low, high }) => {
        const isCommon = (key: string): boolean =>
          matches(one, key) &&
          (low === undefined || compareUtf8(low, key) <= 0) &&
          (high === undefined || compareUtf8(key, high) <= 0)
        const found = commonText(stringsBetween({ low, high }), one.language)
        expectShortest(
          found,
          [...SHORT_STRINGS, ...one.keys, ...damaged(one.keys)].filter(isCommon),
          isCommon,
        )
        if (found !== undefined) hits++
      }),
      parameters,
    )
    expect(hits).toBeGreaterThan(numRuns / 20)
  },
  TIMEOUT_MS,
)

test(
  'a range has just the strings between its ends',
  () => {
    const strings = fc.string({
      unit: fc.constantFrom('a', 'b', '#', '😀', '\uffff'),
      maxLength: 3,
    })
    fc.assert(
      fc.property(strings, strings, strings, (low, high, key) => {
        const isBetween = compareUtf8(low, key) <= 0 && compareUtf8(key, high) <= 0
        expect(canMeet(stringsBetween({ low, high }), literal(key))).toBe(isBetween)
        expect(canMeet(stringsBetween({ low }), literal(key))).toBe(compareUtf8(low, key) <= 0)
        expect(canMeet(stringsBetween({ high }), literal(key))).toBe(compareUtf8(key, high) <= 0)
        expect(canMeet(beginningWith(literal(low)), literal(key))).toBe(key.startsWith(low))
      }),
      { ...parameters, numRuns: numRuns * 10 },
    )
  },
  TIMEOUT_MS,
)

/** What was found must be common, and no longer than what force found; where force found something,
 * it must have been found. */
function expectShortest(
  found: string | undefined,
  common: readonly string[],
  isCommon: (key: string) => boolean,
): void {
  const shortest = Math.min(...common.map((key) => [...key].length))
  if (found === undefined) expect(common).toEqual([])
  else {
    if (!isCommon(found)) expect.fail(`${JSON.stringify(found)} is not common`)
    expect([...found].length).toBeLessThanOrEqual(shortest)
  }
}

/** The library's own template of the parts before a place; empty text, if there are none. */
function headOf(one: Case, open: number): KeyTemplate | '' | undefined {
  const bodies = one.source.split(/(\$\{[^}]*\})/).filter((body) => body !== '')
  const source = bodies.slice(0, open).join('')
  if (source === '') return ''
  try {
    const schema = compileSchema({
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        One: {
          key: { pk: source, sk: 'S${id}' },
          attributes: Object.fromEntries(one.values.attributes),
          ...(source.includes('${shard}') && { shard: { count: one.values.shard?.count ?? 1 } }),
        },
      },
      params: { separator: one.values.separator },
    })
    return schema.models.get('One')?.primary.hash[0]?.template
  } catch {
    return undefined
  }
}
