import { listen } from '@singletable/kit/server'
import { type ConnectOptions, connect, type DirectTransport } from 'singletable/direct'
import { createEngine } from 'singletable/engine'
import { describe, expect, onTestFinished, test } from 'vitest'
import { rejection } from '../aws/canned-client.ts'
import { refereePort } from '../referee/referee-port.ts'

const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret/+=' }
const port = await refereePort()
const patience = { requestTimeoutMs: 60_000, connectionTimeoutMs: 60_000 }

/** A transport to an engine that checks signatures. */
async function onEngine(options: ConnectOptions = {}): Promise<DirectTransport> {
  const engine = createEngine()
  const server = await listen(engine, { port: 0, credentials: [credentials] })
  const direct = connect({
    region: 'us-east-1',
    endpoint: server.url,
    credentials,
    ...patience,
    ...options,
  })
  onTestFinished(async () => {
    direct.close()
    await server.close()
    await engine.close()
  })
  return direct
}

async function onLocal(): Promise<DirectTransport> {
  const direct = connect({
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: 'direct', secretAccessKey: 'local' },
    ...patience,
  })
  onTestFinished(() => direct.close())
  return direct
}

describe.each([
  ['the engine over HTTP', onEngine, false],
  ['DynamoDB Local', onLocal, port === undefined],
])('on %s', (_, open, isSkipped) => {
  test.skipIf(isSkipped)('a table is made, written, read, streamed and deleted', async () => {
    const direct = await open()
    const TableName = `direct-${process.pid}`
    await direct.send('CreateTable', {
      TableName,
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    })
    const Item = {
      pk: { S: 'grün 𝄞' },
      bytes: { B: 'AP8=' },
      list: { L: [{ NULL: true }, { BOOL: false }, { N: '1.5' }] },
      quotes: { S: '"\\\u0000\n' },
    }
    await direct.send('PutItem', { TableName, Item })
    expect(await direct.send('GetItem', { TableName, Key: { pk: Item.pk } })).toEqual({ Item })
    const again = { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }
    expect(await rejection(direct.send('PutItem', again))).toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'The conditional request failed',
    })
    const { Streams } = await direct.send('ListStreams', { TableName })
    const StreamArn = Streams[0]?.StreamArn ?? ''
    const { StreamDescription } = await direct.send('DescribeStream', { StreamArn })
    const { ShardIterator } = await direct.send('GetShardIterator', {
      StreamArn,
      ShardId: StreamDescription.Shards[0]?.ShardId ?? '',
      ShardIteratorType: 'TRIM_HORIZON',
    })
    const { Records } = await direct.send('GetRecords', { ShardIterator })
    expect(Records.map((record) => record.dynamodb.NewImage)).toEqual([Item])
    await direct.send('DeleteTable', { TableName })
  })
})

test('a wrong key is refused by a service that checks signatures', async () => {
  const wrong = { ...credentials, secretAccessKey: 'other' }
  const direct = await onEngine({ credentials: wrong })
  expect(await rejection(direct.send('ListTables', {}))).toMatchObject({
    name: 'InvalidSignatureException',
  })
})

test('a signature with a session token is right as well', async () => {
  const direct = await onEngine({ credentials: { ...credentials, sessionToken: 'a/b+c==' } })
  expect(await direct.send('ListTables', {})).toEqual({ TableNames: [] })
})

test('a clock that is wrong by an hour is set by the answer', async () => {
  const environment = {
    now: () => Date.now() - 3_600_000,
    randomBytes: (count: number) => new Uint8Array(count),
    schedule: () => () => {},
  }
  const direct = await onEngine({ environment })
  expect(await direct.send('ListTables', {})).toEqual({ TableNames: [] })
})

test.each([-20, 20])(
  'a clock that is wrong by %i minutes is set for all requests that are under way',
  async (minutes) => {
    const direct = await onEngine({
      environment: {
        now: () => Date.now() + minutes * 60_000,
        randomBytes: (count) => new Uint8Array(count),
        schedule: () => () => {},
      },
    })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => direct.send('ListTables', {})),
    )
    expect(answers).toEqual(Array(20).fill({ TableNames: [] }))
  },
)

test('a long answer that is compressed arrives whole', async () => {
  const direct = await onEngine({ gzip: true })
  const TableName = 'long'
  await direct.send('CreateTable', {
    TableName,
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  const Item = { pk: { S: 'a' }, text: { S: 'lorem ipsum '.repeat(20_000) } }
  await direct.send('PutItem', { TableName, Item })
  expect(await direct.send('GetItem', { TableName, Key: { pk: Item.pk } })).toEqual({ Item })
})
