import { expect } from 'vitest'
import { type Conformance, conformance } from './conformance.ts'
import { iteratorAt, streamTable } from './stream-reading.ts'

const RECORDS_PAGE_MAX_BYTES = 1_048_576

/** Writes items whose records in the stream have these sizes together, and reads a page. */
async function pageOf(t: Conformance, sizes: readonly number[]): Promise<number> {
  const { TableName, StreamArn } = await streamTable(t, 'NEW_IMAGE')
  const item = (n: number, length: number) => ({
    pk: { S: 'a' },
    sk: { S: String(n) },
    text: { S: 'x'.repeat(length) },
  })
  await t.send('PutItem', { TableName, Item: item(0, 0) })
  const ShardIterator = await iteratorAt(t, StreamArn)
  const { Records, NextShardIterator } = await t.send('GetRecords', { ShardIterator })
  const emptyBytes = Records[0].dynamodb.SizeBytes
  for (const [index, size] of sizes.entries()) {
    await t.send('PutItem', { TableName, Item: item(index + 1, size - emptyBytes) })
  }
  const page = await t.send('GetRecords', { ShardIterator: NextShardIterator })
  return page.Records.length
}

conformance('Edges of a page of records', (test) => {
  const part = Math.floor(RECORDS_PAGE_MAX_BYTES / 3)
  const last = RECORDS_PAGE_MAX_BYTES - 2 * part
  for (const bytes of [RECORDS_PAGE_MAX_BYTES - 1, RECORDS_PAGE_MAX_BYTES]) {
    test(`records of ${bytes} bytes together are one page`, async (t) => {
      const over = bytes - RECORDS_PAGE_MAX_BYTES
      expect(await pageOf(t, [part, part, last + over])).toBe(3)
    })
  }

  test(`records of ${RECORDS_PAGE_MAX_BYTES + 1} bytes together are two pages`, async (t) => {
    expect(await pageOf(t, [part, part, last + 1])).toBe(2)
  })
})
