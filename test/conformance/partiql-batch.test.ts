import { expect } from 'vitest'
import { conformance } from './conformance.ts'
import { itemAt, on, partiqlTable } from './partiql-cases.ts'

const get = (pk: string, sk: string) =>
  `SELECT pk, sk FROM TABLE WHERE pk = '${pk}' AND sk = '${sk}'`

/** The members of a batch, with the table's name in place. */
function statements(table: string, ...strings: readonly string[]) {
  return { Statements: strings.map((text) => ({ Statement: on(table, text) })) }
}

conformance('BatchExecuteStatement', (test) => {
  test('reads answer in the order of the statements', async (t) => {
    const table = await partiqlTable(t)
    expect(
      await t.send(
        'BatchExecuteStatement',
        statements(table, get('b', '1'), get('none', '1'), get('a', '2')),
      ),
    ).toEqual({
      Responses: [
        { TableName: table, Item: { pk: { S: 'b' }, sk: { S: '1' } } },
        { TableName: table },
        { TableName: table, Item: { pk: { S: 'a' }, sk: { S: '2' } } },
      ],
    })
  })

  test('a read may have parameters and be consistent', async (t) => {
    const table = await partiqlTable(t)
    const Statement = on(table, 'SELECT n FROM TABLE WHERE pk = ? AND sk = ?')
    const Parameters = [{ S: 'a' }, { S: '1' }]
    expect(
      await t.send('BatchExecuteStatement', {
        Statements: [{ Statement, Parameters, ConsistentRead: true }],
      }),
    ).toEqual({ Responses: [{ TableName: table, Item: { n: { N: '1' } } }] })
  })

  test('writes are independent: one that fails leaves the others', async (t) => {
    const table = await partiqlTable(t)
    const answer = await t.send(
      'BatchExecuteStatement',
      statements(
        table,
        `INSERT INTO TABLE VALUE {'pk': 'i', 'sk': '1'}`,
        `INSERT INTO TABLE VALUE {'pk': 'b', 'sk': '1'}`,
        "UPDATE TABLE SET x = 1 WHERE pk = 'a' AND sk = '1' AND n = 7",
        "UPDATE TABLE SET x = none WHERE pk = 'a' AND sk = '2'",
        "UPDATE TABLE SET x = 1 WHERE pk = 'a'",
        `INSERT INTO TABLE VALUE {'pk': 'i'}`,
        "DELETE FROM TABLE WHERE pk = 'a' AND sk = '3'",
      ),
    )
    expect(answer).toEqual({
      Responses: [
        { TableName: table },
        {
          TableName: table,
          Error: { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' },
        },
        {
          TableName: table,
          Error: { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
        },
        {
          TableName: table,
          Error: {
            Code: 'ValidationError',
            Message:
              'The provided expression refers to an attribute that does not exist in the item',
          },
        },
        {
          Error: {
            Code: 'ValidationError',
            Message: 'Where clause does not contain a mandatory equality on all key attributes',
          },
        },
        {
          Error: {
            Code: 'ValidationError',
            Message: 'Key attribute should be present in the item: Key sk',
          },
        },
        { TableName: table },
      ],
    })
    expect(await itemAt(t, table, 'i', '1')).toBeDefined()
    expect(await itemAt(t, table, 'a', '3')).toBeUndefined()
  })

  test('a write may return the item', async (t) => {
    const table = await partiqlTable(t)
    expect(
      await t.send(
        'BatchExecuteStatement',
        statements(table, "UPDATE TABLE SET n = 4 WHERE pk = 'a' AND sk = '3' RETURNING ALL NEW *"),
      ),
    ).toEqual({
      Responses: [{ TableName: table, Item: { pk: { S: 'a' }, sk: { S: '3' }, n: { N: '4' } } }],
    })
  })

  test('a failed condition shows the item when asked to', async (t) => {
    const table = await partiqlTable(t)
    const Statement = on(table, "DELETE FROM TABLE WHERE pk = 'a' AND sk = '3' AND n = 1")
    const { Responses } = await t.send('BatchExecuteStatement', {
      Statements: [{ Statement, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }],
    })
    expect(Responses).toEqual([
      {
        TableName: table,
        Error: {
          Code: 'ConditionalCheckFailed',
          Message: 'The conditional request failed',
          Item: { pk: { S: 'a' }, sk: { S: '3' }, n: { N: '3' } },
        },
      },
    ])
  })

  test('a table that is not there fails only its member', async (t) => {
    const table = await partiqlTable(t)
    const { Responses } = await t.send('BatchExecuteStatement', {
      Statements: [
        { Statement: `SELECT * FROM "${t.tableName()}" WHERE pk = 'a' AND sk = '1'` },
        { Statement: on(table, get('b', '1')) },
      ],
    })
    expect(Responses[0].Error.Code).toBe('ResourceNotFound')
    expect(Responses[1].Item).toBeDefined()
  })

  test('a statement that is none fails only its member', async (t) => {
    const table = await partiqlTable(t)
    const { Responses } = await t.send(
      'BatchExecuteStatement',
      statements(table, 'SELECT * FROM', get('b', '1')),
    )
    expect(Responses[0].Error.Code).toBe('ValidationError')
    expect(Responses[1].Item).toBeDefined()
  })

  for (const [name, statement, message] of [
    [
      'a read of an item collection',
      "SELECT * FROM TABLE WHERE pk = 'a'",
      'Only single item select is supported',
    ],
    ['a read of a whole table', 'SELECT * FROM TABLE', 'Only single item select is supported'],
    [
      'a read of an index',
      `SELECT * FROM TABLE."byG" WHERE g = 'x' AND n = 1`,
      'Only single item select is supported',
    ],
    [
      'a read with a condition beyond the key',
      `${get('a', '1')} AND n = 1`,
      'Only single item select is supported',
    ],
    [
      'EXISTS',
      `EXISTS(${get('a', '1')})`,
      'EXISTS can only be used in ExecuteTransaction write requests.',
    ],
    [
      'a statement without its parameters',
      'SELECT * FROM TABLE WHERE pk = ? AND sk = ?',
      "Number of parameters in request and statement don't match.",
    ],
    [
      'a key of the wrong type',
      "SELECT * FROM TABLE WHERE pk = 1 AND sk = '1'",
      "Key attribute's data type should match its data type in table's schema: Key pk",
    ],
  ] as const) {
    test(`${name} is an error of its member`, async (t) => {
      const table = await partiqlTable(t)
      expect(await t.send('BatchExecuteStatement', statements(table, statement))).toEqual({
        Responses: [{ Error: { Code: 'ValidationError', Message: message } }],
      })
    })
  }

  test('a part of a document is returned at the top', async (t) => {
    const table = await partiqlTable(t)
    const { Responses } = await t.send(
      'BatchExecuteStatement',
      statements(table, "SELECT m.b FROM TABLE WHERE pk = 'a' AND sk = '1'"),
    )
    expect(Responses).toEqual([{ TableName: table, Item: { b: { S: 'deep' } } }])
  })

  test('reads and writes together are refused', async (t) => {
    const table = await partiqlTable(t)
    await t.fails(
      'BatchExecuteStatement',
      statements(table, get('a', '1'), `INSERT INTO TABLE VALUE {'pk': 'i', 'sk': '1'}`),
      'ValidationException',
      'Read and write requests together in the same batch is not supported.',
    )
    expect(await itemAt(t, table, 'i', '1')).toBeUndefined()
  })

  test('one item twice is refused', async (t) => {
    const table = await partiqlTable(t)
    await t.fails(
      'BatchExecuteStatement',
      statements(table, get('a', '1'), get('a', '1')),
      'ValidationException',
      'Provided list of item keys contains duplicates',
    )
  })

  test('no statement is refused', async (t) => {
    await t.fails(
      'BatchExecuteStatement',
      { Statements: [] },
      'ValidationException',
      "1 validation error detected: Value '[]' at 'statements' failed to satisfy constraint: Member must have length greater than or equal to 1",
    )
  })

  test('25 statements are allowed, 26 are not', async (t) => {
    const table = await partiqlTable(t)
    const batch = (count: number) =>
      statements(table, ...Array.from({ length: count }, (_, sk) => get('a', String(sk))))
    expect((await t.send('BatchExecuteStatement', batch(25))).Responses).toHaveLength(25)
    await t.fails('BatchExecuteStatement', batch(26), 'ValidationException')
  })

  test.engineOnly(
    'what a batch consumes is shown for each table',
    'DynamoDB Local does not report consumed capacity for PartiQL.',
    async (t) => {
      const table = await partiqlTable(t)
      const { ConsumedCapacity } = await t.send('BatchExecuteStatement', {
        ...statements(table, get('a', '1'), get('none', '1')),
        ReturnConsumedCapacity: 'TOTAL',
      })
      expect(ConsumedCapacity).toEqual([{ TableName: table, CapacityUnits: 1 }])
    },
  )
})
