import { expect } from 'vitest'
import { type CorpusCase, invalid, KEY, refused, row, wrongValues } from './corpus-case.ts'

const TOO_DEEP = invalid(
  'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
)
const TOO_LARGE = invalid('Item size has exceeded the maximum allowed size')
const UPDATE_TOO_LARGE = 'Item size to update has exceeded the maximum allowed size'
const ITEM_SIZE_MAX_BYTES = 409_600

/** A value of this many levels: a string is one level, a list around it the second. */
function nested(levels: number): object {
  let value: object = { S: 'x' }
  for (let level = 1; level < levels; level++) value = { L: [value] }
  return value
}

/** An item of the table `hash` of this many bytes. */
const itemOfBytes = (bytes: number, pk = 'a') => ({
  pk: { S: pk },
  s: { S: 'x'.repeat(bytes - 'pk'.length - pk.length - 's'.length) },
})
const large = itemOfBytes(ITEM_SIZE_MAX_BYTES + 1)

const growing = {
  TableName: 'hash',
  Key: { pk: { S: 'a' } },
  UpdateExpression: 'SET s = :s',
  ExpressionAttributeValues: { ':s': large.s },
}

/** Documents: depth and size. */
export const documentCases: readonly CorpusCase[] = [
  row('D1', 'a value of 32 levels is stored', async ({ send }) => {
    const Item = { ...KEY, v: nested(32) }
    await send('PutItem', { TableName: 'table', Item })
    expect((await send('GetItem', { TableName: 'table', Key: KEY })).Item).toEqual(Item)
  }),
  refused(
    'D2',
    'a value of 33 levels is refused',
    'PutItem',
    { TableName: 'table', Item: { ...KEY, v: nested(33) } },
    TOO_DEEP,
  ),
  refused(
    'D3',
    'a value of 33 levels is refused in an expression',
    'UpdateItem',
    {
      TableName: 'table',
      Key: KEY,
      UpdateExpression: 'SET v = :v',
      ExpressionAttributeValues: { ':v': nested(33) },
    },
    invalid(/Nesting Levels have exceeded supported limits/),
  ),
  row('D4', 'an item of 409600 bytes is stored', async ({ send }) => {
    await send('PutItem', { TableName: 'hash', Item: itemOfBytes(ITEM_SIZE_MAX_BYTES) })
  }),
  refused(
    'D5',
    'an item of 409601 bytes is refused',
    'PutItem',
    { TableName: 'hash', Item: large },
    TOO_LARGE,
  ),
  refused(
    'D6',
    'an update does not make an item too large',
    'UpdateItem',
    growing,
    invalid(UPDATE_TOO_LARGE),
  ),
  row('D7', 'one item too large refuses the whole batch', async ({ refuses, send }) => {
    const puts = [itemOfBytes(100, 'b'), large].map((Item) => ({ PutRequest: { Item } }))
    await refuses('BatchWriteItem', { RequestItems: { hash: puts } }, TOO_LARGE)
    expect((await send('Scan', { TableName: 'hash' })).Count).toBe(0)
  }),
  refused(
    'D8',
    'an item too large refuses the transaction',
    'TransactWriteItems',
    { TransactItems: [{ Put: { TableName: 'hash', Item: large } }] },
    TOO_LARGE,
  ),
  row('D9', 'an update too large cancels the transaction', async ({ refuses }) => {
    const error = await refuses('TransactWriteItems', { TransactItems: [{ Update: growing }] }, [
      'TransactionCanceledException',
      'Transaction cancelled, please refer cancellation reasons for specific reasons [ValidationError]',
    ])
    expect(error.CancellationReasons).toEqual([
      { Code: 'ValidationError', Message: UPDATE_TOO_LARGE },
    ])
  }),
  row('D10', 'names count for the size of an item', async ({ refuses }) => {
    const Item: Record<string, object> = { pk: { S: 'a' } }
    for (let index = 0; index < 8; index++) Item[`${index}`.repeat(51_200)] = { NULL: true }
    await refuses('PutItem', { TableName: 'hash', Item }, TOO_LARGE)
  }),
  row('D11', 'maps and lists may be empty', async ({ send }) => {
    const Item = { ...KEY, m: { M: {} }, v: { L: [] } }
    await send('PutItem', { TableName: 'table', Item })
    expect((await send('GetItem', { TableName: 'table', Key: KEY })).Item).toEqual(Item)
  }),
  row('D12', 'an item may have 10000 attributes', async ({ send }) => {
    const Item: Record<string, object> = { ...KEY }
    for (let index = 0; index < 10_000; index++) Item[`n${index}`] = { N: String(index) }
    await send('PutItem', { TableName: 'table', Item })
    expect((await send('GetItem', { TableName: 'table', Key: KEY })).Item).toEqual(Item)
  }),
  refused(
    'D13',
    'attributes of a map have names',
    'PutItem',
    { TableName: 'table', Item: { ...KEY, v: { M: { '': { S: 'x' } } } } },
    wrongValues('Empty attribute name'),
  ),
]
