import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine, type Engine, simulatedEnvironment } from 'singletable/engine'
import { compileSchema, type Item, modelOf, type Transport } from 'singletable/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSchema } from '../../packages/kit/src/schema-file/load-schema.ts'
import { ROOT } from '../architecture/package-manifest.ts'
import { runCli } from './run-cli.ts'

let engine: Engine
let directory: string

beforeEach(() => {
  engine = createEngine({ environment: simulatedEnvironment() })
  directory = mkdtempSync(path.join(tmpdir(), 'singletable-pull-'))
})

afterEach(async () => {
  await engine.close()
  rmSync(directory, { recursive: true, force: true })
})

const pull = (...words: readonly string[]) =>
  runCli(['pull', '--table', 'Blog', ...words], { transport: engine, directory })

async function itemsOf(transport: Transport): Promise<readonly Item[]> {
  return (await transport.send('Scan', { TableName: 'Blog' })).Items ?? []
}

/** The pulled file is loaded as any schema, and each stored item is decoded by a model of it. */
async function expectDecoded(): Promise<ReadonlyMap<string, number>> {
  const { definition } = await loadSchema('schema.ts', { directory })
  const schema = compileSchema(definition)
  const counts = new Map<string, number>()
  for (const item of await itemsOf(engine)) {
    // Kept by the library for a unique value.
    if (item._type?.S === '_unique') continue
    const model = modelOf({ schema }, item)
    expect(model?.decode(item, true)).toBeDefined()
    counts.set(model?.name ?? '', 1 + (counts.get(model?.name ?? '') ?? 0))
  }
  return counts
}

test.each(['blog', 'shop', 'social'])(
  'the schema of a table that was made for the example %s is found again',
  async (example) => {
    const options = { transport: engine, directory: path.join(ROOT, 'examples', example) }
    await runCli(['table', 'create', '--table', 'Blog'], options)
    await runCli(['seed', '--table', 'Blog', '--count', '60'], options)
    const run = await pull('--out', 'schema.ts')
    expect(run.code).toBe(0)
    expect(run.complaints).toMatch(/^[2-9] models from/m)
    const counts = await expectDecoded()
    expect(counts.size).toBeGreaterThan(1)
    const same = await runCli(['infra', 'diff', '--table', 'Blog'], {
      transport: engine,
      directory,
    })
    expect(same.printed).toContain('matches the schema')
  },
)

async function createTable(): Promise<void> {
  await engine.send('CreateTable', {
    TableName: 'Blog',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['PK', 'SK'].map((AttributeName) => {
      return { AttributeName, AttributeType: 'S' as const }
    }),
    KeySchema: [
      { AttributeName: 'PK', KeyType: 'HASH' },
      { AttributeName: 'SK', KeyType: 'RANGE' },
    ],
  })
}

test('models of a table without types are distinguished by their keys; what is only in a key is a comment', async () => {
  await createTable()
  for (const id of ['a1', 'b2', 'c3']) {
    const put = (Item: Item) => engine.send('PutItem', { TableName: 'Blog', Item })
    await put({ PK: { S: `USER#${id}` }, SK: { S: 'PROFILE' }, email: { S: `${id}@x.y` } })
    const price = { N: '12.5' }
    await put({
      PK: { S: `USER#${id}` },
      SK: { S: `ORDER#${id}9` },
      orderId: { S: `${id}9` },
      price,
    })
    await put({ PK: { S: 'odd' }, SK: { S: id }, tags: { SS: ['x'] } })
  }
  const { printed, complaints, code } = await pull()
  expect(code).toBe(0)
  writeFileSync(path.join(directory, 'schema.ts'), printed)
  expect(printed).toContain('Order: {')
  expect(printed).toContain("key: { PK: 'USER#${userId}', SK: 'ORDER#${orderId}' }")
  expect(printed).toContain('// Order.userId is only part of the key in the sampled items.')
  expect(complaints).toContain('from 9 items')
  const { schema } = await loadSchema('schema.ts', { directory })
  expect(schema.models.has('Profile')).toBe(true)
})

test('an empty table gives its keys, and a missing table is an error', async () => {
  expect(await pull()).toMatchObject({ code: 1 })
  await createTable()
  const { code, printed } = await pull()
  expect(code).toBe(0)
  expect(printed).toContain("primary: { hash: 'PK', sort: 'SK' }")
  writeFileSync(path.join(directory, 'schema.ts'), '')
  expect(await pull('--out', 'schema.ts')).toMatchObject({ code: 1 })
})

test('a bucket of a time is recognized, and is not the id of what comes before it', async () => {
  await createTable()
  for (const hour of ['08', '09', '10']) {
    const at = `2026-11-18T${hour}:00:00.000Z`
    const Item = {
      PK: { S: 'DRIVER#d1#2026-11-18' },
      SK: { S: `AT#${at}` },
      driverId: { S: 'd1' },
      at: { S: at },
    }
    await engine.send('PutItem', { TableName: 'Blog', Item })
    const seen = { PK: { S: 'CAR#c7#x' }, SK: { S: `SEEN#${hour}` }, carId: { S: 'c7' } }
    await engine.send('PutItem', { TableName: 'Blog', Item: seen })
  }
  const { printed } = await pull()
  expect(printed).toContain("key: { PK: 'DRIVER#${driverId}#${at:day}', SK: 'AT#${at}' }")
  // Nothing says what x is: neither an id of a car nor of c7.
  expect(printed).toContain("key: { PK: 'CAR#${carId}#${PK3}', SK: 'SEEN#${seenId}' }")
})

test('an index that holds some attributes is pulled with those', async () => {
  await engine.send('CreateTable', {
    TableName: 'Blog',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['pk', 'gpk'].map((AttributeName) => {
      return { AttributeName, AttributeType: 'S' as const }
    }),
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byGroup',
        KeySchema: [{ AttributeName: 'gpk', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['_type', 'title', 'gone'] },
      },
    ],
  })
  for (const id of ['1', '2']) {
    const user = { pk: { S: `USER#${id}` }, _type: { S: 'User' }, userId: { S: id } }
    await engine.send('PutItem', { TableName: 'Blog', Item: user })
    const post = { pk: { S: `POST#${id}` }, gpk: { S: 'GROUP#a' }, title: { S: 'x' } }
    await engine.send('PutItem', {
      TableName: 'Blog',
      Item: { ...post, _type: { S: 'Post' }, postId: { S: id }, group: { S: 'a' } },
    })
  }
  const { printed, code } = await pull()
  expect(code).toBe(0)
  expect(printed).toContain("project: ['title']")
  expect(printed).toContain('User: {')
})
