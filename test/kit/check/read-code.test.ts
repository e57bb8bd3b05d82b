import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Design, readDesign } from '../../../packages/kit/src/check/design/design.ts'
import {
  CODE_BYTES_MAX,
  readCode,
} from '../../../packages/kit/src/check/evidence/code/read-code.ts'
import type { CodeFacts } from '../../../packages/kit/src/check/evidence/code-facts.ts'
import { PATTERN_RULES } from '../../../packages/kit/src/check/rules/pattern-rules.ts'
import { WRITE_RULES } from '../../../packages/kit/src/check/rules/write-rules.ts'
import { ROOT } from '../../architecture/package-manifest.ts'
import { PrimerSchema } from '../../reference/3-schema.ts'
import { SocialSchema } from '../../reference/4-schema.ts'
import { ShopSchema } from '../../reference/5-schema.ts'
import { BlogSchema } from '../../reference/blog-schema.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'singletable-code-'))
})
afterAll(() => rm(root, { recursive: true }))

let projects = 0

/** A project with these files. */
async function project(files: { readonly [name: string]: string }): Promise<string> {
  const directory = path.join(root, String(projects++))
  for (const [name, source] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(directory, name)), { recursive: true })
    await writeFile(path.join(directory, name), source)
  }
  return directory
}

const shop = readDesign(ShopSchema)
const blog = readDesign(BlogSchema)

async function factsOf(source: string, design = shop, name = 'src/a.ts'): Promise<CodeFacts> {
  return readCode(await project({ [name]: source }), design)
}

/** The members of the batches in a function's body. */
async function membersIn(body: string): Promise<readonly (number | undefined)[]> {
  const { calls } = await factsOf(`
    import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
    async function run(client, orders) { ${body} }`)
  return calls.map(({ members }) => members)
}

const send = (items: string): string =>
  `await client.send(new BatchWriteCommand({ RequestItems: { Shop: ${items} } }))`

describe('calls that are never sent', () => {
  const droppedIn = async (body: string): Promise<readonly string[]> => {
    const { dropped } = await factsOf(
      `const { Order } = table.entities
      async function run(table, order) {
        ${body}
      }`,
    )
    return dropped.map(({ call, line }) => `${call} ${line}`)
  }

  test.each([
    ['Order.put(order)', ['Order.put 3']],
    ['table.entities.Order.put(order).where((attr, op) => op.eq(attr.a, 1))', ['Order.put 3']],
    ['void Order.delete(order)', ['Order.delete 3']],
    ['Order.query({ orderId })', ['Order.query 3']],
    ['if (order) Order.update(order).set({ a: 1 })', ['Order.update 3']],
    ['orders.forEach((each) => { Order.put(each) })', ['Order.put 3']],
    ['table.transactWrite().addPut(Order.put(order))', ['table.transactWrite 3']],
  ])('%s is reported', async (body, found) => {
    expect(await droppedIn(body)).toEqual(found)
  })

  test.each([
    'await Order.put(order)',
    'return Order.put(order)',
    'const put = Order.put(order)',
    'await Promise.all([Order.put(order)])',
    'Order.put(order).execute()',
    'Order.put(order).then(() => done())',
    'Order.put(order).catch(log)',
    'Order.put(order).dbParams()',
    'for await (const each of Order.query({ orderId })) use(each)',
    'await table.transactWrite().addPut(Order.put(order))',
    'table.transactWrite().addPut(Order.put(order)).execute()',
    'orders.map((each) => Order.put(each))',
    'other.put(order)',
  ])('%s is not', async (body) => {
    expect(await droppedIn(body)).toEqual([])
  })
})

