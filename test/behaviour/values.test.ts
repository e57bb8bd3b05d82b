import { Decimal, defineSchema, type Table } from 'singletable'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'

/** Values of every type, there and back, exactly. */

const attributes = {
  id: { type: String, required: true },
  text: { type: String },
  number: { type: Number },
  flag: { type: Boolean },
  date: { type: Date },
  big: { type: BigInt },
  money: { type: 'decimal' },
  bytes: { type: Uint8Array },
  strings: { type: Set, items: { type: String } },
  numbers: { type: Set, items: { type: Number } },
  bigs: { type: Set, items: { type: BigInt } },
  blobs: { type: Set, items: { type: Uint8Array } },
  list: { type: Array, items: { type: Date } },
  table: { type: Array, items: { type: Array, items: { type: Number } } },
  map: {
    type: Object,
    schema: {
      name: { type: String, required: true },
      at: { type: Date },
      inner: { type: Object, schema: { flags: { type: Set, items: { type: String } } } },
    },
  },
  nullable: { type: String, nulls: true },
  nullables: { type: Array, items: { type: Number, nulls: true } },
  freeMap: { type: Object },
  freeList: { type: Array },
  any: { type: 'any' },
} as const

const model = (attributesOfModel: typeof attributes) => ({
  indexes: { primary: { hash: 'pk' } } as const,
  models: { Thing: { key: { pk: 'THING#${id}' }, attributes: attributesOfModel } },
})
const IsoSchema = defineSchema(model(attributes))
const EpochSchema = defineSchema({ ...model(attributes), params: { isoDates: false } })

type Thing = Parameters<Table<typeof IsoSchema>['entities']['Thing']['put']>[0]
const bytes = (...list: number[]): Uint8Array => new Uint8Array(list)

const values: readonly (readonly [string, Omit<Thing, 'id'>])[] = [
  ['a text', { text: 'Grüße, 世界 👋' }],
  ['an empty text', { text: '' }],
  ['a text of control characters and lone separators', { text: '\u0000#\n$' }],
  ['a whole number', { number: 42 }],
  ['zero and negative numbers', { number: -17.25 }],
  ['the greatest safe integer', { number: Number.MAX_SAFE_INTEGER }],
  ['a number of 17 digits', { number: 0.1 + 0.2 }],
  ['a very small number', { number: 1e-130 }],
  ['a large number with a fraction', { number: 123_456_789_012.000_1 }],
  ['true', { flag: true }],
  ['false', { flag: false }],
  ['a date', { date: new Date('2026-02-28T23:59:59.999Z') }],
  ['a date before 1970', { date: new Date('1912-06-23T00:00:00.000Z') }],
  ['a bigint of 38 digits', { big: 99_999_999_999_999_999_999_999_999_999_999_999_999n }],
  ['a negative bigint', { big: -(2n ** 100n) }],
  ['a decimal', { money: '1234567890123456789012345678.9012345678' }],
  ['bytes', { bytes: bytes(0, 127, 128, 255) }],
  ['no bytes', { bytes: bytes() }],
  ['a set of strings', { strings: new Set(['b', 'a', 'ü']) }],
  ['a set of numbers', { numbers: new Set([3, -1.5, 0]) }],
  ['a set of bigints', { bigs: new Set([2n ** 70n, 1n]) }],
  ['a set of bytes', { blobs: new Set([bytes(1), bytes(2, 3)]) }],
  ['a list of dates', { list: [new Date('2026-01-01T00:00:00.000Z'), new Date(0)] }],
  ['an empty list', { list: [] }],
  ['a list of lists', { table: [[1, 2], [], [3]] }],
  [
    'a map with a map and a set',
    { map: { name: 'x', at: new Date(1), inner: { flags: new Set(['on']) } } },
  ],
  ['a map without its optional members', { map: { name: '' } }],
  ['null where it is allowed', { nullable: null }],
  ['null in a list where it is allowed', { nullables: [1, null, 3] }],
  ['an undeclared map', { freeMap: { a: 1, b: { c: ['x', null, true] }, e: {} } }],
  ['an undeclared list', { freeList: ['x', 1, null, [false], { a: bytes(1) }] }],
  ['anything: a text', { any: 'text' }],
  ['anything: null', { any: null }],
  ['anything: a large integer', { any: 2n ** 90n }],
  ['anything: sets', { any: [new Set(['a']), new Set([1, 2]), new Set([bytes(9)])] }],
  ['anything: names that objects inherit', { any: { constructor: 'x', toString: 1 } }],
]

