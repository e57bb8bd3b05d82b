import { expect } from 'vitest'
import { conformance } from '../conformance.ts'
import { itemOf, KEY } from '../item-cases.ts'

const LIMIT = 409_600
/** Bytes of KEY: `pk` + `a`, `sk` + `1`. */
const KEY_BYTES = 6

const TOO_LARGE = 'Item size has exceeded the maximum allowed size'
const UPDATE_TOO_LARGE = 'Item size to update has exceeded the maximum allowed size'

/** An item of that many bytes, filled up by the string `s`. */
function itemOfBytes(bytes: number, attributes: object = {}, attributeBytes = 0) {
  const length = bytes - KEY_BYTES - 1 - attributeBytes
  return { ...KEY, ...attributes, s: { S: 'x'.repeat(length) } }
}

conformance('Item size', (test) => {
  for (const bytes of [LIMIT - 1, LIMIT]) {
    test(`an item of ${bytes} bytes is stored`, async (t) => {
      const TableName = await t.table()
      const Item = itemOfBytes(bytes)
      await t.send('PutItem', { TableName, Item })
      expect(await itemOf(t, TableName)).toEqual(Item)
    })
  }

  test('an item of 409601 bytes is refused', async (t) => {
    const TableName = await t.table()
    const Item = itemOfBytes(LIMIT + 1)
    await t.fails('PutItem', { TableName, Item }, 'ValidationException', TOO_LARGE)
  })

  test('a large item is refused before its table is looked for', async (t) => {
    const Item = itemOfBytes(LIMIT + 1)
    const TableName = t.tableName()
    await t.fails('PutItem', { TableName, Item }, 'ValidationException', TOO_LARGE)
  })

  // What each type takes in addition to its name of one letter.
  const sizes: Record<string, [value: object, bytes: number]> = {
    'a string counts its bytes of UTF-8': [{ S: 'äb€' }, 6],
    'a string beyond the basic plane counts its bytes of UTF-8': [{ S: '😀' }, 4],
    'a binary counts its bytes, not its letters': [{ B: 'AAECAwQ=' }, 5],
    'true counts one byte': [{ BOOL: true }, 1],
    'null counts one byte': [{ NULL: true }, 1],
    'zero counts one byte': [{ N: '0' }, 1],
    'a number of two digits counts two bytes': [{ N: '12' }, 2],
    'a number of three digits counts three bytes': [{ N: '123' }, 3],
    'a negative number counts one byte more': [{ N: '-12' }, 3],
    'trailing zeros of a number count nothing': [{ N: '1200' }, 2],
    'a number of 38 digits counts 20 bytes': [{ N: '9'.repeat(38) }, 20],
    'a string set counts its elements alone': [{ SS: ['a', 'bc'] }, 3],
    'a number set counts its elements alone': [{ NS: ['1', '22'] }, 4],
    'a binary set counts its elements alone': [{ BS: ['AA==', 'AQI='] }, 3],
    'an empty list counts three bytes': [{ L: [] }, 3],
    'a list counts one byte more for each element': [{ L: [{ S: 'a' }, { BOOL: true }] }, 7],
    'an empty map counts three bytes': [{ M: {} }, 3],
    'a map counts names and one byte more for each member': [{ M: { ab: { S: 'x' } } }, 7],
    'documents count at every level': [{ L: [{ M: { a: { L: [] } } }] }, 12],
  }
  for (const [name, [value, bytes]] of Object.entries(sizes)) {
    test(name, async (t) => {
      const TableName = await t.table()
      const fitting = itemOfBytes(LIMIT, { v: value }, bytes + 1)
      await t.send('PutItem', { TableName, Item: fitting })
      const Item = itemOfBytes(LIMIT + 1, { v: value }, bytes + 1)
      await t.fails('PutItem', { TableName, Item }, 'ValidationException', TOO_LARGE)
    })
  }

  test('names count in bytes of UTF-8', async (t) => {
    const TableName = await t.table()
    const attributes = { 'ü€': { BOOL: true } }
    await t.send('PutItem', { TableName, Item: itemOfBytes(LIMIT, attributes, 6) })
    const Item = itemOfBytes(LIMIT + 1, attributes, 6)
    await t.fails('PutItem', { TableName, Item }, 'ValidationException', TOO_LARGE)
  })

  test('an update may make an item of 409580 bytes', async (t) => {
    const TableName = await t.table()
    const { s } = itemOfBytes(LIMIT - 20)
    await t.send('UpdateItem', {
      TableName,
      Key: KEY,
      UpdateExpression: 'SET s = :s',
      ExpressionAttributeValues: { ':s': s },
    })
    expect(await itemOf(t, TableName)).toEqual({ ...KEY, s })
  })

  test('an update that would make an item of 409601 bytes is refused', async (t) => {
    const TableName = await t.table()
    const { s } = itemOfBytes(LIMIT + 1)
    await t.fails(
      'UpdateItem',
      {
        TableName,
        Key: KEY,
        UpdateExpression: 'SET s = :s',
        ExpressionAttributeValues: { ':s': s },
      },
      'ValidationException',
      UPDATE_TOO_LARGE,
    )
    expect(await itemOf(t, TableName)).toBeUndefined()
  })

  test('an update that would let an item grow too large leaves it as it was', async (t) => {
    const TableName = await t.table()
    const Item = itemOfBytes(LIMIT - 100)
    await t.send('PutItem', { TableName, Item })
    await t.fails(
      'UpdateItem',
      {
        TableName,
        Key: KEY,
        UpdateExpression: 'SET v = :v',
        ExpressionAttributeValues: { ':v': { S: 'y'.repeat(200) } },
      },
      'ValidationException',
      UPDATE_TOO_LARGE,
    )
    expect(await itemOf(t, TableName)).toEqual(Item)
  })
})
