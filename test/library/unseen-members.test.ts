import { defineSchema, InputError, PlanError, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeEach, expect, test } from 'vitest'

/** Members of objects that reading leaves out: hidden ones, and those that the schema does not
 * declare. */

const attributes = {
  id: { type: String, required: true },
  name: { type: String },
  password: { type: String, hidden: true },
  profile: {
    type: Object,
    schema: {
      city: { type: String },
      zip: { type: String },
      tax: { type: String, hidden: true },
      salt: { type: String, hidden: true, generate: 'ulid' },
      bank: {
        type: Object,
        schema: { name: { type: String }, pin: { type: String, hidden: true } },
      },
    },
  },
  lines: {
    type: Array,
    items: {
      type: Object,
      schema: { sku: { type: String }, cost: { type: Number, hidden: true } },
    },
  },
} as const
const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    User: { key: { pk: 'U#${id}' }, attributes },
    Copied: {
      key: { pk: 'C#${id}' },
      attributes,
      copies: { Copy: { key: { pk: 'COPY#${id}' }, attributes: ['name'] } },
    },
    Plain: {
      key: { pk: 'P#${id}' },
      attributes: {
        id: attributes.id,
        name: attributes.name,
        home: { type: Object, schema: { city: { type: String } } },
      },
    },
  },
})

let client = createEngine()
let table = new Table({ name: 'Users', schema, client })
beforeEach(async () => {
  client = createEngine()
  table = new Table({ name: 'Users', schema, client, onWarning: () => {} })
  await table.create()
})
const stored = async (pk: string) =>
  (await client.send('GetItem', { TableName: 'Users', Key: { pk: { S: pk } } })).Item!
const ANN = {
  id: '1',
  name: 'Ann',
  password: 'p',
  profile: { city: 'Rome', zip: '1', tax: 't', bank: { name: 'B', pin: '9' } },
  lines: [
    { sku: 'a', cost: 1 },
    { sku: 'b', cost: 2 },
  ],
}

/** Writes the item, and reads it as everybody does. */
async function read(name: 'User' | 'Copied') {
  // Both have the same attributes.
  const entity = table.entities[name] as typeof table.entities.User
  await entity.put(ANN)
  const pk = `${name[0]}#1`
  return { entity, item: (await entity.get({ id: '1' }))!, before: await stored(pk), pk }
}

test.each(['User', 'Copied'] as const)('put of a %s that was read keeps them', async (name) => {
  const { entity, item, before, pk } = await read(name)
  await entity.put({ ...item, name: 'Bea' })
  expect(await stored(pk)).toEqual({ ...before, name: { S: 'Bea' } })

  const { zip, ...profile } = item.profile!
  await entity.put({ ...item, profile: { ...profile, city: 'Oslo', bank: { name: 'C' } } })
  const { salt } = before.profile!.M!
  expect((await stored(pk)).profile).toEqual({
    M: {
      city: { S: 'Oslo' },
      tax: { S: 't' },
      salt,
      bank: { M: { name: { S: 'C' }, pin: { S: '9' } } },
    },
  })
})

test('of elements they are kept with the element, wherever it is moved', async () => {
  const { entity, item, pk } = await read('User')
  const [a, b] = item.lines!
  await entity.put({ ...item, lines: [b!, { sku: 'c' }, a!] })
  const costs = (await stored(pk)).lines!.L!.map(({ M }) => M?.cost?.N)
  expect(costs).toEqual(['2', undefined, '1'])
  await entity.put({ ...item, lines: [a!] })
  expect((await stored(pk)).lines!.L).toEqual([{ M: { sku: { S: 'a' }, cost: { N: '1' } } }])
})

test('a put that changes an element which has them is refused', async () => {
  const { entity, item, before, pk } = await read('User')
  const put = entity.put({ ...item, lines: [{ sku: 'x' }, item.lines![1]!] })
  await expect(put).rejects.toThrow(InputError)
  await expect(put).rejects.toThrow('it is unknown which elements changed')
  expect(await stored(pk)).toEqual(before)
})

test('a put that gives them all needs no read, and replace() keeps none', async () => {
  const { entity, item, pk } = await read('User')
  const whole = { ...ANN, profile: { ...ANN.profile, salt: 's' } }
  expect(entity.put(whole).explain().operation).toBe('PutItem')
  expect(entity.put(item).explain().operation).toBe('GetItem, UpdateItem')
  await entity.put(item).replace()
  expect((await stored(pk)).profile?.M).not.toHaveProperty('tax')
})

test('of concurrent puts none loses them', async () => {
  const { entity, item, before, pk } = await read('User')
  await Promise.all(Array.from({ length: 10 }, (_, n) => entity.put({ ...item, name: `${n}` })))
  expect(await stored(pk)).toEqual({ ...before, name: { S: expect.any(String) } })
})

test('a batch keeps them, and a transaction refuses the put, which it can not read for', async () => {
  const { entity, item, before, pk } = await read('User')
  await entity.batchWrite([{ ...item, name: 'Bea' }])
  expect(await stored(pk)).toEqual({ ...before, name: { S: 'Bea' } })
  const transaction = table.transactWrite().addPut(entity.put(item)).execute()
  await expect(transaction).rejects.toThrow(PlanError)
  await expect(transaction).rejects.toThrow('put().replace()')
})

test('undeclared ones are kept once the table has read one', async () => {
  const { Plain } = table.entities
  const home = { M: { city: { S: 'Rome' }, floor: { N: '3' } } }
  const Item = { pk: { S: 'P#1' }, _type: { S: 'Plain' }, id: { S: '1' }, home }
  await client.send('PutItem', { TableName: 'Users', Item })
  const item = (await Plain.get({ id: '1' }))!
  expect(item.home).toEqual({ city: 'Rome' })
  await Plain.put({ ...item, home: { city: 'Oslo' } })
  expect((await stored('P#1')).home?.M).toEqual({ city: { S: 'Oslo' }, floor: { N: '3' } })
  await Plain.save({ ...item, home: { city: 'Bern' } }, { ...item, home: { city: 'Oslo' } })
  expect((await stored('P#1')).home?.M).toEqual({ city: { S: 'Bern' }, floor: { N: '3' } })
})

test('save changes objects member by member, and keeps them', async () => {
  const { entity, item, before, pk } = await read('User')
  const { zip, ...profile } = item.profile!
  const changed = { ...item, profile: { ...profile, city: 'Oslo', bank: { name: 'C' } } }
  await entity.save(changed, item)
  const { zip: _, ...rest } = before.profile!.M!
  const bank = { M: { name: { S: 'C' }, pin: { S: '9' } } }
  expect((await stored(pk)).profile).toEqual({ M: { ...rest, city: { S: 'Oslo' }, bank } })
  const again = entity.save({ ...item, profile: { city: 'Bern' } }, item)
  await expect(again).rejects.toMatchObject({ code: 'CONDITION_FAILED' })
})

test('save sets hidden attributes and members without knowing what they were', async () => {
  const { entity, item, pk } = await read('User')
  const given = { ...item, password: 'q', profile: { ...item.profile, tax: 'u' } }
  await entity.save(given as never, item)
  const now = await stored(pk)
  expect([now.password, now.profile?.M?.tax]).toEqual([{ S: 'q' }, { S: 'u' }])
})

test('save refuses a list of which elements have hidden members', async () => {
  const { entity, item } = await read('User')
  expect(() => entity.save({ ...item, lines: [] }, item)).toThrow("which save() can't compare")
})
