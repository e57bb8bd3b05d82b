import { DecodeError, defineSchema, InputError, Table } from 'singletable'
import { createEngine, type Environment, systemEnvironment } from 'singletable/engine'
import { changesOf } from 'singletable/streams'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

/** Records, tuples, unions, constants, nulls, typed 'any', and options of members: written, read,
 * compared and changed. */

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Drawing: {
      key: { pk: 'DRAWING#${id}' },
      attributes: {
        id: { type: String, required: true },
        format: { type: String, const: 'v2' },
        titles: { type: 'record', values: { type: String } },
        marks: { type: 'record', values: { type: Object, schema: { at: { type: Date } } } },
        sizes: { type: 'record', keys: ['small', 'large'], values: { type: Number } },
        position: { type: 'tuple', elements: [{ type: Number }, { type: Number, nulls: true }] },
        shape: {
          type: 'union',
          discriminator: 'kind',
          variants: {
            circle: { radius: { type: Number, required: true }, note: { type: String } },
            square: { side: { type: Number, required: true }, note: { type: String } },
          },
        },
        meta: {
          type: 'any',
          validate: z.object({
            made: z.date().transform((date) => date.toISOString()),
            tags: z.array(z.string()).default([]),
          }),
        },
        owner: {
          type: Object,
          schema: {
            name: { type: String, required: true, map: 'n' },
            token: { type: String, hidden: true },
            origin: { type: String, readonly: true },
            level: { type: Number, required: true, default: 1 },
            key: { type: String, generate: 'ulid' },
          },
        },
        steps: {
          type: Array,
          items: {
            type: Object,
            schema: {
              id: { type: String, generate: 'uuid', map: 'i' },
              text: { type: String, required: true },
              secret: { type: String, hidden: true },
            },
          },
        },
      },
    },
  },
})

async function drawings() {
  const engine = createEngine()
  const table = new Table({ name: 'Drawings', schema, client: engine })
  await table.create()
  const stored = async (id: string) => {
    const Key = { pk: { S: `DRAWING#${id}` } }
    return (await engine.send('GetItem', { TableName: 'Drawings', Key })).Item
  }
  const store = (Item: NonNullable<Awaited<ReturnType<typeof stored>>>) =>
    engine.send('PutItem', { TableName: 'Drawings', Item })
  return { Drawing: table.entities.Drawing, stored, store, table }
}

describe('a record', () => {
  test('has any names, and values of one type', async () => {
    const { Drawing, stored } = await drawings()
    const at = new Date('2026-01-01')
    await Drawing.put({
      id: '1',
      titles: { en: 'Sun', de: 'Sonne' },
      marks: { x: { at } },
    }).execute()
    expect((await stored('1'))?.titles).toEqual({ M: { en: { S: 'Sun' }, de: { S: 'Sonne' } } })
    expect(await Drawing.get({ id: '1' }).execute()).toMatchObject({
      titles: { en: 'Sun', de: 'Sonne' },
      marks: { x: { at } },
    })
  })

  test('keeps a name that reaches the prototype as a name', async () => {
    const { Drawing } = await drawings()
    await Drawing.put({ id: '1', titles: JSON.parse('{"__proto__":"x"}') }).execute()
    const titles = (await Drawing.get({ id: '1' }).execute())?.titles ?? {}
    expect(Object.entries(titles)).toEqual([['__proto__', 'x']])
  })

  test('refuses a value of another type, by its name', async () => {
    const { Drawing } = await drawings()
    await expect(
      // @ts-expect-error The value is not a string.
      Drawing.put({ id: '1', titles: { en: 1 } }).execute(),
    ).rejects.toThrow('"titles.en": 1 is a number, not a string')
  })

  test('has only the names that keys lists, if it does', async () => {
    const { Drawing } = await drawings()
    await Drawing.put({ id: '1', sizes: { small: 1 } }).execute()
    await expect(
      // @ts-expect-error No such key.
      Drawing.put({ id: '1', sizes: { smal: 1 } }).execute(),
    ).rejects.toThrow('"sizes.smal" is not declared')
  })

  test('is asked for, and changed, by its names', async () => {
    const { Drawing } = await drawings()
    await Drawing.put({ id: '1', titles: { en: 'Sun' } }).execute()
    await Drawing.update({ id: '1' })
      .set((attr) => attr.titles.de!, 'Sonne')
      .where((attr, op) => op.eq(attr.titles.en!, 'Sun'))
      .execute()
    const found = await Drawing.scan()
      .where((attr, op) => op.eq(attr.titles.de!, 'Sonne'))
      .execute()
    expect(found).toMatchObject([{ titles: { en: 'Sun', de: 'Sonne' } }])
  })

  test('that is stored with another type is an error with the place', async () => {
    const { Drawing, store } = await drawings()
    await store({ pk: { S: 'DRAWING#1' }, id: { S: '1' }, titles: { M: { en: { N: '1' } } } })
    const error = await Drawing.get({ id: '1' }).execute().catch(String)
    expect(error).toContain('"titles.en" is stored as N, not as S')
  })
})

