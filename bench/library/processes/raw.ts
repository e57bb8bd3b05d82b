import {
  BatchWriteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { documentClient } from '../clients.ts'
import { type Post, postKey, statusKey, TABLE, TYPE_ATTRIBUTE, userKey } from '../model.ts'
import { work } from '../worker.ts'

/** The DocumentClient alone, with keys and expressions written by hand: what everyone pays at least
 * through the SDK. */
await work((setting, canned) => {
  const client = documentClient(setting, canned)
  return {
    get: ({ username, postId }) =>
      client.send(
        new GetCommand({ TableName: TABLE, Key: { pk: userKey(username), sk: postKey(postId) } }),
      ),
    put: (post) => client.send(new PutCommand({ TableName: TABLE, Item: stored(post) })),
    update: ({ username, postId }, { title, views, status }) =>
      client.send(
        new UpdateCommand({
          TableName: TABLE,
          Key: { pk: userKey(username), sk: postKey(postId) },
          UpdateExpression:
            'SET #title = :title, #views = :views, #status = :status, #gsi1pk = :gsi1pk',
          ConditionExpression: 'attribute_exists(#pk)',
          ExpressionAttributeNames: {
            '#pk': 'pk',
            '#title': 'title',
            '#views': 'views',
            '#status': 'status',
            '#gsi1pk': 'gsi1pk',
          },
          ExpressionAttributeValues: {
            ':title': title,
            ':views': views,
            ':status': status,
            ':gsi1pk': statusKey(status),
          },
        }),
      ),
    query: (username, limit) =>
      client.send(
        new QueryCommand({
          TableName: TABLE,
          KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :sk)',
          ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
          ExpressionAttributeValues: { ':pk': userKey(username), ':sk': 'POST#' },
          Limit: limit,
        }),
      ),
    batchWrite: (posts) =>
      client.send(
        new BatchWriteCommand({
          RequestItems: { [TABLE]: posts.map((post) => ({ PutRequest: { Item: stored(post) } })) },
        }),
      ),
    transactWrite: (posts) =>
      client.send(
        new TransactWriteCommand({
          TransactItems: posts.map((post) => ({ Put: { TableName: TABLE, Item: stored(post) } })),
        }),
      ),
    itemFrom: (result) => Reflect.get(Object(result), 'Item'),
    itemsFrom: (result) => Reflect.get(Object(result), 'Items'),
    cursorFrom: (result) => Reflect.get(Object(result), 'LastEvaluatedKey'),
  }
})

function stored(post: Post): Record<string, unknown> {
  // The other way round, spread first, V8 takes twenty times as long.
  return {
    pk: userKey(post.username),
    sk: postKey(post.postId),
    gsi1pk: statusKey(post.status),
    gsi1sk: postKey(post.postId),
    [TYPE_ATTRIBUTE]: 'Post',
    ...post,
  }
}
