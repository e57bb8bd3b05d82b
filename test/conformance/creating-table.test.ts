import { createEngine, type OperationName } from 'singletable/engine'
import { expect, test } from 'vitest'

// Only an engine with a transition shows this state for long enough, so there is no run on DynamoDB
// Local.
const TableName = 'slow'
const Key = { pk: { S: 'a' } }

async function creatingTable() {
  const engine = createEngine({ transitionMs: 3_600_000 })
  await engine.send('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  return engine
}

const requests: [operation: OperationName, request: object][] = [
  ['PutItem', { TableName, Item: Key }],
  ['GetItem', { TableName, Key }],
  ['UpdateItem', { TableName, Key }],
  ['DeleteItem', { TableName, Key }],
]
for (const [operation, request] of requests) {
  test(`${operation} does not find a table that is being created`, async () => {
    const engine = await creatingTable()
    await expect(engine.send(operation, request as never)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'Requested resource not found',
    })
    await engine.close()
  })
}

test('a table that is being created is not deleted', async () => {
  const engine = await creatingTable()
  await expect(engine.send('DeleteTable', { TableName })).rejects.toMatchObject({
    name: 'ResourceInUseException',
    message: 'Attempt to change a resource which is still in use: Table is being created: slow',
  })
  await engine.close()
})

for (const operation of [
  'CreateBackup',
  'DescribeContinuousBackups',
  'UpdateContinuousBackups',
] as const) {
  test(`${operation} says that backups of a table that is being created are not ready`, async () => {
    const engine = await creatingTable()
    const request = {
      TableName,
      BackupName: 'backup',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }
    await expect(engine.send(operation, request)).rejects.toMatchObject({
      name: 'ContinuousBackupsUnavailableException',
      message: 'Backups are being enabled for the table: slow. Please retry later',
    })
    await engine.close()
  })
}

test('the time to live of a table that is being created is not changed', async () => {
  const engine = await creatingTable()
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expires' }
  await expect(
    engine.send('UpdateTimeToLive', { TableName, TimeToLiveSpecification }),
  ).rejects.toMatchObject({
    name: 'ResourceInUseException',
    message: 'Attempt to change a resource which is still in use: Table is being created: slow',
  })
  await engine.close()
})
