import { createEngine, type Engine, memoryStorage, simulatedEnvironment } from 'singletable/engine'
import { describe, expect, test } from 'vitest'
import { FILL_STEP_ITEMS_MAX } from './fill-table.ts'

/** So large that one step goes over sixteen of them. */
const TEXT = 'x'.repeat(4096)
const COUNT = 100
const SECONDS = 2_000_000_000
const TableName = 'table'

// biome-ignore lint/suspicious/noExplicitAny: the tests look at answers of every operation.
type Answer = any

const key = (n: number) => ({ pk: { S: `${n}` } })
const item = (n: number, name: string, until = SECONDS) => ({
  ...key(n),
  a: { S: TEXT },
  b: { S: name },
  until: { N: `${until}` },
})
const put = (engine: Engine, Item: object) => engine.send('PutItem', { TableName, Item } as never)
const remove = (engine: Engine, n: number) => engine.send('DeleteItem', { TableName, Key: key(n) })

async function engineWith(count = COUNT, options = {}): Promise<Engine> {
  const engine = createEngine(options)
  await engine.send('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (let n = 0; n < count; n++) await put(engine, item(n, 'old'))
  return engine
}

const createIndex = (IndexName = 'byB', projection: object = { ProjectionType: 'ALL' }) => ({
  TableName,
  AttributeDefinitions: [{ AttributeName: 'b', AttributeType: 'S' }],
  GlobalSecondaryIndexUpdates: [
    {
      Create: {
        IndexName,
        KeySchema: [{ AttributeName: 'b', KeyType: 'HASH' }],
        Projection: projection,
      },
    },
  ],
})
const deleteIndex = {
  TableName,
  GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byB' } }],
}
const timeToLive = (Enabled: boolean) => ({
  TableName,
  TimeToLiveSpecification: { Enabled, AttributeName: 'until' },
})

/** One turn of the event loop, in which what takes turns does its next step. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Sent as a server does, so that it takes turns; resolves when it is in the middle. */
async function begin(
  engine: Engine,
  operation: string,
  request: object,
): Promise<{ readonly running: Promise<string> }> {
  const running = engine.sendText(operation, request)
  await turn()
  await turn()
  return { running }
}

/** Writes by others while a request is carried out: how many of them were done before it. */
async function during(running: Promise<unknown>, write: (n: number) => unknown): Promise<number> {
  let isOver = false
  const over = running.then(() => {
    isOver = true
  })
  let before = 0
  for (let n = 0; n < 40; n++) {
    await write(n)
    if (!isOver) before++
    await turn()
  }
  await over
  return before
}

async function describeTable(engine: Engine, name = TableName): Promise<Answer> {
  return (await engine.send('DescribeTable', { TableName: name })).Table
}

/** All items of the table, or of an index, in the order of their keys. */
async function all(engine: Engine, IndexName?: string): Promise<Answer[]> {
  const items: Answer[] = []
  let ExclusiveStartKey: object | undefined
  do {
    const page: Answer = await engine.send('Scan', {
      TableName,
      ...(IndexName && { IndexName }),
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    } as never)
    items.push(...page.Items)
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey)
  return items.sort((one, other) => (one.pk.S < other.pk.S ? -1 : 1))
}

/** The index has all items that have its key, and says how many. */
async function expectComplete(engine: Engine, IndexName = 'byB'): Promise<void> {
  const expected = (await all(engine)).filter(({ b }) => b)
  expect(await all(engine, IndexName)).toEqual(expected)
  const { GlobalSecondaryIndexes } = await describeTable(engine)
  const index = GlobalSecondaryIndexes.find((each: Answer) => each.IndexName === IndexName)
  expect(index).toMatchObject({ IndexStatus: 'ACTIVE', ItemCount: expected.length })
  expect(index).not.toHaveProperty('Backfilling')
}

describe('an index that is added to a table with many items', () => {
  test('lets others write meanwhile, and has what they have written', async () => {
    const engine = await engineWith()
    const running = engine.sendText('UpdateTable', createIndex())
    const before = await during(running, (n) =>
      n % 2 === 0 ? put(engine, item(n * 5, 'new')) : remove(engine, n * 5),
    )
    expect(before).toBeGreaterThan(1)
    await expectComplete(engine)
    await engine.close()
  })

  test('is CREATING and backfilling, and is not read, until it has all of them', async () => {
    const engine = await engineWith()
    const { running } = await begin(engine, 'UpdateTable', createIndex())
    const { TableStatus, GlobalSecondaryIndexes } = await describeTable(engine)
    expect(TableStatus).toBe('ACTIVE')
    expect(GlobalSecondaryIndexes).toMatchObject([{ IndexStatus: 'CREATING', Backfilling: true }])
    await expect(engine.send('Scan', { TableName, IndexName: 'byB' })).rejects.toThrow(
      'Cannot read from backfilling global secondary index: byB',
    )
    await expect(engine.send('UpdateTable', createIndex('other') as never)).rejects.toThrow(
      'Only 1 online index can be created or deleted simultaneously per table',
    )
    await expect(engine.send('DeleteTable', { TableName })).rejects.toThrow(
      'Cannot delete table while indexes are being created',
    )
    await engine.send('UpdateTable', { TableName, DeletionProtectionEnabled: false })
    expect(JSON.parse(await running).TableDescription.GlobalSecondaryIndexes[0].IndexStatus).toBe(
      'CREATING',
    )
    await expectComplete(engine)
    await engine.sendText('UpdateTable', createIndex('other', { ProjectionType: 'KEYS_ONLY' }))
    expect(await all(engine, 'other')).toHaveLength(COUNT)
    await engine.close()
  })

  test('can be deleted meanwhile, and leaves nothing', async () => {
    const storage = memoryStorage()
    const engine = await engineWith(COUNT, { storage })
    const { running } = await begin(engine, 'UpdateTable', createIndex())
    const { TableDescription } = await engine.send('UpdateTable', deleteIndex)
    expect(TableDescription?.GlobalSecondaryIndexes?.[0]?.IndexStatus).toBe('DELETING')
    await running
    expect(await describeTable(engine)).not.toHaveProperty('GlobalSecondaryIndexes')
    await engine.sendText('UpdateTable', createIndex())
    await expectComplete(engine)
    await engine.send('DeleteTable', { TableName })
    const left: string[] = []
    storage.visit({ start: '\x03', end: '\x07' }, (each) => left.push(each) > 0)
    storage.visit({ start: '\x0d', end: '\x0e' }, (each) => left.push(each) > 0)
    expect(left).toEqual([])
    await engine.close()
  })

  test('is continued where it was when the storage is opened again, or a snapshot restored', async () => {
    const storage = memoryStorage()
    const engine = await engineWith(COUNT, { storage })
    const { running } = await begin(engine, 'UpdateTable', createIndex())
    const snapshot = await engine.snapshot()
    await running
    await remove(engine, 3)
    await engine.restore(snapshot)
    expect((await describeTable(engine)).GlobalSecondaryIndexes[0].IndexStatus).toBe('CREATING')

    const environment = simulatedEnvironment()
    const other = createEngine({ storage, environment })
    await put(other, item(1, 'new'))
    await remove(other, 99)
    await expect(other.send('Scan', { TableName, IndexName: 'byB' })).rejects.toThrow('backfilling')
    await environment.advance(1)
    await expectComplete(other)
  })

  test('is filled at once, if there are few', async () => {
    const engine = await engineWith(0)
    const small = (n: number) => ({ PutRequest: { Item: { ...key(n), b: { S: 'b' } } } })
    for (let start = 1; start < FILL_STEP_ITEMS_MAX; start += 25) {
      const length = Math.min(25, FILL_STEP_ITEMS_MAX - start)
      const table = Array.from({ length }, (_, n) => small(start + n))
      await engine.send('BatchWriteItem', { RequestItems: { table } })
    }
    const isReady = async (IndexName: string): Promise<boolean> => {
      const running = engine.sendText('UpdateTable', createIndex(IndexName))
      const query = engine.send('Scan', { TableName, IndexName }).then(
        () => true,
        () => false,
      )
      await running
      return query
    }
    expect(await isReady('first')).toBe(true)
    await put(engine, small(FILL_STEP_ITEMS_MAX).PutRequest.Item)
    expect(await isReady('second')).toBe(false)
    await expectComplete(engine, 'second')
    await engine.close()
  })

  test('is complete after any writes at any time', async () => {
    const seed = Number(process.env.FILL_SEED ?? Math.floor(Math.random() * 2 ** 31))
    console.log(`FILL_SEED=${seed}`)
    let state = seed
    const below = (max: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((state / 2 ** 31) * max)
    }
    for (let program = 0; program < 25; program++) {
      const count = 20 + below(60)
      const engine = await engineWith(count)
      const projection = [
        { ProjectionType: 'ALL' },
        { ProjectionType: 'KEYS_ONLY' },
        { ProjectionType: 'INCLUDE', NonKeyAttributes: ['until'] },
      ][below(3)]!
      const running = [
        engine.sendText('UpdateTable', createIndex('byB', projection)),
        engine.sendText('UpdateTimeToLive', timeToLive(true)),
      ]
      const writes: Promise<unknown>[] = []
      for (let write = 0; write < 60; write++) {
        const n = below(count + 10)
        const { b: _gone, ...without } = item(n, '')
        const changed = item(n, `new ${below(3)}`, SECONDS + below(3))
        const some = [changed, changed, without, { ...without, c: { S: 'c' } }]
        writes.push(
          below(3) === 0
            ? engine.sendText('DeleteItem', { TableName, Key: key(n) })
            : engine.sendText('PutItem', { TableName, Item: some[below(4)] }),
        )
        if (below(4) === 0) await turn()
      }
      await Promise.all([...running, ...writes])
      const expected = (await all(engine)).filter(({ b }) => b)
      const found = await all(engine, 'byB')
      expect(found.map(({ pk, b }) => [pk, b])).toEqual(expected.map(({ pk, b }) => [pk, b]))
      const [index] = (await describeTable(engine)).GlobalSecondaryIndexes
      expect(index.ItemCount).toBe(expected.length)
      const ttl = await engine.send('DescribeTimeToLive', { TableName })
      expect(ttl.TimeToLiveDescription?.TimeToLiveStatus).toBe('ENABLED')
      // Nothing is left of entries that are gone: else the figures would go below zero.
      for (const { pk } of await all(engine)) await remove(engine, Number(pk.S))
      expect((await describeTable(engine)).GlobalSecondaryIndexes[0].ItemCount).toBe(0)
      await engine.close()
    }
  })
})

describe('time to live of a table with many items', () => {
  test('lets others write while it is enabled, and items expire when they say', async () => {
    const environment = simulatedEnvironment({ now: (SECONDS - 1000) * 1000 })
    const engine = await engineWith(COUNT, { environment, timeToLiveSweepMs: 1e9 })
    const running = engine.sendText('UpdateTimeToLive', timeToLive(true))
    const before = await during(running, (n) => put(engine, item(n * 2, 'new', SECONDS * 2)))
    expect(before).toBeGreaterThan(1)
    environment.jump((SECONDS + 1000) * 1000)
    expect(await engine.sweepExpired()).toBe(COUNT - 40)
    expect((await all(engine)).map(({ b }) => b.S)).toEqual(Array.from({ length: 40 }, () => 'new'))
    await engine.close()
  })

  test('is ENABLING and DISABLING meanwhile, and changes no more until it is over', async () => {
    const engine = await engineWith(0)
    for (let start = 0; start < 2 * FILL_STEP_ITEMS_MAX; start += 25) {
      const table = Array.from({ length: 25 }, (_, n) => ({
        PutRequest: { Item: { ...key(start + n), until: { N: `${SECONDS}` } } },
      }))
      await engine.send('BatchWriteItem', { RequestItems: { table } })
    }
    for (const [isEnabled, status, last] of [
      [true, 'ENABLING', 'ENABLED'],
      [false, 'DISABLING', 'DISABLED'],
    ] as const) {
      const running = engine.sendText('UpdateTimeToLive', timeToLive(isEnabled))
      await Promise.resolve()
      const ask = async () =>
        (await engine.send('DescribeTimeToLive', { TableName })).TimeToLiveDescription
      expect(await ask()).toMatchObject({ TimeToLiveStatus: status })
      await expect(engine.send('UpdateTimeToLive', timeToLive(!isEnabled))).rejects.toThrow(
        'modified multiple times',
      )
      await running
      expect(await ask()).toMatchObject({ TimeToLiveStatus: last })
    }
    await engine.send('DeleteTable', { TableName })
    await engine.close()
  })
})

describe('a backup of many items', () => {
  const restore = async (engine: Engine) => {
    const { BackupDetails } = await engine.send('CreateBackup', { TableName, BackupName: 'backup' })
    const BackupArn = BackupDetails!.BackupArn!
    const request = { BackupArn, TargetTableName: 'restored' }
    const running = engine.sendText('RestoreTableFromBackup', request)
    await turn()
    return { BackupArn, running }
  }

  test('has the items as they were when it was asked for, whatever others write meanwhile', async () => {
    const storage = memoryStorage()
    const engine = await engineWith(COUNT, { storage })
    const before = await all(engine)
    const request = { TableName, BackupName: 'backup' }
    const running = engine.sendText('CreateBackup', request)
    await turn()
    const { BackupSummaries } = await engine.send('ListBackups', {})
    expect(BackupSummaries).toMatchObject([{ BackupStatus: 'CREATING' }])
    const { BackupArn = '' } = BackupSummaries![0]!
    await expect(engine.send('CreateBackup', request)).rejects.toMatchObject({
      name: 'BackupInUseException',
    })
    await expect(engine.send('DeleteBackup', { BackupArn })).rejects.toThrow(
      'There is another ongoing conflicting backup control plane operation on the table. The backup is either being created, deleted or restored to a table.',
    )
    await expect(engine.send('DeleteTable', { TableName })).rejects.toThrow('in use')
    for (let n = 0; n < COUNT; n += 3) {
      await put(engine, item(n, 'new'))
      await put(engine, item(COUNT + n, 'new'))
      await remove(engine, n + 1)
      if (n % 2 === 0) await put(engine, item(n + 1, 'again'))
      else await remove(engine, COUNT + n)
    }
    const snapshot = await engine.snapshot()
    await running
    const restored = async (from: Engine, TargetTableName: string) => {
      await from.send('RestoreTableFromBackup', { BackupArn, TargetTableName })
      const { Items } = await from.send('Scan', { TableName: TargetTableName })
      return Items!.sort((one, other) => (one.pk!.S! < other.pk!.S! ? -1 : 1))
    }
    expect(await restored(engine, 'restored')).toEqual(before)
    const { BackupDescription } = await engine.send('DescribeBackup', { BackupArn })
    expect(BackupDescription).toMatchObject({
      BackupDetails: { BackupStatus: 'AVAILABLE' },
      SourceTableDetails: { ItemCount: COUNT },
    })

    // The same, if the engine ends in the middle.
    await engine.restore(snapshot)
    const environment = simulatedEnvironment()
    const other = createEngine({ storage, environment })
    await environment.advance(1)
    expect(await restored(other, 'restored')).toEqual(before)
    await other.send('DeleteBackup', { BackupArn })
    await other.send('DeleteTable', { TableName })
  })

  test('is restored while others have their turns, into a table that is CREATING', async () => {
    const engine = await engineWith()
    const { BackupArn, running } = await restore(engine)
    expect(await describeTable(engine, 'restored')).toMatchObject({
      TableStatus: 'CREATING',
      RestoreSummary: { RestoreInProgress: true },
    })
    const get = { TableName: 'restored', Key: key(1) }
    await expect(engine.send('GetItem', get)).rejects.toThrow('Requested resource not found')
    await expect(engine.send('DeleteBackup', { BackupArn })).rejects.toMatchObject({
      name: 'BackupInUseException',
    })
    await running
    expect(await describeTable(engine, 'restored')).toMatchObject({
      TableStatus: 'ACTIVE',
      ItemCount: COUNT,
      RestoreSummary: { RestoreInProgress: false },
    })
    expect((await engine.send('GetItem', get)).Item).toEqual(item(1, 'old'))
    await engine.send('DeleteBackup', { BackupArn })
    await engine.close()
  })

  test('is restored to its end when the storage is opened again', async () => {
    const storage = memoryStorage()
    const engine = await engineWith(COUNT, { storage })
    const { running } = await restore(engine)
    const snapshot = await engine.snapshot()
    await running
    await engine.restore(snapshot)
    const environment = simulatedEnvironment()
    const other = createEngine({ storage, environment })
    expect((await describeTable(other, 'restored')).TableStatus).toBe('CREATING')
    await environment.advance(1)
    expect((await describeTable(other, 'restored')).ItemCount).toBe(COUNT)
  })
})

test('an index of a table that is named by its ARN is filled', async () => {
  const engine = await engineWith(20)
  const { Table } = (await engine.send('DescribeTable', { TableName })) as Answer
  await engine.send('UpdateTable', { ...createIndex(), TableName: Table.TableArn } as never)
  const { Count } = (await engine.send('Scan', { TableName, IndexName: 'byB' })) as Answer
  expect(Count).toBe(20)
  await engine.close()
})
