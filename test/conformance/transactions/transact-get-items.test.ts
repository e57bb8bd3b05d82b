import { expect } from 'vitest'
import { conformance } from '../conformance.ts'
import { HASH_ONLY, putAll } from '../read-tables.ts'

const TRANSACTION_ACTIONS_MAX = 100
const TRANSACTION_MAX_BYTES = 4 * 1024 * 1024

function key(name: string | number) {
  return { pk: { S: 'a' }, sk: { S: String(name) } }
}
function getsOf(TableName: string) {
  return (name: string | number, members: object = {}) => ({
    Get: { TableName, Key: key(name), ...members },
  })
}

conformance('TransactGetItems', (test) => {
  test('answers are in the order of the requests, empty where there is not an item', async (t) => {
    const TableName = await t.table()
    const get = getsOf(TableName)
    await putAll(t, TableName, [key(1), key(3)])
    const answer = await t.send('TransactGetItems', { TransactItems: [get(3), get(2), get(1)] })
    expect(answer).toEqual({ Responses: [{ Item: key(3) }, {}, { Item: key(1) }] })
  })

  test('several tables are read together', async (t) => {
    const one = await t.table()
    const two = await t.table(HASH_ONLY)
    await putAll(t, one, [key(1)])
    await putAll(t, two, [{ pk: { S: 'x' } }])
    const answer = await t.send('TransactGetItems', {
      TransactItems: [{ Get: { TableName: two, Key: { pk: { S: 'x' } } } }, getsOf(one)(1)],
    })
    expect(answer.Responses).toEqual([{ Item: { pk: { S: 'x' } } }, { Item: key(1) }])
  })

  test('each request has a projection of its own', async (t) => {
    const TableName = await t.table()
    const get = getsOf(TableName)
    await putAll(t, TableName, [
      { ...key(1), x: { N: '1' } },
      { ...key(2), y: { N: '2' } },
    ])
    const answer = await t.send('TransactGetItems', {
      TransactItems: [
        get(1, { ProjectionExpression: 'x' }),
        get(2, { ProjectionExpression: '#y', ExpressionAttributeNames: { '#y': 'y' } }),
      ],
    })
    expect(answer.Responses).toEqual([{ Item: { x: { N: '1' } } }, { Item: { y: { N: '2' } } }])
  })

  test('an item of which the projection leaves nothing is left out', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, [key(1)])
    const answer = await t.send('TransactGetItems', {
      TransactItems: [getsOf(TableName)(1, { ProjectionExpression: 'x' })],
    })
    expect(answer.Responses).toEqual([{}])
  })

  for (const count of [TRANSACTION_ACTIONS_MAX - 1, TRANSACTION_ACTIONS_MAX]) {
    test(`${count} items are read`, async (t) => {
      const TableName = await t.table()
      const answer = await t.send('TransactGetItems', {
        TransactItems: Array.from({ length: count }, (_, n) => getsOf(TableName)(n)),
      })
      expect(answer.Responses).toHaveLength(count)
    })
  }

  test('101 requests are refused with all of them in the text', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'TransactGetItems',
      {
        TransactItems: Array.from({ length: TRANSACTION_ACTIONS_MAX + 1 }, (_, n) =>
          getsOf(TableName)(n),
        ),
      },
      'ValidationException',
      /^1 validation error detected: Value '\[.*' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100$/,
    )
  })

  test('no request is refused', async (t) => {
    await t.fails(
      'TransactGetItems',
      { TransactItems: [] },
      'ValidationException',
      "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
    )
  })

  test('a request without Get is refused', async (t) => {
    await t.fails(
      'TransactGetItems',
      { TransactItems: [{}] },
      'ValidationException',
      "1 validation error detected: Value null at 'transactItems.1.member.get' failed to satisfy constraint: Member must not be null",
    )
  })

  test('the same item twice is refused', async (t) => {
    const TableName = await t.table()
    const get = getsOf(TableName)
    await t.fails(
      'TransactGetItems',
      { TransactItems: [get(1), get(1)] },
      'ValidationException',
      'Transaction request cannot include multiple operations on one item',
    )
  })

  test('a table that does not exist is not found', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'TransactGetItems',
      { TransactItems: [getsOf(TableName)(1), getsOf('no-such-table')(1)] },
      'ResourceNotFoundException',
      'Requested resource not found',
    )
  })

  for (const [what, wrong] of [
    ['without the sort key', { pk: { S: 'a' } }],
    ['of the wrong type', { pk: { S: 'a' }, sk: { N: '1' } }],
    ['with one attribute too many', { ...key(1), x: { S: 'x' } }],
  ] as const) {
    test(`a key ${what} cancels the transaction`, async (t) => {
      const TableName = await t.table()
      const get = getsOf(TableName)
      const error = await t.fails(
        'TransactGetItems',
        { TransactItems: [get(7), get(8, { Key: wrong })] },
        'TransactionCanceledException',
        'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ValidationError]',
      )
      expect(error.CancellationReasons).toEqual([
        { Code: 'None' },
        {
          Code: 'ValidationError',
          Message: 'The provided key element does not match the schema',
        },
      ])
    })
  }

  test('an empty key value is refused, not cancelled', async (t) => {
    const TableName = await t.table()
    const get = getsOf(TableName)
    await t.fails(
      'TransactGetItems',
      { TransactItems: [get(1), get('')] },
      'ValidationException',
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk',
    )
  })

  for (const [what, members, text] of [
    [
      'a projection that is not well formed',
      { ProjectionExpression: 'x,,' },
      'Invalid ProjectionExpression: Syntax error; token: ",", near: ",,"',
    ],
    [
      'names without an expression',
      { ExpressionAttributeNames: { '#x': 'x' } },
      'ExpressionAttributeNames can only be specified when using expressions',
    ],
    [
      'a projection into a key attribute',
      { ProjectionExpression: 'pk.x' },
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk",
    ],
  ] as const) {
    test(`${what} is refused`, async (t) => {
      const TableName = await t.table()
      await t.fails(
        'TransactGetItems',
        { TransactItems: [getsOf(TableName)(1, members)] },
        'ValidationException',
        text,
      )
    })
  }

  for (const over of [-1, 0, 1]) {
    test(`items of ${TRANSACTION_MAX_BYTES + over} bytes are ${over > 0 ? 'refused' : 'read'}`, async (t) => {
      const TableName = await t.table()
      const names = await fill(t, TableName, TRANSACTION_MAX_BYTES + over)
      const TransactItems = names.map((name) => getsOf(TableName)(name))
      if (over > 0) {
        await t.fails(
          'TransactGetItems',
          { TransactItems },
          'ValidationException',
          'Items returned by a transaction size cannot exceed 4 MB',
        )
        return
      }
      const { Responses } = await t.send('TransactGetItems', { TransactItems })
      expect(Responses).toHaveLength(names.length)
    })
  }

  test('each item is paid double', async (t) => {
    const TableName = await t.table()
    const get = getsOf(TableName)
    await putAll(t, TableName, [key(1), { ...key(2), f: { S: 'x'.repeat(5000) } }])
    const answer = await t.send('TransactGetItems', {
      TransactItems: [get(1), get(2), get(3)],
      ReturnConsumedCapacity: 'INDEXES',
    })
    const units = { CapacityUnits: 8, ReadCapacityUnits: 8 }
    expect(answer.ConsumedCapacity).toEqual([{ TableName, ...units, Table: units }])
  })

  test('capacity is reported per table', async (t) => {
    const one = await t.table()
    const two = await t.table()
    const answer = await t.send('TransactGetItems', {
      TransactItems: [getsOf(one)(1), getsOf(two)(1)],
      ReturnConsumedCapacity: 'TOTAL',
    })
    expect(answer.ConsumedCapacity).toEqual([
      { TableName: one, CapacityUnits: 2, ReadCapacityUnits: 2 },
      { TableName: two, CapacityUnits: 2, ReadCapacityUnits: 2 },
    ])
  })
})

/** Items that are exactly this many bytes together; returns their names. */
async function fill(
  t: Parameters<typeof putAll>[0],
  TableName: string,
  bytes: number,
): Promise<string[]> {
  const own = 'pkask'.length + 1 + 1
  const each = Math.floor(bytes / 11)
  const names = Array.from({ length: 11 }, (_, position) => String.fromCharCode(97 + position))
  for (const [position, name] of names.entries()) {
    const size = position === 0 ? bytes - each * 10 : each
    await putAll(t, TableName, [{ ...key(name), f: { S: 'x'.repeat(size - own) } }])
  }
  return names
}