describe('which calls are found', () => {
  test.each([
    [`import { ScanCommand } from '@aws-sdk/client-dynamodb'; new ScanCommand({})`, 'scan'],
    [`const { QueryCommand: Q } = require('@aws-sdk/lib-dynamodb'); new Q({})`, 'query'],
    [`const { QueryCommand } = require('@aws-sdk/lib-dynamodb'); new QueryCommand({})`, 'query'],
    [`import * as sdk from '@aws-sdk/lib-dynamodb'; new sdk.BatchGetCommand(x)`, 'batch-get'],
    [`import { paginateScan } from '@aws-sdk/lib-dynamodb'; paginateScan({ client }, {})`, 'scan'],
    [`import { QueryCommand } from './sdk.ts'; new QueryCommand({})`, 'query'],
    [`documentClient.scan({ TableName: 'Shop' })`, 'scan'],
    [`client.transactWriteItems({ TransactItems: [] })`, 'transact'],
    // Other services, databases and the file itself have the same words.
    [`class ScanCommand {}; new ScanCommand({})`],
    [`import { QueryCommand } from '@aws-sdk/client-timestream-query'; new QueryCommand({})`],
    [`import { QueryCommand } from 'some-database'; new QueryCommand({})`],
    [`pool.query('SELECT 1')`],
    [`pool.query({ text: 'SELECT 1' })`],
    [`table.entities.Order.query({ orderId: '1' }).execute()`],
    [`table.batchWrite([table.entities.Order.put({})])`],
  ])('%s', async (source, kind?: string) => {
    const { calls } = await factsOf(source)
    expect(calls.map((call) => call.kind)).toEqual(kind === undefined ? [] : [kind])
  })

  test.each([
    'await table.entities.Order.scan().execute()',
    'const { Order } = table.entities; Order.scan()',
    'const Order = table.entities.Order; Order.scan()',
    `import { Order } from './table.ts'; Order.scan()`,
    `function f({ entities }: Shop) { return entities['Order'].scan() }`,
  ])('a scan of an entity: %s', async (source) => {
    const { calls } = await factsOf(source)
    expect(calls.map(({ kind, through, model }) => [kind, through, model])).toEqual([
      ['scan', 'library', 'Order'],
    ])
  })

  test.each([
    'class Order { static scan() {} }; Order.scan()',
    `import { Order } from 'an-orm'; Order.scan()`,
    'scanner.scan()',
    'table.entities.Unknown.scan()',
  ])('no scan of an entity: %s', async (source) => {
    expect((await factsOf(source)).calls).toEqual([])
  })

  test('a call has its place and its code on one line', async () => {
    const { calls } = await factsOf('\n\nawait table.entities.Order\n  .scan()\n  .execute()\n')
    expect(calls).toEqual([
      {
        file: 'src/a.ts',
        line: 4,
        text: 'table.entities.Order .scan()',
        kind: 'scan',
        through: 'library',
        model: 'Order',
      },
    ])
  })
})

describe('how many members a batch has', () => {
  test.each([
    ['written out', send('[a, b, c]'), 3],
    ['a constant', `const items = [a, b]; ${send('items')}`, 2],
    ['two lists in one', `const items = [a, b]; ${send('[...items, ...items, c]')}`, 5],
    ['of a slice', send('orders.slice(0, 30)'), 30],
    ['of a moving slice', `const N = 20 + 6; ${send('orders.slice(i, i + N).map(put)')}`, 26],
    [
      'of parts of a chunk, two for each',
      `for (const part of chunk(orders, 25)) { const puts = part.flatMap((o) => [one(o), two(o)]); ${send('puts')} }`,
      50,
    ],
    [
      'of parts in a callback',
      `chunk(orders, 25).map(async (part) => { ${send('part.map(put)')} })`,
      25,
    ],
    ['made by length', send('Array.from({ length: 26 }, (_, i) => put(i))'), 26],
    [
      'the least that a function gives',
      send('orders.slice(0, 10).flatMap((o) => { if (o) return [1]; return [1, 2, 3] })'),
      10,
    ],
    ['unknown, from outside', send('orders'), undefined],
    ['unknown, filtered', send('orders.slice(0, 30).filter(Boolean)'), undefined],
    ['unknown, a variable that changes', `let items = [a]; ${send('items')}`, undefined],
    ['unknown, of another size', send('orders.slice(from, to)'), undefined],
    [
      'unknown, of a parameter with the name of a constant',
      `const part = [a, b]; async function g({ part }) { ${send('part')} }`,
      undefined,
    ],
    [
      'of the nearest constant',
      `const N = 30; switch (orders) { case 1: const N = 26; ${send('orders.slice(0, N)')} }`,
      26,
    ],
    ['unknown, replaced by what is spread', send('[a], ...others'), undefined],
    ['unknown, of itself', `const x = [...x]; ${send('x')}`, undefined],
  ])('%s', async (_, body, members) => {
    expect(await membersIn(body)).toEqual([members])
  })

  test('keys to get are counted over all tables', async () => {
    const { calls } = await factsOf(
      `client.batchGet({ RequestItems: { A: { Keys: [1, 2] }, [B]: { Keys: [3] } } })`,
    )
    expect(calls.map(({ members }) => members)).toEqual([3])
  })
})

