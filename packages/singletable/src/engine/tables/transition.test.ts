import { expect, test } from 'vitest'
import { createEngine, type Engine } from '../engine.ts'
import { type SimulatedEnvironment, simulatedEnvironment } from '../simulated-environment.ts'

const TRANSITION_MS = 1000
const TableName = 'slow'
const IN_USE = 'Attempt to change a resource which is still in use: '

interface Slow {
  readonly engine: Engine
  readonly environment: SimulatedEnvironment
}

async function slowTable(options: { ready: boolean } = { ready: true }): Promise<Slow> {
  const environment = simulatedEnvironment()
  const engine = createEngine({ environment, transitionMs: TRANSITION_MS })
  await engine.send('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  if (options.ready) await environment.advance(TRANSITION_MS)
  return { engine, environment }
}

async function status(engine: Engine): Promise<string> {
  return (await engine.send('DescribeTable', { TableName })).Table.TableStatus
}

function createIndex(engine: Engine, IndexName = 'byG'): Promise<unknown> {
  return engine.send('UpdateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'g', AttributeType: 'S' }],
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName,
          KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      },
    ],
  })
}

function deleteIndex(engine: Engine): Promise<unknown> {
  return engine.send('UpdateTable', {
    TableName,
    GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byG' } }],
  })
}

test('a table is CREATING until its time has passed', async () => {
  const { engine, environment } = await slowTable({ ready: false })
  await environment.advance(TRANSITION_MS - 1)
  expect(await status(engine)).toBe('CREATING')
  await environment.advance(1)
  expect(await status(engine)).toBe('ACTIVE')
})

test('items of a table that is being created are not found', async () => {
  const { engine, environment } = await slowTable({ ready: false })
  const put = () => engine.send('PutItem', { TableName, Item: { pk: { S: 'a' } } })
  await expect(put()).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: 'Requested resource not found',
  })
  await environment.advance(TRANSITION_MS)
  await put()
})

test('a table that is being created is neither changed nor deleted', async () => {
  const { engine } = await slowTable({ ready: false })
  const refusal = {
    name: 'ResourceInUseException',
    message: `${IN_USE}Table is being created: slow`,
  }
  await expect(engine.send('DeleteTable', { TableName })).rejects.toMatchObject(refusal)
  await expect(
    engine.send('UpdateTable', { TableName, DeletionProtectionEnabled: true }),
  ).rejects.toMatchObject(refusal)
})

test('the name of a table that is being created is taken', async () => {
  const { engine } = await slowTable({ ready: false })
  await expect(
    engine.send('CreateTable', {
      TableName,
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  ).rejects.toMatchObject({ message: 'Table already exists: slow' })
})

test('a table that is being updated takes items but no second change', async () => {
  const { engine, environment } = await slowTable()
  await engine.send('UpdateTable', { TableName, DeletionProtectionEnabled: false })
  expect(await status(engine)).toBe('UPDATING')
  await engine.send('PutItem', { TableName, Item: { pk: { S: 'a' } } })
  const again = () => engine.send('UpdateTable', { TableName, TableClass: 'STANDARD' })
  await expect(again()).rejects.toMatchObject({
    name: 'ResourceInUseException',
    message: `${IN_USE}Table is being updated: slow`,
  })
  await environment.advance(TRANSITION_MS)
  await again()
})

test('an index is CREATING and backfilling until its time has passed', async () => {
  const { engine, environment } = await slowTable()
  await createIndex(engine)
  const index = async () =>
    (await engine.send('DescribeTable', { TableName })).Table.GlobalSecondaryIndexes?.[0]
  expect(await index()).toMatchObject({ IndexStatus: 'CREATING', Backfilling: true })
  await environment.advance(TRANSITION_MS)
  expect(await index()).toMatchObject({ IndexStatus: 'ACTIVE' })
  expect(await index()).not.toHaveProperty('Backfilling')
})

test('while an index is being created no other is, and the table is not deleted', async () => {
  const { engine, environment } = await slowTable()
  await createIndex(engine)
  await expect(createIndex(engine, 'other')).rejects.toMatchObject({
    name: 'LimitExceededException',
    message:
      'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
  })
  await expect(engine.send('DeleteTable', { TableName })).rejects.toMatchObject({
    name: 'ResourceInUseException',
    message: `${IN_USE}Cannot delete table while indexes are being created, updated, or deleted.`,
  })
  await environment.advance(TRANSITION_MS)
  await createIndex(engine, 'other')
})

test('an index is described as DELETING until its time has passed', async () => {
  const { engine, environment } = await slowTable()
  await createIndex(engine)
  await environment.advance(TRANSITION_MS)
  await deleteIndex(engine)
  const indexes = async () =>
    (await engine.send('DescribeTable', { TableName })).Table.GlobalSecondaryIndexes
  expect(await indexes()).toMatchObject([{ IndexName: 'byG', IndexStatus: 'DELETING' }])
  await expect(createIndex(engine)).rejects.toMatchObject({ name: 'LimitExceededException' })
  await environment.advance(TRANSITION_MS)
  expect(await indexes()).toBeUndefined()
  await createIndex(engine)
  expect(await indexes()).toMatchObject([{ IndexName: 'byG', IndexStatus: 'CREATING' }])
})

test('a table is DELETING until its time has passed, and then its name is free', async () => {
  const { engine, environment } = await slowTable()
  await engine.send('PutItem', { TableName, Item: { pk: { S: 'a' } } })
  await engine.send('DeleteTable', { TableName })
  const { Table } = await engine.send('DescribeTable', { TableName })
  expect(Table).toMatchObject({ TableStatus: 'DELETING', ItemCount: 1 })
  expect(Table).not.toHaveProperty('KeySchema')
  await expect(
    engine.send('GetItem', { TableName, Key: { pk: { S: 'a' } } }),
  ).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  await environment.advance(TRANSITION_MS)
  expect(await engine.send('ListTables', {})).toEqual({ TableNames: [] })
  await engine.send('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await environment.advance(TRANSITION_MS)
  expect((await engine.send('Scan', { TableName })).Count).toBe(0)
})

test('deleting a table that is being deleted is not an error', async () => {
  const { engine } = await slowTable()
  await engine.send('DeleteTable', { TableName })
  const { TableDescription } = await engine.send('DeleteTable', { TableName })
  expect(TableDescription.TableStatus).toBe('DELETING')
})

test('a table that is being created has no backups yet', async () => {
  const { engine } = await slowTable({ ready: false })
  await expect(
    engine.send('CreateBackup', { TableName, BackupName: 'early' }),
  ).rejects.toMatchObject({ name: 'ContinuousBackupsUnavailableException' })
})

test('changes of state that take no time are over, even when the clock is set back', async () => {
  const environment = simulatedEnvironment()
  const engine = createEngine({ environment })
  await engine.send('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  environment.jump(environment.now() - 86_400_000)
  expect(await status(engine)).toBe('ACTIVE')
})
