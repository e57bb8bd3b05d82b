import { describe, expect, test } from 'vitest'
import { compileSchema } from '../plan/compile-schema.ts'
import { hashText } from '../template/shard-component.ts'
import { systemEnvironment } from '../values/environment.ts'
import { SHARDS_MAX } from './compile-shard.ts'
import type { Model } from './model.ts'
import type { ModelDefinition, ShardDefinition } from './schema-definition.ts'

const attributes = {
  device: { type: String, required: true },
  at: { type: Date, required: true },
  id: { type: String, required: true },
  city: { type: String },
  rank: { type: Number },
  tags: { type: Set },
} as const

const compile = (shard: unknown, definition: Partial<ModelDefinition> = {}): Model =>
  compileSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' }, byCity: { hash: 'cityPk', sort: 'sk' } },
    models: {
      Event: {
        key: { pk: 'LOG#${device}#${shard}', sk: '${at}#${id}' },
        attributes,
        // Definitions that are wrong on purpose are tested, too.
        shard: shard as ShardDefinition,
        ...definition,
      },
    },
  }).models.get('Event')!

const input = { device: 'd', at: new Date(0), id: '1' }
const keyOf = (model: Model, more: object = {}): unknown =>
  model.encodeNew({ ...input, ...more }, systemEnvironment, 'test').item

describe('shard', () => {
  test('is made of the attributes of the primary key unless others are named', () => {
    const model = compile({ count: 100 })
    expect(model.primary.names).toEqual(['device', 'at', 'id'])
    const shard = hashText('d#1970-01-01T00:00:00.000Z#1') % 100
    const pk = `LOG#d#${String(shard).padStart(2, '0')}`
    expect(keyOf(model)).toMatchObject({ pk: { S: pk } })
    expect(model.encodeKey(input, 'test')).toEqual({
      pk: { S: pk },
      sk: { S: '1970-01-01T00:00:00.000Z#1' },
    })
    expect(keyOf(compile({ count: 100, by: ['id'] }))).toMatchObject({
      pk: { S: `LOG#d#${String(hashText('1') % 100).padStart(2, '0')}` },
    })
  })

  test('can have another name, and be in another index only', () => {
    const model = compile(
      { count: 8, name: 'slice', by: ['city', 'rank'] },
      { key: { pk: 'LOG#${device}', sk: '${at}#${id}' }, index: { cityPk: 'C#${city}#${slice}' } },
    )
    expect(model.indexes[1]?.names).toEqual(['city', 'rank', 'at', 'id'])
    expect(keyOf(model, { city: 'a' })).not.toHaveProperty('cityPk')
    const shard = hashText('a#p4007') % 8
    expect(keyOf(model, { city: 'a', rank: 7 })).toMatchObject({ cityPk: { S: `C#a#${shard}` } })
  })

  test('is made of what the key has where that is less than the value', () => {
    const key = { pk: 'LOG#${at:day}#${shard}', sk: '${device:lower}#${id}' }
    const model = compile({ count: 50 }, { key })
    expect(model.primary.names).toEqual(['at', 'device', 'id'])
    const other = { device: 'D', at: new Date(5), id: '1' }
    expect(model.encodeKey(other, 'test')).toEqual(model.encodeKey(input, 'test'))
    const shard = hashText('1970-01-01#d#1') % 50
    expect(model.encodeKey(input, 'test').pk).toEqual({
      S: `LOG#1970-01-01#${String(shard).padStart(2, '0')}`,
    })
  })

  test('of a key given as it is stored must be that of its other values', () => {
    const model = compile({ count: 10, by: ['id'] })
    const key = { pk: `LOG#d#${hashText('1') % 10}`, sk: '1970-01-01T00:00:00.000Z#1' }
    expect(model.encodeKey(key, 'test')).toEqual({ pk: { S: key.pk }, sk: { S: key.sk } })
    const pk = `LOG#d#${(hashText('1') + 1) % 10}`
    expect(() => model.encodeKey({ ...key, pk }, 'test')).toThrow('KEY_MISMATCH')
    expect(() => model.encodeKey({ ...input, pk }, 'test')).toThrow('KEY_MISMATCH')
  })

  test.each([1, 2, SHARDS_MAX - 1, SHARDS_MAX])('can be one of %i', (count) => {
    expect(() => compile({ count })).not.toThrow()
  })

  test.each([
    [{ count: 0 }, 'its count is 0'],
    [{ count: SHARDS_MAX + 1 }, 'its count is 257'],
    [{ count: 1.5 }, 'its count is 1.5'],
    [{ count: '4' }, 'its count is 4'],
    [{}, 'its count is undefined'],
    [{ count: 4, size: 3 }, '"size" is not an option here'],
    [{ count: 4, by: [] }, 'it is made of no attributes'],
    [{ count: 4, by: 'id' }, 'it is made of no attributes'],
    [{ count: 4, by: ['city'] }, '"city" is not part of the primary key'],
    [{ count: 4, name: 'other' }, 'no key template uses it'],
    [{ count: 4, name: 'device' }, '"device" is an attribute'],
    [{ count: 4, name: '' }, "can't be used as a name"],
    [4, 'not an object'],
  ])('%j is refused', (shard, text) => {
    expect(() => compile(shard)).toThrow(text)
  })

  test('in a template without a declaration is refused with how to declare it', () => {
    expect(() => compile(undefined)).toThrow(
      /"shard", which is not an attribute(.|\n)*declare shard/,
    )
  })

  test('takes no modifier', () => {
    const key = { pk: 'LOG#${device}#${shard:pad(3)}', sk: '${at}#${id}' }
    expect(() => compile({ count: 4 }, { key })).toThrow('no key template uses it')
  })

  test.each([
    [{ by: ['nothing'] }, '"nothing", which is not an attribute'],
    [{ by: ['tags'] }, '"tags" is of a type that can\'t be in a key'],
  ])('%j in another index is refused', (more, text) => {
    const key = { pk: 'LOG#${device}', sk: '${at}#${id}' }
    const index = { cityPk: 'C#${shard}' }
    expect(() => compile({ count: 4, ...more }, { key, index })).toThrow(text)
  })
})

describe('start', () => {
  const withStart =
    (type: unknown, start: unknown): (() => unknown) =>
    () =>
      compileSchema({
        indexes: { primary: { hash: 'pk' } },
        models: {
          Event: {
            key: { pk: 'LOG#${id}' },
            // Definitions that are wrong on purpose are tested, too.
            attributes: { id: { type: String }, at: { type, start } as never },
          },
        },
      })

  test.each(['2026', '2026-01-01', '2026-01-01T05:00:00.000Z'])('can be %s', (start) => {
    for (const type of [Date, String, Number]) expect(withStart(type, start)).not.toThrow()
  })

  test.each([
    [Date, 'yesterday', 'its start is not an ISO string in UTC'],
    [Date, 5, 'its start is not an ISO string in UTC'],
    [Date, '2026-01-01T00:00+01:00', 'its start is not an ISO string in UTC'],
    [Boolean, '2026', "a start can't be of this type"],
  ])('of %o can not be %j', (type, start, text) => {
    expect(withStart(type, start)).toThrow(text)
  })
})
