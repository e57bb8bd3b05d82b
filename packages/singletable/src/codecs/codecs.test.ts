import { expect, test } from 'vitest'
import { Table } from '../builder/table.ts'
import { createEngine } from '../engine/engine.ts'
import { simulatedEnvironment } from '../engine/simulated-environment.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import { defineSchema } from '../plan/define-schema.ts'
import type { AttributeCodec, SchemaDefinition } from '../schema/schema-definition.ts'
import { compressed } from './compressed.ts'
import { dataKeys } from './data-keys.ts'
import { encrypted } from './encrypted.ts'
import type { DataKey, KeyProvider } from './key-provider.ts'
import { localKeys } from './local-keys.ts'

const SECRET = new Uint8Array(32).fill(1)

function schemaWith(codec: AttributeCodec) {
  return defineSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
    models: {
      Note: {
        key: { pk: 'USER#${user}', sk: 'NOTE#${id}' },
        index: { gsi1pk: 'NOTE#${id}', gsi1sk: 'NOTE' },
        attributes: {
          user: { type: String, required: true },
          id: { type: String, required: true },
          text: { type: String, codec, map: 't', nulls: true },
          data: { type: Object, codec, schema: { list: { type: Array }, at: { type: Date } } },
          bytes: { type: Uint8Array, codec },
          title: { type: String, codec },
          list: { type: Array, codec },
          other: { type: String },
        },
      },
    },
  })
}

async function tableWith(
  codec: AttributeCodec,
  options: { through?: ReturnType<typeof dataKeys> } = {},
) {
  const engine = createEngine()
  const client = options.through?.through(engine) ?? engine
  const table = new Table({ name: 'Notes', schema: schemaWith(codec), client })
  await table.create()
  return { engine, table, Note: table.entities.Note }
}

const local = () => dataKeys(localKeys({ secrets: [SECRET] }))

/** A provider that answers later, as a service does. */
function slowKeys(provider: KeyProvider = localKeys({ secrets: [SECRET] })) {
  const calls = { generated: 0, decrypted: 0 }
  const slow: KeyProvider = {
    async generateDataKey(context): Promise<DataKey> {
      calls.generated++
      return provider.generateDataKey(context)
    },
    async decryptDataKey(encrypted, context): Promise<Uint8Array> {
      calls.decrypted++
      return provider.decryptDataKey(encrypted, context)
    },
  }
  return { slow, calls }
}

const LONG = 'words and words '.repeat(2000)

test.each([
  ['gzip', () => compressed({ algorithm: 'gzip' })],
  ['deflate', () => compressed({ algorithm: 'deflate' })],
  ['brotli', () => compressed({ algorithm: 'brotli' })],
  ['no compression below the threshold', () => compressed({ thresholdBytes: 1_000_000 })],
  ['encryption', () => encrypted(local())],
  ['encryption of compressed values', () => encrypted(local(), { compression: {} })],
])('by %s every value comes back as it was', async (_, codec) => {
  const { Note, engine } = await tableWith(codec())
  const note = {
    user: 'alice',
    id: '1',
    text: LONG,
    data: { list: [1, 'a', null, new Set(['x'])], at: new Date(5) },
    bytes: new Uint8Array([0, 1, 255]),
  }
  expect(await Note.put(note).execute()).toEqual(note)
  expect(await Note.get({ user: 'alice', id: '1' }).execute()).toEqual(note)
  expect(await Note.query({ id: '1' }).useIndex('gsi1').execute()).toEqual([note])
  expect(await Note.get({ user: 'alice', id: '1' }).select(['text']).execute()).toEqual({
    text: LONG,
  })
  const Key = { pk: { S: 'USER#alice' }, sk: { S: 'NOTE#1' } }
  const { Item } = await engine.send('GetItem', { TableName: 'Notes', Key })
  for (const name of ['t', 'data', 'bytes']) expect(Item?.[name]?.B).toMatch(/^U1QB/)
  await engine.close()
})

