import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import {
  type AdoptedSchema,
  fromElectroDB,
  fromOneTable,
  fromToolbox,
} from '@singletable/kit/adopt'
import { Table as OneTable } from 'dynamodb-onetable'
import {
  boolean,
  GetItemCommand,
  item,
  list,
  map,
  number,
  PutItemCommand,
  set,
  string,
  Entity as ToolboxEntity,
  Table as ToolboxTable,
} from 'dynamodb-toolbox'
import { Entity as ElectroEntity } from 'electrodb'
import { type SchemaDefinition, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'

/** Items that a peer wrote, read and written with the schema that is printed for its models. */

/** Where the peers keep the times of writes. */
const TIMES = ['created', 'updated', '_ct', '_md']

let folder: string
beforeEach(() => {
  // Inside the repository, so that the file finds the library.
  folder = mkdtempSync(path.join(ROOT, 'test/peers/adopted-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** The schema of the printed file, on two tables: one that the peer writes to, and one of ours
 * alone. */
async function adopt({ source, definition }: AdoptedSchema) {
  const file = path.join(folder, 'schema.ts')
  writeFileSync(file, source)
  const { schema } = (await import(pathToFileURL(file).href)) as { schema: SchemaDefinition }
  expect(schema).toEqual(definition)
  const engine = createEngine()
  const open = async (name: string) => {
    const table = new Table({ name, schema, client: engine })
    await table.create()
    return table.entities
  }
  // The times of writes differ in their milliseconds alone, and each is an ISO text.
  const itemsOf = async (TableName: string) => {
    const { Items = [] } = await engine.send('Scan', { TableName })
    return Items.map((stored) => {
      const times = TIMES.filter((name) => stored[name])
      for (const name of times) expect(stored[name]?.S).toMatch(/^20\d\d-.*T.*\.\d{3}Z$/)
      return { ...stored, ...Object.fromEntries(times.map((name) => [name, 'a time'])) }
    })
  }
  const client = new DynamoDBClient(engine.clientConfig())
  return { theirs: await open('Theirs'), ours: await open('Ours'), itemsOf, client }
}

test('items of ElectroDB are read, queried and updated, and written byte for byte as it writes them', async () => {
  const model = {
    model: { entity: 'order', version: '1', service: 'Shop' },
    attributes: {
      customerId: { type: 'string', required: true },
      orderId: { type: 'string', required: true },
      status: { type: ['open', 'paid'] as const, required: true, default: 'open' },
      line: { type: 'number', required: true, padding: { length: 4, char: '0' } },
      total: { type: 'number', field: 't' },
      labels: { type: 'set', items: 'string' },
      address: { type: 'map', properties: { city: { type: 'string', required: true } } },
      notes: { type: 'list', items: { type: 'string' }, default: () => [] },
    },
    indexes: {
      byCustomer: {
        collection: 'account',
        pk: { field: 'pk', composite: ['customerId'] },
        sk: { field: 'sk', composite: ['orderId', 'line'] },
      },
      byStatus: {
        index: 'gsi1',
        pk: { field: 'gsi1pk', composite: ['status'] },
        sk: { field: 'gsi1sk', composite: ['line', 'customerId'] },
      },
    },
  } as const
  const adopted = fromElectroDB(new ElectroEntity(model, { table: 'Theirs' }))
  expect(adopted.notes).toEqual([])
  const { theirs, ours, itemsOf, client } = await adopt(adopted)
  const orders = new ElectroEntity(model, {
    client: DynamoDBDocumentClient.from(client),
    table: 'Theirs',
  })
  const inputs = [
    { customerId: 'Ann#1', orderId: 'O1', line: 7, total: 5, labels: ['a', 'b'] },
    { customerId: 'Ann#1', orderId: '', line: 12, address: { city: 'Rome' }, notes: ['x'] },
    { customerId: 'bob', orderId: 'O#2', line: 3, status: 'paid' },
  ] as const
  for (const input of inputs) {
    await orders.put(input as never).go()
    const { labels, ...rest } = input as { labels?: readonly string[] }
    await ours
      .Order!.put({ ...rest, ...(labels && { labels: new Set(labels) }) } as never)
      .execute()
  }
  expect(await itemsOf('Ours')).toEqual(await itemsOf('Theirs'))

  const key = { customerId: 'Ann#1', orderId: '', line: 12 }
  expect(await theirs.Order!.get(key as never).execute()).toMatchObject({
    ...key,
    address: { city: 'Rome' },
    notes: ['x'],
  })
  const ofAnn = await theirs.Order!.query({ customerId: 'Ann#1' } as never).execute()
  expect(ofAnn.map((order) => order.line)).toEqual([12, 7])
  const open = theirs
    .Order!.query({ status: 'open' } as never)
    .where((attr, op) => op.between(attr.line!, 1 as never, 9 as never))
  expect((await open.execute()).map((order) => order.orderId)).toEqual(['O1'])
  await theirs
    .Order!.update(key as never)
    .set({ status: 'paid', total: 9 } as never)
    .execute()
  await orders.update(key).set({ status: 'paid', total: 9 }).go()
  const { data } = await orders.query.byStatus({ status: 'paid' }).go()
  expect(data.map(({ line, total }) => [line, total])).toEqual([
    [3, undefined],
    [12, 9],
  ])
  await ours
    .Order!.update(key as never)
    .set({ status: 'paid', total: 9 } as never)
    .execute()
  expect(await itemsOf('Ours')).toEqual(await itemsOf('Theirs'))
})

const TASK = {
  model: { entity: 'task', version: '1', service: 'App' },
  attributes: {
    id: { type: 'string', required: true },
    team: { type: 'string', required: true },
    owner: { type: 'string' },
    due: { type: 'string' },
    label: { type: 'string' },
    rank: { type: 'number', padding: { length: 3, char: '0' } },
    note: { type: 'string' },
  },
  indexes: {
    byId: { pk: { field: 'pk', composite: ['id'] }, sk: { field: 'sk', composite: [] } },
    byDue: {
      index: 'gsi1',
      pk: { field: 'gsi1pk', composite: ['team'] },
      sk: { field: 'gsi1sk', composite: ['due'] },
    },
    byOwner: {
      index: 'gsi2',
      collection: 'work',
      pk: { field: 'gsi2pk', composite: ['owner'], template: 'OWNER#${owner}', casing: 'none' },
      sk: { field: 'gsi2sk', composite: ['id'] },
    },
    byLabel: {
      index: 'gsi3',
      collection: 'all',
      type: 'clustered',
      pk: { field: 'gsi3pk', composite: [] },
      sk: { field: 'gsi3sk', composite: ['label', 'rank'] },
    },
  },
} as const

test('keys that ElectroDB ends where a value is missing are written alike, and read completely', async () => {
  const adopted = fromElectroDB(new ElectroEntity(TASK, { table: 'Theirs' }))
  expect(adopted.source).toContain("shortKeys: ['gsi1', 'gsi2', 'gsi3']")
  expect(adopted.notes[0]).toBe(
    'Task, byDue: items without due are in index "gsi1", as ElectroDB puts them; those that lost a value by its remove() are not, until they are put again.',
  )
  const { theirs, ours, itemsOf, client } = await adopt(adopted)
  const document = DynamoDBDocumentClient.from(client)
  const tasks = new ElectroEntity(TASK, { client: document, table: 'Theirs' })
  const inputs = [
    { id: '1', team: 'A', due: '2025', owner: 'ann', label: 'x', rank: 7 },
    { id: '2', team: 'A' },
    { id: '3', team: 'A', due: '', note: 'due is empty, not missing' },
    { id: '4', team: 'A', owner: 'ann' },
    { id: '5', team: 'B', due: '2024', label: 'y', rank: 1 },
  ]
  for (const input of inputs) {
    await tasks.put(input).go()
    await ours.Task!.put(input as never)
  }
  // An upsert of each, of an item that is there and of a new one.
  for (const id of ['4', '6']) {
    await tasks.upsert({ id, team: 'C', owner: 'ann' }).go()
    await ours.Task!.upsert({ id } as never).set({ team: 'C', owner: 'ann' } as never)
  }
  // What is given again, changed, or set for the first time.
  for (const [id, set] of [
    ['1', { due: '2026' }],
    ['2', { due: '2023', owner: 'bob' }],
    ['4', { team: 'B' }],
    ['2', { note: 'n' }],
    ['5', { label: 'z', rank: 2 }],
  ] as const) {
    await tasks.update({ id }).set(set).go()
    await ours.Task!.update({ id } as never).set(set as never)
  }
  expect(await itemsOf('Ours')).toEqual(await itemsOf('Theirs'))

  // Without `due` the item is the first of its team.
  await tasks.put({ id: '7', team: 'A' }).go()
  const ids = async (
    where?: Parameters<ReturnType<NonNullable<typeof theirs.Task>['query']>['where']>[0],
  ) => {
    const query = theirs.Task!.query({ team: 'A' } as never)
    const found = await (where ? query.where(where) : query)
    return found.map(({ id }) => id).sort()
  }
  expect(theirs.Task!.query({ team: 'A' } as never).explain().index).toBe('gsi1')
  expect(await ids()).toEqual(['1', '2', '3', '7'])
  expect(await ids((attr, op) => op.eq(attr.due!, '' as never))).toEqual(['3'])
  expect(await ids((attr, op) => op.eq(attr.due!, '2026' as never))).toEqual(['1'])
  expect(await ids((attr, op) => op.lt(attr.due!, '2024' as never))).toEqual(['2', '3'])
  expect(await ids((attr, op) => op.gte(attr.due!, '2000' as never))).toEqual(['1', '2'])
  expect(await ids((attr, op) => op.between(attr.due!, '' as never, '2024' as never))).toEqual([
    '2',
    '3',
  ])
  expect(await ids((attr, op) => op.beginsWith(attr.due! as never, '' as never))).toEqual([
    '1',
    '2',
    '3',
  ])
  expect(await ids((attr, op) => op.exists(attr.due!))).toEqual(['1', '2', '3'])
  expect(await ids((attr, op) => op.notExists(attr.due!))).toEqual(['7'])
  expect(await theirs.Task!.query({ owner: '' } as never)).toEqual([])

  // ElectroDB reads what we write, put and removed alike.
  await theirs.Task!.put({ id: '8', team: 'A' } as never)
  await theirs.Task!.update({ id: '1' } as never).remove('due' as never)
  const { data } = await tasks.query.byDue({ team: 'A' }).go()
  expect(data.map(({ id }) => id).sort()).toEqual(['1', '2', '3', '7', '8'])
  await ours.Task!.update({ id: '1' } as never).remove('due' as never)
  await tasks.put({ ...inputs[0]!, due: undefined } as never).go()
  const first = async (name: string) =>
    (await itemsOf(name)).find(({ pk }) => Object(pk).S === '$app#id_1')
  expect(await first('Ours')).toEqual(await first('Theirs'))
})

test('an item that lost a value by remove() of ElectroDB is not in the index, and found by check', async () => {
  const adopted = fromElectroDB(new ElectroEntity(TASK, { table: 'Theirs' }))
  const { theirs, itemsOf, client } = await adopt(adopted)
  const tasks = new ElectroEntity(TASK, {
    client: DynamoDBDocumentClient.from(client),
    table: 'Theirs',
  })
  await tasks.put({ id: '1', team: 'A', due: '2025' }).go()
  await tasks.update({ id: '1' }).remove(['due']).go()
  const [item] = await itemsOf('Theirs')
  expect(item).toMatchObject({ gsi1pk: { S: '$app#team_a' } })
  expect(item).not.toHaveProperty('gsi1sk')
  const found = await theirs.Task!.get({ id: '1' } as never)
  await theirs.Task!.put(found as never)
  expect((await itemsOf('Theirs'))[0]).toMatchObject({ gsi1sk: { S: '$task_1#due_' } })
})

test('indexes of ElectroDB that are local, hold a part of the items, or have attributes as keys', async () => {
  const model = {
    model: { entity: 'task', version: '1', service: 'app' },
    attributes: {
      team: { type: 'string', required: true, field: 't' },
      id: { type: 'string', required: true },
      due: { type: 'string', required: true },
      rank: { type: 'number', required: true },
      note: { type: 'string' },
    },
    indexes: {
      byTeam: { pk: { field: 'pk', composite: ['team'] }, sk: { field: 'sk', composite: ['id'] } },
      byDue: {
        index: 'lsi1',
        pk: { field: 'pk', composite: ['team'] },
        sk: { field: 'lsi1sk', composite: ['due'] },
      },
      keysByRank: {
        index: 'gsi1',
        projection: 'keys_only',
        pk: { field: 'gsi1pk', composite: ['rank'] },
        sk: { field: 'gsi1sk', composite: ['due'] },
      },
      someByNote: {
        index: 'gsi2',
        projection: ['due', 'note', 'id'],
        pk: { field: 'gsi2pk', composite: ['note'] },
        sk: { field: 'gsi2sk', composite: ['id'] },
      },
      byRank: {
        index: 'gsi3',
        type: 'composite',
        projection: 'all',
        pk: { composite: ['team', 'due'] },
        sk: { composite: ['rank'] },
      },
    },
  } as const
  const adopted = fromElectroDB(new ElectroEntity(model, { table: 'Theirs' }))
  expect(adopted.definition.indexes).toEqual({
    primary: { hash: 'pk', sort: 'sk' },
    lsi1: { type: 'local', hash: 'pk', sort: 'lsi1sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk', project: 'keys' },
    gsi2: { hash: 'gsi2pk', sort: 'gsi2sk', project: ['due', 'note', 'id'] },
    gsi3: { hash: ['t', 'due'], sort: ['rank'], project: 'all' },
  })
  expect(adopted.notes).toEqual([
    'Task, keysByRank: index "gsi1" has due only in lower case, so that no query can be sure of it; project it as well.',
    'Task, someByNote: this library projects __edb_e__ into index "gsi2" as well, which your table does not do.',
    'Task, someByNote: items without note are not in index "gsi2", where ElectroDB puts them; shortKeys needs an index that holds whole items.',
  ])
  const { theirs, ours, itemsOf, client } = await adopt(adopted)
  const tasks = new ElectroEntity(model, {
    client: DynamoDBDocumentClient.from(client),
    table: 'Theirs',
  })
  const inputs = [
    { team: 'Red', id: '1', due: '2026-01-02', rank: 10, note: 'a' },
    { team: 'Red', id: '2', due: '2026-01-01', rank: 7, note: 'a' },
    { team: 'Red', id: '3', due: '2026-01-02', rank: 9, note: 'b' },
  ]
  for (const input of inputs) {
    await tasks.put(input).go()
    await ours.Task!.put(input as never)
  }
  expect(await itemsOf('Ours')).toEqual(await itemsOf('Theirs'))

  const ids = (found: readonly { id?: unknown }[]) => found.map(({ id }) => id)
  const ask = (question: object) => theirs.Task!.query(question as never)
  expect(ids(await ask({ team: 'Red' }).useIndex('lsi1' as never))).toEqual(
    ids((await tasks.query.byDue({ team: 'Red' }).go()).data),
  )
  expect(await ask({ rank: 7 }).select(['rank'] as never)).toEqual([{ rank: 7 }])
  expect(
    await ask({ note: 'a' })
      .useIndex('gsi2' as never)
      .select(['id', 'due'] as never),
  ).toEqual([
    { id: '1', due: '2026-01-02' },
    { id: '2', due: '2026-01-01' },
  ])
  const question = { team: 'Red', due: '2026-01-02' }
  const byRank = ids((await tasks.query.byRank(question).go()).data)
  expect(byRank).toEqual(['3', '1'])
  expect(ids(await ask(question).useIndex('gsi3' as never))).toEqual(byRank)
})

test('items of OneTable are read, queried and updated, and written byte for byte as it writes them', async () => {
  const schema = {
    format: 'onetable:1.1.0',
    version: '0.0.1',
    indexes: {
      primary: { hash: 'pk', sort: 'sk' },
      gsi1: { hash: 'gsi1pk', sort: 'gsi1sk', project: 'all' },
    },
    models: {
      User: {
        pk: { type: String, value: 'account:${accountId}' },
        sk: { type: String, value: 'user:${id}#${number:5:0}' },
        gsi1pk: { type: String, value: 'role:${role}' },
        gsi1sk: { type: String, value: 'user:${since}' },
        accountId: { type: String, required: true },
        id: { type: String, required: true },
        number: { type: Number, required: true },
        since: { type: Date, required: true },
        role: { type: String, enum: ['admin', 'user'], default: 'user' },
        active: { type: Boolean },
        expires: { type: Date, ttl: true },
        tags: { type: Set },
        address: { type: Object, schema: { city: { type: String, required: true } } },
        email: { type: String, map: 'e' },
      },
    },
    params: { isoDates: true, timestamps: true },
  } as const
  const adopted = fromOneTable(schema)
  expect(adopted.notes).toEqual([])
  const { theirs, ours, itemsOf, client } = await adopt(adopted)
  const table = new OneTable({ client, name: 'Theirs', schema, partial: true })
  const users = table.getModel('User')
  const since = new Date('2025-05-05T05:05:05.500Z')
  const inputs = [
    { accountId: 'A#1', id: 'x', number: 7, since, email: 'x@y.org', active: true },
    { accountId: 'A#1', id: 'x#y', number: 12, since, role: 'admin', tags: new Set(['t']) },
    {
      accountId: 'b',
      id: 'z',
      number: 1,
      since,
      address: { city: 'Rome' },
      expires: new Date('2099-01-01'),
    },
  ] as const
  for (const input of inputs) {
    await users.create(input as never)
    await ours.User!.create(input as never).execute()
  }
  expect(await itemsOf('Ours')).toEqual(await itemsOf('Theirs'))

  const key = { accountId: 'A#1', id: 'x#y', number: 12 }
  expect(await theirs.User!.get(key as never).execute()).toMatchObject({
    ...inputs[1],
    createdAt: expect.any(Date),
  })
  expect(await theirs.User!.query({ accountId: 'A#1', id: 'x' } as never).count()).toBe(1)
  expect(await theirs.User!.query({ role: 'user' } as never).count()).toBe(2)
  await theirs
    .User!.update(key as never)
    .set({ role: 'user', email: 'n@y.org' } as never)
    .execute()
  expect(await users.find({ role: 'user' }, { index: 'gsi1' })).toHaveLength(3)
  expect((await users.get(key))?.email).toBe('n@y.org')
  await users.update({ accountId: 'A#1', id: 'x', number: 7, active: false })
  await ours
    .User!.update({ accountId: 'A#1', id: 'x', number: 7 } as never)
    .set({ active: false } as never)
    .execute()
  await ours
    .User!.update(key as never)
    .set({ role: 'user', email: 'n@y.org' } as never)
    .execute()
  expect(await itemsOf('Ours')).toEqual(await itemsOf('Theirs'))
})

test('items of DynamoDB-Toolbox are read, queried and updated, and written byte for byte as it writes them', async () => {
  const posts = (client?: DynamoDBClient) =>
    new ToolboxEntity({
      name: 'Post',
      table: new ToolboxTable({
        name: 'Theirs',
        ...(client && {
          documentClient: DynamoDBDocumentClient.from(client, {
            marshallOptions: { removeUndefinedValues: true },
          }),
        }),
        partitionKey: { name: 'pk', type: 'string' },
        sortKey: { name: 'sk', type: 'string' },
        indexes: {
          byRank: {
            type: 'global',
            partitionKey: { name: 'topic', type: 'string' },
            sortKey: { name: 'r', type: 'number' },
          },
        },
      }),
      schema: item({
        author: string().key(),
        postId: string().key(),
        part: number().key(),
        topic: string().enum('a', 'b').default('a'),
        rank: number().savedAs('r').optional(),
        open: boolean().optional(),
        tags: set(string()).optional(),
        place: map({ city: string(), zip: number().optional() }).optional(),
        comments: list(string()).default(() => []),
      }),
      computeKey: ({ author, postId, part }) => ({
        pk: `USER#${author.toLowerCase()}`,
        sk: `POST#${postId}#${part}`,
      }),
    })
  const adopted = fromToolbox(posts())
  expect(adopted.notes).toEqual([
    'Post.created is called createdAt here.',
    'Post.modified is called updatedAt here.',
  ])
  const { theirs, ours, itemsOf, client } = await adopt(adopted)
  const entity = posts(client)
  const inputs = [
    { author: 'Ann', postId: 'p#1', part: 9, rank: 10, open: true, tags: new Set(['x']) },
    { author: 'Ann', postId: '', part: 10, rank: 9, place: { city: 'Rome' }, comments: ['c'] },
    { author: 'bob', postId: 'q', part: 1, topic: 'b' },
  ] as const
  for (const input of inputs) {
    await entity
      .build(PutItemCommand)
      .item(input as never)
      .send()
    await ours.Post!.put(input as never).execute()
  }
  expect(await itemsOf('Ours')).toEqual(await itemsOf('Theirs'))

  const key = { author: 'Ann', postId: '', part: 10 }
  expect(await theirs.Post!.get(key as never).execute()).toMatchObject(inputs[1])
  expect(await theirs.Post!.query({ author: 'Ann', postId: 'p#1' } as never).count()).toBe(1)
  const ranked = await theirs
    .Post!.query({ topic: 'a' } as never)
    .where((attr, op) => op.gt(attr.rank!, 9 as never))
    .execute()
  expect(ranked.map((post) => post.part)).toEqual([9])
  await theirs
    .Post!.update(key as never)
    .set({ rank: 11 } as never)
    .execute()
  const { Item } = await entity.build(GetItemCommand).key(key).send()
  expect(Item).toMatchObject({ ...inputs[1], rank: 11 })
})

test('what has no counterpart is named in the file', () => {
  const { source, notes } = fromOneTable({
    indexes: { primary: { hash: 'pk' } },
    models: {
      User: {
        pk: { type: String, value: 'user:${id}' },
        id: { type: String, required: true },
        email: { type: String, unique: true },
        at: { type: String, default: () => String(Math.random()) },
      },
    },
  })
  expect(notes).toEqual([
    'User.email: OneTable stores guards of unique values under its own keys, which this library does not read.',
    'User.at: its default is a function; write it by hand, or use generate.',
  ])
  expect(source).toBe(`import { defineSchema } from 'singletable'

// User.email: OneTable stores guards of unique values under its own keys, which this library does not read.
// User.at: its default is a function; write it by hand, or use generate.
export const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    User: {
      key: { pk: 'user:\${id}' },
      attributes: {
        id: { type: String, required: true, encode: 'raw' },
        email: { type: String },
        at: { type: String },
      },
    },
  },
  params: { typeField: '_type', isoDates: false },
})
`)
})

test('a value that is not an entity of ElectroDB is refused', () => {
  expect(() => fromElectroDB({ schema: {} })).toThrow('takes entities of ElectroDB 3')
})
