import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine, type Engine } from 'singletable/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '../run-cli.ts'
import { type OpenApp, openApp } from './open-app.ts'

let engine: Engine
let app: OpenApp
beforeAll(async () => {
  engine = createEngine()
  app = await openApp(engine, { showsTables: true })
  await engine.send('CreateTable', {
    TableName: 'legacy.orders-2',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'customer', AttributeType: 'S' },
      { AttributeName: 'at', AttributeType: 'N' },
      { AttributeName: 'state', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'customer', KeyType: 'HASH' },
      { AttributeName: 'at', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byState',
        KeySchema: [{ AttributeName: 'state', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  })
  await engine.send('CreateTable', {
    TableName: 'Empty',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'B' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  })
  await engine.send('UpdateTimeToLive', {
    TableName: 'legacy.orders-2',
    TimeToLiveSpecification: { AttributeName: 'until', Enabled: true },
  })
  for (let n = 0; n < 5; n++) {
    await engine.send('PutItem', {
      TableName: 'legacy.orders-2',
      Item: {
        customer: { S: `c${n % 2}` },
        at: { N: String(n) },
        state: { S: n < 3 ? 'open' : 'done' },
        ...(n < 2 && { until: { N: n === 0 ? '1' : '99999999999' } }),
      },
    })
  }
})
afterAll(async () => {
  expect(app.faults).toEqual([])
  await engine.close()
})

const other = { headers: { 'x-singletable-table': 'legacy.orders-2' } }

describe('tables of the endpoint', () => {
  test('are listed with keys, indexes and state', async () => {
    const { tables } = await app.call('/api/tables')
    expect(tables.map(({ name }) => name)).toEqual(['Blog', 'Empty', 'legacy.orders-2'])
    expect(tables[2]).toMatchObject({
      status: 'ACTIVE',
      keys: ['customer (S)', 'at (N)'],
      indexes: ['byState'],
      billing: 'on demand',
      hasStream: false,
    })
  })

  test('one without a schema is shown with what can be guessed', async () => {
    const design = await app.call('/api/design', {}, other)
    expect(design).toMatchObject({ table: 'legacy.orders-2', isGuessed: true, schemaFile: '' })
    expect(design.indexes.map(({ name, keyTypes }) => [name, keyTypes])).toEqual([
      ['primary', { customer: 'S', at: 'N' }],
      ['byState', { state: 'S' }],
    ])
    const page = await app.call('/api/query', { index: 'byState', hash: ['open'], limit: 9 }, other)
    expect(page.items.length).toBe(3)
    const { timeToLive, counted } = await app.call('/api/overview', {}, other)
    expect(timeToLive).toEqual({ attribute: 'until', status: 'ENABLED' })
    expect(counted).toMatchObject({ items: 5, expiring: 2, expired: 1 })
    expect((await app.call('/api/overview')).timeToLive).toBeNull()
    const export_ = await app.get('/api/export?format=dynamodb&table=legacy.orders-2')
    expect((await export_.text()).trimEnd().split('\n').length).toBe(5)
  })

  test('an empty one, with a binary key, is shown too', async () => {
    const headers = { 'x-singletable-table': 'Empty' }
    const design = await app.call('/api/design', {}, { headers })
    expect(design).toMatchObject({ entities: [], indexes: [{ keyTypes: { id: 'B' } }] })
    const change = { kind: 'raw', before: null, after: { id: { B: 'AAEC' }, n: { N: '1' } } }
    expect(await app.call('/api/change', { change }, { headers })).toMatchObject({ state: 'saved' })
    const { items } = await app.call('/api/scan', { index: 'primary', limit: 5 }, { headers })
    expect(items.map(({ item }) => item)).toEqual([change.after])
  })

  test('items are written as they are, never by a guess', async () => {
    const before = {
      customer: { S: 'c0' },
      at: { N: '0' },
      state: { S: 'open' },
      until: { N: '1' },
    }
    const after = { ...before, state: { S: 'done' } }
    const change = { kind: 'raw', before, after }
    expect(await app.call('/api/change', { change }, other)).toMatchObject({
      state: 'saved',
      writes: ['UpdateItem'],
      notes: [],
    })
    const request = { format: 'dynamodb', text: '', line: 0, replaces: false, isDryRun: false }
    expect(await app.refused('/api/import', request, other)).toMatchObject({
      code: 'SCHEMA_GUESSED',
    })
  })

  test('one that is not there is refused, and found once it is there', async () => {
    const headers = { 'x-singletable-table': 'Later' }
    expect(await app.refused('/api/design', {}, { headers })).toMatchObject({
      status: 400,
      what: 'There is no table "Later".',
    })
    await engine.send('CreateTable', {
      TableName: 'Later',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    })
    for (const name of ['ada', 'bob', 'eve']) {
      const Item = { id: { S: `USER#${name}` }, name: { S: name } }
      await engine.send('PutItem', { TableName: 'Later', Item })
    }
    const { table, entities } = await app.call('/api/design', {}, { headers })
    expect([table, entities.length]).toEqual(['Later', 1])
    const edit = { kind: 'create', entity: entities[0]?.name, strings: {} }
    expect(await app.call('/api/change', { change: edit }, { headers })).toMatchObject({
      state: 'failed',
      failure: { code: 'SCHEMA_GUESSED' },
    })
  })

  test('only the table of the schema is shown unless others were asked for', async () => {
    const closed = await openApp(createEngine())
    expect(await closed.refused('/api/tables')).toMatchObject({
      status: 403,
      code: 'TABLE_REFUSED',
    })
    for (const path of ['/api/design', '/api/scan', '/api/change', '/api/overview'] as const) {
      expect(await closed.refused(path, {}, other)).toMatchObject({ code: 'TABLE_REFUSED' })
    }
    for (const path of ['export?format=csv&', 'stream?', 'events?']) {
      expect((await closed.get(`/api/${path}table=legacy.orders-2`)).status).toBe(403)
    }
    expect(await closed.call('/api/design')).toMatchObject({ table: 'Blog', showsTables: false })
  })

  test('the command needs no schema for an endpoint, but a table', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'studio-tables-'))
    const none = createEngine()
    const run = await runCli(['studio', '--endpoint', 'http://localhost:1'], {
      ...{ directory, transport: none },
    })
    expect([run.code, run.complaints]).toEqual([3, expect.stringContaining('There are no tables.')])
    // Nothing is guessed where nothing was named.
    const plain = await runCli(['studio'], { directory })
    expect(plain.complaints).toContain('No schema was found.')
    // Sample data is not a table that can be named.
    const both = await runCli(['studio', '--sample', '--data', 'x'], { directory })
    expect(both.complaints).toContain("--sample and --data can't be combined.")
    rmSync(directory, { recursive: true })
  })

  test('on AWS no item is read to guess a schema', async () => {
    const own = createEngine()
    const sent: string[] = []
    const aws = await openApp(
      {
        send: (operation, request, options) => {
          sent.push(operation)
          return own.send(operation, request, options)
        },
      },
      { showsTables: true, isAws: true },
    )
    await own.send('CreateTable', {
      TableName: 'Other',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    })
    await aws.call('/api/design', {}, { headers: { 'x-singletable-table': 'Other' } })
    expect(sent.filter((operation) => /Scan|Query|Item/.test(operation))).toEqual([])
  })
})