test('updates, upserts and moves store values that can be read', async () => {
  const { Note, engine } = await tableWith(encrypted(local()))
  await Note.put({ user: 'alice', id: '1', text: 'first' }).execute()
  const update = Note.update({ user: 'alice', id: '1' })
  expect(await update.set({ text: 'second' }).execute()).toMatchObject({ text: 'second' })
  const partial = update.set({ text: 'third' }).returning('UPDATED_NEW')
  expect(await partial.execute()).toEqual({ text: 'third' })
  const moved = await update.set({ user: 'bob' }).execute()
  expect(moved).toMatchObject({ user: 'bob', text: 'third' })
  expect(await Note.get({ user: 'bob', id: '1' }).execute()).toMatchObject({ text: 'third' })
  await Note.upsert({ user: 'carol', id: '2' }).set({ text: 'new' }).execute()
  expect(await Note.get({ user: 'carol', id: '2' }).execute()).toMatchObject({ text: 'new' })
  await Note.put({ user: 'dave', id: '3', text: null }).execute()
  expect(await Note.get({ user: 'dave', id: '3' }).execute()).toMatchObject({ text: null })
  await engine.close()
})

test('a value put into another item, attribute or changed in one bit is not read', async () => {
  const { Note, engine } = await tableWith(encrypted(local()))
  await Note.put({ user: 'alice', id: '1', text: 'salary 100' }).execute()
  await Note.put({ user: 'bob', id: '1', text: 'salary 900' }).execute()
  const keyOf = (user: string) => ({ pk: { S: `USER#${user}` }, sk: { S: 'NOTE#1' } })
  const stored = (await engine.send('GetItem', { TableName: 'Notes', Key: keyOf('bob') })).Item!
  const write = (attribute: string, B: string) =>
    engine.send('UpdateItem', {
      TableName: 'Notes',
      Key: keyOf('alice'),
      UpdateExpression: 'SET #a = :v',
      ExpressionAttributeNames: { '#a': attribute },
      ExpressionAttributeValues: { ':v': { B } },
    })
  await write('t', stored.t!.B!)
  const get = Note.get({ user: 'alice', id: '1' })
  await expect(get.execute()).rejects.toThrow('encrypted for another attribute')

  await Note.put({ user: 'alice', id: '1', text: 'salary 100' }).execute()
  const own = (await engine.send('GetItem', { TableName: 'Notes', Key: keyOf('alice') })).Item!
  await write('bytes', own.t!.B!)
  await expect(get.execute()).rejects.toMatchObject({ code: 'DECODE_FAILED' })

  const bytes = Buffer.from(own.t!.B!, 'base64')
  bytes[bytes.length - 1]! ^= 1
  await write('bytes', bytes.toString('base64'))
  await expect(get.execute()).rejects.toThrow('"bytes" can\'t be decoded: it was changed')
  await engine.close()
})

test('values from before the codec are read: compressed ones always, encrypted ones if accepted', async () => {
  const old = { pk: { S: 'USER#alice' }, sk: { S: 'NOTE#1' }, _type: { S: 'Note' } }
  const item = { ...old, user: { S: 'alice' }, id: { S: '1' }, t: { S: 'plain' } }
  for (const [codec, isRead] of [
    [compressed(), true],
    [encrypted(local(), { plain: 'accept' }), true],
    [encrypted(local()), false],
  ] as const) {
    const { Note, engine } = await tableWith(codec)
    await engine.send('PutItem', { TableName: 'Notes', Item: item })
    const read = Note.get({ user: 'alice', id: '1' }).execute()
    if (isRead) expect(await read).toMatchObject({ text: 'plain' })
    else await expect(read).rejects.toThrow('it is not encrypted')
    await engine.close()
  }
})

test('nothing can compare, count or look into what a codec stores, but whether it is there', async () => {
  const { Note, engine } = await tableWith(compressed())
  const query = Note.query({ user: 'alice' })
  const refused = { code: 'INPUT_INVALID' }
  for (const run of [
    () => query.where((attr, op) => op.eq(attr.text, 'a')).dbParams(),
    () => query.where((attr, op) => op.contains(attr.text, 'a')).dbParams(),
    () => query.where((attr, op) => op.beginsWith(attr.text, 'a')).dbParams(),
    () => query.where((attr, op) => op.eq(attr.other, attr.title)).dbParams(),
    () => query.where((attr, op) => op.eq(attr.text, attr.other)).dbParams(),
    () => Note.update({ user: 'alice', id: '1' }).append('list', ['a']).dbParams(),
  ] as (() => unknown)[]) {
    expect(run).toThrow(expect.objectContaining(refused))
  }
  await Note.put({ user: 'alice', id: '1', text: 'a' }).execute()
  const having = query.where((attr, op) => op.exists(attr.text))
  expect(await having.execute()).toHaveLength(1)
  await engine.close()
})