describe('whether what was not processed is looked at', () => {
  test.each([
    ['not', `async function f() { ${send('[a]')} }`, false],
    [
      'by the function around a callback',
      `async function f() { let r = await retry(() => client.send(new BatchWriteCommand({ RequestItems: x }))); return r.UnprocessedItems }`,
      true,
    ],
    [
      'by another function alone',
      `async function f() { ${send('[a]')} } function g(r) { return r.UnprocessedItems }`,
      false,
    ],
    [
      'perhaps, by the caller',
      `async function f() { return client.send(new BatchWriteCommand({ RequestItems: x })) }`,
      undefined,
    ],
    [
      'perhaps, by the caller of an arrow',
      `const f = (x) => client.send(new BatchWriteCommand({ RequestItems: x }))`,
      undefined,
    ],
  ])('%s', async (_, source, handled) => {
    const { calls } = await factsOf(
      `import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'\n${source}`,
    )
    expect(calls.map(({ handlesUnprocessed }) => handlesUnprocessed)).toEqual([handled])
  })
})

describe('keys that a transaction has twice', () => {
  const transact = (...actions: readonly string[]): string =>
    `client.transactWrite({ TransactItems: [${actions.join(', ')}] })`
  const put = "{ Put: { TableName: T, Item: { PK: `USER#${id}`, SK: 'PROFILE', name } } }"
  test.each([
    [transact(put, "{ Delete: { TableName: T, Key: { PK: `USER#${id}`, SK: 'PROFILE' } } }"), true],
    [transact(put, "{ Delete: { TableName: T, Key: { PK: `USER#${id}`, SK: 'OTHER' } } }"), false],
    [
      transact(put, "{ Delete: { TableName: U, Key: { PK: `USER#${id}`, SK: 'PROFILE' } } }"),
      false,
    ],
    [
      transact(
        "{ Put: { Item: { PK: next(), SK: 'A' } } }",
        "{ Put: { Item: { PK: next(), SK: 'A' } } }",
      ),
      false,
    ],
    [
      transact(
        "{ Put: { Item: { PK: 'U', SK: 'A' } } }",
        "{ Put: { Item: { PK: 'U', SK: 'A', ...rest } } }",
      ),
      false,
    ],
    [
      transact(
        "{ Put: { Item: { PK: { S: 'U' }, SK: { S: 'A' } } } }",
        '{ Put: { Item: { PK: { S: "U" }, SK: { S: "A" } } } }',
      ),
      true,
    ],
  ])('%s', async (source, isRepeated) => {
    const { calls } = await factsOf(source)
    expect(calls.map(({ repeatedKey }) => repeatedKey !== undefined)).toEqual([isRepeated])
  })
})

describe('values with the prefix of their template', () => {
  const found = async (source: string) =>
    (await factsOf(source, blog)).prefixed.map(
      ({ model, attribute, value, prefix, use }) =>
        `${use} ${model}.${attribute} ${value} ${prefix}`,
    )
  test.each([
    [
      `table.entities.Comment.query().where((a, op) => op.and(op.eq(a.postId, 'POST#123')))`,
      'read Comment.postId POST#123 POST#',
    ],
    [`table.entities.Comment.query({ postId: 'POST#123' })`, 'read Comment.postId POST#123 POST#'],
    [
      'table.entities.Comment.get({ postId: `POST#${id}`, commentId })',
      'read Comment.postId POST#${…} POST#',
    ],
    [
      `table.entities.User.put({ username: 'USER#alice', name: 'A' })`,
      'write User.username USER#alice USER#',
    ],
    [`table.entities.User.put({ username: 'alice', name: 'USER#alice' })`],
    [`table.entities.Comment.query({ postId: 'POST#' })`],
    [`table.entities.Post.query().where((a, op) => op.eq(a.gsi1pk, 'POST'))`],
    [`other.query({ postId: 'POST#123' })`],
  ])('%s', async (source, expected?: string) => {
    expect(await found(source)).toEqual(expected === undefined ? [] : [expected])
  })

  test('of a pattern', async () => {
    const patterns = { comments: { op: 'query', entity: 'Comment', by: ['postId'] } } as const
    const design = readDesign({ ...BlogSchema, patterns })
    const { prefixed } = await factsOf(`table.patterns.comments({ postId: 'POST#1' })`, design)
    expect(prefixed.map(({ model, value }) => [model, value])).toEqual([['Comment', 'POST#1']])
  })

  test('an attribute that may have any text has no prefix', async () => {
    const { User } = BlogSchema.models
    const username = { ...User.attributes.username, encode: true }
    const models = { User: { ...User, attributes: { ...User.attributes, username } } }
    const design = readDesign({ ...BlogSchema, models } as never)
    const { prefixed } = await factsOf(`table.entities.User.get({ username: 'USER#a' })`, design)
    expect(prefixed).toEqual([])
  })
})

