import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { defineSchema, Table } from 'singletable'
import { connect } from 'singletable/direct'
import type { CallerName, CallName } from '../calls.ts'

/** One client of the server, in a process of its own; reports the CPU time per call of each round
 * it is asked for. */
const [port = '', caller = ''] = process.argv.slice(2)
const endpoint = `http://127.0.0.1:${port}`
const region = 'us-east-1'
const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' }
const POSTS = 100

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Post: {
      key: { pk: 'USER#${username}', sk: 'POST#${postId}' },
      attributes: {
        username: { type: String, required: true },
        postId: { type: String, required: true },
        title: { type: String, required: true },
        body: { type: String },
        likes: { type: Number },
        tags: { type: Array, items: { type: String } },
        published: { type: Boolean },
      },
    },
  },
})

interface Post {
  readonly username: string
  readonly postId: string
  readonly title: string
  readonly body: string
  readonly likes: number
  readonly tags: string[]
  readonly published: boolean
}

type Calls = Readonly<Record<CallName, (turn: number) => Promise<unknown>>>

function post(turn: number): Post {
  return {
    username: caller,
    postId: String(turn % POSTS).padStart(4, '0'),
    title: `Post ${turn}`,
    body: 'Some text that is neither long nor short. '.repeat(2),
    likes: turn,
    tags: ['bench', 'wire'],
    published: true,
  }
}

function tableCalls(client: ConstructorParameters<typeof Table>[0]['client']): Calls {
  const { Post } = new Table({ name: 'calls', schema, client }).entities
  const key = (turn: number) => ({ username: caller, postId: post(turn).postId })
  return {
    get: (turn) => Post.get(key(turn)).execute(),
    put: (turn) => Post.put(post(turn)).execute(),
    update: (turn) =>
      Post.update(key(turn))
        .set({ title: `Post ${turn}`, likes: turn })
        .execute(),
    'query 100': () => Post.query({ username: caller }).execute(),
  }
}

function documentCalls(): Calls {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }))
  const TableName = 'calls'
  const keyOf = (turn: number) => ({ pk: `USER#${caller}`, sk: `POST#${post(turn).postId}` })
  return {
    get: (turn) => client.send(new GetCommand({ TableName, Key: keyOf(turn) })),
    put: (turn) =>
      client.send(
        new PutCommand({ TableName, Item: { ...keyOf(turn), ...post(turn), _type: 'Post' } }),
      ),
    update: (turn) =>
      client.send(
        new UpdateCommand({
          TableName,
          Key: keyOf(turn),
          UpdateExpression: 'SET #title = :title, #likes = :likes',
          ConditionExpression: 'attribute_exists(#pk)',
          ExpressionAttributeNames: { '#title': 'title', '#likes': 'likes', '#pk': 'pk' },
          ExpressionAttributeValues: { ':title': `Post ${turn}`, ':likes': turn },
          ReturnValues: 'ALL_NEW',
        }),
      ),
    'query 100': () =>
      client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :sk)',
          ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
          ExpressionAttributeValues: { ':pk': `USER#${caller}`, ':sk': 'POST#' },
        }),
      ),
  }
}

function callsOf(name: CallerName): Calls {
  if (name === 'document-client') return documentCalls()
  if (name === 'ours-direct') return tableCalls(connect({ endpoint, region, credentials }))
  return tableCalls(new DynamoDBClient({ endpoint, region, credentials }))
}

// The parent names one of the callers.
const calls = callsOf(caller as CallerName)
const table = new Table({
  name: 'calls',
  schema,
  client: connect({ endpoint, region, credentials }),
})
try {
  await table.create()
} catch (error) {
  // Another caller was first.
  if (!(await table.exists())) throw error
}
for (let turn = 0; turn < POSTS; turn++) await calls.put(turn)

process.on('message', (request: { operation: CallName; count: number }) => {
  measure(calls[request.operation], request.count).then(
    (microseconds) => process.send?.(microseconds),
    (error) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.send?.(0)

async function measure(call: (turn: number) => Promise<unknown>, count: number): Promise<number> {
  globalThis.gc?.({ type: 'minor' })
  const before = process.cpuUsage()
  for (let turn = 0; turn < count; turn++) await call(turn)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}