describe('a tuple', () => {
  test('has one type for each position', async () => {
    const { Drawing, stored } = await drawings()
    await Drawing.put({ id: '1', position: [3, null] }).execute()
    expect((await stored('1'))?.position).toEqual({ L: [{ N: '3' }, { NULL: true }] })
    expect((await Drawing.get({ id: '1' }).execute())?.position).toEqual([3, null])
  })

  test('of another length is refused, written or stored', async () => {
    const { Drawing, store } = await drawings()
    await expect(
      // @ts-expect-error One element is missing.
      Drawing.put({ id: '1', position: [3] }).execute(),
    ).rejects.toThrow('"position" has 1 elements and needs 2 elements')
    await store({ pk: { S: 'DRAWING#1' }, id: { S: '1' }, position: { L: [] } })
    const error = await Drawing.get({ id: '1' })
      .execute()
      .catch((caught) => caught)
    expect(error).toBeInstanceOf(DecodeError)
    expect(error.message).toContain('"position" is stored with 0 elements, not with 2 elements')
  })

  test('changes by position, and never in length', async () => {
    const { Drawing } = await drawings()
    await Drawing.put({ id: '1', position: [3, 4] }).execute()
    await Drawing.update({ id: '1' })
      .set((attr) => attr.position[1], 5)
      .where((attr, op) => op.eq(attr.position[0], 3))
      .execute()
    expect((await Drawing.get({ id: '1' }).execute())?.position).toEqual([3, 5])
    const remove = Drawing.update({ id: '1' }).remove((attr) => attr.position[0])
    await expect(remove.execute()).rejects.toThrow("is required and can't be removed")
    const append = Drawing.update({ id: '1' }).append('position', [1])
    await expect(append.execute()).rejects.toThrow('has a fixed number of elements')
    // @ts-expect-error There is no third element.
    expect(() => Drawing.update({ id: '1' }).set((attr) => attr.position[2], 5)).toThrow(
      '"position[2]" is not an attribute',
    )
  })
})

test('a tuple is read as a whole where some of its positions are selected', async () => {
  const { Drawing } = await drawings()
  await Drawing.put({ id: '1', position: [3, 4] }).execute()
  const select = await Drawing.get({ id: '1' })
    .select((attr) => [attr.position[1], attr.position[0]])
    .execute()
  expect(select).toEqual({ position: [3, 4] })
})

