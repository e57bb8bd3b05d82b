import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { type Client, defineSchema, type SchemaDefinition, Table } from 'singletable'
import { connect } from 'singletable/direct'
import { createEngine } from 'singletable/engine'

/** What newcomers get wrong, each as a program without types would have it. */

const PORT_OF_NOBODY = 'http://127.0.0.1:9'
const credentials = { accessKeyId: 'x', secretAccessKey: 'x' }
const large = 'x'.repeat(300_000)

const indexes = {
  primary: { hash: 'pk', sort: 'sk' },
  gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
} as const

const schema = defineSchema({
  indexes,
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'USER#${username}' },
      attributes: {
        username: { type: String, required: true },
        name: { type: String, required: true },
        password: { type: String, hidden: true, validate: /^.{8,}$/ },
        age: { type: Number },
        born: { type: Date },
        tags: { type: Set, items: { type: String } },
        address: {
          type: Object,
          schema: { city: { type: String, required: true }, zip: { type: String } },
        },
      },
    },
    Post: {
      key: { pk: 'USER#${username}', sk: 'POST#${postId}' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: 'POST#${postId}' },
      attributes: {
        username: { type: String, required: true },
        postId: { type: String, generate: 'ulid' },
        title: { type: String, required: true },
        status: { type: String, enum: ['draft', 'published'], default: 'draft' },
        body: { type: String },
        notes: { type: String },
        likes: { type: Number, default: 0 },
        lines: {
          type: Array,
          items: { type: Object, schema: { sku: { type: String, required: true } } },
        },
        meta: { type: Object, schema: { views: { type: Number } } },
      },
    },
  },
  patterns: {
    postsByUser: {
      op: 'query',
      entity: 'Post',
      by: ['username'],
      range: 'postId',
      limit: 20,
    },
    byStatus: {
      op: 'query',
      entity: 'Post',
      index: 'gsi1',
      by: ['status'],
      filter: { title: { beginsWith: '$start' } },
    },
  },
})

// Programs without types call what they like.
// biome-ignore lint/suspicious/noExplicitAny: see above.
type Loose = any
type Mistakes = { readonly [name: string]: () => unknown }

const engine = createEngine()
const table: Loose = new Table({ name: 'Blog', schema, client: engine })

function tableOn(client: unknown, name: unknown = 'Blog', attemptsMax = 1): Loose {
  const retry = { attemptsMax, delayMsBase: 1e9, delayMsMax: 1e9 }
  return new Table({ name: name as string, schema, client: client as Client, retry })
}

function sdk(options: object): Loose {
  return tableOn(new DynamoDBClient({ maxAttempts: 1, ...options })).entities
}

function direct(options: object): Loose {
  return tableOn(connect(options)).entities
}

/** A schema with one model, changed. */
function define(model: object, more: object = {}): unknown {
  const Thing = {
    key: { pk: 'THING#${id}', sk: 'THING' },
    attributes: { id: { type: String, required: true } },
    ...model,
  }
  return defineSchema({ indexes, models: { Thing }, ...more } as unknown as SchemaDefinition)
}

export async function fill(): Promise<void> {
  await table.create()
  const { User, Post } = table.entities
  await User.put({ username: 'alice', name: 'Alice' }).execute()
  await Post.put({ username: 'alice', postId: '1', title: 'Hello' }).execute()
  await Post.put({ username: 'alice', postId: '2', title: 'Large', body: large }).execute()
}

const { User, Post } = { User: table.entities.User, Post: table.entities.Post }
const key = { username: 'alice', postId: '1' }

