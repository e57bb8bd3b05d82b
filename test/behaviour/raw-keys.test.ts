import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

/** Keys that another program wrote, which joins values by a separator whatever they contain. */
const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    File: {
      key: { pk: 'DISK#${disk}', sk: 'FILE#${path}#REV#${revision}' },
      index: { gsi1pk: 'OWNER#${owner:lower}', gsi1sk: 'FILE#${path}#${disk}' },
      attributes: {
        disk: { type: String, required: true },
        path: { type: String, encode: 'raw', required: true },
        revision: { type: Number, encode: 'raw', required: true },
        owner: { type: String, encode: 'raw' },
        size: { type: Number },
      },
    },
  },
})

const client = createEngine()
const table = new Table({ name: 'Files', schema, client })
const { File } = table.entities
const stored = (path: string, revision: number) => ({
  pk: { S: 'DISK#d' },
  sk: { S: `FILE#${path}#REV#${revision}` },
  gsi1pk: { S: 'OWNER#ann#1' },
  gsi1sk: { S: `FILE#${path}#d` },
  _type: { S: 'File' },
  disk: { S: 'd' },
  path: { S: path },
  revision: { N: String(revision) },
  owner: { S: 'Ann#1' },
})

test('values with separators and empty ones are read, queried and updated as they are stored', async () => {
  await table.create()
  for (const [path, revision] of [
    ['a', 9],
    ['a', 10],
    ['a#REV#9', 1],
    ['', 1],
    ['a#b', 2],
  ] as const) {
    await client.send('PutItem', { TableName: 'Files', Item: stored(path, revision) })
  }
  const key = { disk: 'd', path: 'a#b', revision: 2 }
  expect(await File.get(key).execute()).toEqual({ ...key, owner: 'Ann#1' })
  expect(await File.get({ ...key, path: '', revision: 1 }).execute()).toBeDefined()

  const ofPath = File.query({ disk: 'd', path: 'a' })
  expect((await ofPath.execute()).map(({ revision }) => revision)).toEqual([10, 9])
  expect(ofPath.dbParams()).toMatchObject({
    ExpressionAttributeValues: { ':v1': 'FILE#a#REV#' },
    FilterExpression: '#n2 = :v2',
  })
  const greater = ofPath.where((attr, op) => op.gte(attr.revision, 10))
  expect(await greater.count()).toBe(1)
  const below = File.query({ disk: 'd' }).where((attr, op) => op.beginsWith(attr.path, 'a#'))
  expect(await below.count()).toBe(2)
  expect(await File.query({ owner: 'Ann#1', path: 'a#b' }).count()).toBe(1)

  const updated = await File.update(key).set({ owner: 'Bob' }).execute()
  expect(updated.owner).toBe('Bob')
  const written = await File.put({ ...key, path: 'x#', owner: 'Ann#1' }).execute()
  expect(written.path).toBe('x#')
  const { Item } = await client.send('GetItem', {
    TableName: 'Files',
    Key: { pk: { S: 'DISK#d' }, sk: { S: 'FILE#x##REV#2' } },
  })
  expect(Item).toEqual(stored('x#', 2))
  expect(await File.scan().count()).toBe(6)
})

test('a key of one raw value gives it back, also with separators', () => {
  expect(File.parseKey({ gsi1sk: 'FILE#a#b#d' })).toEqual({ path: 'a#b', disk: 'd' })
  expect(File.parseKey({ gsi1pk: 'OWNER#ann#1' })).toEqual({ owner: 'ann#1' })
})

test('models whose keys meet through a raw value are refused', () => {
  const define = (encode: 'raw' | true) =>
    defineSchema({
      indexes: { primary: { hash: 'pk' } },
      models: {
        A: { key: { pk: 'A#${id}' }, attributes: { id: { type: String, encode } } },
        B: {
          key: { pk: 'A#${id}#B#${n}' },
          attributes: { id: { type: String }, n: { type: String } },
        },
      },
    })
  expect(() => define('raw')).toThrow('can have the same primary key')
  expect(() => define(true)).not.toThrow()
})

test('an encode that does not exist is refused', () => {
  expect(() =>
    defineSchema({
      indexes: { primary: { hash: 'pk' } },
      models: {
        A: { key: { pk: 'A#${id}' }, attributes: { id: { type: String, encode: 'rwa' } } },
      },
    } as never),
  ).toThrow('there is no encode "rwa"')
})
