import { expect } from 'vitest'
import { type Conformance, conformance } from './conformance.ts'

const BATCH_GET_MAX_BYTES = 16 * 1024 * 1024
const ITEMS = 42

/** How many of 42 items with this many bytes together a batch leaves for the next. */
async function leftOver(t: Conformance, bytes: number): Promise<number> {
  const TableName = await t.table()
  const each = Math.floor(bytes / ITEMS)
  const Keys = Array.from({ length: ITEMS }, (_, index) => ({
    pk: { S: `p${String(index).padStart(2, '0')}` },
    sk: { S: '1' },
  }))
  for (const [index, key] of Keys.entries()) {
    const size = index === 0 ? bytes - each * (ITEMS - 1) : each
    const keyBytes = 'pk'.length + key.pk.S.length + 'sk'.length + key.sk.S.length
    const Item = { ...key, s: { S: 'x'.repeat(size - keyBytes - 's'.length) } }
    await t.send('PutItem', { TableName, Item })
  }
  const { Responses, UnprocessedKeys } = await t.send('BatchGetItem', {
    RequestItems: { [TableName]: { Keys } },
  })
  const left = UnprocessedKeys[TableName]?.Keys.length ?? 0
  expect(Responses[TableName].length + left).toBe(ITEMS)
  return left
}

conformance('Edges of a batch', (test) => {
  for (const bytes of [BATCH_GET_MAX_BYTES - 1, BATCH_GET_MAX_BYTES]) {
    test(`items of ${bytes} bytes together are read in one batch`, async (t) => {
      expect(await leftOver(t, bytes)).toBe(0)
    })
  }

  test(`of items of ${BATCH_GET_MAX_BYTES + 1} bytes together one is left`, async (t) => {
    expect(await leftOver(t, BATCH_GET_MAX_BYTES + 1)).toBe(1)
  })
})
