import { defineSchema, type SchemaDefinition, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { verifyCopies } from 'singletable/streams'
import { compileSchema, readSchema } from 'singletable/tools'
import { expect, test } from 'vitest'
import { readDesign } from '../../packages/kit/src/check/design/design.ts'
import { exercisePatterns } from '../../packages/kit/src/check/exercise/exercise-patterns.ts'
import { transactShape } from '../../packages/kit/src/check/rules/writes/w02-transact-shape.ts'
import { billOf } from '../../packages/kit/src/cost/monthly-bill.ts'
import { renderMarkdown } from '../../packages/kit/src/docs/render-markdown.ts'
import { makeItems } from '../../packages/kit/src/seed/make-items.ts'
import { createRandom, seededEnvironment } from '../../packages/kit/src/seed/seeded-random.ts'
import { documentOf } from './docs/document-of.ts'

/** What the tools make of copies for each element, and of sums. */

const text = { type: String, required: true } as const
const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  table: { stream: 'new-and-old' },
  models: {
    Blog: {
      key: { pk: 'BLOG#${blogId}', sk: 'BLOG' },
      attributes: { blogId: text, likes: { type: Number, sums: 'Post.likes' } },
    },
    Post: {
      key: { pk: 'POST#${postId}', sk: 'POST' },
      index: { gsi1pk: 'BLOG#${blogId}', gsi1sk: 'POST#${postId}' },
      attributes: {
        postId: text,
        blogId: text,
        tags: { type: Set, items: { type: String } },
        levels: { type: Array, items: { type: Number }, pad: 6 },
        likes: { type: Number },
        ends: { type: Number, ttl: true },
      },
      copies: {
        TagPost: { each: 'tags', key: { pk: 'TAG#${tag}', sk: 'POST#${postId}' } },
        LevelPost: {
          each: 'levels',
          key: { pk: 'LEVELS#${blogId}', sk: '${level}#${postId}' },
          attributes: [],
        },
      },
      stats: { count: 1_000, itemBytes: 900 },
    },
  },
  patterns: {
    createPost: { op: 'create', entity: 'Post', expect: { rps: 1 } },
    changeTags: { op: 'update', entity: 'Post', by: ['postId'], set: ['tags'] },
    postsByTag: { op: 'query', entity: 'TagPost', by: ['tag'] },
    postsByLevel: { op: 'query', entity: 'LevelPost', by: ['blogId'], range: 'level' },
    likesOf: { op: 'get', entity: 'Blog', by: ['blogId'] },
    placePost: { op: 'transact', steps: { post: { op: 'create', entity: 'Post' } } },
  },
})
const definition = schema as unknown as SchemaDefinition

test('check --run exercises patterns on the elements', async () => {
  const { patterns } = await exercisePatterns(readSchema(definition))
  for (const { pattern, failures, skipped, matching } of patterns) {
    expect({ pattern, failures, skipped }).toEqual({ pattern, failures: [], skipped: undefined })
    if (pattern.startsWith('postsBy')) expect(matching).toBeGreaterThan(1)
  }
  expect(patterns).toHaveLength(6)
}, 60_000)

test('the cost of a write has a copy for each element, and so has the storage', () => {
  const { patterns, storage } = billOf({ schema: compileSchema(definition) })
  const [create] = patterns
  // Three elements are taken where nothing says how many there are.
  expect(create?.writeUnits?.formula.match(/copy \w+|sum [\w.]+/g)).toEqual([
    ...Array(3).fill('copy TagPost'),
    ...Array(3).fill('copy LevelPost'),
    'sum Blog.likes',
  ])
  expect(storage.find(({ model }) => model === 'TagPost')?.bytes?.formula).toMatch(/^3000 ×/)
})

test('W02 reports sampled items that have more elements than a transaction takes', () => {
  const tags = (count: number) => ({
    pk: { S: `POST#${count}` },
    _type: { S: 'Post' },
    tags: { SS: Array.from({ length: count }, (_, index) => `t${index}`) },
  })
  const found = (...counts: number[]) =>
    Array.from(
      transactShape.check(
        readDesign(definition, { sample: { items: counts.map(tags), itemCount: 9 } } as never),
      ),
      ({ message }) => message,
    )
  expect(found(1, 98, 99)).toEqual([])
  expect(found(1, 100, 120)).toEqual([
    'Post.tags has up to 120 elements in 2 of the sampled items, and each has a copy TagPost: no transaction can write them (max 100 actions).',
  ])
})

test('sample data has elements that keys can have', async () => {
  const engine = createEngine()
  const table = new Table({ name: 'blog', schema, client: engine })
  await table.create()
  const random = createRandom(1)
  const items = makeItems(compileSchema(definition), {
    count: 30,
    random,
    environment: seededEnvironment(random),
    onUnseedable: (model, reason) => expect.fail(`${model}: ${reason}`),
  })
  const { Blog, Post, TagPost } = table.entities
  for (const { entity, input } of items) {
    if (entity === 'Blog') await Blog.put(input as never)
    else await Post.put(input as never)
  }
  expect((await TagPost.scan()).length).toBeGreaterThan(0)
  await engine.close()
})

test('the living document says which list a copy is of, and what is added up', async () => {
  const text = renderMarkdown(await documentOf(definition))
  expect(text).toContain('for each element of `tags`')
  expect(text).toContain('sum of `Post.likes`')
})

test('verifyCopies finds and repairs copies of elements, and sums', async () => {
  const engine = createEngine()
  const table = new Table({ name: 'blog', schema, client: engine })
  await table.create()
  const { Blog, Post, TagPost } = table.entities
  await Blog.create({ blogId: 'b' })
  const post = { blogId: 'b', tags: new Set(['a', 'b']), likes: 1.5 }
  await Post.create({ ...post, postId: '1' })
  await Post.create({ ...post, postId: '2', likes: 2 })
  expect(await verifyCopies(table)).toMatchObject({ found: 0, skipped: [] })

  const TableName = 'blog'
  const Key = { pk: { S: 'TAG#a' }, sk: { S: 'POST#1' } }
  const { Item } = await engine.send('GetItem', { TableName, Key })
  await engine.send('DeleteItem', { TableName, Key })
  const other = { ...Item!, pk: { S: 'TAG#z' }, tag: { S: 'z' } }
  await engine.send('PutItem', { TableName, Item: other })
  const blog = { pk: { S: 'BLOG#b' }, sk: { S: 'BLOG' }, _type: { S: 'Blog' }, blogId: { S: 'b' } }
  await engine.send('PutItem', { TableName, Item: { ...blog, likes: { N: '9' } } })
  const { findings } = await verifyCopies(table, { repair: true })
  expect(findings.map(({ kind, message }) => `${kind}: ${message}`).sort()).toEqual([
    'copy-missing: its copy "TagPost" is missing',
    'copy-orphaned: its Post has no such copy',
    'counter-wrong: "likes" is 9, and the sum of Post.likes is 3.5',
  ])
  expect(await verifyCopies(table)).toMatchObject({ found: 0 })
  expect(await TagPost.get({ tag: 'a', postId: '1' })).toMatchObject({ likes: 1.5, tag: 'a' })
  await engine.close()
})