describe('updates', () => {
  const found = async (source: string) =>
    (await factsOf(source)).updates.map(({ model, attributes, through }) => [
      through,
      model,
      attributes,
    ])
  test.each([
    [
      `table.entities.Order.update({ orderId }).set('status', 'x').remove('total').execute()`,
      ['status', 'total'],
    ],
    [`table.entities.Order.update({ orderId }).set({ status: 'x' }).execute()`, ['status']],
    [`table.entities.Order.upsert({ orderId }).add('total', 1)`, ['total']],
  ])('through the library: %s', async (source, attributes) => {
    expect(await found(source)).toEqual([['library', 'Order', attributes]])
  })

  test.each([
    [
      "client.update({ TableName, Key: { PK: `ORDER#${id}`, SK: 'META' }, UpdateExpression: 'SET #s = if_not_exists(#s, :a), GSI1PK = :b REMOVE total', ExpressionAttributeNames: { '#s': 'status' } })",
      ['total', 'status', 'GSI1PK'],
    ],
    [
      "client.updateItem({ TableName, Key: { PK: { S: 'ORDER#1' }, SK: { S: 'META' } }, UpdateExpression: 'SET total = :t' })",
      ['total'],
    ],
  ])('through the SDK: %s', async (source, attributes) => {
    expect(await found(source)).toEqual([['sdk', 'Order', attributes]])
  })

  test.each([
    "client.update({ TableName, Key: { PK: `OTHER#${id}`, SK: 'META' }, UpdateExpression: 'SET total = :t' })",
    "client.update({ TableName, Key, UpdateExpression: 'SET total = :t' })",
    "client.update({ TableName, Key: { PK: `ORDER#${id}`, SK: 'META' }, UpdateExpression: 'SET other = :t' })",
  ])('of nothing that is known: %s', async (source) => {
    expect(await found(source)).toEqual([])
  })
})

describe('files', () => {
  const scan = 'table.entities.Order.scan()'

  test('tests, installed, generated and hidden ones, and links are left out', async () => {
    const directory = await project({
      'index.js': scan,
      'src/b.mts': scan,
      'src/c.tsx': `const x = <p>{${scan}}</p>`,
      'src/d.cjs': scan,
      'src/a.test.ts': scan,
      'src/types.d.ts': scan,
      'test/x.ts': scan,
      'node_modules/x/index.js': scan,
      'packages/x/dist/index.js': scan,
      '.next/x.js': scan,
      'readme.md': scan,
    })
    await symlink(path.join(directory, 'src'), path.join(directory, 'linked'))
    const { calls, files } = await readCode(directory, shop)
    expect(calls.map(({ file }) => file)).toEqual([
      'index.js',
      'src/b.mts',
      'src/c.tsx',
      'src/d.cjs',
    ])
    expect(files).toBe(4)
  })

  test('one that does not parse is reported, and the others are read', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const directory = await project({
      'a.ts': 'const = 1 +',
      'b.ts': scan,
      'deep.ts': deep,
      'large.ts': `// ${'x'.repeat(CODE_BYTES_MAX)}`,
    })
    const { calls, unread } = await readCode(directory, shop)
    expect(calls.map(({ file }) => file)).toEqual(['b.ts'])
    expect(unread).toEqual([
      { file: 'a.ts', reason: expect.stringMatching(/^does not parse: Unexpected token/) },
      { file: 'deep.ts', reason: 'is nested too deeply' },
      { file: 'large.ts', reason: 'is larger than 1000000 bytes' },
    ])
  })

  test('a fault that the parser gets over keeps nothing from being found', async () => {
    const { calls, unread } = await factsOf(`const a = 1\nconst a = 2\n${scan}`)
    expect([calls.length, unread.length]).toEqual([1, 0])
  })

  test('long chains, sums and lists are read without end of the stack', async () => {
    const chain = `${scan}${'.where(x)'.repeat(500)}`
    const sum = Array.from({ length: 1000 }, () => "'a'").join(' + ')
    const list = `[${'1,'.repeat(300_000)}]`
    const { calls, unread } = await factsOf(`const text = ${sum}\nfoo(${list})\n${chain}`)
    expect([calls.length, unread]).toEqual([1, []])
  })

  test('a project without code has no facts', async () => {
    const { files, calls, unread } = await readCode(path.join(root, 'nowhere'), shop)
    expect([files, calls, unread]).toEqual([0, [], []])
  })
})

