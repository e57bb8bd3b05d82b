import { expect, test } from 'vitest'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { compileTable, type Table } from '../catalog/table.ts'
import type { TableRecord } from '../catalog/table-record.ts'
import { memoryStorage } from '../storage/memory-storage.ts'
import { expiryPrefix, prefixRange } from '../storage/storage-keys.ts'
import { StoredItem } from '../storage/stored-item.ts'
import {
  EXPIRY_MAX_SECONDS,
  type ExpiryEntry,
  expirySeconds,
  updateExpiryEntries,
} from './expiry-entry.ts'

function table(timeToLive: TableRecord['timeToLive']): Table {
  return compileTable({
    id: 1,
    name: 'table',
    keySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    attributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    indexes: [],
    ...(timeToLive === undefined ? {} : { timeToLive }),
  } as unknown as TableRecord)
}
const on = table({ attribute: 'expires', enabled: true, changedMs: 0 })

const eligible: [string, AttributeValue, number | undefined][] = [
  ['a whole number', { N: '1700000000' }, 1_700_000_000],
  ['a decimal, rounded down', { N: '1700000000.999999999999999999' }, 1_700_000_000],
  ['zero', { N: '0' }, 0],
  ['a number below one', { N: '0.5' }, 0],
  ['the last second there is', { N: String(EXPIRY_MAX_SECONDS) }, EXPIRY_MAX_SECONDS],
  ['a second later', { N: String(EXPIRY_MAX_SECONDS + 1) }, undefined],
  ['a number beyond all bounds', { N: `1${'0'.repeat(120)}` }, undefined],
  ['a negative number', { N: '-1' }, undefined],
  ['a negative fraction', { N: '-0.5' }, undefined],
  ['a string', { S: '1700000000' }, undefined],
  ['a set', { NS: ['1700000000'] }, undefined],
  ['a list', { L: [{ N: '1700000000' }] }, undefined],
]
for (const [what, value, seconds] of eligible) {
  test(`${what} expires ${seconds === undefined ? 'never' : `at ${seconds}`}`, () => {
    expect(expirySeconds(on, { pk: { S: 'a' }, expires: value })).toBe(seconds)
  })
}

test('an item without the attribute never expires, whatever it inherits', () => {
  expect(expirySeconds(on, { pk: { S: 'a' } })).toBeUndefined()
  const named = table({ attribute: 'constructor', enabled: true, changedMs: 0 })
  expect(expirySeconds(named, { pk: { S: 'a' } })).toBeUndefined()
})

test('nothing expires where the time to live is off', () => {
  const item = { pk: { S: 'a' }, expires: { N: '1' } }
  const off = table({ attribute: 'expires', enabled: false, changedMs: 0 })
  expect(expirySeconds(off, item)).toBeUndefined()
  expect(expirySeconds(table(undefined), item)).toBeUndefined()
})

test('entries follow the changes of an item', async () => {
  const storage = memoryStorage()
  const key = { pk: { S: 'a' } }
  const stored = (expires?: string) =>
    new StoredItem(expires === undefined ? key : { ...key, expires: { N: expires } }, 0)
  const entries = (): number[] => {
    const found: number[] = []
    storage.visit(prefixRange(expiryPrefix(1)), (_key, value) => {
      found.push((value as ExpiryEntry).expirySeconds)
      return true
    })
    return found
  }
  const storageKey = `${on.primary.prefix}key`
  const change = (before: StoredItem | undefined, after: StoredItem | undefined) =>
    storage.transaction((transaction) =>
      updateExpiryEntries(transaction, {
        table: on,
        keyed: key,
        storageKey,
        before,
        after,
        update: undefined,
        origin: 'request',
      }),
    )
  await change(undefined, stored('100'))
  expect(entries()).toEqual([100])
  await change(stored('100'), stored('100.5'))
  expect(entries()).toEqual([100])
  await change(stored('100.5'), stored('200'))
  expect(entries()).toEqual([200])
  await change(stored('200'), stored())
  expect(entries()).toEqual([])
  await change(stored(), stored('300'))
  await change(stored('300'), undefined)
  expect(entries()).toEqual([])
})
