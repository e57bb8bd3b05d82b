import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { createEngine, simulatedEnvironment } from 'singletable/engine'
import { createBlog } from './blog.ts'
import { readStream } from './read-stream.ts'
import { createBlogTable } from './table.ts'

const MINUTE_MS = 60_000

// On AWS this program would say `new DynamoDBClient({})` and take the time from Date.now; nothing else would change.
const environment = simulatedEnvironment({ now: Date.UTC(2026, 0, 5, 9) })
const engine = createEngine({ environment })
const client = new DynamoDBClient(engine.clientConfig())
const streams = new DynamoDBStreamsClient(engine.clientConfig())

const streamArn = await createBlogTable(client)
const blog = createBlog(DynamoDBDocumentClient.from(client), environment.now)

console.log('# Users and posts')
await blog.register('alice', 'Alice')
try {
  await blog.register('alice', 'Another Alice')
} catch (error) {
  if (!(error instanceof ConditionalCheckFailedException)) throw error
  console.log(`alice is taken: ${error.message}`)
}
for (const [index, title] of ['One', 'Two', 'Three', 'Four', 'Five'].entries()) {
  await environment.advance(MINUTE_MS)
  await blog.writePost({ author: 'alice', number: index + 1, title, status: 'draft' })
}
let page = 0
for await (const titles of blog.pagesOfPosts('alice', 2)) {
  console.log(`page ${++page}: ${titles.join(', ')}`)
}

console.log('\n# Posts by status')
await blog.publish('alice', 1)
await blog.publish('alice', 3)
console.log(`published: ${(await blog.titlesByStatus('published')).join(', ')}`)
console.log(`draft: ${(await blog.titlesByStatus('draft')).join(', ')}`)

console.log('\n# Comments and their number')
await blog.comment({ author: 'alice', number: 1 }, { number: 1, text: 'First!' })
await blog.comment({ author: 'alice', number: 1 }, { number: 2, text: 'Well written.' })
for (const [post, comment] of [
  [1, 2],
  [99, 1],
] as const) {
  try {
    await blog.comment({ author: 'alice', number: post }, { number: comment, text: 'Again' })
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error
    const reasons = error.CancellationReasons?.map(({ Code }) => Code)
    console.log(`comment ${comment} on post ${post} refused: ${reasons?.join(', ')}`)
  }
}
console.log(`post 1 has ${await blog.commentCount('alice', 1)} comments`)

console.log('\n# A session of 30 minutes')
await blog.logIn('alice', 't0k3n')
console.log(`at once: ${await blog.userOf('t0k3n')}`)
await environment.advance(31 * MINUTE_MS)
console.log(`31 minutes later: ${(await blog.userOf('t0k3n')) ?? 'nobody'}`)

console.log('\n# What the stream tells')
for await (const { eventName, dynamodb, userIdentity } of readStream(streams, streamArn)) {
  const by = userIdentity === undefined ? '' : ` by ${userIdentity.PrincipalId}`
  console.log(`${eventName} ${dynamodb?.Keys?.pk?.S} ${dynamodb?.Keys?.sk?.S}${by}`)
}

await engine.close()
