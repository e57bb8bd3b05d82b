import { defineSchema, SingletableError, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { failureOf } from './failure-of.ts'

const schema = defineSchema({
  indexes: {
    primary: { hash: 'sensorId', sort: 'at' },
    byPlace: { hash: 'place', sort: 'value' },
  },
  models: {
    Reading: {
      key: { sensorId: '${sensorId}', at: '${at}' },
      attributes: {
        sensorId: { type: String, required: true },
        at: { type: Number, required: true },
        place: { type: String },
        value: { type: Number },
        note: { type: String, hidden: true },
      },
    },
  },
  patterns: {
    readings: { entity: 'Reading', op: 'query', by: ['sensorId'], range: 'at', order: 'desc' },
    reading: { entity: 'Reading', op: 'get', by: ['sensorId', 'at'] },
    byPlace: { entity: 'Reading', op: 'query', index: 'byPlace', by: ['place'], range: 'value' },
  },
})

describe('a primary key of plain attributes', () => {
  const client = createEngine()
  const table = new Table({ name: 'Readings', schema, client })
  const { Reading } = table.entities
  beforeEach(async () => {
    await table.delete().catch(() => undefined)
    await table.create()
    for (const at of [9, 10, 100, -5]) {
      await Reading.put({ sensorId: 's#1', at, place: 'x', value: at * 2 }).execute()
    }
  })

  test('is stored as the attributes are, and the table has their types', async () => {
    const { Table: made } = await client.send('DescribeTable', { TableName: 'Readings' })
    expect(made?.AttributeDefinitions).toEqual([
      { AttributeName: 'sensorId', AttributeType: 'S' },
      { AttributeName: 'at', AttributeType: 'N' },
      { AttributeName: 'place', AttributeType: 'S' },
      { AttributeName: 'value', AttributeType: 'N' },
    ])
    const { Item } = await client.send('GetItem', {
      TableName: 'Readings',
      Key: { sensorId: { S: 's#1' }, at: { N: '9' } },
    })
    expect(Item).toEqual({
      sensorId: { S: 's#1' },
      at: { N: '9' },
      _type: { S: 'Reading' },
      place: { S: 'x' },
      value: { N: '18' },
    })
  })

  test('gets, updates, upserts and deletes by these attributes', async () => {
    const key = { sensorId: 's#1', at: 9 }
    expect(await Reading.get(key).execute()).toEqual({ ...key, place: 'x', value: 18 })
    const updated = await Reading.update(key).set({ value: 1 }).execute()
    expect(updated).toEqual({ ...key, place: 'x', value: 1 })
    const made = await Reading.upsert({ sensorId: 's2', at: 1 }).set({ value: 3 }).execute()
    expect(made).toEqual({ sensorId: 's2', at: 1, value: 3 })
    await Reading.upsert({ sensorId: 's2', at: 1 }).add('value', 4).execute()
    expect((await Reading.get({ sensorId: 's2', at: 1 }).execute())?.value).toBe(7)
    await Reading.delete(key).execute()
    expect(await Reading.get(key).execute()).toBeUndefined()
    const both = await Reading.batchGet([{ sensorId: 's#1', at: 10 }, key]).execute()
    expect(both.map((item) => item?.value)).toEqual([20, undefined])
  })

  test('moves an item whose key attribute is set', async () => {
    await Reading.update({ sensorId: 's#1', at: 9 }).set({ at: 11 }).execute()
    const found = await Reading.query({ sensorId: 's#1' }).execute()
    expect(found.map(({ at }) => at)).toEqual([-5, 10, 11, 100])
  })

  test('is queried by ranges of numbers, in their order', async () => {
    const ats = async (query: { execute(): Promise<readonly { at: number }[]> }) =>
      (await query.execute()).map(({ at }) => at)
    const all = Reading.query({ sensorId: 's#1' })
    expect(await ats(all)).toEqual([-5, 9, 10, 100])
    expect(await ats(all.scanIndexForward(false).limit(2))).toEqual([100, 10])
    expect(await ats(all.where((attr, op) => op.between(attr.at, 9, 10)))).toEqual([9, 10])
    expect(await ats(all.where((attr, op) => op.gt(attr.at, 9)))).toEqual([10, 100])
    expect(
      await ats(all.where((attr, op) => op.and(op.gte(attr.at, -5), op.lte(attr.at, 9)))),
    ).toEqual([-5, 9])
    expect(all.where((attr, op) => op.lt(attr.at, 10)).dbParams()).toMatchObject({
      KeyConditionExpression: '#n0 = :v0 AND #n1 < :v1',
      ExpressionAttributeValues: { ':v0': 's#1', ':v1': 10 },
    })
    const first = await all.limit(3).executeWithPagination()
    const rest = await all.startFrom(first.cursor!).execute()
    expect(rest.map(({ at }) => at)).toEqual([100])
  })

  test('is asked for by patterns', async () => {
    const { readings, reading, byPlace } = table.patterns
    const page = await readings({ sensorId: 's#1', at: { from: 9, to: 100 } })
    expect(page.items.map(({ at }) => at)).toEqual([100, 10, 9])
    expect((await reading({ sensorId: 's#1', at: 10 })).item).toMatchObject({ value: 20 })
    const places = await byPlace({ place: 'x', value: { gt: 18 } })
    expect(places.items.map(({ at }) => at)).toEqual([10, 100])
  })

  test('renders and parses keys as values', () => {
    const key = Reading.renderKey({ sensorId: 's1', at: 5 })
    expectTypeOf(key).toEqualTypeOf<{ readonly sensorId: string; readonly at: number }>()
    expect(key).toEqual({ sensorId: 's1', at: 5 })
    expect(Reading.parseKey(key)).toEqual(key)
    expect(Reading.parseKey({ sensorId: { S: 's1' }, at: { N: '5' } })).toEqual(key)
    expect(Reading.parseKey({ sensorId: 's1', at: 'five' })).toBeUndefined()
  })

  test('deletes a collection, and stays in a scope', async () => {
    await Reading.put({ sensorId: 's2', at: 1 }).execute()
    const scoped = table.scope({ sensorId: 's2' })
    expect(await scoped.entities.Reading.query().execute()).toEqual([{ sensorId: 's2', at: 1 }])
    await scoped.entities.Reading.put({ at: 2 }).execute()
    const outside = { sensorId: 's#1', at: 9 }
    const failure = await failureOf(() => scoped.entities.Reading.get(outside).execute())
    expect(failure.message).toContain('is not that of the scope')
    expect(await Reading.deleteCollection({ sensorId: 's2' }).execute()).toBe(2)
    expect(await Reading.scan().count()).toBe(4)
  })

  test('takes part in transactions and batches', async () => {
    await table
      .transactWrite()
      .addPut(Reading.put({ sensorId: 's3', at: 1 }))
      .addDelete(Reading.delete({ sensorId: 's#1', at: 9 }))
      .addConditionCheck(
        Reading.check({ sensorId: 's#1', at: 10 }).where((attr, op) => op.eq(attr.value, 20)),
      )
      .execute()
    await Reading.batchWrite([{ sensorId: 's3', at: 2 }]).execute()
    expect(await Reading.query({ sensorId: 's3' }).count()).toBe(2)
    const params = Reading.upsert({ sensorId: 's4', at: 1 }).set({ value: 1 }).dbParams()
    await table
      .transactWrite()
      .addUpdate({ ...params })
      .execute()
    expect(await Reading.get({ sensorId: 's4', at: 1 }).execute()).toBeDefined()
  })

  test('refuses values of another type', async () => {
    // @ts-expect-error: a key of a Number is a number
    const failure = await failureOf(() => Reading.get({ sensorId: 's1', at: '5' }).execute())
    expect(SingletableError.is(failure) && failure.message).toContain(
      '"at": "5" is a string, not a number',
    )
  })
})

test('bytes and dates can be keys, also under another stored name', async () => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'PK', sort: 'SK' } },
    models: {
      Chunk: {
        key: { PK: '${digest}', SK: { type: Date, value: '${takenAt}' } },
        attributes: {
          digest: { type: Uint8Array, map: 'PK' },
          takenAt: { type: Date, map: 'SK' },
          size: { type: Number },
        },
      },
    },
    params: { isoDates: false },
  })
  const client = createEngine()
  const table = new Table({ name: 'Chunks', schema, client })
  await table.create()
  const { Chunk } = table.entities
  const chunk = { digest: new Uint8Array([1, 2]), takenAt: new Date(5), size: 1 }
  await Chunk.put(chunk).execute()
  expect(await Chunk.get(chunk).execute()).toEqual(chunk)
  expect(await Chunk.query({ digest: chunk.digest }).execute()).toEqual([chunk])
  const { Items } = await client.send('Scan', { TableName: 'Chunks' })
  expect(Items?.[0]).toMatchObject({ PK: { B: 'AQI=' }, SK: { N: '5' } })
})

