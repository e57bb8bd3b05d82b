import { Decimal, defineSchema } from 'singletable'
import { expect } from 'vitest'
import { type CorpusCase, row } from './corpus-case.ts'
import { failureOf, libraryTable, refuses } from './library-table.ts'

const ThingSchema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Thing: {
      key: { pk: 'THING#${id}' },
      attributes: {
        id: { type: String, required: true },
        number: { type: Number },
        big: { type: BigInt },
        price: { type: 'decimal' },
        list: { type: Array, items: { type: Number } },
        place: { type: Object, schema: { height: { type: Number } } },
        scores: { type: Set, items: { type: Number } },
        names: { type: Set, items: { type: String } },
        bytes: { type: Uint8Array },
        text: { type: String },
        free: { type: 'any' },
      },
    },
  },
})

const id = '1'

/** A value that is refused wherever it is written, before anything is sent. */
const refusedValue = (id: string, name: string, attribute: string, ...values: unknown[]) =>
  row(id, name, async ({ engine }) => {
    const { loose, table, sent } = await libraryTable(engine, ThingSchema)
    const { Thing } = loose
    for (const value of values) {
      const calls = [
        () => Thing.put({ id, [attribute]: value }).execute(),
        () => Thing.create({ id, [attribute]: value }).execute(),
        () =>
          Thing.upsert({ id })
            .set({ [attribute]: value })
            .execute(),
        () =>
          Thing.update({ id })
            .set({ [attribute]: value })
            .execute(),
        () => Thing.update({ id }).set(attribute, value).execute(),
        () =>
          Thing.update({ id })
            .setDefault({ [attribute]: value })
            .execute(),
        () =>
          Thing.update({ id })
            .given({ [attribute]: value })
            .set({ text: 'x' })
            .execute(),
        () => Thing.batchWrite([{ id, [attribute]: value }]).execute(),
        () =>
          table
            .transactWrite()
            .addPut(Thing.put({ id, [attribute]: value }))
            .execute(),
        () =>
          Thing.scan()
            // biome-ignore lint/suspicious/noExplicitAny: the entity is untyped here.
            .where((attr: any, op: any) => op.eq(attr[attribute], value))
            .execute(),
      ]
      for (const call of calls) {
        const error = await refuses(call, 'INPUT_INVALID')
        expect(error.message).toContain(attribute)
      }
    }
    expect(sent).toEqual([])
  })

/** A number that is refused as an attribute, inside one, in a set, in undeclared data and as an
 * addend. */
const refusedNumber = (id: string, name: string, ...numbers: number[]): CorpusCase[] => [
  refusedValue(id, name, 'number', ...numbers),
  refusedValue(id, `${name}, also in a list`, 'list', ...numbers.map((number) => [1, number])),
  refusedValue(
    id,
    `${name}, also in a map`,
    'place',
    ...numbers.map((number) => ({ height: number })),
  ),
  refusedValue(
    id,
    `${name}, also in a set`,
    'scores',
    ...numbers.map((number) => new Set([number])),
  ),
  refusedValue(
    id,
    `${name}, also where nothing is declared`,
    'free',
    ...numbers,
    ...numbers.map((number) => ({ deep: [number] })),
    ...numbers.map((number) => new Set([number])),
  ),
  row(id, `${name}, also to add`, async ({ engine }) => {
    const { loose, sent } = await libraryTable(engine, ThingSchema)
    for (const number of numbers) {
      await refuses(
        () => loose.Thing.update({ id: '1' }).add('number', number).execute(),
        'INPUT_INVALID',
      )
    }
    expect(sent).toEqual([])
  }),
]

function cyclic(): object {
  const list: unknown[] = []
  const map: Record<string, unknown> = { list }
  list.push(map)
  return map
}

function nested(depth: number): unknown {
  let value: unknown = 'end'
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { value }
  return value
}

/** A list of three elements, of which the second is not there. */
function withHole(): number[] {
  const list = [1]
  list[2] = 3
  return list
}

class Point {
  x = 1
}