/** Run without AWS's variables in the environment. */
export const CONNECTIONS: Mistakes = {
  'no region': () => sdk({ credentials }).User.get({ username: 'a' }).execute(),
  'no region, direct': () => direct({ credentials }).User.get({ username: 'a' }).execute(),
  'no credentials': () => sdk({ region: 'eu-west-1' }).User.get({ username: 'a' }).execute(),
  'no credentials, direct': () =>
    direct({ region: 'eu-west-1' }).User.get({ username: 'a' }).execute(),
  'nobody listens': () =>
    sdk({ region: 'eu-west-1', credentials, endpoint: PORT_OF_NOBODY })
      .User.get({ username: 'a' })
      .execute(),
  'nobody listens, direct': () =>
    direct({ region: 'eu-west-1', credentials, endpoint: PORT_OF_NOBODY })
      .User.put({ username: 'a', name: 'A' })
      .execute(),
  'nobody listens, until the deadline': () =>
    tableOn(connect({ region: 'eu-west-1', credentials, endpoint: PORT_OF_NOBODY }), 'Blog', 2)
      .entities.User.get({ username: 'a' })
      // The pause after the first attempt would end later.
      .execute({ deadlineMs: 500 }),
  'a table that does not exist': () =>
    tableOn(engine, 'Blgo').entities.User.get({ username: 'a' }).execute(),
  'a table name of two characters': () => tableOn(engine, 'Bl').create(),
  'a table name with a space': () => tableOn(engine, 'my table').create(),
  'a client that is only options': () => tableOn({ region: 'eu-west-1' }),
  'no client': () => tableOn(undefined),
  'a table that exists already': async () => {
    const other = tableOn(createEngine())
    await other.create()
    return other.create()
  },
}

export const NAMES: Mistakes = {
  'an entity that does not exist': () => table.entities.Usr.get({ username: 'a' }),
  'a pattern that does not exist': () => table.patterns.postByUser({ username: 'a' }),
  'an attribute that does not exist, in put()': () =>
    User.put({ username: 'a', nme: 'A' }).execute(),
  'an attribute that does not exist, in query()': () => Post.query({ user: 'alice' }).execute(),
  'an attribute that does not exist, in set()': () => User.update(key).set({ nam: 'A' }),
  'an attribute that does not exist, in where()': () =>
    Post.query({ username: 'alice' }).where((attr: Loose, op: Loose) => op.eq(attr.titel, 'x')),
  'an attribute that does not exist, in select()': () =>
    Post.query({ username: 'alice' }).select(['titel']),
  'a member that does not exist': () =>
    Post.query({ username: 'alice' }).where((attr: Loose, op: Loose) => op.eq(attr.meta.vews, 1)),
  'a path as a string': () => Post.update(key).set('meta.views', 1),
  'objects in select()': () => Post.query({ username: 'alice' }).select([{ title: true }]),
  'a number in remove()': () => Post.update(key).remove(1),
}

export const VALUES: Mistakes = {
  'a mistyped enum in query()': () => Post.query({ status: 'publishd' }).execute(),
  'a mistyped enum in a pattern': () => table.patterns.byStatus({ status: 'publishd', start: 'a' }),
  'a mistyped enum in where()': () =>
    Post.query({ username: 'alice' })
      .where((attr: Loose, op: Loose) => op.eq(attr.status, 'publishd'))
      .execute(),
  'a mistyped enum in put()': () =>
    Post.put({ username: 'alice', title: 't', status: 'publishd' }).execute(),
  'a long string that is not in the enum': () =>
    Post.put({ username: 'alice', title: 't', status: 'y'.repeat(500) }).execute(),
  'no await': () => User.put({ username: 'a', name: Promise.resolve('A') }).execute(),
  'a key that was not awaited': () =>
    User.update(Promise.resolve(key)).set({ name: 'A' }).execute(),
  'a missing part of the key': () => Post.get({ username: 'alice' }).execute(),
  'a string as key': () => User.get('alice').execute(),
  'a string as question': () => Post.query('alice'),
  'nothing as key': () => Post.get().execute(),
  'a list as item': () => User.put([{ username: 'a' }]).execute(),
  'a Date where a string belongs': () => User.put({ username: 'a', name: new Date(0) }).execute(),
  'a string where a Date belongs': () =>
    User.put({ username: 'a', name: 'A', born: '2000-01-01' }).execute(),
  'a string where a number belongs': () =>
    User.put({ username: 'a', name: 'A', age: '12' }).execute(),
  'an array where a Set belongs': () =>
    User.put({ username: 'a', name: 'A', tags: ['x'] }).execute(),
  'NaN and an invalid Date': () =>
    User.put({ username: 'a', name: 'A', age: Number.NaN, born: new Date('x') }).execute(),
  'undefined for what is required': () => User.put({ username: 'a', name: undefined }).execute(),
  'undefined in set()': () => User.update(key).set({ name: undefined }).execute(),
  null: () => User.put({ username: 'a', name: null }).execute(),
  'an empty string in a key': () => User.get({ username: '' }).execute(),
  'the separator in a key': () => User.get({ username: 'a#b' }).execute(),
  'an object where a list belongs': () =>
    Post.put({ username: 'a', title: 't', lines: { sku: 'x' } }).execute(),
  'a missing member': () => Post.put({ username: 'a', title: 't', lines: [{}] }).execute(),
  'a hidden value of another type': () =>
    User.put({ username: 'a', name: 'A', password: 12345678 }).execute(),
  'a hidden value that is not valid': () =>
    User.put({ username: 'a', name: 'A', password: 'secret' }).execute(),
}

