import { expect } from 'vitest'
import { conformance } from '../conformance.ts'
import { itemOf, KEY, refuses } from '../item-cases.ts'

const requests: Record<string, object> = {
  PutItem: { Item: KEY },
  GetItem: { Key: KEY },
  UpdateItem: { Key: KEY },
  DeleteItem: { Key: KEY },
}

const constraint = (value: string, member: string, rule: string) =>
  `Value ${value} at '${member}' failed to satisfy constraint: ${rule}`
const RETURN_VALUES =
  'Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]'
const CAPACITY = 'Member must satisfy enum value set: [INDEXES, TOTAL, NONE]'
const METRICS = 'Member must satisfy enum value set: [SIZE, NONE]'
const ON_FAILURE = 'Member must satisfy enum value set: [ALL_OLD, NONE]'

for (const [operation, request] of Object.entries(requests)) {
  conformance(`${operation} requests`, (test) => {
    test('a table that does not exist is not found', async (t) => {
      await t.fails(
        operation,
        { TableName: t.tableName(), ...request },
        'ResourceNotFoundException',
        'Requested resource not found',
      )
    })

    const tableNames: [name: string, TableName: string | undefined, rule: string][] = [
      ['the table name may not be missing', undefined, 'Member must not be null'],
      ['the table name may not be empty', '', 'Member must have length greater than or equal to 1'],
      [
        'the table name may not have 256 characters',
        'x'.repeat(256),
        'Member must have length less than or equal to 255',
      ],
      [
        'the table name may not have other characters',
        'bad table!@#',
        'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+',
      ],
    ]
    for (const [name, TableName, rule] of tableNames) {
      test(name, async (t) => {
        const value = TableName === undefined ? 'null' : `'${TableName}'`
        await t.fails(
          operation,
          { ...request, TableName },
          'ValidationException',
          `1 validation error detected: ${constraint(value, 'tableName', rule)}`,
        )
      })
    }

    test('a table name of 255 characters is looked for', async (t) => {
      await t.fails(
        operation,
        { ...request, TableName: 'x'.repeat(255) },
        'ResourceNotFoundException',
      )
    })

    test('a bad table name is reported alone', async (t) => {
      await t.fails(
        operation,
        { ...request, TableName: '', ReturnConsumedCapacity: 'X' },
        'ValidationException',
        `1 validation error detected: ${constraint("''", 'tableName', 'Member must have length greater than or equal to 1')}`,
      )
    })

    test('the table may be named by its ARN', async (t) => {
      const TableName = await t.table()
      const { Table } = await t.send('DescribeTable', { TableName })
      await t.send('PutItem', { TableName, Item: KEY })
      await t.send(operation, { ...request, TableName: Table.TableArn })
      expect(await itemOf(t, TableName)).toEqual(operation === 'DeleteItem' ? undefined : KEY)
    })

    test('the ARN of a table that does not exist is not found', async (t) => {
      const TableName = await t.table()
      const { Table } = await t.send('DescribeTable', { TableName })
      await t.fails(
        operation,
        { ...request, TableName: `${Table.TableArn}x` },
        'ResourceNotFoundException',
        'Requested resource not found',
      )
    })

    test('consumed capacity is asked for by one of three words', async (t) => {
      const TableName = await t.table()
      await t.fails(
        operation,
        { ...request, TableName, ReturnConsumedCapacity: 'total' },
        'ValidationException',
        `1 validation error detected: ${constraint("'total'", 'returnConsumedCapacity', CAPACITY)}`,
      )
    })

    test('a bad word is reported before a missing table', async (t) => {
      await t.fails(
        operation,
        { ...request, TableName: t.tableName(), ReturnConsumedCapacity: 'X' },
        'ValidationException',
        `1 validation error detected: ${constraint("'X'", 'returnConsumedCapacity', CAPACITY)}`,
      )
    })

    test('members nobody knows are ignored', async (t) => {
      const TableName = await t.table()
      await t.send(operation, { ...request, TableName, Nonsense: { a: 1 } })
    })

    if (operation === 'GetItem') return

    refuses(test, operation, [
      {
        name: 'ReturnValues is one of five words',
        request: { ...request, ReturnValues: 'X' },
        message: `1 validation error detected: ${constraint("'X'", 'returnValues', RETURN_VALUES)}`,
      },
      {
        name: 'metrics are asked for by one of two words',
        request: { ...request, ReturnItemCollectionMetrics: 'X' },
        message: `1 validation error detected: ${constraint("'X'", 'returnItemCollectionMetrics', METRICS)}`,
      },
      {
        name: 'what returns on a failed condition is one of two words',
        request: { ...request, ReturnValuesOnConditionCheckFailure: 'ALL_NEW' },
        message: `1 validation error detected: ${constraint("'ALL_NEW'", 'returnValuesOnConditionCheckFailure', ON_FAILURE)}`,
      },
    ])

    if (operation === 'UpdateItem') {
      test('only the first bad word is reported', async (t) => {
        await t.fails(
          operation,
          {
            ...request,
            TableName: t.tableName(),
            ReturnConsumedCapacity: 'X',
            ReturnValues: 'X',
            ReturnItemCollectionMetrics: 'X',
          },
          'ValidationException',
          `1 validation error detected: ${constraint("'X'", 'returnValues', RETURN_VALUES)}`,
        )
      })
      return
    }

    test('all bad words are reported together', async (t) => {
      const error = await t.fails(
        operation,
        {
          ...request,
          TableName: t.tableName(),
          ReturnConsumedCapacity: 'X',
          ReturnValues: 'X',
          ReturnItemCollectionMetrics: 'X',
        },
        'ValidationException',
        /^3 validation errors detected: /,
      )
      expect(error.message).toContain(constraint("'X'", 'returnConsumedCapacity', CAPACITY))
      expect(error.message).toContain(constraint("'X'", 'returnValues', RETURN_VALUES))
      expect(error.message).toContain(constraint("'X'", 'returnItemCollectionMetrics', METRICS))
    })

    for (const ReturnValues of ['ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW']) {
      test(`ReturnValues may not be ${ReturnValues}`, async (t) => {
        const TableName = await t.table()
        await t.fails(
          operation,
          { ...request, TableName, ReturnValues },
          'ValidationException',
          'ReturnValues can only be ALL_OLD or NONE',
        )
      })
    }

    test('a bad ReturnValues is reported before a missing table', async (t) => {
      await t.fails(
        operation,
        { ...request, TableName: t.tableName(), ReturnValues: 'ALL_NEW' },
        'ValidationException',
        'ReturnValues can only be ALL_OLD or NONE',
      )
    })
  })
}