/** JavaScript values that are not attribute values. */
export const libraryValueCases: readonly CorpusCase[] = [
  ...refusedNumber(
    'N27',
    'a number that need not be the one that was meant is refused',
    2 ** 53,
    -(2 ** 53),
    1e21,
  ),
  ...refusedNumber('N28', 'NaN is refused', Number.NaN),
  ...refusedNumber(
    'N29',
    'Infinity is refused',
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ),
  row('N30', 'a number comes back as it was, in its shortest digits', async ({ engine }) => {
    const { table, items } = await libraryTable(engine, ThingSchema)
    const { Thing } = table.entities
    for (const [number, text] of [
      [0.1 + 0.2, '0.30000000000000004'],
      [0.1, '0.1'],
      [-0, '0'],
      [Number.MAX_SAFE_INTEGER, '9007199254740991'],
      [5e-130, `0.${'0'.repeat(129)}5`],
    ] as const) {
      await Thing.put({ id, number, free: { number } }).execute()
      const [item] = await items()
      expect(item?.number).toEqual({ N: text })
      const read = await Thing.get({ id }).execute()
      expect(read).toEqual({ id, number: number + 0, free: { number: number + 0 } })
    }
  }),
  row('N31', 'digits that no number can hold are kept, and never rounded', async ({ engine }) => {
    const { table, items, store } = await libraryTable(engine, ThingSchema)
    const { Thing } = table.entities
    const digits = '0.1234567890123456789'
    const whole = '12345678901234567890'
    await store({ pk: { S: 'THING#1' }, id: { S: id }, free: { L: [{ N: digits }, { N: whole }] } })
    const read = await Thing.get({ id }).execute()
    const [decimal, integer] = (read?.free ?? []) as unknown[]
    expect(decimal).toBeInstanceOf(Decimal)
    expect(String(decimal)).toBe(digits)
    expect(integer).toBe(BigInt(whole))
    await Thing.put({ id, free: read?.free }).execute()
    expect((await items())[0]?.free).toEqual({ L: [{ N: digits }, { N: whole }] })
    await store({ pk: { S: 'THING#1' }, id: { S: id }, price: { N: digits }, big: { N: whole } })
    expect(await Thing.get({ id }).execute()).toEqual({ id, price: digits, big: BigInt(whole) })
    for (const text of [digits, whole]) {
      await store({ pk: { S: 'THING#1' }, id: { S: id }, number: { N: text } })
      const error = await refuses(() => Thing.get({ id }).execute(), 'DECODE_FAILED')
      expect(error.message).toContain('number')
    }
  }),
  ...refusedNumber(
    'N32',
    'a literal beyond all numbers is refused',
    Number('1e400'),
    1e126,
    1e-131,
  ),

  row('B15', 'of a view on a larger buffer only the view is stored', async ({ engine }) => {
    const { table, items } = await libraryTable(engine, ThingSchema)
    const { Thing } = table.entities
    const whole = Uint8Array.from({ length: 64 }, (_, index) => index)
    for (const view of [
      whole.subarray(8, 11),
      Buffer.from(whole.buffer, 8, 3),
      new Uint8Array(whole.buffer, 8, 3),
    ]) {
      await Thing.put({ id, bytes: view, free: { view, views: new Set([view]) } }).execute()
      const [item] = await items()
      expect(item?.bytes).toEqual({ B: 'CAkK' })
      expect(item?.free).toEqual({ M: { view: { B: 'CAkK' }, views: { BS: ['CAkK'] } } })
      const read = await Thing.get({ id }).execute()
      expect(read?.bytes).toEqual(Uint8Array.of(8, 9, 10))
      expect(read?.bytes?.buffer.byteLength).toBe(3)
    }
  }),
  refusedValue(
    'B15',
    'bytes of another kind are refused, not read as bytes',
    'bytes',
    new ArrayBuffer(3),
    new DataView(new ArrayBuffer(3)),
    new Uint16Array(3),
    [8, 9, 10],
    'CAkK',
  ),
  refusedValue('B16', 'an empty set is refused', 'names', new Set()),
  refusedValue('B16', 'an empty set is refused where nothing is declared', 'free', new Set(), {
    deep: new Set(),
  }),

  refusedValue('D14', 'an object that contains itself is refused', 'free', cyclic(), [cyclic()]),
  refusedValue(
    'D14',
    'an object of too many levels is refused',
    'free',
    nested(33),
    nested(100_000),
  ),
  refusedValue(
    'D15',
    'objects that are not plain data are refused where nothing is declared',
    'free',
    new Date(0),
    new Map([['a', 1]]),
    new Point(),
    () => 1,
    Symbol('x'),
    /x/,
    new Error('x'),
    Promise.resolve(1),
    new WeakMap(),
    new String('x'),
    new Number(1),
    new Uint16Array(1),
    new ArrayBuffer(1),
    new Set([1, 'a']),
    new Set([{}]),
    Object.create({ inherited: 1 }),
    { deep: [new Date(0)] },
  ),
  refusedValue('D15', 'an object for text is refused', 'text', new String('x'), new Date(0), ['x']),
  refusedValue('D16', 'undefined in a list is refused', 'free', [undefined], {
    deep: [1, undefined],
  }),
  refusedValue(
    'D16',
    'undefined in a declared list is refused',
    'list',
    [undefined],
    [1, undefined],
  ),
  refusedValue('D17', 'a list with holes is refused', 'free', withHole(), new Array(3), {
    deep: withHole(),
  }),
  refusedValue('D17', 'a declared list with holes is refused', 'list', withHole(), new Array(3)),
  row('D18', 'an error of a getter comes out as it is, and nothing is sent', async ({ engine }) => {
    const { loose, sent } = await libraryTable(engine, ThingSchema)
    const { Thing } = loose
    const problem = new Error('not now')
    const thrower = (name: string, rest: object = {}) =>
      Object.defineProperty({ ...rest }, name, {
        enumerable: true,
        get() {
          throw problem
        },
      })
    for (const call of [
      () => Thing.put(thrower('text', { id })).execute(),
      () => Thing.put(thrower('id')).execute(),
      () => Thing.put({ id, free: thrower('deep') }).execute(),
      () => Thing.put({ id, place: thrower('height') }).execute(),
      () => Thing.get(thrower('id')).execute(),
      () => Thing.query(thrower('id')).execute(),
      () => Thing.update({ id }).set(thrower('text')).execute(),
      () => Thing.update({ id }).given(thrower('text')).set({ number: 1 }).execute(),
      () => Thing.delete(thrower('id')).execute(),
      () => Thing.batchWrite([{ id: '2' }, thrower('text', { id })]).execute(),
      () => Thing.batchGet([{ id: '2' }, thrower('id')]).execute(),
    ]) {
      expect(await failureOf(call)).toBe(problem)
    }
    expect(sent).toEqual([])
  }),
]
