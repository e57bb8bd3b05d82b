import { Entity } from 'dynamodb-toolbox/entity'
import { BatchPutRequest } from 'dynamodb-toolbox/entity/actions/batchPut'
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get'
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put'
import { PutTransaction } from 'dynamodb-toolbox/entity/actions/transactPut'
import { execute as executeTransaction } from 'dynamodb-toolbox/entity/actions/transactWrite'
import { UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update'
import { boolean, item, list, map, number, string } from 'dynamodb-toolbox/schema'
import { Table } from 'dynamodb-toolbox/table'
import {
  BatchWriteCommand,
  execute as executeBatch,
} from 'dynamodb-toolbox/table/actions/batchWrite'
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query'
import { documentClient } from '../clients.ts'
import { postKey, statusKey, TABLE, TYPE_ATTRIBUTE, userKey } from '../model.ts'
import { work } from '../worker.ts'

await work((setting, canned) => {
  const table = new Table({
    name: TABLE,
    documentClient: documentClient(setting, canned),
    partitionKey: { name: 'pk', type: 'string' },
    sortKey: { name: 'sk', type: 'string' },
    indexes: {
      gsi1: {
        type: 'global',
        partitionKey: { name: 'gsi1pk', type: 'string' },
        sortKey: { name: 'gsi1sk', type: 'string' },
      },
    },
    entityAttributeSavedAs: TYPE_ATTRIBUTE,
  })
  const entity = new Entity({
    name: 'Post',
    table,
    timestamps: false,
    schema: item({
      username: string().key(),
      postId: string().key(),
      title: string(),
      content: string(),
      status: string(),
      createdAt: string(),
      views: number(),
      likes: number(),
      rating: number(),
      featured: boolean(),
      tags: list(string()),
      author: map({ name: string(), country: string(), followers: number() }),
    }).and((before) => ({
      gsi1pk: string()
        .optional()
        .hidden()
        .putLink<typeof before>(({ status }) => statusKey(status))
        .updateLink<typeof before>(({ status }) =>
          typeof status === 'string' ? statusKey(status) : undefined,
        ),
      gsi1sk: string()
        .optional()
        .hidden()
        .putLink<typeof before>(({ postId }) => postKey(postId)),
    })),
    computeKey: ({ username, postId }) => ({ pk: userKey(username), sk: postKey(postId) }),
  })
  return {
    get: (key) => entity.build(GetItemCommand).key(key).send(),
    put: (post) => entity.build(PutItemCommand).item(post).send(),
    update: ({ username, postId }, { title, views, status }) =>
      entity
        .build(UpdateItemCommand)
        .item({ username, postId, title, views, status })
        .options({ condition: { attr: 'postId', exists: true } })
        .send(),
    query: (username, limit) =>
      table
        .build(QueryCommand)
        .entities(entity)
        .query({ partition: userKey(username), range: { beginsWith: 'POST#' } })
        .options({ limit })
        .send(),
    batchWrite: (posts) =>
      executeBatch(
        table
          .build(BatchWriteCommand)
          .requests(...posts.map((post) => entity.build(BatchPutRequest).item(post))),
      ),
    transactWrite: (posts) =>
      executeTransaction(...posts.map((post) => entity.build(PutTransaction).item(post))),
    itemFrom: (result) => Reflect.get(Object(result), 'Item'),
    itemsFrom: (result) => Reflect.get(Object(result), 'Items'),
    cursorFrom: (result) => Reflect.get(Object(result), 'LastEvaluatedKey'),
  }
})