describe('a union', () => {
  test('has the members of the variant that its discriminator names', async () => {
    const { Drawing } = await drawings()
    await Drawing.put({ id: '1', shape: { kind: 'circle', radius: 2 } }).execute()
    const shape = (await Drawing.get({ id: '1' }).execute())?.shape
    expect(shape?.kind === 'circle' && shape.radius).toBe(2)
  })

  test('refuses members of another variant, and an unknown variant', async () => {
    const { Drawing } = await drawings()
    await expect(
      // @ts-expect-error A circle has no side.
      Drawing.put({ id: '1', shape: { kind: 'circle', radius: 1, side: 2 } }).execute(),
    ).rejects.toThrow('"shape.side" is not declared')
    await expect(
      // @ts-expect-error A circle has a radius.
      Drawing.put({ id: '1', shape: { kind: 'circle' } }).execute(),
    ).rejects.toThrow('"shape.radius" is missing')
    await expect(
      // @ts-expect-error There are no triangles.
      Drawing.put({ id: '1', shape: { kind: 'triangle' } }).execute(),
    ).rejects.toThrow('"shape.kind" is not one of "circle", "square"')
  })

  test('is asked for by members of any variant, and set as a whole', async () => {
    const { Drawing } = await drawings()
    await Drawing.put({ id: '1', shape: { kind: 'circle', radius: 2 } }).execute()
    await Drawing.put({ id: '2', shape: { kind: 'square', side: 2, note: 'x' } }).execute()
    const found = await Drawing.scan()
      .where((attr, op) =>
        op.or(
          op.and(op.eq(attr.shape.kind, 'circle'), op.gt(attr.shape.radius, 1)),
          op.beginsWith(attr.shape.note, 'y'),
        ),
      )
      .execute()
    expect(found.map(({ id }) => id)).toEqual(['1'])
    await expect(
      Drawing.update({ id: '1' })
        .set((attr) => attr.shape.radius, 3)
        .execute(),
    ).rejects.toThrow('is inside a union, which an update sets as a whole')
    await Drawing.update({ id: '1' })
      .set({ shape: { kind: 'square', side: 1 } })
      .execute()
    expect((await Drawing.get({ id: '1' }).execute())?.shape).toEqual({ kind: 'square', side: 1 })
  })

  test('that is stored with an unknown discriminator, or without, is an error', async () => {
    const { Drawing, store } = await drawings()
    const own = { pk: { S: 'DRAWING#1' }, id: { S: '1' } }
    await store({ ...own, shape: { M: { kind: { S: 'line' } } } })
    await expect(Drawing.get({ id: '1' }).execute()).rejects.toThrow(
      '"shape.kind" is not one of "circle", "square"',
    )
    await store({ ...own, shape: { M: {} } })
    await expect(Drawing.get({ id: '1' }).execute()).rejects.toThrow('"shape.kind" is missing')
  })

  test('is given in part where only a part is selected', async () => {
    const { Drawing } = await drawings()
    await Drawing.put({ id: '1', shape: { kind: 'circle', radius: 2 } }).execute()
    const [found] = await Drawing.scan()
      .select((attr) => [attr.shape.radius])
      .execute()
    expect(found).toEqual({ shape: { radius: 2 } })
  })
})

describe('a constant', () => {
  test('is stored with every item without being given', async () => {
    const { Drawing, stored } = await drawings()
    const made = await Drawing.put({ id: '1' }).execute()
    expect(made.format).toBe('v2')
    expect((await stored('1'))?.format).toEqual({ S: 'v2' })
  })

  test('is refused with another value', async () => {
    const { Drawing } = await drawings()
    await expect(
      // @ts-expect-error It is always 'v2'.
      Drawing.put({ id: '1', format: 'v1' }).execute(),
    ).rejects.toThrow('"format": "v1" is not one of "v2"')
  })
})