export const CALLS: Mistakes = {
  'an item that is too large': () =>
    Post.put({ username: 'alice', title: 't', body: large, notes: large }).execute(),
  'an item that an update makes too large': () =>
    Post.update({ ...key, postId: '2' })
      .set({ notes: large })
      .execute(),
  'a large item in a transaction': () =>
    table
      .transactWrite()
      .addPut(Post.put({ username: 'alice', title: 't', body: large, notes: large }))
      .execute(),
  'a place inside a map that the item does not have': () =>
    Post.update(key)
      .set((attr: Loose) => attr.meta.views, 1)
      .execute(),
  'a question that no key answers': () => Post.query({ title: 'x' }).execute(),
  'half of what an index needs': () => Post.query({ postId: '1' }).execute(),
  'a question without anything': () => Post.query({}),
  'a condition as an object': () => Post.query({ username: 'alice' }).where({ title: 'x' }),
  'a condition in JavaScript': () =>
    Post.query({ username: 'alice' }).where((attr: Loose) => attr.title === 'x'),
  'a condition that is not returned': () =>
    Post.query({ username: 'alice' }).where((attr: Loose, op: Loose) => {
      op.eq(attr.title, 'x')
    }),
  'a name where an attribute belongs': () =>
    Post.query({ username: 'alice' }).where((_: Loose, op: Loose) => op.eq('title', 'x')),
  'a comparison as an object': () => Post.query({ username: 'alice', postId: { gt: '1' } }),
  'an increment as an object': () =>
    Post.update(key)
      .set({ title: { increment: 1 } })
      .execute(),
  'an increment of a string': () => Post.update(key).add('title', 'x').execute(),
  'an increment by a string': () => Post.update(key).add({ likes: '1' }).execute(),
  'a required attribute in remove()': () => Post.update(key).remove('title').execute(),
  'an element appended to a string': () =>
    Post.update(key)
      .append({ title: ['x'] })
      .execute(),
  'a string deleted from a string': () => Post.update(key).delete('title', ['x']).execute(),
  'a value of another type than the schema says': async () => {
    const stored = { pk: { S: 'USER#bob' }, sk: { S: 'POST#1' }, likes: { S: 'many' } }
    await engine.send('PutItem', { TableName: 'Blog', Item: stored })
    return Post.update({ username: 'bob', postId: '1' }).add('likes', 1).execute()
  },
  'two updates of one item in a transaction': () =>
    table
      .transactWrite()
      .add(Post.update(key).set({ title: 'x' }))
      .add(Post.update(key).set({ notes: 'y' }))
      .execute(),
  'a limit that is a string': () => Post.query({ username: 'alice' }).limit('10').execute(),
  'an object as order': () => Post.query({ username: 'alice' }).order({ createdAt: 'desc' }),
  'values given to scan()': () => Post.scan({ status: 'published' }),
  'a number as options': () => Post.query({ username: 'alice' }).page(2),
  'a list as options of a pattern': () =>
    table.patterns.postsByUser({ username: 'alice' }, [2]).page(),
  "'desc' in scanIndexForward()": () => Post.query({ username: 'alice' }).scanIndexForward('desc'),
  'another word in returning()': () => User.delete(key).returning('ALL'),
  'an object as index': () =>
    Post.query({ username: 'alice' }).useIndex({ name: 'byUser' }).execute(),
  'an object as root of a tree': () => table.collect(['User'], { username: 'alice' }).tree({}),
  'a transaction without operations': () => table.transactWrite([]).execute(),
  'a builder in place of a list of them': () =>
    table.transactWrite(User.put({ username: 'alice' })).execute(),
  'a promise in a transaction': () =>
    table
      .transactWrite()
      .addPut(Promise.resolve({ username: 'a' }))
      .execute(),
  'keys in batchGet() of the table': () => table.batchGet([{ username: 'alice' }]).execute(),
  'one key in batchGet()': () => User.batchGet({ username: 'alice' }),
  'another name in the input of a pattern': () => table.patterns.postsByUser({ user: 'alice' }),
  'a string as the input of a pattern': () => table.patterns.postsByUser('alice'),
  'an unknown bound of a range': () =>
    table.patterns.postsByUser({ username: 'alice', postId: { after: '1' } }),
  'no model in collect()': () => table.collect([], { username: 'alice' }),
  'selecting of another model in collect()': () =>
    table.collect(['User', 'Post'], { username: 'alice' }).select('Pst', ['title']),
  'a model that does not exist in collect()': () =>
    table.collect(['Usr', 'Post'], { username: 'alice' }).execute(),
  'an update of an item that does not exist': () =>
    User.update({ username: 'nobody' }).set({ name: 'N' }).execute(),
}

