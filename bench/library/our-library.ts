import { type Client, defineSchema, Table } from 'singletable'
import type { Library } from './library.ts'
import { TABLE, TYPE_ATTRIBUTE } from './model.ts'

const schema = defineSchema({
  format: 'dynatable:1.0.0',
  version: '1.0.0',
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    Post: {
      key: {
        pk: { type: String, value: 'USER#${username}' },
        sk: { type: String, value: 'POST#${postId}' },
      },
      index: {
        gsi1pk: { type: String, value: 'STATUS#${status}' },
        gsi1sk: { type: String, value: 'POST#${postId}' },
      },
      attributes: {
        username: { type: String, required: true },
        postId: { type: String, required: true },
        title: { type: String, required: true },
        content: { type: String, required: true },
        status: { type: String, required: true },
        createdAt: { type: String, required: true },
        views: { type: Number, required: true },
        likes: { type: Number, required: true },
        rating: { type: Number, required: true },
        featured: { type: Boolean, required: true },
        tags: { type: Array, items: { type: String }, required: true },
        author: {
          type: Object,
          required: true,
          schema: {
            name: { type: String, required: true },
            country: { type: String, required: true },
            followers: { type: Number, required: true },
          },
        },
      },
    },
  },
  params: { timestamps: false, typeField: TYPE_ATTRIBUTE },
})

/** Ours, over any client. */
export function ourLibrary(client: Client, cursorSecret?: string): Library {
  const table = new Table({
    name: TABLE,
    client,
    schema,
    // The ready items have ElectroDB's version, which the schema does not declare. A put replaces
    // the item here, as it does everywhere.
    keepUndeclared: false,
    ...(cursorSecret && { cursorSecret }),
  })
  const entity = table.entities.Post
  return {
    get: (key) => entity.get(key).execute(),
    put: (post) => entity.put(post).execute(),
    update: (key, changes) => entity.update(key).set(changes).execute(),
    query: (username, limit) => entity.query({ username }).limit(limit).executeWithPagination(),
    batchWrite: (posts) => entity.batchWrite(posts).execute(),
    transactWrite(posts) {
      let transaction = table.transactWrite()
      for (const post of posts) transaction = transaction.addPut(entity.put(post))
      return transaction.execute()
    },
    itemFrom: (result) => result,
    itemsFrom: (result) => Reflect.get(Object(result), 'items'),
    cursorFrom: (result) => Reflect.get(Object(result), 'cursor'),
  }
}
