import { expect } from 'vitest'
import { conformance } from '../conformance.ts'
import { refuses } from '../item-cases.ts'
import { HASH_ONLY, INDEXED, putAll, sortKeys } from '../read-tables.ts'

const asked = {
  KeyConditionExpression: 'pk = :p',
  ExpressionAttributeValues: { ':p': { S: 'a' } },
}
const byGlobal = {
  IndexName: 'global-keys',
  KeyConditionExpression: 'g = :p',
  ExpressionAttributeValues: { ':p': { S: 'G' } },
}
const byLocal = { ...asked, IndexName: 'local-keys' }
const GLOBAL_KEY = { g: { S: 'G' }, h: { S: 'H' }, pk: { S: 'a' }, sk: { S: '1' } }
const LOCAL_KEY = { pk: { S: 'a' }, sk: { S: '1' }, l: { N: '1' } }
const INVALID = 'The provided starting key is invalid'
const OUTSIDE = 'The provided starting key is outside query boundaries based on provided conditions'
const NOT_IN_RANGE = 'The provided starting key does not match the range key predicate'
const EMPTY =
  'The provided starting key is invalid: One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: '

function between(condition: string, values: object, key: object) {
  return {
    KeyConditionExpression: `pk = :p AND ${condition}`,
    ExpressionAttributeValues: { ':p': { S: 'a' }, ...values },
    ExclusiveStartKey: key,
  }
}

