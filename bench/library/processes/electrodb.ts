import { Entity, Service } from 'electrodb'
import { documentClient } from '../clients.ts'
import { TABLE, TYPE_ATTRIBUTE, VERSION_ATTRIBUTE } from '../model.ts'
import { work } from '../worker.ts'

await work((setting, canned) => {
  const entity = new Entity(
    {
      model: { entity: 'Post', version: '1', service: 'bench' },
      attributes: {
        username: { type: 'string', required: true },
        postId: { type: 'string', required: true },
        title: { type: 'string', required: true },
        content: { type: 'string', required: true },
        status: { type: 'string', required: true },
        createdAt: { type: 'string', required: true },
        views: { type: 'number', required: true },
        likes: { type: 'number', required: true },
        rating: { type: 'number', required: true },
        featured: { type: 'boolean', required: true },
        tags: { type: 'list', items: { type: 'string' }, required: true },
        author: {
          type: 'map',
          properties: {
            name: { type: 'string', required: true },
            country: { type: 'string', required: true },
            followers: { type: 'number', required: true },
          },
          required: true,
        },
      },
      indexes: {
        byUser: {
          pk: {
            field: 'pk',
            composite: ['username'],
            template: 'USER#${username}',
            casing: 'none',
          },
          sk: { field: 'sk', composite: ['postId'], template: 'POST#${postId}', casing: 'none' },
        },
        byStatus: {
          index: 'gsi1',
          pk: {
            field: 'gsi1pk',
            composite: ['status'],
            template: 'STATUS#${status}',
            casing: 'none',
          },
          sk: {
            field: 'gsi1sk',
            composite: ['postId'],
            template: 'POST#${postId}',
            casing: 'none',
          },
        },
      },
    },
    {
      client: documentClient(setting, canned),
      table: TABLE,
      identifiers: { entity: TYPE_ATTRIBUTE, version: VERSION_ATTRIBUTE },
    },
  )
  // Transactions belong to a service.
  const service = new Service({ entity })
  return {
    get: (key) => entity.get(key).go(),
    put: (post) => entity.put(post).go(),
    update: (key, changes) => entity.patch(key).set(changes).go({ response: 'none' }),
    query: (username, limit) => entity.query.byUser({ username }).go({ limit }),
    batchWrite: (posts) => entity.put([...posts]).go(),
    transactWrite: (posts) =>
      service.transaction
        .write(({ entity }) => posts.map((post) => entity.put(post).commit()))
        .go(),
    itemFrom: (result) => Reflect.get(Object(result), 'data'),
    itemsFrom: (result) => Reflect.get(Object(result), 'data'),
    cursorFrom: (result) => Reflect.get(Object(result), 'cursor'),
  }
})
