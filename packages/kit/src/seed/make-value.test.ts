import { type } from 'arktype'
import { type AttributeDefinition, compileSchema } from 'singletable/tools'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { makeValue, UnseedableError } from './make-value.ts'
import { createRandom, seededEnvironment } from './seeded-random.ts'

/** Values for an attribute of a user, some after each other. */
function valuesFor(
  definition: AttributeDefinition,
  { name = 'extra', count = 20, isOwnKey = false, key = '' } = {},
): readonly unknown[] {
  const { models } = compileSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      User: {
        key: { pk: 'USER#${id}', sk: 'USER' },
        attributes: { id: { type: String, required: true }, [name]: definition },
        ...(key !== '' && { copies: { Other: { key: { pk: key, sk: '${id}' } } } }),
      },
    },
  })
  const model = models.get('User')!
  const random = createRandom(1)
  const environment = seededEnvironment(random)
  return Array.from({ length: count }, (_, at) =>
    makeValue(model.attributes.get(name)!, {
      model,
      random,
      environment,
      number: at + 1,
      isOwnKey,
    }),
  )
}

const isWhole = (low: number, high: number) => (value: number) =>
  Number.isInteger(value) && value >= low && value <= high

test.each<[string, AttributeDefinition]>([
  ['numbers of 1 to 5', { type: Number, validate: (x: number) => x >= 1 && x <= 5 }],
  ['bounds that the source does not name', { type: Number, validate: isWhole(17, 23) }],
  ['steps', { type: Number, validate: (x: number) => x >= 5 && x <= 50 && x % 5 === 0 }],
  ['negative numbers', { type: Number, validate: (x: number) => x < -100 }],
  ['a pattern', { type: String, validate: /^[A-Z]{2}-[0-9]{4}$/ }],
  ['a pattern with choices', { type: String, validate: /^(?:EU|US)_(\w{3}|\d+)[^a-z]?$/ }],
  ['a long pattern', { type: String, validate: /^AA-\d{17}$/ }],
  ['a pattern in a function', { type: String, validate: (x: string) => /^x\d{3}y$/.test(x) }],
  ['one of some strings', { type: String, validate: (x: string) => ['on', 'off'].includes(x) }],
  ['the beginning of a text', { type: String, validate: (x: string) => x.startsWith('urn:') }],
  ['a length', { type: String, validate: (x: string) => x.length === 13 }],
  ['few bytes', { type: String, maxBytes: 2 }],
  ['a decimal', { type: 'decimal', validate: (x: string) => Number(x) > 0 && Number(x) < 1 }],
  ['a bigint', { type: BigInt, validate: (x: bigint) => x > 1_000_000n }],
  ['a past time', { type: Date, validate: (x: Date) => x.getUTCFullYear() < 2001 }],
  [
    'a list of few',
    { type: Array, items: { type: String }, validate: (x: string[]) => x.length === 2 },
  ],
  [
    'a member of an object',
    {
      type: Object,
      schema: { stars: { type: Number, required: true, validate: isWhole(1, 5) } },
    },
  ],
  ['examples', { type: String, examples: ['one'], validate: (x: string) => x.length === 3 }],
  ['zod: a number', { type: Number, validate: z.number().int().min(41).max(43) }],
  ['zod: an email', { type: String, validate: z.email() }],
  ['zod: an enum', { type: String, validate: z.enum(['a', 'b']) }],
  [
    'zod: an object',
    {
      type: Object,
      validate: z.object({ city: z.string().min(3), zip: z.string().regex(/^\d{5}$/) }),
    },
  ],
  ['arktype', { type: Number, validate: type('7001 <= number.integer <= 7003') }],
  ['valibot', { type: Number, validate: v.pipe(v.number(), v.minValue(7001), v.maxValue(7003)) }],
  ['valibot: a choice', { type: String, validate: v.picklist(['north', 'south']) }],
])('a value is found for %s', (_, definition) => {
  expect(valuesFor(definition)).toHaveLength(20)
})

test('values are what names suggest', () => {
  const some = (definition: AttributeDefinition, name: string): readonly unknown[] =>
    valuesFor(definition, { name })
  for (const name of ['name', 'riderName']) {
    for (const each of some({ type: String }, name)) expect(each).toMatch(/^[A-Z]\w+ [A-Z]\w+$/)
  }
  for (const each of some({ type: String }, 'email')) expect(each).toMatch(/^\w+@example\.com$/)
  for (const each of some({ type: Number }, 'price')) {
    expect(Number(each) * 100).toBeCloseTo(Math.round(Number(each) * 100))
    expect(Number(each)).toBeGreaterThan(0)
  }
  for (const each of some({ type: 'decimal' }, 'total')) expect(each).toMatch(/^\d+\.\d\d$/)
  for (const each of some({ type: Number }, 'latitude')) {
    expect(Math.abs(Number(each))).toBeLessThan(90)
    expect(Number.isInteger(each)).toBe(false)
  }
  for (const each of some({ type: String }, 'createdDate'))
    expect(each).toMatch(/^\d{4}-\d\d-\d\d$/)
  for (const each of some({ type: Date, ttl: true }, 'expiresAt')) {
    expect((each as Date).getTime()).toBeGreaterThan(Date.UTC(2090, 0, 1))
  }
})

test('values for a key differ', () => {
  const plates = valuesFor(
    { type: String, required: true, validate: /^[A-Z]{2}-[0-9]{4}$/ },
    { isOwnKey: true },
  )
  expect(new Set(plates).size).toBe(20)
  const numbers = valuesFor({ type: Number, required: true }, { isOwnKey: true })
  expect(new Set(numbers).size).toBe(20)
})

test('text is a time where a key has a bucket of it, also the key of a copy', () => {
  for (const each of valuesFor({ type: String }, { key: 'DAY#${extra:day}' })) {
    expect(each).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
  }
})

test('a default is used where nothing is found', () => {
  const given = '2026-02-03T04:05:06.000Z'
  const hidden = given.split('').join('')
  const validate = (value: string): boolean => value === hidden
  expect(valuesFor({ type: String, default: given, validate })).toContain(given)
  expect(() => valuesFor({ type: String, validate: () => false })).toThrow(UnseedableError)
})
