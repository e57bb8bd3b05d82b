import { defineSchema, type Table } from 'singletable'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'

/** Placeholders of every kind in keys, and attributes that are keys as they are. */

const KindsSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byRoom: { hash: 'gsi1pk', sort: 'gsi1sk' },
    byMail: { hash: 'gsi2pk' },
    byFlag: { hash: 'gsi3pk', sort: 'gsi3sk' },
    byNumber: { hash: 'color', sort: 'weight' },
    bySerial: { hash: 'color', sort: 'serial' },
    byDate: { hash: 'color', sort: 'at' },
    byBytes: { hash: 'digest' },
  },
  models: {
    Thing: {
      key: { pk: 'BOX#${box}', sk: 'THING#${path}' },
      index: {
        gsi1pk: 'ROOM#${room}',
        gsi1sk: '${at}#${weight:pad(5)}',
        gsi2pk: 'MAIL#${mail:lower}',
        gsi3pk: 'FLAG#${flag}',
        gsi3sk: '${serial}',
      },
      attributes: {
        box: { type: String, required: true },
        path: { type: Array, items: { type: String }, required: true },
        room: { type: String },
        at: { type: Date },
        mail: { type: String },
        flag: { type: Boolean },
        weight: { type: Number },
        serial: { type: BigInt, pad: 30 },
        color: { type: String },
        digest: { type: Uint8Array },
      },
    },
  },
})
const EpochKindsSchema = defineSchema({ ...KindsSchema, params: { isoDates: false } })

const at = (day: number, hour = 0): Date => new Date(Date.UTC(2026, 0, day, hour))
const things = [
  {
    box: 'b',
    path: ['a'],
    room: 'r',
    at: at(1, 3),
    weight: 10,
    serial: 5n,
    flag: true,
    color: 'red',
  },
  {
    box: 'b',
    path: ['a', 'x'],
    room: 'r',
    at: at(1, 2),
    weight: 9,
    serial: 2n ** 70n,
    flag: true,
    color: 'red',
  },
  { box: 'b', path: ['a', 'y'], at: at(2), weight: -1.5, serial: 40n, flag: false, color: 'red' },
  { box: 'b', path: ['ab'], mail: 'Ann@Example.com', digest: new Uint8Array([7, 8]) },
]

