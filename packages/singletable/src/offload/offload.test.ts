import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Table } from '../builder/table.ts'
import { createEngine } from '../engine/engine.ts'
import { simulatedEnvironment } from '../engine/simulated-environment.ts'
import { defineSchema } from '../plan/define-schema.ts'
import { fileStore } from './file-store.ts'
import { largeValue } from './large-value.ts'
import { LargeValues } from './large-values.ts'
import { listOrphans, removeOrphans } from './list-orphans.ts'
import type { ObjectStore } from './object-store.ts'
import { type S3Client, s3Store } from './s3-store.ts'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Document: {
      key: { pk: 'DOC#${id}' },
      attributes: { id: { type: String, required: true }, body: largeValue },
    },
  },
})

const LONG = 'ä long text '.repeat(10_000)

/** The SDK's client as far as it is used, with pages of two objects. */
function memoryS3(): S3Client {
  const objects = new Map<string, { body: Uint8Array; at: Date }>()
  return {
    async putObject({ Key, Body }) {
      objects.set(Key, { body: Body, at: new Date() })
    },
    async getObject({ Key }) {
      const found = objects.get(Key)
      if (found === undefined) throw Object.assign(new Error('no'), { name: 'NoSuchKey' })
      return { Body: { transformToByteArray: async () => found.body } }
    },
    async deleteObject({ Key }) {
      objects.delete(Key)
    },
    async listObjectsV2({ Prefix, ContinuationToken = '' }) {
      const keys = [...objects.keys()].filter((key) => key.startsWith(Prefix)).sort()
      const rest = keys.filter((key) => key > ContinuationToken)
      const page = rest.slice(0, 2)
      return {
        Contents: page.map((Key) => ({ Key, LastModified: objects.get(Key)!.at })),
        NextContinuationToken: rest.length > 2 ? page.at(-1) : undefined,
      }
    },
  }
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'singletable-offload-'))
})
afterEach(() => rm(folder, { recursive: true }))

const STORES: readonly (readonly [string, () => ObjectStore])[] = [
  ['files', () => fileStore(folder)],
  ['S3', () => s3Store({ client: memoryS3(), bucket: 'documents' })],
]

async function start(store: ObjectStore) {
  const environment = simulatedEnvironment({ now: Date.now() })
  const client = createEngine({ environment })
  const table = new Table({ name: 'Documents', schema, client, environment })
  await table.create()
  const bodies = new LargeValues({ store, prefix: 'bodies/' })
  return { environment, table, bodies, Document: table.entities.Document }
}

test.each(STORES)('large values in %s come back through their items', async (_, store) => {
  const { bodies, Document } = await start(store())
  const values = [LONG, 'short', '', new Uint8Array([1, 2]), new Uint8Array(50_000).fill(7)]
  for (const [index, value] of values.entries()) {
    const body = await bodies.save(value)
    expect(body.object === undefined).toBe(value.length < 10_000)
    await Document.put({ id: String(index), body }).execute()
    const found = await Document.get({ id: String(index) }).execute()
    expect(await bodies.load(found?.body)).toEqual(value)
  }
  expect(await bodies.load(undefined)).toBeUndefined()
  expect(await bodies.loadText(await bodies.save(LONG))).toBe(LONG)
})

test.each(STORES)(
  'orphans in %s are found after the grace time, and only they go',
  async (_, make) => {
    const store = make()
    const { bodies, Document, table, environment } = await start(store)
    const kept = await bodies.save(LONG)
    await Document.put({ id: '1', body: kept }).execute()
    const lost = [await bodies.save(LONG), await bodies.save(LONG), await bodies.save(LONG)]
    expect(await listOrphans(table, bodies)).toEqual([])
    await environment.advance(25 * 60 * 60 * 1000)
    const orphans = await listOrphans(table, bodies)
    expect([...orphans].sort()).toEqual(lost.map(({ object }) => object).sort())
    expect(await removeOrphans(table, bodies)).toBe(3)
    expect(await removeOrphans(table, bodies)).toBe(0)
    expect(await bodies.load(kept)).toBe(LONG)
    await expect(bodies.load(lost[0])).rejects.toMatchObject({ code: 'OBJECT_UNREADABLE' })
    await bodies.remove(kept)
    await expect(bodies.load(kept)).rejects.toMatchObject({ code: 'OBJECT_UNREADABLE' })
  },
)

test('an object that was changed is not taken for the value', async () => {
  const { bodies } = await start(fileStore(folder))
  const body = await bodies.save(LONG)
  await writeFile(path.join(folder, body.object!), LONG.replace('long', 'lung'))
  await expect(bodies.load(body)).rejects.toThrow('its hash differs')
})

test('a value at the threshold stays in the item, and one byte more does not', async () => {
  const bodies = new LargeValues({ store: fileStore(folder), prefix: 'b/', thresholdBytes: 4 })
  expect((await bodies.save('1234')).object).toBeUndefined()
  expect((await bodies.save('12345')).object).toBeDefined()
  expect((await bodies.save('äää')).object).toBeDefined()
})

test('a half-written file is not an object, and names never lead out of the folder', async () => {
  const store = fileStore(folder)
  await store.put('a/b', new Uint8Array([1]))
  await writeFile(path.join(folder, 'a/c.part~'), 'half')
  await utimes(path.join(folder, 'a/b'), 5, 5)
  const found = []
  for await (const each of store.list('a/')) found.push(each)
  expect(found).toEqual([{ key: 'a/b', storedAt: 5000 }])
  for (const key of ['../x', 'a/../../x', '/x', 'a//b', '.', 'a/..', '', 'a\\b', 'a\0']) {
    await expect(store.put(key, new Uint8Array())).rejects.toThrow('OPTION_INVALID')
  }
  expect(await readdir(folder)).toEqual(['a'])
  expect(await store.get('nothing')).toBeUndefined()
  await store.delete('nothing')
  const absent = []
  for await (const each of fileStore(path.join(folder, 'absent')).list('')) absent.push(each)
  expect(absent).toEqual([])
})

test('what is neither text nor bytes is refused', async () => {
  const { bodies } = await start(fileStore(folder))
  await expect(bodies.save(5 as never)).rejects.toThrow('OPTION_INVALID')
  expect(() => new LargeValues({ store: {} as never, prefix: 'a' })).toThrow('OPTION_INVALID')
  expect(() => new LargeValues({ store: fileStore(folder), prefix: '' })).toThrow('OPTION_INVALID')
})