onEachTarget((target) => {
  let iso: Table<typeof IsoSchema>
  let epoch: Table<typeof EpochSchema>
  beforeAll(async () => {
    iso = await target.table(IsoSchema)
    epoch = await target.table(EpochSchema)
  })

  test.each(values)('%s', async (name, value) => {
    const thing = { id: name.replaceAll(/\W/g, '-'), ...value }
    for (const { Thing } of [iso.entities, epoch.entities]) {
      expect(await Thing.put(thing).execute()).toEqual(thing)
      expect(await Thing.get(thing).execute()).toEqual(thing)
      const [found] = await Thing.scan()
        .where((attr, op) => op.eq(attr.id, thing.id))
        .execute()
      expect(found).toEqual(thing)
      // The same by an update of an item that has nothing yet.
      await Thing.put({ id: thing.id }).execute()
      expect(await Thing.update(thing).set(value).execute()).toEqual(thing)
    }
  })

  test('decimals are given in their shortest form', async () => {
    const { Thing } = iso.entities
    await Thing.put({ id: 'd', money: '+0012.3400' }).execute()
    expect((await Thing.get({ id: 'd' }).execute())?.money).toBe('12.34')
  })

  test('minus zero is zero', async () => {
    const { Thing } = iso.entities
    await Thing.put({ id: 'z', number: -0 }).execute()
    expect((await Thing.get({ id: 'z' }).execute())?.number).toBe(0)
  })

  test('an undeclared decimal that no double can hold is given as a Decimal, and can be written back', async () => {
    const { Thing } = iso.entities
    await Thing.put({ id: 'e', money: '0.12345678901234567890123' }).execute()
    const adopted = await target.table({
      indexes: { primary: { hash: 'pk' } },
      models: {
        Thing: {
          key: { pk: 'THING#${id}' },
          attributes: { id: { type: String, required: true }, money: { type: 'any' } },
        },
      },
    })
    const money = new Decimal('0.12345678901234567890123')
    await adopted.entities.Thing.put({ id: 'e', money }).execute()
    const found = await adopted.entities.Thing.get({ id: 'e' }).execute()
    expect(found?.money).toBeInstanceOf(Decimal)
    expect(String(found?.money)).toBe('0.12345678901234567890123')
    await adopted.entities.Thing.put({ id: 'f', money: found?.money }).execute()
    expect(String((await adopted.entities.Thing.get({ id: 'f' }).execute())?.money)).toBe(
      '0.12345678901234567890123',
    )
  })

  test('dates are stored as ISO strings, or as epoch milliseconds when asked', async () => {
    const date = new Date('2026-02-03T04:05:06.007Z')
    const thing = { id: 'x', date, list: [date] }
    expect(iso.entities.Thing.put(thing).dbParams().Item).toMatchObject({
      date: '2026-02-03T04:05:06.007Z',
      list: ['2026-02-03T04:05:06.007Z'],
    })
    expect(epoch.entities.Thing.put(thing).dbParams().Item).toMatchObject({
      date: date.getTime(),
      list: [date.getTime()],
    })
  })

  test('dates compare as times in both forms', async () => {
    const early = new Date('1969-12-31T23:59:59.000Z')
    const late = new Date('2026-01-01T00:00:00.000Z')
    for (const { Thing } of [iso.entities, epoch.entities]) {
      await Thing.batchWrite([
        { id: 'early', date: early },
        { id: 'late', date: late },
      ]).execute()
      const found = await Thing.scan()
        .where((attr, op) => op.and(op.gt(attr.date, early), op.beginsWith(attr.id, 'l')))
        .execute()
      expect(found.map(({ id }) => id)).toEqual(['late'])
    }
  })

  test('undefined is as not given', async () => {
    const { Thing } = iso.entities
    const given = { id: 'u', text: undefined, map: { name: 'x', at: undefined } }
    expect(await Thing.put(given).execute()).toEqual({ id: 'u', map: { name: 'x' } })
    expect(await Thing.get({ id: 'u' }).execute()).toEqual({ id: 'u', map: { name: 'x' } })
  })

  describe('refused before anything is sent, in put and in set', () => {
    class Point {
      x = 1
    }
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    let deep: unknown = 1
    for (let depth = 0; depth < 40; depth++) deep = [deep]
    const wrong: readonly (readonly [string, object])[] = [
      ['NaN', { number: Number.NaN }],
      ['infinity', { number: Number.POSITIVE_INFINITY }],
      ['an integer that is not safe', { number: 2 ** 53 }],
      ['a number of which only the leading digits are exact', { number: 1.5e125 }],
      ['a bigint of 39 digits', { big: 10n ** 38n + 1n }],
      ['a decimal of 39 digits', { money: '1.23456789012345678901234567890123456789' }],
      ['a string that is not a decimal', { money: '12,5' }],
      ['an invalid date', { date: new Date(Number.NaN) }],
      ['a date as a text', { date: '2026-01-01' }],
      ['null where it is not allowed', { text: null }],
      ['null in a list', { list: [null] }],
      ['undefined in a list', { nullables: [undefined] }],
      ['an empty set', { strings: new Set() }],
      ['a set with a member of another type', { strings: new Set(['a', 1]) }],
      ['a list for a set', { strings: ['a'] }],
      ['an unknown member of a map', { map: { name: 'x', nmae: 'y' } }],
      ['a map without a required member', { map: {} }],
      ['a Map', { freeMap: new Map() }],
      ['an object of a class', { any: new Point() }],
      ['a date where anything is allowed', { any: new Date() }],
      ['a function', { any: () => 1 }],
      ['a symbol', { any: Symbol('x') }],
      ['undefined in an undeclared list', { any: [undefined] }],
      // biome-ignore lint/suspicious/noSparseArray: this is what is refused.
      ['a list with holes', { freeList: [1, , 2] }],
      ['a cycle', { any: cycle }],
      ['more than 32 levels', { any: deep }],
      ['an empty set where anything is allowed', { any: new Set() }],
      ['a value that is not a number', { number: '1' }],
      ['a value that is not a string', { text: 1 }],
    ]
    test.each(wrong)('%s', async (_, value) => {
      const { Thing } = iso.entities
      const [name] = Object.keys(value)
      const error = await failureOf(() => Thing.put({ id: 'w', ...value } as never).execute())
      expect(error.code).toBe('INPUT_INVALID')
      expect(error.issues).toHaveLength(1)
      expect((error.issues as { path: unknown[] }[])[0]?.path[0]).toBe(name)
      expect(
        await codeOf(() =>
          Thing.update({ id: 'w' })
            .set(value as never)
            .execute(),
        ),
      ).toBe('INPUT_INVALID')
      expect(await Thing.get({ id: 'w' }).execute()).toBeUndefined()
    })
  })

  test('a stored value that does not fit its type is a DecodeError with the key', async () => {
    const other = await target.table({
      indexes: { primary: { hash: 'pk' } },
      models: {
        Thing: {
          key: { pk: 'THING#${id}' },
          attributes: { id: { type: String, required: true }, number: { type: 'any' } },
        },
      },
    })
    await other.entities.Thing.put({ id: '1', number: 'seven' }).execute()
    await other.entities.Thing.put({ id: '2', number: 2n ** 60n + 1n }).execute()
    const { Table: TableClass } = await import('singletable')
    const { Thing } = new TableClass({
      name: other.name,
      client: target.client,
      schema: IsoSchema,
    }).entities
    const error = await failureOf(() => Thing.get({ id: '1' }).execute())
    expect(error.code).toBe('DECODE_FAILED')
    expect(error.message).toContain('THING#1')
    expect(error.message).toContain('number')
    const large = await failureOf(() => Thing.get({ id: '2' }).execute())
    expect(large.code).toBe('DECODE_FAILED')
    expect(large.message).toContain('BigInt')
  })
})