describe('models that share a key attribute', () => {
  const attributes = { id: { type: String, map: 'pk' } } as const
  test('are refused where one takes any text', () => {
    expect(() =>
      defineSchema({
        indexes: { primary: { hash: 'pk' } },
        models: {
          A: { key: { pk: '${id}' }, attributes },
          B: { key: { pk: 'B#${id}' }, attributes: { id: { type: String } } },
        },
      }),
    ).toThrow('"A" and "B" can have the same primary key: "pk" against "B#${id}"')
  })

  test('are distinguished by the values of an enum', () => {
    const kind = (word: string) => ({ type: String, enum: [word], map: 'pk' }) as const
    const schema = {
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        A: {
          key: { pk: '${kind}', sk: '${n}' },
          attributes: { kind: kind('a'), n: { type: Number, map: 'sk' } },
        },
        B: {
          key: { pk: '${kind}', sk: '${n}' },
          attributes: { kind: kind('b'), n: { type: Number, map: 'sk' } },
        },
      },
    } as const
    expect(() => defineSchema(schema)).not.toThrow()
  })

  test('are refused where the types differ', () => {
    expect(() =>
      defineSchema({
        indexes: { primary: { hash: 'id' } },
        models: {
          A: { key: { id: '${id}' }, attributes: { id: { type: Number } } },
          B: { key: { id: 'B#${name}' }, attributes: { name: { type: String } } },
        },
      }),
    ).toThrow('key attribute "id" is S here and N in another model')
  })
})

