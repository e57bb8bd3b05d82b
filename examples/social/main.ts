import { SingletableError, Table } from 'singletable'
import { createEngine, simulatedEnvironment } from 'singletable/engine'
import { countRequests } from '../count-requests.ts'
import { socialSchema } from './schema.ts'
import { createSocial } from './social.ts'

const environment = simulatedEnvironment({ now: Date.UTC(2026, 0, 5, 9) })
const engine = createEngine({ environment })
const table = new Table({ name: 'Social', schema: socialSchema, client: engine, environment })
await table.create()
const { patterns: social, printRequests } = countRequests(createSocial(table))

/** Prints why a call is refused. */
async function refused(call: Promise<unknown>): Promise<void> {
  const error = await call.catch((reason: unknown) => reason)
  console.log(`refused: ${SingletableError.is(error) ? error.code : error}`)
}

console.log('# Edges from both ends')
for (const username of ['alice', 'bob', 'carol']) {
  await social.join(username, `${username[0]?.toUpperCase()}${username.slice(1)}`)
}
await social.follow('alice', 'bob')
await social.follow('alice', 'carol')
await social.follow('carol', 'bob')
await refused(social.follow('alice', 'bob'))
await refused(social.follow('alice', 'nobody'))
const followed = await social.following('alice')
console.log(`alice follows ${followed.map((edge) => edge.followed).join(', ')}`)
const followers = await social.followers('bob')
console.log(`bob is followed by ${followers.map((edge) => edge.follower).join(', ')}`)

console.log('\n# Numbers that always agree')
const numbers = async (username: string): Promise<void> => {
  const user = await social.profile(username)
  console.log(`${user?.name}: following ${user?.following}, followers ${user?.followers}`)
}
await numbers('alice')
await numbers('bob')
await social.unfollow('carol', 'bob')
await social.unfollow('carol', 'bob')
await numbers('bob')

console.log('\n# Posts, likes and a feed')
const posts = []
for (const [username, body] of [
  ['bob', 'Hello'],
  ['carol', 'Good morning'],
  ['bob', 'Coffee?'],
] as const) {
  await environment.advance(60_000)
  posts.push(await social.write(username, body))
}
const [hello] = posts
if (hello === undefined) throw new Error('nothing was written')
await social.like('alice', hello)
await social.like('carol', hello)
await refused(social.like('carol', hello))
const likes = await social.likedBy(hello)
console.log(`liked by ${likes.map(({ liker }) => liker).join(', ')}`)
const bob = await social.everythingOf('bob')
for (const { body, likes: count } of bob?.Post ?? [])
  console.log(`${bob?.name}: ${body} (${count})`)
const feed = await social.feed('alice', 2)
console.log(`feed of alice: ${feed.map(({ body }) => body).join(', ')}`)

printRequests()
await engine.close()
