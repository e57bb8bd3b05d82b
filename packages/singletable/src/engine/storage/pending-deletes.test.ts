import { expect, test } from 'vitest'
import { createEngine, type Engine } from '../engine.ts'
import { type SimulatedEnvironment, simulatedEnvironment } from '../simulated-environment.ts'
import { memoryStorage } from './memory-storage.ts'
import { PENDING_DELETES_STEP_ENTRIES_MAX, PendingDeletes } from './pending-deletes.ts'
import type { Storage } from './storage.ts'
import { allPendingDeletes, entryPrefix, prefixRange } from './storage-keys.ts'

const DEFINITION = {
  TableName: 'table',
  AttributeDefinitions: ['pk', 'other'].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S' as const,
  })),
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'byOther',
      KeySchema: [{ AttributeName: 'other', KeyType: 'HASH' as const }],
      Projection: { ProjectionType: 'KEYS_ONLY' as const },
    },
  ],
  BillingMode: 'PAY_PER_REQUEST' as const,
}

interface Setup {
  readonly storage: Storage
  readonly environment: SimulatedEnvironment
  readonly engine: Engine
}

/** An engine with one table of this many items, each of which is in an index as well. */
async function setUp(items: number): Promise<Setup> {
  const storage = memoryStorage()
  const environment = simulatedEnvironment()
  const engine = createEngine({ storage, environment })
  await engine.send('CreateTable', DEFINITION)
  for (let n = 0; n < items; n++) {
    const Item = { pk: { S: String(n) }, other: { S: 'x' } }
    await engine.send('PutItem', { TableName: 'table', Item })
  }
  return { storage, environment, engine }
}

function count(storage: Storage, prefix: string): number {
  let entries = 0
  storage.visit(prefixRange(prefix), () => ++entries > 0)
  return entries
}

/** Entries of all indexes of the first table. */
function entriesLeft(storage: Storage): number {
  return count(storage, entryPrefix(1, 0)) + count(storage, entryPrefix(1, 1))
}

function pendingDeletesLeft(storage: Storage): number {
  let records = 0
  storage.visit(allPendingDeletes(), () => ++records > 0)
  return records
}

test('what a small table has goes with it', async () => {
  const { storage, engine } = await setUp(10)
  await engine.send('DeleteTable', { TableName: 'table' })
  expect(entriesLeft(storage)).toBe(0)
  expect(pendingDeletesLeft(storage)).toBe(0)
})

test('what a large table has goes bit by bit afterwards, and a new table of its name is empty at once', async () => {
  const { storage, environment, engine } = await setUp(PENDING_DELETES_STEP_ENTRIES_MAX)
  await engine.send('DeleteTable', { TableName: 'table' })
  await engine.send('CreateTable', DEFINITION)
  await engine.send('PutItem', { TableName: 'table', Item: { pk: { S: '0' } } })
  expect(entriesLeft(storage)).toBeGreaterThan(0)
  await environment.advance(1)
  expect(entriesLeft(storage)).toBe(0)
  expect(pendingDeletesLeft(storage)).toBe(0)
  const { Items } = await engine.send('Scan', { TableName: 'table' })
  expect(Items).toEqual([{ pk: { S: '0' } }])
})

test('an index and a backup go the same way', async () => {
  const { storage, environment, engine } = await setUp(PENDING_DELETES_STEP_ENTRIES_MAX)
  const { BackupDetails } = await engine.send('CreateBackup', {
    TableName: 'table',
    BackupName: 'backup',
  })
  await engine.send('DeleteBackup', { BackupArn: BackupDetails!.BackupArn! })
  await engine.send('UpdateTable', {
    TableName: 'table',
    GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byOther' } }],
  })
  expect(pendingDeletesLeft(storage)).toBe(2)
  await environment.advance(1)
  expect(pendingDeletesLeft(storage)).toBe(0)
  expect(count(storage, '\x0b')).toBe(0)
  expect(entriesLeft(storage)).toBe(PENDING_DELETES_STEP_ENTRIES_MAX)
})

test('what was left when the engine ended goes when the storage is opened again', async () => {
  const { storage, engine } = await setUp(PENDING_DELETES_STEP_ENTRIES_MAX)
  await engine.send('DeleteTable', { TableName: 'table' })
  const environment = simulatedEnvironment()
  createEngine({ storage, environment })
  expect(entriesLeft(storage)).toBeGreaterThan(0)
  await environment.advance(1)
  expect(entriesLeft(storage)).toBe(0)
})

test('a snapshot brings back a table that is being removed, whole', async () => {
  const { storage, environment, engine } = await setUp(PENDING_DELETES_STEP_ENTRIES_MAX)
  const before = await engine.snapshot()
  await engine.send('DeleteTable', { TableName: 'table' })
  const between = await engine.snapshot()
  await environment.advance(1)
  await engine.restore(before)
  expect(entriesLeft(storage)).toBe(2 * PENDING_DELETES_STEP_ENTRIES_MAX)
  await environment.advance(1)
  expect((await engine.send('Scan', { TableName: 'table', Select: 'COUNT' })).Count).toBe(
    PENDING_DELETES_STEP_ENTRIES_MAX,
  )
  await engine.restore(between)
  await environment.advance(1)
  expect(entriesLeft(storage)).toBe(0)
})

/** Entries of which a step leaves some, and the range that holds them. */
const MANY = { start: 'a', end: 'b' }
function putMany(storage: Storage): Promise<void> {
  return storage.transaction((transaction) => {
    for (let n = 0; n <= PENDING_DELETES_STEP_ENTRIES_MAX; n++) transaction.put(`a${n}`, {})
  })
}

test('a removal that is taken back with its transaction leaves everything', async () => {
  const storage = memoryStorage()
  const environment = simulatedEnvironment()
  const pendingDeletes = new PendingDeletes(storage, environment)
  await putMany(storage)
  const removing = storage.transaction((transaction) => {
    pendingDeletes.remove(transaction, [MANY])
    throw new Error('taken back')
  })
  await expect(removing).rejects.toThrow('taken back')
  await environment.advance(1)
  expect(count(storage, 'a')).toBe(PENDING_DELETES_STEP_ENTRIES_MAX + 1)
})

test('what is left while a step finds nothing more is not forgotten', async () => {
  const storage = memoryStorage()
  let step: (() => void) | undefined
  const environment = {
    ...simulatedEnvironment(),
    schedule: (callback: () => void) => {
      step = callback
      return () => {}
    },
  }
  const pendingDeletes = new PendingDeletes(storage, environment)
  await putMany(storage)
  await storage.transaction((transaction) => pendingDeletes.remove(transaction, [MANY]))
  // Two steps remove, the third finds nothing, and before it has ended there is more.
  for (let steps = 0; steps < 2; steps++) {
    step?.()
    await storage.transaction(() => {})
  }
  expect(count(storage, 'a')).toBe(0)
  await putMany(storage)
  step?.()
  step = undefined
  await storage.transaction((transaction) => pendingDeletes.remove(transaction, [MANY]))
  await storage.transaction(() => {})
  expect(step).toBeDefined()
})

test('a step ends for good when it is stopped', async () => {
  const storage = memoryStorage()
  const environment = simulatedEnvironment()
  const pendingDeletes = new PendingDeletes(storage, environment)
  await putMany(storage)
  await storage.transaction((transaction) => pendingDeletes.remove(transaction, [MANY]))
  pendingDeletes.stop()
  await environment.advance(1)
  expect(count(storage, 'a')).toBe(PENDING_DELETES_STEP_ENTRIES_MAX + 1)
})
