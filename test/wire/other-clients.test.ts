import { spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import path from 'node:path'
import { type Listener, listen } from '@singletable/kit/server'
import { createEngine, type Engine } from 'singletable/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CommandProcess, follow } from './command-process.ts'

// Debian's own Python has python3-boto3; another one that comes first in the path has not.
const PYTHON = '/usr/bin/python3'
const hasBoto3 = spawnSync(PYTHON, ['-c', 'import boto3']).status === 0
const hasCommandLine = spawnSync('/usr/bin/aws', ['--version']).status === 0
const isRequired = process.env.REQUIRE_REFEREE === '1'
if (!hasBoto3) console.log('boto3: skipped, python3-boto3 not found')
if (!hasCommandLine) console.log('AWS CLI: skipped, awscli not found')

let engine: Engine
let server: Listener
beforeAll(async () => {
  engine = createEngine()
  server = await listen(engine, { port: 0 })
})
afterAll(async () => {
  await server.close()
  await engine.close()
})

/** Runs a program to its end. Not in step with this process, which has to answer it. */
async function run(program: string, parameters: readonly string[]): Promise<string> {
  const environment = {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_PAGER: '',
  }
  const child = follow(
    spawn(program, parameters, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] }),
  )
  const code = await child.ended
  if (code !== 0) throw new Error(`${program} ended with ${code}.\n${child.complaints()}`)
  return child.printed()
}

test.skipIf(!hasBoto3 && !isRequired)(
  'boto3 creates, writes in batches, pages, transacts, reads streams and knows its exceptions',
  async () => {
    const program = path.join(import.meta.dirname, 'boto3-program.py')
    const found = JSON.parse(await run(PYTHON, [program, server.url]))
    expect(found).toEqual({
      pages: [12, 12, 6],
      item: ['T007', '00ff', ['a', 'b'], '7'],
      condition: ['ConditionalCheckFailedException', 'The conditional request failed'],
      transaction: ['None', 'ConditionalCheckFailed'],
      missing: 400,
      invalid: 'ValidationException',
      records: [30, 'INSERT'],
      tags: [{ Key: 'a', Value: 'b' }],
      checksum: true,
    })
  },
)

test.skipIf(!hasCommandLine)('the AWS CLI puts, queries and shows errors', async () => {
  const aws = async (...parameters: readonly string[]): Promise<string> =>
    run('/usr/bin/aws', [
      'dynamodb',
      ...parameters,
      '--endpoint-url',
      server.url,
      '--output',
      'json',
    ])
  await engine.send('CreateTable', {
    TableName: 'cli',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await aws('put-item', '--table-name', 'cli', '--item', '{"pk":{"S":"a"},"n":{"N":"1"}}')
  const page = await aws(
    ...['query', '--table-name', 'cli', '--key-condition-expression', 'pk = :p'],
    ...['--expression-attribute-values', '{":p":{"S":"a"}}'],
  )
  expect(JSON.parse(page).Items).toEqual([{ pk: { S: 'a' }, n: { N: '1' } }])
  await expect(aws('describe-table', '--table-name', 'nowhere')).rejects.toThrow(
    /ResourceNotFoundException/,
  )
})

describe('dynamodb-admin', () => {
  let admin: CommandProcess
  let url: string

  beforeAll(async () => {
    await engine.send('CreateTable', {
      TableName: 'pages',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    })
    await engine.send('PutItem', {
      TableName: 'pages',
      Item: { pk: { S: 'first' }, title: { S: 'a title to look for' } },
    })
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const root = path.resolve(import.meta.dirname, '../..')
    const program = path.join(root, 'node_modules/dynamodb-admin/dist/dynamodb-admin.js')
    admin = follow(
      spawn(
        process.execPath,
        [program, '--host', '127.0.0.1', '--port', String(port), '--dynamo-endpoint', server.url],
        {
          env: {
            ...process.env,
            AWS_REGION: 'us-east-1',
            AWS_ACCESS_KEY_ID: 'id',
            AWS_SECRET_ACCESS_KEY: 'secret',
          },
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      ),
    )
    await admin.waitFor(/listening on/i)
  })
  afterAll(async () => {
    admin.child.kill('SIGKILL')
    await admin.ended
    await engine.send('DeleteTable', { TableName: 'pages' })
  })

  async function page(location: string, options?: RequestInit): Promise<string> {
    const response = await fetch(url + location, options)
    expect({ location, ok: response.ok }).toEqual({ location, ok: true })
    return response.text()
  }
  const json = (body: object, method = 'PUT'): RequestInit => ({
    method,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })

  test('lists the tables', async () => {
    expect(await page('/')).toContain('pages')
    expect(JSON.parse(await page('/api/tables'))).toContainEqual(
      expect.objectContaining({ TableName: 'pages', TableStatus: 'ACTIVE' }),
    )
  })

  test('shows a table, what is in it and what is known of it', async () => {
    expect(await page('/tables/pages')).toContain('pages')
    const { Items } = JSON.parse(await page('/tables/pages/items'))
    expect(Items).toMatchObject([{ pk: 'first', title: 'a title to look for' }])
    expect(await page('/tables/pages/meta')).toContain('arn:aws:dynamodb:us-east-1')
    expect(await page('/tables/pages/ttl')).toContain('pages')
  })

  test('shows an item', async () => {
    expect(await page('/tables/pages/items/first')).toContain('a title to look for')
  })

  test('adds, changes and deletes an item', async () => {
    const get = () => engine.send('GetItem', { TableName: 'pages', Key: { pk: { S: 'added' } } })
    await page('/tables/pages/add-item', json({ pk: 'added', n: 1 }))
    expect(await get()).toEqual({ Item: { pk: { S: 'added' }, n: { N: '1' } } })
    await page('/tables/pages/items/added', json({ pk: 'added', n: 2 }))
    expect(await get()).toEqual({ Item: { pk: { S: 'added' }, n: { N: '2' } } })
    await page('/tables/pages/items/added', { method: 'DELETE' })
    expect(await get()).toEqual({})
  })

  test('deletes everything in a table', async () => {
    await page('/tables/pages/all', { method: 'DELETE' })
    expect((await engine.send('Scan', { TableName: 'pages' })).Count).toBe(0)
  })
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