describe("an attribute of type 'any' with a Standard Schema", () => {
  test('takes what the schema takes, stores what it makes of it, and gives that', async () => {
    const { Drawing, stored } = await drawings()
    const made = new Date('2026-01-01')
    await Drawing.put({ id: '1', meta: { made } }).execute()
    const output = { made: '2026-01-01T00:00:00.000Z', tags: [] }
    expect((await stored('1'))?.meta).toEqual({ M: { made: { S: output.made }, tags: { L: [] } } })
    expect((await Drawing.get({ id: '1' }).execute())?.meta).toEqual(output)
    const found = await Drawing.scan()
      .where((attr, op) => op.eq(attr.meta, output))
      .execute()
    expect(found).toHaveLength(1)
  })

  test('reports what the schema refuses, with the place', async () => {
    const { Drawing } = await drawings()
    // @ts-expect-error It is a Date.
    const put = Drawing.put({ id: '1', meta: { made: 'today' } })
    const error = await put.execute().catch((caught) => caught)
    expect(error).toBeInstanceOf(InputError)
    expect(error.issues[0].path).toEqual(['meta', 'made'])
  })

  test('refuses an output that DynamoDB has no type for', async () => {
    const dates = defineSchema({
      indexes: { primary: { hash: 'pk' } },
      models: {
        Event: {
          key: { pk: 'E#${id}' },
          attributes: {
            id: { type: String, required: true },
            at: { type: 'any', validate: z.coerce.date() },
          },
        },
      },
    })
    const table = new Table({ name: 'Events', schema: dates, client: createEngine() })
    await table.create()
    await expect(table.entities.Event.put({ id: '1', at: '2026-01-01' }).execute()).rejects.toThrow(
      "is a Date, which DynamoDB can't store",
    )
  })
})

describe('members of objects and of objects in lists', () => {
  test('are stored under another name, and asked for and changed under their own', async () => {
    const { Drawing, stored } = await drawings()
    await Drawing.put({
      id: '1',
      owner: { name: 'Ann' },
      steps: [{ text: 'a', id: 'x' }],
    }).execute()
    expect((await stored('1'))?.owner?.M).toMatchObject({ n: { S: 'Ann' } })
    expect((await stored('1'))?.steps).toEqual({ L: [{ M: { text: { S: 'a' }, i: { S: 'x' } } }] })
    await Drawing.update({ id: '1' })
      .set((attr) => attr.owner.name, 'Bo')
      .where((attr, op) => op.and(op.eq(attr.owner.name, 'Ann'), op.eq(attr.steps[0].id, 'x')))
      .execute()
    const item = await Drawing.get({ id: '1' }).execute()
    expect(item?.owner?.name).toBe('Bo')
    expect(item?.steps?.[0]?.id).toBe('x')
    await expect(
      Drawing.update({ id: '1' })
        .remove((attr) => attr.owner.name)
        .execute(),
    ).rejects.toThrow("is required and can't be removed")
  })

  test('are generated and supplied where they are not given, by the clock and random of the table', async () => {
    const environment: Environment = {
      ...systemEnvironment,
      now: () => 0,
      randomBytes: (count) => new Uint8Array(count),
    }
    const table = new Table({ name: 'Drawings', schema, client: createEngine(), environment })
    await table.create()
    const { Drawing } = table.entities
    const made = await Drawing.put({ id: '1', owner: { name: 'Ann' }, steps: [] }).execute()
    expect(made.owner).toEqual({ name: 'Ann', level: 1, key: '0'.repeat(26) })
    await Drawing.update({ id: '1' })
      .append('steps', [{ text: 'a' }])
      .execute()
    const steps = (await Drawing.get({ id: '1' }).execute())?.steps
    expect(steps).toEqual([{ id: '00000000-0000-4000-8000-000000000000', text: 'a' }])
  })

  test('that are hidden are stored, and left out of what is read', async () => {
    const { Drawing, stored } = await drawings()
    const made = await Drawing.put({
      id: '1',
      owner: { name: 'Ann', token: 't' },
      steps: [{ text: 'a', secret: 's' }],
    }).execute()
    const read = await Drawing.get({ id: '1' }).execute()
    for (const item of [made, read]) {
      expect(item?.owner).not.toHaveProperty('token')
      expect(item?.steps?.[0]).not.toHaveProperty('secret')
    }
    expect((await stored('1'))?.owner?.M?.token).toEqual({ S: 't' })
    const found = await Drawing.scan()
      .where((attr, op) => op.eq(attr.owner.token, 't'))
      .execute()
    expect(found).toHaveLength(1)
  })

  test('that are readonly are given once, and not changed by an update', async () => {
    const { Drawing } = await drawings()
    await Drawing.put({ id: '1', owner: { name: 'Ann', origin: 'x' } }).execute()
    await expect(
      Drawing.update({ id: '1' })
        .set((attr) => attr.owner.origin, 'y')
        .execute(),
    ).rejects.toThrow('"owner.origin" is readonly')
    await expect(
      Drawing.update({ id: '1' })
        .set({ owner: { name: 'Bo' } })
        .execute(),
    ).rejects.toThrow('"owner" has readonly members')
    await Drawing.update({ id: '2' })
      .set({ titles: {} })
      .execute()
      .catch(() => undefined)
    const given = await Drawing.put({ id: '2' }).execute()
    expect(given.owner).toBeUndefined()
    await Drawing.update({ id: '2' })
      .setDefault({ owner: { name: 'Cy', origin: 'z' } })
      .execute()
    expect((await Drawing.get({ id: '2' }).execute())?.owner?.origin).toBe('z')
  })
})