test('a codec has no place in keys, conditions of indexes, unique values and other roles', () => {
  const codec = compressed()
  const model = (attributes: object, more: object = {}): SchemaDefinition => ({
    indexes: { primary: { hash: 'pk' }, gsi1: { hash: 'gsi1pk' } },
    models: {
      Note: {
        key: { pk: 'NOTE#${id}' },
        attributes: { id: { type: String, required: true }, ...attributes },
        ...more,
      } as SchemaDefinition['models'][string],
    },
  })
  const compile = (schema: SchemaDefinition) => () =>
    new Table({ name: 'Notes', schema, client: createEngine() })
  const text = { type: String, codec }
  for (const schema of [
    model({ id: { type: String, required: true, codec } }),
    model({ text }, { index: { gsi1pk: 'T#${text}' } }),
    model({ gsi1pk: text }),
    model(
      { text, a: { type: String } },
      { index: { gsi1pk: 'A#${a}' }, when: { gsi1: { text: 'x' } } },
    ),
    model({ text: { ...text, unique: true } }),
    model({ text }, { unique: { both: ['text'] } }),
    model({ text: { type: Number, codec, version: true } }),
    model({ text: { type: Date, codec, ttl: true } }),
  ]) {
    expect(compile(schema)).toThrow(expect.objectContaining({ code: 'SCHEMA_INVALID' }))
  }
  const copies = { NoteCopy: { key: { pk: 'COPY#${id}' } } }
  const bound = { text: { type: String, codec: encrypted(local()) } }
  expect(compile(model(bound, { copies }))).toThrow('binds it to its item')
  expect(compile(model({ text }, { copies }))).not.toThrow()
})

test('a copy has what is bound to its model', async () => {
  const codec = encrypted(local(), { bind: 'model' })
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk' } },
    models: {
      Note: {
        key: { pk: 'NOTE#${id}' },
        attributes: { id: { type: String, required: true }, text: { type: String, codec } },
        copies: { NoteCopy: { key: { pk: 'COPY#${id}' } } },
      },
    },
  })
  const table = new Table({ name: 'Notes', schema, client: createEngine() })
  await table.create()
  await table.entities.Note.create({ id: '1', text: 'a' }).execute()
  const copy = await table.entities.NoteCopy.get({ id: '1' }).execute()
  expect(copy).toEqual({ id: '1', text: 'a' })
})

test('bytes that would fill the memory are not expanded', async () => {
  const writer = compressed()
  const stored = writer.encode({ S: 'a'.repeat(100_000) }, { model: '', attribute: '', key: {} })
  const reader = compressed({ bytesMax: 50_000 })
  expect(() => reader.decode(stored, { model: '', attribute: '', key: {} })).toThrow('bytesMax')
  const tooLong = { S: 'a'.repeat(50_001) }
  expect(() => reader.encode(tooLong, { model: '', attribute: '', key: {} })).toThrow(
    'INPUT_INVALID',
  )
})

test('keys of a service are there after ready(), and through() loads those that others wrote with', async () => {
  const { slow, calls } = slowKeys()
  const writing = dataKeys(slow)
  const { Note, engine } = await tableWith(encrypted(writing))
  const put = Note.put({ user: 'alice', id: '1', text: 'secret' })
  await expect(put.execute()).rejects.toMatchObject({ code: 'CODEC_NOT_READY' })
  await writing.ready()
  await writing.ready()
  await put.execute()
  expect(calls.generated).toBe(1)

  const schemaOf = (keys: ReturnType<typeof dataKeys>) => schemaWith(encrypted(keys))
  const bare = dataKeys(slow)
  const unprepared = new Table({ name: 'Notes', schema: schemaOf(bare), client: engine })
  const key = { user: 'alice', id: '1' }
  await expect(unprepared.entities.Note.get(key).execute()).rejects.toMatchObject({
    code: 'CODEC_NOT_READY',
  })
  const other = dataKeys(slow)
  const reading = new Table({
    name: 'Notes',
    schema: schemaOf(other),
    client: other.through(engine),
  })
  expect(await reading.entities.Note.get(key).execute()).toMatchObject({ text: 'secret' })
  const before = calls.decrypted
  expect(await reading.entities.Note.scan().execute()).toHaveLength(1)
  expect(calls.decrypted).toBe(before)
  const failure = reading.entities.Note.update(key)
    .remove('other')
    .where((attr, op) => op.eq(attr.other, 'x'))
  await expect(failure.execute()).rejects.toMatchObject({ item: { text: 'secret' } })
  await engine.close()
})