test('comments say why a rule does not count for a line, or for the statement that follows', async () => {
  const { suppressions, calls } = await factsOf(`import { ScanCommand } from '@aws-sdk/lib-dynamodb'
await client.send(new ScanCommand({})) // singletable-check P03: nightly export
// singletable-check P03: the whole statement
// and why
await client.send(
  new ScanCommand({}),
)
/* singletable-check W04 */
done()
// singletable-checks is not a directive
`)
  expect(calls.map(({ line }) => line)).toEqual([2, 6])
  expect(suppressions.map(({ line, code, reason }) => [line, code, reason])).toEqual([
    [2, 'P03', 'nightly export'],
    [5, 'P03', 'the whole statement'],
    [6, 'P03', 'the whole statement'],
    [9, 'W04', ''],
  ])
})

test('propagation of copies is seen by its import', async () => {
  const streams = `import { propagateCopies } from 'singletable/streams'`
  expect((await factsOf(streams)).propagates).toBe(true)
  expect((await factsOf(`import { onChange } from 'singletable/streams'`)).propagates).toBe(false)
})

describe('the code of the reference documents', () => {
  const messages = async (text: number, design: Design): Promise<readonly string[]> => {
    const directory = path.join(ROOT, `test/kit/designs/code/text-${text}`)
    const code = await readCode(directory, design)
    const rules = [...PATTERN_RULES, ...WRITE_RULES].filter(({ code: name }) =>
      ['P03', 'W01', 'W02', 'W03', 'W04'].includes(name),
    )
    return rules.flatMap((rule) =>
      [...rule.check({ ...design, code })].map(({ message }) => `${rule.code} ${message}`),
    )
  }

  test('text 1 scans, and puts one tag twice', async () => {
    expect(await messages(1, blog)).toEqual([
      'P03 blog.ts:9 reads the table outside the declared patterns: table.entities.Post.scan()',
      "W02 blog.ts:18: transaction touches PostTag { postId: '123', tag: 'typescript' } twice.",
    ])
  })

  test('text 1 gives a value with its prefix', async () => {
    const { prefixed } = await readCode(path.join(ROOT, 'test/kit/designs/code/text-1'), blog)
    expect(
      prefixed.map(({ line, model, attribute, value }) => [line, model, attribute, value]),
    ).toEqual([[7, 'Comment', 'postId', 'POST#123']])
  })

  test('text 3 queries past the schema', async () => {
    expect(await messages(3, readDesign(PrimerSchema))).toEqual([
      'P03 users.ts:13 reads the table outside the declared patterns: documentClient.query(params)',
    ])
  })

  test('text 4 renames a user and not the copies of the name', async () => {
    const models = {
      User: {
        key: { pk: 'USER#${userId}', sk: 'PROFILE' },
        attributes: { userId: { type: String }, name: { type: String }, email: { type: String } },
      },
      Comment: {
        key: { pk: 'POST#${postId}', sk: 'COMMENT#${commentId}' },
        attributes: {
          postId: { type: String },
          commentId: { type: String },
          userId: { type: String },
          userName: { type: String, copyOf: 'User.name' },
        },
      },
    } as const
    const { indexes } = SocialSchema
    expect(await messages(4, readDesign({ indexes, models }))).toEqual([
      "P03 users.ts:8 reads the table outside the declared patterns: new QueryCommand({ TableName, KeyConditionExpression: 'pk = :pk AND begins_with…",
      'W01 users.ts:18 leaves 1 copy of User.name stale in Comment.',
    ])
  })

  test('text 5 sends 50 puts in a batch, ignores what was not processed, and forgets the copy of an order', async () => {
    expect(await messages(5, shop)).toEqual([
      "P03 orders.ts:7 reads the table outside the declared patterns: new QueryCommand({ TableName: TABLE_NAME, IndexName: 'GSI1', KeyConditionExpres…",
      'W01 orders.ts:24 leaves the copy OrderSummary of Order stale: it changes status without the library.',
      'W03 migration.ts:42: BatchWrite carries 50 items (max 25).',
      'W04 migration.ts:23 ignores UnprocessedItems; throttled writes are lost.',
      'W04 migration.ts:42 ignores UnprocessedItems; throttled writes are lost.',
    ])
  })
})

test('the examples do nothing of the kind', async () => {
  const code = await readCode(path.join(ROOT, 'examples'), blog)
  expect(code.unread).toEqual([])
  expect(code.files).toBeGreaterThan(10)
  expect(code.calls.filter(({ through }) => through === 'sdk')).toEqual([])
  expect(code.prefixed).toEqual([])
})