test('unique values need a table whose keys are text', () => {
  expect(() =>
    defineSchema({
      indexes: { primary: { hash: 'id' } },
      models: {
        User: {
          key: { id: '${id}' },
          attributes: { id: { type: Number }, email: { type: String, unique: true } },
        },
      },
    }),
  ).toThrow('"id" of the primary key is not a string')
})

test('builders of two tables join in one transaction, and its failure names each', async () => {
  const client = createEngine()
  const readings = new Table({ name: 'Readings', schema, client })
  const sensors = new Table({
    name: 'Sensors',
    schema: defineSchema({
      indexes: { primary: { hash: 'pk' } },
      models: {
        Sensor: {
          key: { pk: 'SENSOR#${sensorId}' },
          attributes: {
            sensorId: { type: String, required: true },
            last: { type: Number, default: 0 },
            name: { type: String },
          },
        },
      },
    }),
    client,
  })
  await readings.create()
  await sensors.create()
  const { Sensor } = sensors.entities
  const { Reading } = readings.entities
  const record = (at: number, name: string) =>
    readings
      .transactWrite()
      .add(Reading.create({ sensorId: 's1', at }))
      .add(Sensor.put({ sensorId: 's1', last: at, name }))
      .execute()
  await record(1, 'north')
  expect(await Sensor.get({ sensorId: 's1' }).execute()).toMatchObject({ last: 1 })
  const [reading, sensor] = await sensors
    .transactGet()
    .addGet(Reading.get({ sensorId: 's1', at: 1 }))
    .addGet(Sensor.get({ sensorId: 's1' }))
    .execute()
  expect([reading?.at, sensor?.last]).toEqual([1, 1])
  const failure = await failureOf(() => record(1, 'south'))
  expect(failure.message).toContain(
    'operation 0 (create Reading): Reading exists under this key already',
  )
  expect(await Sensor.get({ sensorId: 's1' }).execute()).toMatchObject({ name: 'north' })
})

test('copies and counters follow items with such keys', async () => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      Team: {
        key: { pk: '${teamId}', sk: '${kind}' },
        attributes: {
          teamId: { type: String, map: 'pk' },
          kind: { type: String, enum: ['team'], default: 'team', map: 'sk' },
          members: { type: Number, counts: 'Member' },
        },
      },
      Member: {
        key: { pk: '${teamId}', sk: 'MEMBER#${name}' },
        attributes: {
          teamId: { type: String, map: 'pk' },
          kind: { type: String, enum: ['team'], default: 'team' },
          name: { type: String, required: true },
        },
        copies: { Badge: { key: { pk: '${teamId}', sk: 'BADGE#${name}' } } },
      },
    },
  })
  const table = new Table({ name: 'Teams', schema, client: createEngine() })
  await table.create()
  const { Team, Member, Badge } = table.entities
  await Team.put({ teamId: 't1' }).execute()
  await Member.put({ teamId: 't1', name: 'ann' }).execute()
  const found = await table.collect(['Team', 'Member'], { teamId: 't1' }).execute()
  expect(found.Team).toEqual([{ teamId: 't1', kind: 'team', members: 1 }])
  expect(found.Member).toEqual([{ teamId: 't1', kind: 'team', name: 'ann' }])
  expect(await Badge.query({ teamId: 't1' }).execute()).toEqual(found.Member)
})
