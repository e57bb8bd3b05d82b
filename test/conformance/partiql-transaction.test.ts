import { expect } from 'vitest'
import { conformance } from './conformance.ts'
import { itemAt, on, partiqlTable } from './partiql-cases.ts'

const get = (pk: string, sk: string) =>
  `SELECT pk, sk FROM TABLE WHERE pk = '${pk}' AND sk = '${sk}'`
const insert = (sk: string) => `INSERT INTO TABLE VALUE {'pk': 'i', 'sk': '${sk}'}`
const update = (sk: string) => `UPDATE TABLE SET x = 1 WHERE pk = 'a' AND sk = '${sk}'`

/** The members of a transaction, with the table's name in place. */
function statements(table: string, ...strings: readonly string[]) {
  return { TransactStatements: strings.map((text) => ({ Statement: on(table, text) })) }
}

function cancelled(...codes: readonly string[]): string {
  return `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`
}

conformance('ExecuteTransaction', (test) => {
  test('reads answer in the order of the statements', async (t) => {
    const table = await partiqlTable(t)
    expect(
      await t.send(
        'ExecuteTransaction',
        statements(table, get('b', '1'), get('none', '1'), get('a', '2')),
      ),
    ).toEqual({
      Responses: [
        { Item: { pk: { S: 'b' }, sk: { S: '1' } } },
        {},
        { Item: { pk: { S: 'a' }, sk: { S: '2' } } },
      ],
    })
  })

  test('all writes are done', async (t) => {
    const table = await partiqlTable(t)
    const answer = await t.send(
      'ExecuteTransaction',
      statements(table, insert('1'), update('1'), "DELETE FROM TABLE WHERE pk = 'a' AND sk = '2'"),
    )
    expect(answer).toEqual({ Responses: [] })
    expect(await itemAt(t, table, 'i', '1')).toBeDefined()
    expect(await itemAt(t, table, 'a', '1')).toMatchObject({ x: { N: '1' } })
    expect(await itemAt(t, table, 'a', '2')).toBeUndefined()
  })

  test('a failed condition cancels all, and each reason is at its place', async (t) => {
    const table = await partiqlTable(t)
    const error = await t.fails(
      'ExecuteTransaction',
      statements(table, insert('1'), `${update('1')} AND n = 7`, update('none')),
      'TransactionCanceledException',
      cancelled('None', 'ConditionalCheckFailed', 'ConditionalCheckFailed'),
    )
    expect(error.CancellationReasons).toEqual([
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
      { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
    ])
    expect(await itemAt(t, table, 'i', '1')).toBeUndefined()
  })

  test('an INSERT of an item that is there cancels the transaction', async (t) => {
    const table = await partiqlTable(t)
    const error = await t.fails(
      'ExecuteTransaction',
      statements(table, `INSERT INTO TABLE VALUE {'pk': 'b', 'sk': '1'}`, insert('1')),
      'TransactionCanceledException',
      cancelled('DuplicateItem', 'None'),
    )
    expect(error.CancellationReasons[0].Message).toBe('Duplicate primary key exists in table')
  })

  test('a failed condition shows the item when asked to', async (t) => {
    const table = await partiqlTable(t)
    const Statement = on(table, "DELETE FROM TABLE WHERE pk = 'a' AND sk = '3' AND n = 1")
    const error = await t.fails(
      'ExecuteTransaction',
      { TransactStatements: [{ Statement, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }] },
      'TransactionCanceledException',
    )
    expect(error.CancellationReasons[0].Item).toEqual({
      pk: { S: 'a' },
      sk: { S: '3' },
      n: { N: '3' },
    })
  })

  test('a key that does not fit the table cancels the transaction', async (t) => {
    const table = await partiqlTable(t)
    const error = await t.fails(
      'ExecuteTransaction',
      statements(table, insert('1'), `INSERT INTO TABLE VALUE {'pk': 'i'}`),
      'TransactionCanceledException',
      cancelled('None', 'ValidationError'),
    )
    expect(error.CancellationReasons[1].Message).toBe(
      'Key attribute should be present in the item: Key sk',
    )
  })

  test('a read whose key is of the wrong type is cancelled', async (t) => {
    const table = await partiqlTable(t)
    const error = await t.fails(
      'ExecuteTransaction',
      statements(table, "SELECT * FROM TABLE WHERE pk = 1 AND sk = '1'"),
      'TransactionCanceledException',
      cancelled('ValidationError'),
    )
    expect(error.CancellationReasons[0].Message).toBe(
      "Key attribute's data type should match its data type in table's schema: Key pk",
    )
  })

  test('an update that does not fit its item cancels the transaction', async (t) => {
    const table = await partiqlTable(t)
    await t.fails(
      'ExecuteTransaction',
      statements(table, insert('1'), "UPDATE TABLE SET x = none WHERE pk = 'a' AND sk = '1'"),
      'TransactionCanceledException',
      cancelled('None', 'ValidationError'),
    )
  })

  test('a WHERE clause without the whole key cancels the transaction', async (t) => {
    const table = await partiqlTable(t)
    await t.fails(
      'ExecuteTransaction',
      statements(table, insert('1'), "UPDATE TABLE SET x = 1 WHERE pk = 'a'"),
      'TransactionCanceledException',
      cancelled('None', 'ValidationError'),
    )
  })

  test('an empty key is an error of the request', async (t) => {
    const table = await partiqlTable(t)
    await t.fails(
      'ExecuteTransaction',
      statements(table, insert('')),
      'ValidationException',
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk',
    )
  })

  test('deleting a missing item succeeds, even with a condition', async (t) => {
    const table = await partiqlTable(t)
    expect(
      await t.send(
        'ExecuteTransaction',
        statements(table, "DELETE FROM TABLE WHERE pk = 'none' AND sk = '1' AND x = 1"),
      ),
    ).toEqual({ Responses: [] })
  })

  test('EXISTS lets the transaction pass if its condition holds', async (t) => {
    const table = await partiqlTable(t)
    const exists = `EXISTS(${get('a', '1')} AND s = 'hello')`
    await t.send('ExecuteTransaction', statements(table, exists, insert('1')))
    expect(await itemAt(t, table, 'i', '1')).toBeDefined()
  })

  for (const [name, exists] of [
    ['its condition is false', `EXISTS(${get('a', '1')} AND n = 7)`],
    ['its item is missing', `exists(${get('none', '1')} AND n IS MISSING)`],
  ] as const) {
    test(`EXISTS cancels the transaction if ${name}`, async (t) => {
      const table = await partiqlTable(t)
      await t.fails(
        'ExecuteTransaction',
        statements(table, exists, insert('1')),
        'TransactionCanceledException',
        cancelled('ConditionalCheckFailed', 'None'),
      )
      expect(await itemAt(t, table, 'i', '1')).toBeUndefined()
    })
  }

  const MIXED =
    'ExecuteTransaction API does not support both read and write operations in the same request.'
  const at = (reason: string, position = 0) =>
    `Validation failed in TransactStatements[${position}]: ${reason}`
  for (const [name, strings, message] of [
    ['a read together with a write', [get('a', '1'), insert('1')], MIXED],
    ['EXISTS together with a read', [`EXISTS(${get('a', '1')} AND n = 1)`, get('b', '1')], MIXED],
    [
      'one item twice',
      [insert('1'), "UPDATE TABLE SET x = 1 WHERE pk = 'i' AND sk = '1'"],
      'Transaction request cannot include multiple operations on one item',
    ],
    [
      'one item read twice',
      [get('a', '1'), get('a', '1')],
      'Transaction request cannot include multiple operations on one item',
    ],
    [
      'a read of an item collection',
      [get('a', '1'), "SELECT * FROM TABLE WHERE pk = 'a'"],
      at(
        'Select statements within ExecuteTransaction must specify the primary key in the where clause.',
        1,
      ),
    ],
    [
      'a read with a condition beyond the key',
      [`${get('a', '1')} AND n = 1`],
      at(
        'Select statements within ExecuteTransaction must specify the primary key in the where clause.',
      ),
    ],
    [
      'a read of an index',
      [`SELECT * FROM TABLE."byG" WHERE g = 'x'`],
      at('Reads on indices are not supported within transactions.'),
    ],
    [
      'RETURNING',
      [insert('1'), `${update('1')} RETURNING ALL OLD *`],
      at('RETURNING clause is not supported in ExecuteTransaction.', 1),
    ],
    [
      'EXISTS without a condition beyond the key',
      [`EXISTS(${get('a', '1')})`],
      at('EXISTS() must contain a single item read with additional condition'),
    ],
    [
      'EXISTS without the whole key',
      ["EXISTS(SELECT * FROM TABLE WHERE pk = 'a' AND n = 1)"],
      at('EXISTS() must contain a single item read with additional condition'),
    ],
    [
      'EXISTS on an index',
      [`EXISTS(SELECT * FROM TABLE."byG" WHERE g = 'x' AND n = 1 AND x = 1)`],
      at('Operations on indices are not supported in transactions'),
    ],
    [
      'a statement without its parameters',
      ['UPDATE TABLE SET x = ? WHERE pk = ? AND sk = ?'],
      at("Number of parameters in request and statement don't match."),
    ],
  ] as const) {
    test(`${name} is refused`, async (t) => {
      const table = await partiqlTable(t)
      await t.fails(
        'ExecuteTransaction',
        statements(table, ...strings),
        'ValidationException',
        message,
      )
    })
  }

  test('a statement that is none is refused', async (t) => {
    const table = await partiqlTable(t)
    await t.fails(
      'ExecuteTransaction',
      statements(table, insert('1'), 'SELECT * FROM'),
      'ValidationException',
      "Statement wasn't well formed, can't be processed: SELECT * FROM",
    )
  })

  test('a table that is not there', async (t) => {
    await t.fails(
      'ExecuteTransaction',
      { TransactStatements: [{ Statement: `SELECT * FROM "${t.tableName()}" WHERE pk = 'a'` }] },
      'ResourceNotFoundException',
      'Requested resource not found',
    )
  })

  test('no statement is refused', async (t) => {
    await t.fails(
      'ExecuteTransaction',
      { TransactStatements: [] },
      'ValidationException',
      "1 validation error detected: Value '[]' at 'transactStatements' failed to satisfy constraint: Member must have length greater than or equal to 1",
    )
  })

  test('100 statements are allowed, 101 are not', async (t) => {
    const table = await partiqlTable(t)
    const transaction = (count: number) =>
      statements(table, ...Array.from({ length: count }, (_, sk) => insert(String(sk))))
    await t.send('ExecuteTransaction', transaction(100))
    await t.fails(
      'ExecuteTransaction',
      transaction(101),
      'ValidationException',
      /Member must have length less than or equal to 100$/,
    )
  })

  test('the same token and statements are carried out once', async (t) => {
    const table = await partiqlTable(t)
    const ClientRequestToken = t.tableName().slice(0, 36)
    const request = {
      ...statements(table, "UPDATE TABLE SET n = n + 1 WHERE pk = 'a' AND sk = '1'"),
      ClientRequestToken,
    }
    await t.send('ExecuteTransaction', request)
    await t.send('ExecuteTransaction', request)
    expect(await itemAt(t, table, 'a', '1')).toMatchObject({ n: { N: '2' } })
    await t.fails(
      'ExecuteTransaction',
      { ...statements(table, insert('1')), ClientRequestToken },
      'IdempotentParameterMismatchException',
    )
  })

  test.engineOnly(
    'a token of TransactWriteItems is another one',
    'Whether DynamoDB Local keeps them apart is not documented, and it remembers tokens over all tables of a run.',
    async (t) => {
      const table = await partiqlTable(t)
      const ClientRequestToken = 'token'
      await t.send('TransactWriteItems', {
        TransactItems: [{ Put: { TableName: table, Item: { pk: { S: 'i' }, sk: { S: '2' } } } }],
        ClientRequestToken,
      })
      await t.send('ExecuteTransaction', { ...statements(table, insert('1')), ClientRequestToken })
      expect(await itemAt(t, table, 'i', '1')).toBeDefined()
    },
  )

  test('a token of 37 characters is refused', async (t) => {
    const table = await partiqlTable(t)
    await t.fails(
      'ExecuteTransaction',
      { ...statements(table, insert('1')), ClientRequestToken: 'x'.repeat(37) },
      'ValidationException',
      `1 validation error detected: Value '${'x'.repeat(37)}' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36`,
    )
  })

  test.engineOnly(
    'what a transaction consumes is shown, and a repeated one only reads',
    'DynamoDB Local does not report consumed capacity for PartiQL.',
    async (t) => {
      const table = await partiqlTable(t)
      const request = {
        ...statements(table, insert('1'), update('3')),
        ClientRequestToken: 'token',
        ReturnConsumedCapacity: 'TOTAL',
      }
      const consumed = async (members: object) =>
        (await t.send('ExecuteTransaction', members)).ConsumedCapacity
      expect(await consumed(request)).toEqual([
        { TableName: table, CapacityUnits: 4, WriteCapacityUnits: 4 },
      ])
      expect(await consumed(request)).toEqual([
        { TableName: table, CapacityUnits: 4, ReadCapacityUnits: 4 },
      ])
      expect(
        await consumed({ ...statements(table, get('a', '1')), ReturnConsumedCapacity: 'TOTAL' }),
      ).toEqual([{ TableName: table, CapacityUnits: 2, ReadCapacityUnits: 2 }])
    },
  )
})
