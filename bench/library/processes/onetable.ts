import { Table } from 'dynamodb-onetable'
import { serviceClient } from '../clients.ts'
import { TABLE, TYPE_ATTRIBUTE } from '../model.ts'
import { work } from '../worker.ts'

const schema = {
  format: 'onetable:1.1.0',
  version: '1.0.0',
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk', project: 'all' },
  },
  models: {
    Post: {
      pk: { type: String, value: 'USER#${username}' },
      sk: { type: String, value: 'POST#${postId}' },
      gsi1pk: { type: String, value: 'STATUS#${status}' },
      gsi1sk: { type: String, value: 'POST#${postId}' },
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
  params: { isoDates: true, timestamps: false, typeField: TYPE_ATTRIBUTE },
} as const

await work((setting, canned) => {
  const client = serviceClient(setting, canned)
  const table = new Table({ name: TABLE, client, schema, partial: false })
  const entity = table.getModel('Post')
  return {
    get: (key) => entity.get(key),
    put: (post) => entity.create(post, { exists: null }),
    update: ({ username, postId }, { title, views, status }) =>
      entity.update({ username, postId, title, views, status }, { return: 'NONE' }),
    query: (username, limit) => entity.find({ username }, { limit }),
    async batchWrite(posts) {
      const batch = {}
      for (const post of posts) await entity.create(post, { batch, exists: null })
      return table.batchWrite(batch)
    },
    async transactWrite(posts) {
      const transaction = {}
      for (const post of posts) await entity.create(post, { transaction, exists: null })
      return table.transact('write', transaction)
    },
    itemFrom: (result) => result,
    itemsFrom: (result) => (Array.isArray(result) ? result : []),
    cursorFrom: (result) => Reflect.get(Object(result), 'next'),
  }
})
