import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { ConditionFailedError, ItemExistsError, Table, TransactionCanceledError } from 'singletable'
import { createEngine, simulatedEnvironment } from 'singletable/engine'
import { countRequests } from '../count-requests.ts'
import { createBlog, type Post } from './blog.ts'
import { readStream } from './read-stream.ts'
import { blogSchema } from './schema.ts'

const MINUTE_MS = 60_000

// On AWS this program would say `client: new DynamoDBClient({})` and leave the environment out;
// nothing else would change.
const environment = simulatedEnvironment({ now: Date.UTC(2026, 0, 5, 9) })
const engine = createEngine({ environment })
const table = new Table({ name: 'Blog', schema: blogSchema, client: engine, environment })
await table.create()
const { patterns: blog, printRequests } = countRequests(createBlog(table, environment.now))
const titles = (items: readonly { readonly title: string }[]): string =>
  items.map(({ title }) => title).join(', ')

console.log('# Users and posts')
await blog.register('alice', 'Alice')
await blog.register('bob', 'Bob')
try {
  await blog.register('alice', 'Another Alice')
} catch (error) {
  if (!(error instanceof ItemExistsError)) throw error
  console.log(`alice is taken: ${error.code}`)
}
console.log(`profile: ${(await blog.profile('alice'))?.email}`)
const posts: Post[] = []
for (const [title, ...tags] of [
  ['One', 'typescript'],
  ['Two', 'typescript', 'aws'],
  ['Three', 'aws'],
  ['Four'],
  ['Five', 'aws'],
] as const) {
  await environment.advance(MINUTE_MS)
  posts.push(await blog.writePost('alice', title, tags))
}
const [one, two, three] = posts as [Post, Post, Post, ...Post[]]
let cursor: string | undefined
do {
  const page = await blog.pageOfPosts('alice', 2, cursor)
  console.log(`a page: ${titles(page.items)}`)
  cursor = page.cursor
} while (cursor !== undefined)

const feed = await blog.feed('alice')
console.log(`${feed.User[0]?.name} has ${feed.Post.length} posts`)

console.log('\n# Posts by status')
await blog.publish(one)
await blog.publish(three)
try {
  await blog.publish(one)
} catch (error) {
  if (!(error instanceof ConditionFailedError)) throw error
  console.log(`published before: ${error.code}`)
}
console.log(`published: ${titles(await blog.postsByStatus(true))}`)
console.log(`draft: ${titles(await blog.postsByStatus(false))}`)

console.log('\n# Tags, from both sides')
console.log(`aws: ${titles(await blog.postsByTag('aws'))}`)
console.log(`Two: ${(await blog.tagsOf(two.postId)).map(({ tag }) => tag).join(', ')}`)

console.log('\n# Comments and their number')
await blog.comment(one, 'bob', 'First!')
await blog.comment(three, 'bob', 'Well written.')
await blog.comment(one, 'alice', 'Thank you.')
for (const [post, username] of [
  [one, 'nobody'],
  [{ username: 'alice', postId: 'missing' }, 'bob'],
] as const) {
  try {
    await blog.comment(post, username, 'Hm.')
  } catch (error) {
    if (!(error instanceof TransactionCanceledError)) throw error
    const reasons = error.failures.map(({ operation, reason }) => `${operation}: ${reason}`)
    console.log(`refused: ${reasons.join(', ')}`)
  }
}
for (const { username, content } of await blog.commentsOn(one.postId)) {
  console.log(`${username}: ${content}`)
}
console.log(`bob wrote ${(await blog.commentsBy('bob')).length} comments`)
console.log(`One has ${await blog.commentCount(one)} comments`)

console.log('\n# A session of 30 minutes')
await blog.logIn('alice', 't0k3n')
console.log(`at once: ${await blog.userOf('t0k3n')}`)
await environment.advance(31 * MINUTE_MS)
console.log(`31 minutes later: ${(await blog.userOf('t0k3n')) ?? 'nobody'}`)

console.log('\n# What the stream of the table has')
const { Table: description } = await engine.send('DescribeTable', { TableName: 'Blog' })
const streams = new DynamoDBStreamsClient(engine.clientConfig())
for await (const record of readStream(streams, description?.LatestStreamArn ?? '')) {
  const { eventName, dynamodb, userIdentity } = record
  const image = dynamodb?.NewImage ?? dynamodb?.OldImage
  const by = userIdentity === undefined ? '' : ` by ${userIdentity.PrincipalId}`
  console.log(`${eventName} ${image?._type?.S}${by}`)
}

console.log('\n# What a question costs')
const run = await table.patterns.postsWithTag({ tag: 'aws' }).measure()
console.log(
  `posts with a tag: ${run.requests} requests, ${run.itemsRead} items, ${run.consumed} units`,
)
const { key, cost } = table.patterns.postsByUser.plan()
console.log(`posts of a user: ${key && JSON.stringify(key.sk)}, ${cost?.basis}`)

printRequests()
await engine.close()
