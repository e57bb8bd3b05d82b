import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lmdbStorage } from '@singletable/kit/storage'
import {
  createEngine,
  type Engine,
  type EngineOptions,
  type SimulatedEnvironment,
  simulatedEnvironment,
} from 'singletable/engine'
import { afterEach, beforeEach, expect, test } from 'vitest'

const START_MS = 1_700_000_000_000
const TABLE = 'orders'

let folder: string
let environment: SimulatedEnvironment
let engine: Engine
// biome-ignore lint/suspicious/noExplicitAny: the tests look at answers of every operation.
let send: (operation: string, request: object) => Promise<any>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'singletable-reopen-'))
  environment = simulatedEnvironment({ now: START_MS })
  open()
})
afterEach(async () => {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

function open(options: EngineOptions = {}): void {
  const storage = lmdbStorage(folder, { durability: 'os' })
  engine = createEngine({ storage, environment, timeToLiveSweepMs: 1e9, ...options })
  send = engine.send as typeof send
}

async function reopen(options: EngineOptions = {}): Promise<void> {
  await engine.close()
  open(options)
}

async function createTable(members: object = {}): Promise<void> {
  await send('CreateTable', {
    TableName: TABLE,
    AttributeDefinitions: ['pk', 'sk', 'status'].map((name) => ({
      AttributeName: name,
      AttributeType: 'S',
    })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byStatus',
        KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    BillingMode: 'PAY_PER_REQUEST',
    Tags: [{ Key: 'team', Value: 'shop' }],
    ...members,
  })
}

const order = (n: number, more: object = {}) => ({
  pk: { S: `CUSTOMER#${n % 2}` },
  sk: { S: `ORDER#${n}` },
  status: { S: n % 3 === 0 ? 'open' : 'sent' },
  ...more,
})
const put = (n: number, more: object = {}) =>
  send('PutItem', { TableName: TABLE, Item: order(n, more) })

/** Everything that can be asked of the engine about its data. */
async function everything(): Promise<object> {
  const { Table } = await send('DescribeTable', { TableName: TABLE })
  const streamArn = Table.LatestStreamArn
  const { StreamDescription } = await send('DescribeStream', { StreamArn: streamArn })
  const records = []
  for (const { ShardId } of StreamDescription.Shards) {
    const { ShardIterator } = await send('GetShardIterator', {
      StreamArn: streamArn,
      ShardId,
      ShardIteratorType: 'TRIM_HORIZON',
    })
    records.push((await send('GetRecords', { ShardIterator })).Records)
  }
  return {
    Table,
    StreamDescription,
    records,
    items: await send('Scan', { TableName: TABLE }),
    indexed: await send('Scan', { TableName: TABLE, IndexName: 'byStatus' }),
    tags: await send('ListTagsOfResource', { ResourceArn: Table.TableArn }),
    timeToLive: await send('DescribeTimeToLive', { TableName: TABLE }),
    continuous: await send('DescribeContinuousBackups', { TableName: TABLE }),
    insights: await send('DescribeContributorInsights', { TableName: TABLE }),
    insightsListed: await send('ListContributorInsights', {}),
    backups: await send('ListBackups', {}),
    tables: await send('ListTables', {}),
  }
}

test('tables, items, indexes, stream, tags, time to live, Contributor Insights and backups are the same after reopening', async () => {
  await createTable()
  for (let n = 0; n < 10; n++) await put(n)
  await send('DeleteItem', { TableName: TABLE, Key: { pk: order(3).pk, sk: order(3).sk } })
  await send('UpdateTimeToLive', {
    TableName: TABLE,
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
  })
  for (const members of [
    {},
    { IndexName: 'byStatus', ContributorInsightsMode: 'THROTTLED_KEYS' },
  ]) {
    await send('UpdateContributorInsights', {
      TableName: TABLE,
      ContributorInsightsAction: 'ENABLE',
      ...members,
    })
  }
  await send('CreateBackup', { TableName: TABLE, BackupName: 'first' })
  const before = await everything()
  await reopen()
  expect(await everything()).toEqual(before)
  // And it continues from there, with numbers that were not given out before.
  await put(10)
  await reopen()
  const after = (await everything()) as { items: { Count: number }; records: object[][] }
  expect(after.items.Count).toBe(10)
  expect(after.records.flat().length).toBe(12)
})

test('a token of a transaction is known after reopening, so the transaction is not done twice', async () => {
  await createTable()
  const transaction = {
    TransactItems: [
      {
        Update: {
          TableName: TABLE,
          Key: { pk: order(1).pk, sk: order(1).sk },
          UpdateExpression: 'ADD amount :one',
          ExpressionAttributeValues: { ':one': { N: '1' } },
        },
      },
    ],
    ClientRequestToken: 'once',
  }
  await send('TransactWriteItems', transaction)
  await reopen()
  await send('TransactWriteItems', transaction)
  const { Items } = await send('Scan', { TableName: TABLE })
  expect(Items[0].amount).toEqual({ N: '1' })
  environment.jump(START_MS + 11 * 60_000)
  await reopen()
  await send('TransactWriteItems', transaction)
  expect((await send('Scan', { TableName: TABLE })).Items[0].amount).toEqual({ N: '2' })
})

test('a backup can be restored after reopening', async () => {
  await createTable()
  await put(1)
  const { BackupDetails } = await send('CreateBackup', { TableName: TABLE, BackupName: 'first' })
  await reopen()
  await send('RestoreTableFromBackup', {
    TargetTableName: 'restored',
    BackupArn: BackupDetails.BackupArn,
  })
  await reopen()
  expect((await send('Scan', { TableName: 'restored' })).Items).toEqual([order(1)])
})

test('a table that was being made or deleted when the engine was closed continues in its own time', async () => {
  await reopen({ transitionMs: 10_000 })
  await createTable()
  await reopen({ transitionMs: 10_000 })
  const status = async () =>
    (await send('DescribeTable', { TableName: TABLE })).Table.TableStatus as string
  expect(await status()).toBe('CREATING')
  environment.jump(START_MS + 10_000)
  expect(await status()).toBe('ACTIVE')
  await put(1)
  await send('DeleteTable', { TableName: TABLE })
  await reopen({ transitionMs: 10_000 })
  expect(await status()).toBe('DELETING')
  environment.jump(START_MS + 30_000)
  await expect(status()).rejects.toThrow('not found')
  expect((await send('ListTables', {})).TableNames).toEqual([])
})

test('an item that expired while the engine was closed is deleted by the next sweep', async () => {
  await createTable()
  await send('UpdateTimeToLive', {
    TableName: TABLE,
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
  })
  await put(1, { expires: { N: String(START_MS / 1000 + 60) } })
  await put(2, { expires: { N: String(START_MS / 1000 + 7200) } })
  await engine.close()
  environment.jump(START_MS + 3_600_000)
  open()
  expect(await engine.sweepExpired()).toBe(1)
  const { Items } = await send('Scan', { TableName: TABLE })
  expect(Items.map((item: { sk: object }) => item.sk)).toEqual([order(2).sk])
})

test('a shard closes four hours after it was opened, also when the engine was closed meanwhile', async () => {
  await createTable()
  await put(1)
  await engine.close()
  environment.jump(START_MS + 5 * 3_600_000)
  open()
  await put(2)
  const { StreamDescription } = (await everything()) as {
    StreamDescription: { Shards: { ParentShardId?: string }[] }
  }
  expect(StreamDescription.Shards.length).toBe(2)
  expect(StreamDescription.Shards[1]!.ParentShardId).toBeDefined()
})

test('an engine on a durable storage can be put back to a snapshot', async () => {
  await createTable()
  for (let n = 0; n < 20; n++) await put(n)
  const before = await everything()
  const snapshot = await engine.snapshot()
  for (let n = 10; n < 40; n++) await put(n, { changed: { BOOL: true } })
  await send('CreateTable', {
    TableName: 'other',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await engine.restore(snapshot)
  expect(await everything()).toEqual(before)
  await reopen()
  expect(await everything()).toEqual(before)
})
