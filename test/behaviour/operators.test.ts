import { defineSchema, type Table } from 'singletable'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'

/** Every operator, in the filter of a query, in a scan and in the condition of a write: the same
 * items each time. */

const PeopleSchema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Person: {
      key: { pk: 'GROUP#${group}', sk: 'PERSON#${id}' },
      attributes: {
        group: { type: String, required: true },
        id: { type: String, required: true },
        // Words that DynamoDB reserves, so that names must never be in expressions as they are.
        name: { type: String },
        limit: { type: Number },
        age: { type: Number },
        active: { type: Boolean },
        born: { type: Date },
        big: { type: BigInt },
        price: { type: 'decimal' },
        blob: { type: Uint8Array },
        note: { type: String, nulls: true },
        tags: { type: Array, items: { type: String } },
        roles: { type: Set, items: { type: String } },
        lucky: { type: Set, items: { type: Number } },
        address: {
          type: Object,
          schema: {
            city: { type: String, required: true },
            zip: { type: String },
            geo: { type: Object, schema: { lat: { type: Number } } },
          },
        },
        extra: { type: 'any' },
      },
    },
  },
})

type People = Table<typeof PeopleSchema>
type Where = Parameters<ReturnType<People['entities']['Person']['scan']>['where']>[0]

const people = [
  {
    group: 'g',
    id: 'a',
    name: 'Ann',
    age: 30,
    limit: 40,
    active: true,
    born: new Date('1990-05-01T00:00:00.000Z'),
    big: 10n ** 20n,
    price: '1.10',
    blob: new Uint8Array([1, 2, 3]),
    note: null,
    tags: ['x', 'y'],
    roles: new Set(['admin', 'user']),
    lucky: new Set([1, 2]),
    address: { city: 'Rome', zip: '1', geo: { lat: 1.5 } },
    extra: { deep: [{ k: 1 }] },
  },
  {
    group: 'g',
    id: 'b',
    name: 'Bob',
    age: 40,
    limit: 40,
    active: false,
    born: new Date('2000-05-01T00:00:00.000Z'),
    big: 1n,
    price: '2',
    note: 'hello',
    tags: ['y'],
    roles: new Set(['user']),
    address: { city: 'Oslo' },
    extra: 'text',
  },
  { group: 'g', id: 'c', name: 'annika', age: 25, limit: 10 },
  { group: 'g', id: 'd' },
] as const satisfies readonly Parameters<People['entities']['Person']['put']>[0][]

const cases: readonly (readonly [name: string, where: Where, ids: string])[] = [
  ['eq on a text', (attr, op) => op.eq(attr.name, 'Ann'), 'a'],
  ['eq on a number', (attr, op) => op.eq(attr.age, 40), 'b'],
  ['eq on a boolean', (attr, op) => op.eq(attr.active, false), 'b'],
  ['eq on a date', (attr, op) => op.eq(attr.born, new Date('1990-05-01T00:00:00.000Z')), 'a'],
  ['eq on a bigint', (attr, op) => op.eq(attr.big, 10n ** 20n), 'a'],
  ['eq on a decimal, by value and not by digits', (attr, op) => op.eq(attr.price, '1.1'), 'a'],
  ['eq on bytes', (attr, op) => op.eq(attr.blob, new Uint8Array([1, 2, 3])), 'a'],
  ['eq on null', (attr, op) => op.eq(attr.note, null), 'a'],
  ['eq on a map', (attr, op) => op.eq(attr.address, { city: 'Oslo' }), 'b'],
  ['eq on a list', (attr, op) => op.eq(attr.tags, ['x', 'y']), 'a'],
  ['eq on a set, in any order', (attr, op) => op.eq(attr.roles, new Set(['user', 'admin'])), 'a'],
  [
    'ne, which holds where there is no such attribute',
    (attr, op) => op.ne(attr.name, 'Ann'),
    'bcd',
  ],
  ['lt on a number', (attr, op) => op.lt(attr.age, 30), 'c'],
  ['lte on a number', (attr, op) => op.lte(attr.age, 30), 'ac'],
  ['gt on a number', (attr, op) => op.gt(attr.age, 30), 'b'],
  ['gte on a number', (attr, op) => op.gte(attr.age, 30), 'ab'],
  ['lt on a text, by its bytes', (attr, op) => op.lt(attr.name, 'Bob'), 'a'],
  ['lt on a date', (attr, op) => op.lt(attr.born, new Date('1999-12-31')), 'a'],
  ['gt on a bigint', (attr, op) => op.gt(attr.big, 2n ** 64n), 'a'],
  ['gt on a decimal', (attr, op) => op.gt(attr.price, '1.2'), 'b'],
  ['gte on bytes', (attr, op) => op.gte(attr.blob, new Uint8Array([1, 2])), 'a'],
  ['between, both ends included', (attr, op) => op.between(attr.age, 25, 30), 'ac'],
  ['in', (attr, op) => op.in(attr.name, ['Ann', 'Bob', 'Carl']), 'ab'],
  ['in with one value', (attr, op) => op.in(attr.age, [25]), 'c'],
  ['beginsWith on a text', (attr, op) => op.beginsWith(attr.name, 'An'), 'a'],
  ['contains a part of a text', (attr, op) => op.contains(attr.name, 'nn'), 'ac'],
  ['contains an element of a list', (attr, op) => op.contains(attr.tags, 'y'), 'ab'],
  ['contains a member of a set of strings', (attr, op) => op.contains(attr.roles, 'admin'), 'a'],
  ['contains a member of a set of numbers', (attr, op) => op.contains(attr.lucky, 2), 'a'],
  ['exists', (attr, op) => op.exists(attr.address), 'ab'],
  ['exists of a member', (attr, op) => op.exists(attr.address.zip), 'a'],
  ['exists of an attribute that is null', (attr, op) => op.exists(attr.note), 'ab'],
  ['notExists', (attr, op) => op.notExists(attr.address), 'cd'],
  ['attributeType of a null', (attr, op) => op.attributeType(attr.note, 'NULL'), 'a'],
  ['attributeType of what may be anything', (attr, op) => op.attributeType(attr.extra, 'S'), 'b'],
  ['size of a text', (attr, op) => op.size(attr.name).gt(3), 'c'],
  ['size of a list', (attr, op) => op.size(attr.tags).eq(2), 'a'],
  ['size of a set', (attr, op) => op.size(attr.roles).between(1, 1), 'b'],
  ['size of bytes', (attr, op) => op.size(attr.blob).gte(3), 'a'],
  ['size of a map', (attr, op) => op.size(attr.address).in([1, 2]), 'b'],
  ['size as an operand', (attr, op) => op.eq(op.size(attr.name), 3), 'ab'],
  ['size compared with an attribute', (attr, op) => op.lt(op.size(attr.name), attr.limit), 'abc'],
  [
    'and',
    (attr, op) => op.and(op.gt(attr.age, 20), op.lt(attr.age, 40), op.exists(attr.roles)),
    'a',
  ],
  ['or', (attr, op) => op.or(op.eq(attr.id, 'd'), op.eq(attr.age, 25)), 'cd'],
  ['not', (attr, op) => op.not(op.eq(attr.active, true)), 'bcd'],
  [
    'and, or and not together, each in its brackets',
    (attr, op) =>
      op.and(
        op.or(op.eq(attr.age, 30), op.eq(attr.age, 40)),
        op.not(op.or(op.eq(attr.name, 'Ann'), op.eq(attr.name, 'annika'))),
      ),
    'b',
  ],
  ['a member of a map', (attr, op) => op.eq(attr.address.city, 'Rome'), 'a'],
  ['a member of a map in a map', (attr, op) => op.gt(attr.address.geo.lat, 1), 'a'],
  ['an element of a list', (attr, op) => op.eq(attr.tags[0], 'y'), 'b'],
  ['places in what may be anything', (attr, op) => op.eq(attr.extra.deep[0].k, 1), 'a'],
  ['eq of two attributes', (attr, op) => op.eq(attr.age, attr.limit), 'b'],
  ['lt of two attributes', (attr, op) => op.lt(attr.age, attr.limit), 'a'],
  ['between an attribute and a value', (attr, op) => op.between(attr.limit, attr.age, 45), 'ab'],
  ['in with an attribute and a value', (attr, op) => op.in(attr.age, [attr.limit, 25]), 'bc'],
]

