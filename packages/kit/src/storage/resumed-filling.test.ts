import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine } from 'singletable/engine'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lmdbStorage } from './lmdb-storage.ts'
import { verifyFolder } from './verify-folder.ts'

let folder: string
beforeEach(() => {
  const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  folder = mkdtempSync(join(base, 'singletable-lmdb-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const TableName = 'table'
const open = () => createEngine({ storage: lmdbStorage(folder, { durability: 'os' }) })
const item = (n: number, b: string) => ({
  pk: { S: `${n}` },
  b: { S: b },
  text: { S: 'x'.repeat(4096) },
})

test('an index that was being filled when the engine ended is filled after it is opened again', async () => {
  const first = open()
  await first.send('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (let n = 0; n < 100; n++) await first.send('PutItem', { TableName, Item: item(n, 'old') })
  const running = first.sendText('UpdateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'b', AttributeType: 'S' }],
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName: 'byB',
          KeySchema: [{ AttributeName: 'b', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      },
    ],
  })
  const refused = expect(running).rejects.toThrow()
  await new Promise((resolve) => setImmediate(resolve))
  await first.close()
  await refused
  expect((await verifyFolder(folder)).problems).toEqual([])

  const second = open()
  const indexNow = async () =>
    (await second.send('DescribeTable', { TableName })).Table?.GlobalSecondaryIndexes?.[0]
  expect(await indexNow()).toMatchObject({ IndexStatus: 'CREATING', Backfilling: true })
  await second.send('PutItem', { TableName, Item: item(1, 'new') })
  await second.send('DeleteItem', { TableName, Key: { pk: { S: '2' } } })
  await second.send('PutItem', { TableName, Item: item(200, 'new') })
  await expect
    .poll(indexNow, { timeout: 60_000 })
    .toMatchObject({ IndexStatus: 'ACTIVE', ItemCount: 100 })
  const query = async (b: string) =>
    (
      await second.send('Query', {
        TableName,
        IndexName: 'byB',
        KeyConditionExpression: 'b = :b',
        ExpressionAttributeValues: { ':b': { S: b } },
        Select: 'COUNT',
      })
    ).Count
  expect([await query('old'), await query('new')]).toEqual([98, 2])
  await second.close()
  expect((await verifyFolder(folder)).problems).toEqual([])
})