test('stream records are decoded by the same types', async () => {
  const { Drawing, stored, table } = await drawings()
  await Drawing.put({
    id: '1',
    titles: { en: 'Sun' },
    position: [1, 2],
    shape: { kind: 'circle', radius: 2 },
    owner: { name: 'Ann', token: 't', key: 'k' },
  }).execute()
  const NewImage = await stored('1')
  const [change] = changesOf(table, [
    {
      eventName: 'INSERT',
      dynamodb: { Keys: { pk: { S: 'DRAWING#1' } }, NewImage, SequenceNumber: '1' },
    },
  ] as never)
  expect(change).toMatchObject({
    after: {
      titles: { en: 'Sun' },
      position: [1, 2],
      shape: { kind: 'circle', radius: 2 },
      owner: { name: 'Ann', key: 'k', level: 1 },
    },
  })
})

describe('mistakes in a definition', () => {
  const issueOf = (attribute: object): string => {
    const definition = {
      indexes: { primary: { hash: 'pk' } },
      models: { M: { key: { pk: '${id}' }, attributes: { id: { type: String }, attribute } } },
    }
    try {
      new Table({ name: 'T', schema: definition as never, client: createEngine() })
    } catch (error) {
      return (error as Error).message
    }
    return ''
  }

  test.each<[string, object]>([
    ['it has no values', { type: 'record' }],
    [
      'its keys are not a list of different names',
      { type: 'record', keys: ['a', 'a'], values: { type: String } },
    ],
    ['it has no elements', { type: 'tuple', elements: [] }],
    ['it has no discriminator', { type: 'union', variants: { a: {} } }],
    ['it has no variants', { type: 'union', discriminator: 'kind', variants: {} }],
    [
      '"kind" is the discriminator',
      { type: 'union', discriminator: 'kind', variants: { a: { kind: { type: String } } } },
    ],
    [
      '"x" is of another type',
      {
        type: 'union',
        discriminator: 'kind',
        variants: { a: { x: { type: String } }, b: { x: { type: Number } } },
      },
    ],
    [
      'two members are stored as "x"',
      { type: Object, schema: { x: { type: String }, y: { type: String, map: 'x' } } },
    ],
    [
      'generated values are strings',
      { type: Object, schema: { x: { type: Number, generate: 'ulid' } } },
    ],
    [
      'it has const, and also an option that allows other values',
      { type: String, const: 'a', nulls: true },
    ],
    ['enum 1 is a number, not a string', { type: String, const: 1 }],
    ['"hidden" is not an option here', { type: Array, items: { type: String, hidden: true } }],
  ])('%s', (message, attribute) => {
    expect(issueOf(attribute)).toContain(message)
  })
})
