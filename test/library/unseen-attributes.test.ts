import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

const attributes = {
  id: { type: String, required: true },
  name: { type: String },
  role: { type: String },
  secret: { type: String, hidden: true },
  salt: { type: String, hidden: true, generate: 'ulid' },
  version: { type: Number, version: true },
} as const
const { version, ...unversioned } = attributes

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    Versioned: { key: { pk: 'V#${id}' }, attributes },
    Plain: {
      key: { pk: 'P#${id}' },
      index: { gsi1pk: 'ROLE#${role}', gsi1sk: '${id}' },
      attributes: unversioned,
    },
    Unique: {
      key: { pk: 'U#${id}' },
      attributes: { ...unversioned, name: { type: String, unique: true } },
    },
    Copied: {
      key: { pk: 'C#${id}' },
      attributes: unversioned,
      copies: { Copy: { key: { pk: 'COPY#${id}' }, attributes: ['name'] } },
    },
  },
})

test.each(['Versioned', 'Plain', 'Unique', 'Copied'] as const)(
  'put of a %s that was read keeps its hidden attributes',
  async (name) => {
    const client = createEngine()
    const table = new Table({ name: 'Users', schema, client })
    await table.create()
    // All have these attributes.
    const entity = table.entities[name] as typeof table.entities.Plain
    const stored = async () => {
      const { Items = [] } = await client.send('Scan', { TableName: 'Users' })
      return Items.find(({ _type }) => _type?.S === name)
    }
    await entity.put({ id: '1', name: 'a', role: 'r', secret: 's' }).execute()
    const { salt } = (await stored())!
    expect(salt?.S).toHaveLength(26)
    const { role, ...read } = (await entity.get({ id: '1' }).execute())!
    const written = await entity.put({ ...read, name: 'b' }).execute()
    expect(written).toEqual(await entity.get({ id: '1' }).execute())
    expect(await stored()).toMatchObject({ name: { S: 'b' }, secret: { S: 's' }, salt })
    expect(await stored()).not.toHaveProperty('role')
    expect(await stored()).not.toHaveProperty('gsi1pk')

    const again = { ...(await entity.get({ id: '1' }).execute())!, secret: 't' }
    await entity.put(again).execute()
    expect(await stored()).toMatchObject({ secret: { S: 't' }, salt })
    const without = { ...(await entity.get({ id: '1' }).execute())!, secret: undefined }
    await entity.put(without as never).execute()
    expect(await stored()).not.toHaveProperty('secret')
  },
)

test('and so does a put in a batch or a transaction', async () => {
  const client = createEngine()
  const table = new Table({ name: 'Users', schema, client })
  await table.create()
  const { Plain } = table.entities
  await Plain.batchWrite(['1', '2'].map((id) => ({ id, secret: 's' }))).execute()
  await Plain.batchWrite([{ id: '1', name: 'b' }]).execute()
  await table
    .transactWrite()
    .addPut(Plain.put({ id: '2', name: 'b' }))
    .execute()
  const { Items = [] } = await client.send('Scan', { TableName: 'Users' })
  for (const item of Items) expect(item).toMatchObject({ secret: { S: 's' }, name: { S: 'b' } })
})