onEachTarget((target) => {
  let table: People
  beforeAll(async () => {
    table = await target.table(PeopleSchema)
    await table.entities.Person.batchWrite(people).execute()
  })

  test.each(cases)('%s', async (_, where, expected) => {
    const { Person } = table.entities
    const ids = (found: readonly { readonly id: string }[]): string =>
      found
        .map((person) => person.id)
        .sort()
        .join('')
    expect(ids(await Person.query({ group: 'g' }).where(where).execute())).toBe(expected)
    expect(ids(await Person.scan().where(where).execute())).toBe(expected)
    const written = await Promise.all(
      people.map((person) =>
        Person.put(person)
          .where(where)
          .execute()
          .then(
            () => [person],
            (error) => {
              expect(error.code).toBe('CONDITION_FAILED')
              return []
            },
          ),
      ),
    )
    expect(ids(written.flat())).toBe(expected)
  })

  test('several where() must all hold', async () => {
    const found = await table.entities.Person.query({ group: 'g' })
      .where((attr, op) => op.gte(attr.age, 30))
      .where((attr, op) => op.eq(attr.active, true))
      .execute()
    expect(found.map((person) => person.id)).toEqual(['a'])
  })

  describe('refused before anything is sent', () => {
    const untyped = (references: object) => references as { nmae: never; town: never }
    // Casts are where the types would refuse what callers without types can write.
    const wrong: readonly (readonly [string, Where])[] = [
      ['undefined as a value', (attr, op) => op.eq(attr.name, undefined as never)],
      ['a value of another type', (attr, op) => op.eq(attr.age, '30' as never)],
      ['an attribute that does not exist', (attr, op) => op.exists(untyped(attr).nmae)],
      ['a member that does not exist', (attr, op) => op.exists(untyped(attr.address).town)],
      ['bounds in the wrong order', (attr, op) => op.between(attr.age, 30, 25)],
      ['an empty list below not', (attr, op) => op.not(op.in(attr.age, []))],
      [
        'more than 100 values',
        (attr, op) =>
          op.in(
            attr.age,
            Array.from({ length: 101 }, (_, i) => i),
          ),
      ],
      ['a beginning of a number', (attr, op) => op.beginsWith(attr.age as never, '3')],
      ['an unknown type tag', (attr, op) => op.attributeType(attr.age, 'NUM' as never)],
      ['a condition that is none', () => true as never],
    ]
    test.each(wrong)('%s', async (_, where) => {
      const { Person } = table.entities
      expect(await codeOf(() => Person.scan().where(where).execute())).toBe('INPUT_INVALID')
      expect(
        await codeOf(() => Person.delete({ group: 'g', id: 'a' }).where(where).execute()),
      ).toBe('INPUT_INVALID')
      expect(await Person.get({ group: 'g', id: 'a' }).execute()).toBeDefined()
    })
  })

  test('data that looks like a reference is data', async () => {
    const forged = { kind: 'reference', name: 'limit', path: ['limit'] }
    const found = table.entities.Person.scan().where((attr, op) => op.eq(attr.extra, forged))
    expect(await found.execute()).toEqual([])
  })
})
