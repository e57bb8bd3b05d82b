import path from 'node:path'
import { Table } from 'singletable'
import { createEngine, type Engine, simulatedEnvironment } from 'singletable/engine'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { blogSchema } from '../../examples/blog/schema.ts'
import { runCli, showRun } from './run-cli.ts'

const GOLDEN = path.join(import.meta.dirname, '__golden__')

let engine: Engine

beforeEach(() => {
  engine = createEngine({ environment: simulatedEnvironment() })
})

afterEach(() => engine.close())

/** The table of the blog with a user, three posts and a tag, with a clock that does not move. */
async function fillBlog(): Promise<void> {
  const environment = {
    now: () => Date.UTC(2026, 0, 2),
    randomBytes: (count: number) => new Uint8Array(count),
    schedule: () => () => {},
  }
  const table = new Table({ name: 'Blog', schema: blogSchema, client: engine, environment })
  await table.create()
  const { User, Post, PostTag, Session } = table.entities
  await User.put({ username: 'alice', name: 'Alice', email: 'alice@example.com' }).execute()
  for (const postId of ['1', '2', '3']) {
    const title = `Post ${postId}\nwith a second line`
    await Post.put({ username: 'alice', postId, title, published: postId !== '2' }).execute()
  }
  await PostTag.put({ postId: '1', tag: 'new', username: 'alice', title: 'Post 1' }).execute()
  const expiresAt = new Date('2100-01-01T00:00:00Z')
  await Session.put({ token: 't', username: 'alice', expiresAt }).execute()
}

/** Several runs, one after the other, as one text. */
async function runs(...lines: readonly string[]): Promise<string> {
  const strings: string[] = []
  for (const line of lines) {
    const parameters = line.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? []
    strings.push(showRun(parameters, await runCli(parameters, { transport: engine })))
  }
  return strings.join('\n')
}

test('table makes, shows and deletes a table', async () => {
  const text = await runs(
    'table create',
    'table create --table Blog',
    'table create --table Blog',
    'table create --table Blog --if-missing --json',
    'table describe --table Blog',
    'table delete --table Blog',
    'table delete --table Blog --yes Bog',
    'table delete --table Blog --yes Blog',
    'table delete --table Blog --yes Blog --unprotect',
    'table describe --table Blog',
    'table describe --table Blog --json',
    'table create --table Blog --dry-run',
    'table',
    'table explode',
  )
  await expect(text).toMatchFileSnapshot(path.join(GOLDEN, 'table.txt'))
})

test('query runs patterns, with values typed as the schema says', async () => {
  await fillBlog()
  const text = await runs(
    'query getUser username=alice --table Blog',
    'query getUser username=alice --table Blog --json',
    'query getUser username=nobody --table Blog',
    'query postsByUser username=alice --table Blog',
    'query postsByUser username=alice postId.from=2 --table Blog --json',
    'query postsByUser username=alice postId.beginsWith=1 --table Blog',
    'query publishedPosts published=true --all --json --table Blog',
    'query publishedPosts published=true --limit 1 --table Blog',
    'query publishedPosts published=true --all --table Blog',
    'query publishedPosts published=perhaps --table Blog',
    'query userFeed username=alice --table Blog',
    'query postsWithTag tag=new --table Blog',
    'query postsByUser username=alice postId.around=2 --table Blog',
    'query postsByUser usernam=alice --table Blog',
    'query writePost --table Blog',
    'query searchPosts --table Blog',
    'query postsByUsr --table Blog',
    'query --table Blog',
    'query getUser username=alice --limit 2 --table Blog',
    'query getUser username=alice --page --table Blog',
    'query publishedPosts published=true --cursor nonsense --table Blog',
  )
  await expect(text).toMatchFileSnapshot(path.join(GOLDEN, 'query.txt'))
})

test('query --plan shows how a pattern is carried out, without a table', async () => {
  const text = await runs(
    'query postsByUser --plan',
    'query postsByUser username=alice postId.from=2 --plan',
    'query comment --plan',
    'query searchPosts --plan',
    'query getUser --plan --json',
  )
  await expect(text).toMatchFileSnapshot(path.join(GOLDEN, 'query-plan.txt'))
})

test('the cursor of a page continues where it ended', async () => {
  await fillBlog()
  const parameters = ['query', 'publishedPosts', 'published=true', '--table', 'Blog', '--json']
  const first = await runCli([...parameters, '--page', '--limit', '1'], { transport: engine })
  const { items, cursor } = JSON.parse(first.printed)
  expect(items).toMatchObject([{ postId: '1' }])
  const second = await runCli([...parameters, '--cursor', cursor], { transport: engine })
  expect(JSON.parse(second.printed).items).toMatchObject([{ postId: '3' }])
})

test('get and put go through the entities', async () => {
  await fillBlog()
  const text = await runs(
    'get User username=alice --table Blog',
    'get User username=nobody --table Blog',
    'get User --table Blog',
    'get Usr username=alice --table Blog',
    'get User name --table Blog',
    "put User username=bob 'name=Bob B.' email=bob@example.com --table Blog --create",
    'put User username=bob name=Bob email=bob@example.com --table Blog --create',
    'put User username=carol --table Blog',
    'put Session --json-input \'{"token":"u","username":"bob","expiresAt":"2100-01-01T00:00:00Z"}\' --table Blog --json',
    'put Session token=u username=bob expiresAt=tomorrow --table Blog',
    'put Session --json-input [] --table Blog',
    'put Session --json-input { --table Blog',
  )
  const steady = text.replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, (time) =>
    time.startsWith('2100') || time.startsWith('2026-01-02') ? time : '<now>',
  )
  await expect(steady).toMatchFileSnapshot(path.join(GOLDEN, 'get-put.txt'))
})

test('a command that needs a table never guesses where it is', async () => {
  for (const line of [
    ['table', 'describe'],
    ['query', 'userFeed', 'username=a'],
    ['get', 'User'],
  ]) {
    const { code, complaints } = await runCli([...line, '--table', 'Blog'])
    expect(code).toBe(2)
    expect(complaints).toContain('Nothing says where the table is.')
  }
  const both = await runCli(['table', 'describe', '--table', 'B', '--aws', '--data', 'x'])
  expect(both.complaints).toContain("can't be combined")
})

test('errors are JSON where JSON is asked for', async () => {
  const { code, complaints } = await runCli(['get', 'Usr', '--json'], { transport: engine })
  expect(code).toBe(2)
  expect(JSON.parse(complaints)).toMatchObject({ error: { exitCode: 2, fix: expect.any(String) } })
})

test('a schema that can not be loaded ends with 3', async () => {
  const { code, complaints } = await runCli(['query', 'x', '--schema', 'nowhere.ts'])
  expect(code).toBe(3)
  expect(complaints).toContain('There is no file "nowhere.ts".')
})

test('an item that can not be decoded is left out of a query, and reported', async () => {
  await fillBlog()
  const { Items = [] } = await engine.send('Scan', { TableName: 'Blog' })
  const damaged = Items.find(({ postId, _type }) => postId?.S === '2' && _type?.S === 'Post')
  await engine.send('PutItem', { TableName: 'Blog', Item: { ...damaged, title: { N: '7' } } })
  const parameters = ['query', 'postsByUser', 'username=alice', '--table', 'Blog', '--json']
  const { code, printed, complaints } = await runCli(parameters, { transport: engine })
  expect(JSON.parse(printed).items.map(({ postId }: { postId: string }) => postId)).toEqual([
    '3',
    '1',
  ])
  expect(complaints).toContain('singletable query: an item is left out:')
  expect(complaints).toContain('title')
  expect(code).toBe(1)
})