conformance('Query start keys', (test) => {
  refuses(test, 'Query', [
    {
      name: 'a start key without the sort key is refused',
      request: { ...asked, ExclusiveStartKey: { pk: { S: 'a' } } },
      message: INVALID,
    },
    {
      name: 'a start key without the partition key is refused',
      request: { ...asked, ExclusiveStartKey: { sk: { S: 'a' } } },
      message: INVALID,
    },
    {
      name: 'an empty start key is refused',
      request: { ...asked, ExclusiveStartKey: {} },
      message: INVALID,
    },
    {
      name: 'a start key with one attribute too many is refused',
      request: { ...asked, ExclusiveStartKey: { pk: { S: 'a' }, sk: { S: '1' }, x: { S: 'x' } } },
      message: INVALID,
    },
    {
      name: 'a start key with a number for the string sort key is refused',
      request: { ...asked, ExclusiveStartKey: { pk: { S: 'a' }, sk: { N: '1' } } },
      message: INVALID,
    },
    {
      name: 'a start key with an empty sort key is refused',
      request: { ...asked, ExclusiveStartKey: { pk: { S: 'a' }, sk: { S: '' } } },
      message: `${EMPTY}sk`,
    },
    {
      name: 'a start key with an empty partition key is refused',
      request: { ...asked, ExclusiveStartKey: { pk: { S: '' }, sk: { S: '1' } } },
      message: `${EMPTY}pk`,
    },
    {
      name: 'a start key whose value has no type is refused',
      request: { ...asked, ExclusiveStartKey: { pk: {}, sk: { S: '1' } } },
      message:
        'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    },
    {
      name: 'a start key of another item collection is refused',
      request: { ...asked, ExclusiveStartKey: { pk: { S: 'b' }, sk: { S: '1' } } },
      message: OUTSIDE,
    },
    {
      name: 'a start key below the range is refused',
      request: between('sk > :s', { ':s': { S: '2' } }, { pk: { S: 'a' }, sk: { S: '1' } }),
      message: NOT_IN_RANGE,
    },
    {
      name: 'a start key just outside an open bound is refused',
      request: between('sk > :s', { ':s': { S: '2' } }, { pk: { S: 'a' }, sk: { S: '2' } }),
      message: NOT_IN_RANGE,
    },
    {
      name: 'a start key above the range is refused',
      request: between('sk < :s', { ':s': { S: '2' } }, { pk: { S: 'a' }, sk: { S: '3' } }),
      message: NOT_IN_RANGE,
    },
    {
      name: 'a start key outside BETWEEN is refused',
      request: between(
        'sk BETWEEN :s AND :t',
        { ':s': { S: '2' }, ':t': { S: '4' } },
        { pk: { S: 'a' }, sk: { S: '5' } },
      ),
      message: NOT_IN_RANGE,
    },
    {
      name: 'a start key without the prefix of begins_with is refused',
      request: between(
        'begins_with(sk, :s)',
        { ':s': { S: 'x' } },
        { pk: { S: 'a' }, sk: { S: 'y' } },
      ),
      message: NOT_IN_RANGE,
    },
    {
      name: 'a Query for one whole key takes no start key',
      request: between('sk = :s', { ':s': { S: '2' } }, { pk: { S: 'a' }, sk: { S: '2' } }),
      message: 'The query can return at most one row and cannot be restarted',
    },
  ])
  refuses(
    test,
    'Query',
    [
      {
        name: 'a table without sort key takes no start key',
        request: { ...asked, ExclusiveStartKey: { pk: { S: 'a' } } },
        message:
          'The provided exclusive start key is invalid: ExclusiveStartKey: {pk=AttributeValue: {S:a}}',
      },
    ],
    HASH_ONLY,
  )
  refuses(
    test,
    'Query',
    [
      {
        name: 'a start key of a global index without the table’s key is refused',
        request: { ...byGlobal, ExclusiveStartKey: { g: { S: 'G' }, h: { S: 'H' } } },
        message: INVALID,
      },
      {
        name: 'a start key of a global index without the index’s key is refused',
        request: { ...byGlobal, ExclusiveStartKey: { pk: { S: 'a' }, sk: { S: '1' } } },
        message: INVALID,
      },
      {
        name: 'a start key of a global index with one attribute too many is refused',
        request: { ...byGlobal, ExclusiveStartKey: { ...GLOBAL_KEY, l: { N: '1' } } },
        message: INVALID,
      },
      {
        name: 'a start key of a global index in another item collection is refused',
        request: { ...byGlobal, ExclusiveStartKey: { ...GLOBAL_KEY, g: { S: 'H' } } },
        message: OUTSIDE,
      },
      {
        name: 'a start key of a global index outside the range is refused',
        request: {
          ...byGlobal,
          KeyConditionExpression: 'g = :p AND h = :h',
          ExpressionAttributeValues: { ':p': { S: 'G' }, ':h': { S: 'H' } },
          ExclusiveStartKey: { ...GLOBAL_KEY, h: { S: 'I' } },
        },
        message: NOT_IN_RANGE,
      },
      {
        name: 'a start key of the table is refused on a local index',
        request: { ...byLocal, ExclusiveStartKey: { pk: { S: 'a' }, sk: { S: '1' } } },
        message: INVALID,
      },
      {
        name: 'a start key of a local index with a text for its number is refused',
        request: { ...byLocal, ExclusiveStartKey: { ...LOCAL_KEY, l: { S: '1' } } },
        message: INVALID,
      },
      {
        name: 'a start key of a local index in another item collection is refused',
        request: { ...byLocal, ExclusiveStartKey: { ...LOCAL_KEY, pk: { S: 'b' } } },
        message: OUTSIDE,
      },
    ],
    INDEXED,
  )

  test('a start key that was never an item is a place between items', async (t) => {
    const TableName = await t.table()
    await putAll(
      t,
      TableName,
      ['1', '3', '5'].map((sk) => ({ pk: { S: 'a' }, sk: { S: sk } })),
    )
    for (const [ScanIndexForward, found] of [
      [true, ['3', '5']],
      [false, ['1']],
    ] as const) {
      const { Items } = await t.send('Query', {
        TableName,
        ...asked,
        ScanIndexForward,
        ExclusiveStartKey: { pk: { S: 'a' }, sk: { S: '2' } },
      })
      expect(sortKeys(Items)).toEqual(found)
    }
  })

  test('a start key behind all items gives an empty page', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, [{ pk: { S: 'a' }, sk: { S: '1' } }])
    const page = await t.send('Query', {
      TableName,
      ...asked,
      ExclusiveStartKey: { pk: { S: 'a' }, sk: { S: '9' } },
    })
    expect(page).toEqual({ Items: [], Count: 0, ScannedCount: 0 })
  })

  test('a number in a start key may be written in any way', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(
      t,
      TableName,
      ['1', '2', '3'].map((sk) => ({ pk: { S: 'a' }, sk: { S: sk }, l: { N: `${sk}0` } })),
    )
    const { Items } = await t.send('Query', {
      TableName,
      ...byLocal,
      ExclusiveStartKey: { pk: { S: 'a' }, sk: { S: '1' }, l: { N: '1.0e1' } },
    })
    expect(sortKeys(Items)).toEqual(['2', '3'])
  })

  test('a start key on the lower bound of >= continues after it', async (t) => {
    const TableName = await t.table()
    await putAll(
      t,
      TableName,
      ['1', '2', '3'].map((sk) => ({ pk: { S: 'a' }, sk: { S: sk } })),
    )
    const { Items } = await t.send('Query', {
      TableName,
      ...between('sk >= :s', { ':s': { S: '2' } }, { pk: { S: 'a' }, sk: { S: '2' } }),
    })
    expect(sortKeys(Items)).toEqual(['3'])
  })

  test('a start key of a global index is a place among the ties of its sort key', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(
      t,
      TableName,
      ['1', '2', '3', '4'].map((sk) => ({ ...GLOBAL_KEY, sk: { S: sk } })),
    )
    const first = await t.send('Query', { TableName, ...byGlobal, Limit: 2 })
    const rest = await t.send('Query', {
      TableName,
      ...byGlobal,
      ExclusiveStartKey: first.LastEvaluatedKey,
    })
    expect([...sortKeys(first.Items), ...sortKeys(rest.Items)].sort()).toEqual(['1', '2', '3', '4'])
  })
})
