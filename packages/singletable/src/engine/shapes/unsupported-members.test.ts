import { describe, expect, test } from 'vitest'
import { createEngine } from '../engine.ts'

const simpleTable = {
  TableName: 'table',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
} as const

describe('members for what the engine does not have', () => {
  const members: [operation: 'CreateTable' | 'UpdateTable' | 'RestoreTableFromBackup', object][] = [
    ['CreateTable', { ResourcePolicy: '{}' }],
    [
      'CreateTable',
      { GlobalTableSourceArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/other' },
    ],
    ['CreateTable', { GlobalTableSettingsReplicationMode: 'ENABLED' }],
    ['CreateTable', { VectorIndexes: [{ IndexName: 'index' }] }],
    ['UpdateTable', { GlobalTableSettingsReplicationMode: 'ENABLED' }],
    ['UpdateTable', { DisassociationProtectionEnabled: true }],
    ['UpdateTable', { VectorIndexUpdates: [{ Delete: { IndexName: 'index' } }] }],
    ['RestoreTableFromBackup', { VectorIndexOverride: [] }],
  ]
  test.each(members)('%s refuses %j by name instead of ignoring it', async (operation, member) => {
    const engine = createEngine()
    await engine.send('CreateTable', simpleTable)
    const { BackupDetails } = await engine.send('CreateBackup', {
      TableName: 'table',
      BackupName: 'backup',
    })
    const requests = {
      CreateTable: { ...simpleTable, TableName: 'new' },
      UpdateTable: { TableName: 'table', DeletionProtectionEnabled: true },
      RestoreTableFromBackup: { TargetTableName: 'new', BackupArn: BackupDetails.BackupArn },
    }
    await expect(
      engine.send(operation, { ...requests[operation], ...member } as never),
    ).rejects.toMatchObject({
      name: 'ValidationException',
      message: `One or more parameter values were invalid: ${Object.keys(member)[0]} is not supported by this engine`,
    })
    await engine.close()
  })
})
