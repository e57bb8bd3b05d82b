import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openData } from './data-connection.ts'

test('a directory that is opened again and again keeps what concurrent requests wrote', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'singletable-data-'))
  // Each request maps more than this.
  const { transport, close } = await openData(directory, undefined, 0)
  await transport.send('CreateTable', {
    TableName: 'Things',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  const put = (id: number) =>
    transport.send('PutItem', { TableName: 'Things', Item: { pk: { S: String(id) } } })
  // Often enough for a collection of what closed files have left.
  for (let id = 0; id < 160; id += 4) await Promise.all([0, 1, 2, 3].map((each) => put(id + each)))
  expect((await transport.send('Scan', { TableName: 'Things' })).Count).toBe(160)
  await close()
  rmSync(directory, { recursive: true, force: true })
})