test('a data key that can not be decrypted spoils only what it encrypted', async () => {
  const { slow } = slowKeys()
  const old = dataKeys(localKeys({ secrets: [new Uint8Array(32).fill(9)] }))
  const { engine } = await tableWith(encrypted(local()))
  const tableOf = (keys: ReturnType<typeof dataKeys>) =>
    new Table({ name: 'Notes', schema: schemaWith(encrypted(keys)), client: keys.through(engine) })
  await tableOf(old).entities.Note.put({ user: 'a', id: '1', text: 'lost' }).execute()
  const keys = dataKeys(slow)
  await keys.ready()
  const { Note } = tableOf(keys).entities
  await Note.put({ user: 'a', id: '2', text: 'kept' }).execute()
  expect(await Note.get({ user: 'a', id: '2' }).execute()).toMatchObject({ text: 'kept' })
  await expect(Note.query({ user: 'a' }).execute()).rejects.toThrow(
    'data key could not be decrypted',
  )
  await engine.close()
})

test('the next data key is made after a number of uses or a time, and the current one is used until then', async () => {
  const environment = simulatedEnvironment()
  const { slow, calls } = slowKeys()
  const keys = dataKeys(slow, { usesMax: 3, ageMsMax: 1000, environment })
  await keys.ready()
  const first = keys.sealingKey().encrypted
  keys.sealingKey()
  keys.sealingKey()
  expect(keys.sealingKey().encrypted).toEqual(first)
  await keys.ready()
  const second = keys.sealingKey().encrypted
  expect(second).not.toEqual(first)
  expect(calls.generated).toBe(2)
  await environment.advance(1000)
  await keys.ready()
  expect(keys.sealingKey().encrypted).not.toEqual(second)
})

test('a failed renewal is reported, and not tried again at once', async () => {
  const environment = simulatedEnvironment()
  const provider = localKeys({ secrets: [SECRET] })
  let fails = false
  let calls = 0
  const failing: KeyProvider = {
    ...provider,
    async generateDataKey(context) {
      calls++
      if (fails) throw new Error('service is away')
      return provider.generateDataKey(context)
    },
  }
  const reported: unknown[] = []
  const onError = (error: unknown): void => {
    reported.push(error)
  }
  const keys = dataKeys(failing, { usesMax: 1, environment, onError })
  await keys.ready()
  fails = true
  for (let count = 0; count < 5; count++) keys.sealingKey()
  await environment.advance(0)
  expect(calls).toBe(2)
  expect(String(reported)).toContain('service is away')
  await expect(keys.ready()).rejects.toThrow('service is away')
})

test('secrets can be exchanged: all decrypt, the first encrypts', async () => {
  const next = new Uint8Array(32).fill(2)
  const place = { model: 'Note', attribute: 't', key: {} }
  const before = encrypted(local()).encode({ S: 'a' }, place)
  const both = encrypted(dataKeys(localKeys({ secrets: [next, SECRET] })))
  expect(both.decode(before, place)).toEqual({ S: 'a' })
  const after = both.encode({ S: 'b' }, place)
  const alone = encrypted(dataKeys(localKeys({ secrets: [next] })))
  expect(alone.decode(after, place)).toEqual({ S: 'b' })
  expect(() => alone.decode(before, place)).toThrow('none of the secrets')
})

test('a value is read only in the context it was written in', () => {
  const place = { model: 'Note', attribute: 't', key: {} }
  const keysIn = (stage: string) =>
    encrypted(dataKeys(localKeys({ secrets: [SECRET] }), { context: { stage } }))
  const stored = keysIn('production').encode({ S: 'a' }, place)
  expect(keysIn('production').decode(stored, place)).toEqual({ S: 'a' })
  expect(() => keysIn('test').decode(stored, place)).toThrow()
})

test('options that can not be meant are refused by name', () => {
  // What a caller without types could give.
  const wrong = (options: object) => options as never
  for (const run of [
    () => compressed(wrong({ algoritm: 'gzip' })),
    () => compressed(wrong({ algorithm: 'zip' })),
    () => encrypted(wrong({})),
    () => encrypted(local(), wrong({ bind: 'table' })),
    () => localKeys({ secrets: [new Uint8Array(16)] }),
    () => dataKeys(wrong({})),
    () => dataKeys(localKeys({ secrets: [SECRET] }), { usesMax: 0 }),
  ]) {
    expect(run).toThrow(SingletableError)
  }
})

test.each([31, 32, 33])('a secret of %i bytes is taken only if it has 32', (length) => {
  const make = () => localKeys({ secrets: [new Uint8Array(length)] })
  if (length === 32) expect(make()).toHaveProperty('generateDataKey')
  else expect(make).toThrow('a Uint8Array of 32 bytes')
})
