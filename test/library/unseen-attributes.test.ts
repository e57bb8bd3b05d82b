import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeEach, describe, expect, test, vi } from 'vitest'

const attributes = {
  id: { type: String, required: true },
  name: { type: String },
  role: { type: String },
  secret: { type: String, hidden: true },
  salt: { type: String, hidden: true, generate: 'ulid' },
  version: { type: Number, version: true },
} as const
const { version, ...unversioned } = attributes
const { secret, salt, ...bare } = unversioned

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
    Bare: { key: { pk: 'B#${id}' }, attributes: bare },
    BareVersioned: { key: { pk: 'BV#${id}' }, attributes: { ...bare, version } },
    BareUnique: {
      key: { pk: 'BU#${id}' },
      attributes: { ...bare, name: { type: String, unique: true } },
    },
    BareCopied: {
      key: { pk: 'BC#${id}' },
      attributes: bare,
      copies: { BareCopy: { key: { pk: 'BCOPY#${id}' } } },
    },
    BareGroup: {
      key: { pk: 'BG#${id}' },
      attributes: { ...bare, members: { type: Number, counts: 'BareMember' } },
    },
    BareMember: {
      key: { pk: 'BM#${id}#${m}' },
      attributes: { id: attributes.id, m: attributes.id },
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

describe('attributes that the schema does not declare', () => {
  let client: ReturnType<typeof engine>
  const engine = () => createEngine()
  const onWarning = vi.fn()
  const newTable = (keepUndeclared?: boolean) =>
    new Table({ name: 'Users', schema, client, onWarning, keepUndeclared })
  let table: Table<typeof schema>
  const models = ['Bare', 'BareVersioned', 'BareUnique', 'BareCopied', 'BareGroup'] as const
  type Name = (typeof models)[number]
  // All have these attributes.
  const entityOf = (name: Name, of = table) => of.entities[name] as typeof table.entities.Bare
  const prefixes = {
    Bare: 'B',
    BareVersioned: 'BV',
    BareUnique: 'BU',
    BareCopied: 'BC',
    BareGroup: 'BG',
  }
  const keyOf = (name: Name, id: string) => ({ pk: { S: `${prefixes[name]}#${id}` } })
  const stored = async (name: Name, id = '1') =>
    (await client.send('GetItem', { TableName: 'Users', Key: keyOf(name, id) })).Item
  /** An item that another program has given an attribute of its own. */
  const prepare = async (name: Name, id = '1') => {
    await entityOf(name)
      .create({ id, name: `a${id}`, role: 'r' })
      .execute()
    await client.send('UpdateItem', {
      TableName: 'Users',
      Key: keyOf(name, id),
      UpdateExpression: 'SET legacy = :value',
      ExpressionAttributeValues: { ':value': { S: 'kept' } },
    })
  }
  beforeEach(async () => {
    client = engine()
    onWarning.mockClear()
    table = newTable()
    await table.create()
  })

  test.each(models)('are kept by a put of a %s that was read', async (name) => {
    await prepare(name)
    const { role, ...read } = (await entityOf(name).get({ id: '1' }).execute())!
    const { members, ...changed } = { ...read, name: 'b' } as typeof read & { members?: unknown }
    // As after a form in a browser.
    const written = await entityOf(name)
      .put(JSON.parse(JSON.stringify(changed)))
      .execute()
    expect(written).toEqual(await entityOf(name).get({ id: '1' }).execute())
    expect(await stored(name)).toMatchObject({ legacy: { S: 'kept' }, name: { S: 'b' } })
    expect(await stored(name)).not.toHaveProperty('role')
    expect(onWarning).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('"legacy"'))
  })

  test.each(models)('of a %s are erased by replace()', async (name) => {
    await prepare(name)
    const read = await entityOf(name).get({ id: '1' }).execute()
    const { members, ...item } = { ...read!, members: undefined }
    await entityOf(name).put(item).replace().execute()
    expect(await stored(name)).not.toHaveProperty('legacy')
  })

  test.each(['Bare', 'BareCopied'] as const)(
    'are kept by puts of a %s in batches and transactions',
    async (name) => {
      for (const id of ['1', '2', '3']) await prepare(name, id)
      await entityOf(name).get({ id: '1' }).execute()
      await entityOf(name)
        .batchWrite([{ id: '1', name: 'b' }])
        .execute()
      await table.batchWrite([entityOf(name).put({ id: '2', name: 'b' })]).execute()
      const put = entityOf(name).put({ id: '3', name: 'b' })
      await table.transactWrite().addPut(put).execute()
      for (const id of ['1', '2', '3']) {
        expect(await stored(name, id)).toMatchObject({ legacy: { S: 'kept' }, name: { S: 'b' } })
      }
    },
  )

  test('of a model that nobody has read are kept with keepUndeclared, and not without', async () => {
    await prepare('Bare')
    await prepare('Bare', '2')
    const keeping = entityOf('Bare', newTable(true))
    await keeping.put({ id: '1', name: 'b' }).execute()
    expect(await stored('Bare')).toMatchObject({ legacy: { S: 'kept' }, name: { S: 'b' } })
    await entityOf('Bare').put({ id: '2', name: 'b' }).execute()
    expect(await stored('Bare', '2')).not.toHaveProperty('legacy')
    expect(onWarning).not.toHaveBeenCalled()
  })

  test('are erased with keepUndeclared: false, read or not', async () => {
    await prepare('Bare')
    const erasing = entityOf('Bare', newTable(false))
    await erasing.put((await erasing.get({ id: '1' }).execute())!).execute()
    expect(await stored('Bare')).not.toHaveProperty('legacy')
  })

  test('are kept in an item that has no type, which other software wrote', async () => {
    const Item = { ...keyOf('Bare', '1'), id: { S: '1' }, legacy: { N: '1' } }
    await client.send('PutItem', { TableName: 'Users', Item })
    const read = (await entityOf('Bare').get({ id: '1' }).execute())!
    await entityOf('Bare')
      .put({ ...read, name: 'b' })
      .execute()
    expect(await stored('Bare')).toEqual({ ...Item, name: { S: 'b' }, _type: { S: 'Bare' } })
  })

  test('make no difference to the request where there are none', async () => {
    await entityOf('Bare').create({ id: '1' }).execute()
    await entityOf('Bare').get({ id: '1' }).execute()
    expect(entityOf('Bare').put({ id: '1' }).dbParams()).toHaveProperty('Item')
  })
})