onEachTarget((target) => {
  for (const schema of [KindsSchema, EpochKindsSchema]) {
    describe(`with dates as ${'params' in schema ? 'numbers' : 'strings'}`, () => {
      let table: Table<typeof KindsSchema>
      beforeAll(async () => {
        table = await target.table(schema)
        for (const thing of things) {
          // A negative number has no place behind pad(5), so this one is not in the index of rooms.
          const { weight, ...rest } = thing
          await table.entities.Thing.put(weight === -1.5 ? rest : thing).execute()
        }
      })
      const paths = (found: readonly { readonly path: readonly string[] }[]): string[] =>
        found.map(({ path }) => path.join('/'))

      test('a path is read back from keys and sorts by its segments', async () => {
        const { Thing } = table.entities
        const found = await Thing.query({ box: 'b' }).execute()
        expect(paths(found)).toEqual(['a', 'a/x', 'a/y', 'ab'])
        expect(await Thing.get({ box: 'b', path: ['a', 'x'] }).execute()).toMatchObject({
          path: ['a', 'x'],
          room: 'r',
        })
        expect(await Thing.get({ box: 'b', path: ['a', 'z'] }).execute()).toBeUndefined()
      })

      test('dates and padded numbers in a key sort as values', async () => {
        const { Thing } = table.entities
        const query = Thing.query({ room: 'r' }).useIndex('byRoom')
        expect(paths(await query.execute())).toEqual(['a/x', 'a'])
        const late = query.where((attr, op) => op.gt(attr.at, at(1, 2)))
        expect(paths(await late.execute())).toEqual(['a'])
      })

      test('a lower-case part is found in any case', async () => {
        const { Thing } = table.entities
        for (const mail of ['ann@example.com', 'ANN@EXAMPLE.COM']) {
          const query = Thing.query().where((attr, op) => op.ignoreCase(attr.mail, mail))
          expect((await query.execute()).map((thing) => thing.mail)).toEqual(['Ann@Example.com'])
          expect(query.explain().filter).toBeUndefined()
        }
      })

      test('equality is exact, also where the key is in lower case', async () => {
        const { Thing } = table.entities
        const found = (mail: string) => Thing.query({ mail }).execute()
        expect(await found('Ann@Example.com')).toHaveLength(1)
        expect(await found('ann@example.com')).toEqual([])
        expect(Thing.query({ mail: 'x' }).explain()).toMatchObject({
          keyCondition: 'gsi2pk = "MAIL#x"',
          filter: 'mail = "x"',
        })
      })

      test('a boolean is a part of a key', async () => {
        const { Thing } = table.entities
        expect(paths(await Thing.query({ flag: false }).useIndex('byFlag').execute())).toEqual([
          'a/y',
        ])
        expect(paths(await Thing.query({ flag: true }).useIndex('byFlag').execute())).toEqual([
          'a',
          'a/x',
        ])
      })

      test('bigints in a key sort as numbers', async () => {
        const { Thing } = table.entities
        const query = Thing.query({ flag: true }).where((attr, op) => op.gt(attr.serial, 5n))
        expect(paths(await query.execute())).toEqual(['a/x'])
      })

      test('numbers, bigints and dates that are sort keys themselves', async () => {
        const { Thing } = table.entities
        const red = Thing.query({ color: 'red' })
        expect(paths(await red.useIndex('byNumber').execute())).toEqual(['a/x', 'a'])
        expect(paths(await red.useIndex('bySerial').execute())).toEqual(['a', 'a/y', 'a/x'])
        expect(paths(await red.useIndex('byDate').execute())).toEqual(['a/x', 'a', 'a/y'])
        const late = red.where((attr, op) => op.gte(attr.at, at(1, 3))).useIndex('byDate')
        expect(paths(await late.execute())).toEqual(['a', 'a/y'])
        expect(late.explain().filter).toBeUndefined()
      })

      test('bytes that are a partition key', async () => {
        const { Thing } = table.entities
        expect(paths(await Thing.query({ digest: new Uint8Array([7, 8]) }).execute())).toEqual([
          'ab',
        ])
      })

      test('after an update the item is where its new values put it', async () => {
        const { Thing } = table.entities
        const key = { box: 'b', path: ['moved'] }
        await Thing.put({
          ...key,
          room: 's',
          at: at(5),
          weight: 1,
          mail: 'A@B',
          color: 'blue',
        }).execute()
        await Thing.update(key)
          .set({ room: 't', at: at(6), weight: 2, mail: 'C@D', digest: new Uint8Array([1]) })
          .execute()
        expect(await Thing.query({ room: 's' }).useIndex('byRoom').count()).toBe(0)
        expect(await Thing.query({ room: 't', at: at(6), weight: 2 }).count()).toBe(1)
        expect(await Thing.query({ mail: 'A@B' }).count()).toBe(0)
        expect(await Thing.query({ mail: 'C@D' }).count()).toBe(1)
        expect(await Thing.query({ digest: new Uint8Array([1]) }).count()).toBe(1)
        await Thing.delete(key).execute()
      })

      test('what has no place in a key is refused with the attribute', async () => {
        const { Thing } = table.entities
        const key = { box: 'b', path: ['w'] }
        for (const wrong of [
          { ...key, path: [] },
          { ...key, path: ['a#b'] },
          { ...key, room: 'r', at: at(1), weight: -1 },
          { ...key, room: 'r', at: at(1), weight: 1.5 },
          { ...key, room: 'r', at: at(1), weight: 123_456 },
          { ...key, color: '' },
        ]) {
          expect(await codeOf(() => Thing.put(wrong).execute())).toMatch(
            /^(KEY_COMPONENT_INVALID|INPUT_INVALID)$/,
          )
        }
      })
    })
  }

  test('keys of more bytes than DynamoDB takes are refused before sending', async () => {
    const { entities } = await target.table({
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        Long: {
          key: { pk: '${a}', sk: '${b}' },
          attributes: {
            a: { type: String, required: true },
            b: { type: String, required: true },
          },
        },
      },
    })
    const { Long } = entities
    await Long.put({ a: 'a'.repeat(2048), b: 'ü'.repeat(512) }).execute()
    expect(await codeOf(() => Long.put({ a: 'a'.repeat(2049), b: 'b' }).execute())).toMatch(
      /INVALID$/,
    )
    expect(await codeOf(() => Long.put({ a: 'a', b: `b${'ü'.repeat(512)}` }).execute())).toMatch(
      /INVALID$/,
    )
  })

  test('names that objects inherit are attributes like others', async () => {
    const { entities } = await target.table({
      indexes: { primary: { hash: 'pk' }, other: { hash: 'hasOwnProperty' } },
      models: {
        Odd: {
          key: { pk: 'ODD#${toString}' },
          attributes: {
            toString: { type: String, required: true },
            valueOf: { type: Number },
            hasOwnProperty: { type: String },
          },
        },
      },
    })
    // Every object has these members, so the types of literals without them do not
    // help here.
    const Odd = entities.Odd as unknown as {
      put(item: object): { execute(): Promise<object> }
      get(key: object): { execute(): Promise<object | undefined> }
      query(values: object): { execute(): Promise<object[]> }
    }
    const item = { toString: '1', valueOf: 2, hasOwnProperty: 'x' }
    expect(await Odd.put(item).execute()).toEqual(item)
    expect(await Odd.get({ toString: '1' }).execute()).toEqual(item)
    expect(await Odd.query({ hasOwnProperty: 'x' }).execute()).toEqual([item])
    // What is not given is not taken from the prototype.
    expect(await Odd.put({ toString: '2' }).execute()).toEqual({ toString: '2' })
    expect(await codeOf(() => Odd.get({}).execute())).toBe('INPUT_INVALID')
  })
})