export const SCHEMAS: Mistakes = {
  'a type as a string': () => define({ attributes: { id: { type: 'string' } } }),
  'a type of another library': () => define({ attributes: { id: { type: 'boolean' } } }),
  'version of a model': () => define({ version: true }),
  'timestamps of a model': () => define({ timestamps: true }),
  'billing of a schema': () => define({}, { billing: 'on-demand' }),
  'an index in an attribute': () => define({ attributes: { id: { type: String, index: {} } } }),
  'an index by its name': () => define({ index: { gsi1: { pk: 'T#${id}', sk: 'T' } } }),
  'an object as the range of a pattern': () =>
    define(
      {},
      { patterns: { things: { op: 'query', entity: 'Thing', by: ['id'], range: { id: 'x' } } } },
    ),
  'an object as the index of a pattern': () =>
    define({}, { patterns: { things: { op: 'query', entity: 'Thing', by: ['id'], index: {} } } }),
  'a type alone': () => define({ attributes: { id: String } }),
  'a mistyped option': () => define({ attributes: { id: { type: String, requird: true } } }),
  'a template that names no attribute': () => define({ key: { pk: 'T#${idd}', sk: 'T' } }),
  'half of the key': () => define({ key: { pk: 'T#${id}' } }),
  'half of an index': () => define({ index: { gsi1pk: 'T#${id}' } }),
  'the other half of an index': () => define({ index: { gsi1sk: 'T#${id}' } }),
  'an index name of two characters': () =>
    define({}, { indexes: { ...indexes, g2: { hash: 'a', sort: 'b' } } }),
  'a default outside the enum': () =>
    define({
      attributes: {
        id: { type: String, required: true },
        state: { type: String, enum: ['open', 'done'], default: 'opn' },
      },
    }),
  'no schema': () => new Table({ name: 'Blog', client: engine } as Loose),
}