conformance('Order of checks', (test) => {
  test('PutItem reports a missing Item', async (t) => {
    await t.fails(
      'PutItem',
      { TableName: t.tableName() },
      'ValidationException',
      "1 validation error detected: Value null at 'item' failed to satisfy constraint: Member must not be null",
    )
  })

  const values = { ':v': { N: '1' } }
  const bad = { ConditionExpression: 'a = :w', ExpressionAttributeValues: values }
  const BAD =
    'Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: :w'

  test('PutItem reports bad values before bad expressions', async (t) => {
    await t.fails(
      'PutItem',
      { TableName: t.tableName(), Item: { ...KEY, a: { N: 'x' } }, ...bad },
      'ValidationException',
      'The parameter cannot be converted to a numeric value: x',
    )
  })

  test('PutItem reports bad expressions before ReturnValues', async (t) => {
    await t.fails(
      'PutItem',
      { TableName: t.tableName(), Item: KEY, ...bad, ReturnValues: 'ALL_NEW' },
      'ValidationException',
      BAD,
    )
  })

  test('PutItem reports bad expressions before the size of the item', async (t) => {
    const Item = { ...KEY, a: { S: 'x'.repeat(409_600) } }
    await t.fails('PutItem', { TableName: t.tableName(), Item, ...bad }, 'ValidationException', BAD)
  })

  test('PutItem reports a missing table before a missing key', async (t) => {
    await t.fails(
      'PutItem',
      { TableName: t.tableName(), Item: { a: { S: 'x' } } },
      'ResourceNotFoundException',
    )
  })

  test('PutItem reports a missing key before a condition that fails', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'PutItem',
      { TableName, Item: { pk: KEY.pk }, ConditionExpression: 'attribute_exists(a)' },
      'ValidationException',
      'One or more parameter values were invalid: Missing the key sk in the item',
    )
  })

  for (const operation of ['UpdateItem', 'DeleteItem']) {
    test(`${operation} reports bad expressions before a missing table`, async (t) => {
      await t.fails(
        operation,
        { TableName: t.tableName(), Key: KEY, ...bad },
        'ValidationException',
        BAD,
      )
    })

    test(`${operation} reports bad key values before bad expressions`, async (t) => {
      await t.fails(
        operation,
        { TableName: t.tableName(), Key: { ...KEY, sk: { N: 'x' } }, ...bad },
        'ValidationException',
        'The parameter cannot be converted to a numeric value: x',
      )
    })
  }

  test('UpdateItem reports its update before its condition', async (t) => {
    await t.fails(
      'UpdateItem',
      { TableName: t.tableName(), Key: KEY, UpdateExpression: 'SET', ...bad },
      'ValidationException',
      'Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "SET"',
    )
  })

  test('UpdateItem reports a changed key before a condition that fails', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'UpdateItem',
      {
        TableName,
        Key: KEY,
        UpdateExpression: 'SET sk = :v',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: values,
      },
      'ValidationException',
      'One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key',
    )
  })

  test('UpdateItem reports a condition that fails before an update that cannot be done', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'UpdateItem',
      {
        TableName,
        Key: KEY,
        UpdateExpression: 'SET a = b',
        ConditionExpression: 'attribute_exists(pk)',
      },
      'ConditionalCheckFailedException',
      'The conditional request failed',
    )
  })

  test('GetItem reports a bad projection before a missing table', async (t) => {
    await t.fails(
      'GetItem',
      { TableName: t.tableName(), Key: KEY, ProjectionExpression: 'a,' },
      'ValidationException',
      'Invalid ProjectionExpression: Syntax error; token: "<EOF>", near: ","',
    )
  })
})
