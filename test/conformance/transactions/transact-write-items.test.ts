import { expect } from 'vitest'
import { type Conformance, conformance } from '../conformance.ts'
import { definitions, HASH_ONLY, INDEXED, putAll, schema } from '../read-tables.ts'

const TRANSACTION_ACTIONS_MAX = 100
const TRANSACTION_MAX_BYTES = 4 * 1024 * 1024
const TOKEN_LENGTH_MAX = 36
const ITEM_SIZE_MAX_BYTES = 400 * 1024
const NUMBERED = { AttributeDefinitions: definitions({ pk: 'N' }), KeySchema: schema(['pk']) }
const FAILED = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' }
const NONE = { Code: 'None' }

function key(name: string | number) {
  return { pk: { S: 'a' }, sk: { S: String(name) } }
}

/** The four kinds of action on one table. */
function actionsOn(TableName: string) {
  return {
    put: (name: string | number, more: object = {}, members: object = {}) => ({
      Put: { TableName, Item: { ...key(name), ...more }, ...members },
    }),
    update: (name: string | number, members: object) => ({
      Update: { TableName, Key: key(name), ...members },
    }),
    remove: (name: string | number, members: object = {}) => ({
      Delete: { TableName, Key: key(name), ...members },
    }),
    check: (name: string | number, members: object) => ({
      ConditionCheck: { TableName, Key: key(name), ...members },
    }),
  }
}

type Actions = ReturnType<typeof actionsOn>

const MUST_EXIST = { ConditionExpression: 'attribute_exists(pk)' }
const MUST_NOT_EXIST = { ConditionExpression: 'attribute_not_exists(pk)' }

async function namesIn(t: Conformance, TableName: string): Promise<unknown[]> {
  const { Items } = await t.send('Scan', { TableName })
  return Items.map(({ sk }: { sk: { S: string } }) => sk.S).sort()
}

conformance('TransactWriteItems', (test) => {
  test('all four kinds of action are carried out together', async (t) => {
    const TableName = await t.table()
    const { put, update, remove, check } = actionsOn(TableName)
    await putAll(t, TableName, [key('checked'), key('gone'), { ...key('counted'), n: { N: '1' } }])
    const answer = await t.send('TransactWriteItems', {
      TransactItems: [
        put('new'),
        update('counted', {
          UpdateExpression: 'ADD n :one',
          ExpressionAttributeValues: { ':one': { N: '1' } },
        }),
        remove('gone'),
        check('checked', MUST_EXIST),
      ],
    })
    expect(answer).toEqual({})
    expect(await namesIn(t, TableName)).toEqual(['checked', 'counted', 'new'])
    const { Item } = await t.send('GetItem', { TableName, Key: key('counted') })
    expect(Item.n).toEqual({ N: '2' })
  })

  test('several tables are written together', async (t) => {
    const one = await t.table()
    const two = await t.table(HASH_ONLY)
    await t.send('TransactWriteItems', {
      TransactItems: [actionsOn(one).put(1), { Put: { TableName: two, Item: { pk: { S: 'x' } } } }],
    })
    expect((await t.send('Scan', { TableName: two })).Count).toBe(1)
    expect(await namesIn(t, one)).toEqual(['1'])
  })

  test('an update makes an item that is not there', async (t) => {
    const TableName = await t.table()
    await t.send('TransactWriteItems', {
      TransactItems: [
        actionsOn(TableName).update(1, {
          UpdateExpression: 'SET x = :x',
          ExpressionAttributeValues: { ':x': { N: '1' } },
        }),
      ],
    })
    const { Item } = await t.send('GetItem', { TableName, Key: key(1) })
    expect(Item).toEqual({ ...key(1), x: { N: '1' } })
  })

  test('one failed condition stops all writes, and only it is named', async (t) => {
    const TableName = await t.table()
    const { put } = actionsOn(TableName)
    await putAll(t, TableName, [key('old')])
    const error = await t.fails(
      'TransactWriteItems',
      { TransactItems: [put('new'), put('old', {}, MUST_NOT_EXIST), put('other')] },
      'TransactionCanceledException',
      'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, None]',
    )
    expect(error.CancellationReasons).toEqual([NONE, FAILED, NONE])
    expect(await namesIn(t, TableName)).toEqual(['old'])
  })

  test('all failed conditions are named, in the order of the actions', async (t) => {
    const TableName = await t.table()
    const { put, remove, update } = actionsOn(TableName)
    const error = await t.fails(
      'TransactWriteItems',
      {
        TransactItems: [
          remove(1, MUST_EXIST),
          put(2),
          update(3, { UpdateExpression: 'REMOVE x', ...MUST_EXIST }),
          put(4, {}, MUST_EXIST),
        ],
      },
      'TransactionCanceledException',
      'Transaction cancelled, please refer cancellation reasons for specific reasons [ConditionalCheckFailed, None, ConditionalCheckFailed, ConditionalCheckFailed]',
    )
    expect(error.CancellationReasons).toEqual([FAILED, NONE, FAILED, FAILED])
  })

  test('a failed ConditionCheck is named like a failed condition', async (t) => {
    const TableName = await t.table()
    const { put, check } = actionsOn(TableName)
    const error = await t.fails(
      'TransactWriteItems',
      { TransactItems: [put(1), check(2, MUST_EXIST)] },
      'TransactionCanceledException',
    )
    expect(error.CancellationReasons).toEqual([NONE, FAILED])
    expect(await namesIn(t, TableName)).toEqual([])
  })

  test('a reason has the item where ALL_OLD asks for it and there is one', async (t) => {
    const TableName = await t.table()
    const { put } = actionsOn(TableName)
    const old = { ...key('old'), x: { N: '1' } }
    await putAll(t, TableName, [old, key('older')])
    const ReturnValuesOnConditionCheckFailure = 'ALL_OLD'
    const error = await t.fails(
      'TransactWriteItems',
      {
        TransactItems: [
          put('old', {}, { ...MUST_NOT_EXIST, ReturnValuesOnConditionCheckFailure }),
          put('older', {}, MUST_NOT_EXIST),
          put('never', {}, { ...MUST_EXIST, ReturnValuesOnConditionCheckFailure }),
        ],
      },
      'TransactionCanceledException',
    )
    expect(error.CancellationReasons).toEqual([{ ...FAILED, Item: old }, FAILED, FAILED])
  })

  test('a condition sees the item as it was before the transaction', async (t) => {
    const TableName = await t.table()
    const { put } = actionsOn(TableName)
    await t.send('TransactWriteItems', { TransactItems: [put(1, {}, MUST_NOT_EXIST), put(2)] })
    expect(await namesIn(t, TableName)).toEqual(['1', '2'])
  })

  const refusedAtOnce: [
    name: string,
    make: (actions: Actions) => object[],
    text: string | RegExp,
  ][] = [
    [
      'two actions on one item are refused',
      ({ put, remove }) => [put(1), put(2), remove(1)],
      'Transaction request cannot include multiple operations on one item',
    ],
    [
      'an item that comes twice is reported before one that is too large',
      ({ put }) => [put(1, { big: { S: 'x'.repeat(409_600) } }), put(1)],
      'Transaction request cannot include multiple operations on one item',
    ],
    [
      'a check and a put of one item are refused',
      ({ put, check }) => [put(1), check(1, MUST_EXIST)],
      'Transaction request cannot include multiple operations on one item',
    ],
    [
      'an action of two kinds is refused',
      ({ put, remove }) => [{ ...put(1), ...remove(2) }],
      'TransactItems can only contain one of Check, Put, Update or Delete',
    ],
    [
      'an action of no kind is refused',
      ({ put }) => [put(1), {}],
      'Invalid Request: TransactWriteRequest should contain Delete or Put or Update request',
    ],
    [
      'a condition that is not well formed is refused, not cancelled',
      ({ put, check }) => [put(1), check(2, { ConditionExpression: 'x =' })],
      'Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "="',
    ],
    [
      'an update that is not well formed is refused, not cancelled',
      ({ put, update }) => [put(1), update(2, { UpdateExpression: 'SET x' })],
      'Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "x"',
    ],
    [
      'a value that is not used is refused',
      ({ put }) => [
        put(1, {}, { ...MUST_NOT_EXIST, ExpressionAttributeValues: { ':x': { S: 'x' } } }),
      ],
      'Value provided in ExpressionAttributeValues unused in expressions: keys: {:x}',
    ],
    [
      'values without an expression are refused',
      ({ put }) => [put(1, {}, { ExpressionAttributeValues: { ':x': { S: 'x' } } })],
      'ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null',
    ],
    [
      'names without an expression are refused',
      ({ put }) => [put(1, {}, { ExpressionAttributeNames: { '#x': 'x' } })],
      'ExpressionAttributeNames can only be specified when using expressions',
    ],
    [
      'an undefined name is refused',
      ({ put }) => [put(1, {}, { ConditionExpression: 'attribute_exists(#x)' })],
      'Invalid ConditionExpression: An expression attribute name used in the document path is not defined; attribute name: #x',
    ],
    [
      'an operand of the wrong type is refused, not cancelled',
      ({ update }) => [
        update(1, {
          UpdateExpression: 'SET x = x + :x',
          ExpressionAttributeValues: { ':x': { S: 'x' } },
        }),
      ],
      'Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: +, operand type: S',
    ],
    [
      'a value without a type is refused, not cancelled',
      ({ put }) => [put(1), put(2, { x: {} })],
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    ],
    [
      'an empty partition key is refused, not cancelled',
      ({ put }) => [put(1), put(2, { pk: { S: '' } })],
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    ],
    [
      'an empty sort key of a delete is refused, not cancelled',
      ({ put, remove }) => [put(1), remove('')],
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk',
    ],
    [
      'an empty index key is refused, not cancelled',
      ({ put }) => [put(1), put(2, { g: { S: '' } })],
      /^One or more parameter values are not valid\. A value specified for a secondary index key is not supported\. The AttributeValue for a key attribute cannot contain an empty string value\. IndexName: global-\w+, IndexKey: g$/,
    ],
    [
      'updating an index key to an empty text is refused, not cancelled',
      ({ put, update }) => [
        put(1),
        update(2, {
          UpdateExpression: 'SET g = :g',
          ExpressionAttributeValues: { ':g': { S: '' } },
        }),
      ],
      'One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value.',
    ],
    [
      'a put of one byte more than 400 KB is refused, not cancelled',
      ({ put }) => [put(1), put(2, { f: { S: 'x'.repeat(ITEM_SIZE_MAX_BYTES - 6) } })],
      'Item size has exceeded the maximum allowed size',
    ],
  ]
  for (const [name, make, text] of refusedAtOnce) {
    test(name, async (t) => {
      const TableName = await t.table(INDEXED)
      const TransactItems = make(actionsOn(TableName))
      await t.fails('TransactWriteItems', { TransactItems }, 'ValidationException', text)
      expect(await namesIn(t, TableName)).toEqual([])
    })
  }

  const constraints: [name: string, make: (actions: Actions) => object[], text: string][] = [
    [
      'no action is refused',
      () => [],
      "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
    ],
    [
      'a ConditionCheck without its condition is refused',
      ({ check }) => [check(1, {})],
      "1 validation error detected: Value null at 'transactItems.1.member.conditionCheck.conditionExpression' failed to satisfy constraint: Member must not be null",
    ],
    [
      'an Update without its expression is refused',
      ({ put, update }) => [put(1), update(2, {})],
      "1 validation error detected: Value null at 'transactItems.2.member.update.updateExpression' failed to satisfy constraint: Member must not be null",
    ],
    [
      'an unknown ReturnValuesOnConditionCheckFailure is refused',
      ({ put }) => [put(1, {}, { ReturnValuesOnConditionCheckFailure: 'SOME' })],
      "1 validation error detected: Value 'SOME' at 'transactItems.1.member.put.returnValuesOnConditionCheckFailure' failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, NONE]",
    ],
  ]
  for (const [name, make, text] of constraints) {
    test(name, async (t) => {
      const TableName = await t.table()
      const TransactItems = make(actionsOn(TableName))
      await t.fails('TransactWriteItems', { TransactItems }, 'ValidationException', text)
    })
  }

  test('a table that does not exist is not found, and nothing is written', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'TransactWriteItems',
      { TransactItems: [actionsOn(TableName).put(1), actionsOn('no-such-table').put(1)] },
      'ResourceNotFoundException',
      'Requested resource not found',
    )
    expect(await namesIn(t, TableName)).toEqual([])
  })

  test('a number written in two ways is the same item', async (t) => {
    const TableName = await t.table(NUMBERED)
    await t.fails(
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName, Item: { pk: { N: '1' } } } },
          { Delete: { TableName, Key: { pk: { N: '1.0' } } } },
        ],
      },
      'ValidationException',
      'Transaction request cannot include multiple operations on one item',
    )
  })

  const cancelled: [
    name: string,
    make: (actions: Actions) => object[],
    position: number,
    text: string,
  ][] = [
    [
      'a put with a key of the wrong type is a reason',
      ({ put }) => [put(1), put(2, { sk: { N: '1' } })],
      1,
      'One or more parameter values were invalid: Type mismatch for key sk expected: S actual: N',
    ],
    [
      'a delete with a key of the wrong type is a reason',
      ({ put, remove }) => [put(1), remove(2, { Key: { pk: { S: 'a' }, sk: { N: '1' } } })],
      1,
      'The provided key element does not match the schema',
    ],
    [
      'a key with one attribute too many is a reason',
      ({ put, remove }) => [put(1), remove(2, { Key: { ...key(2), x: { S: 'x' } } })],
      1,
      'The provided key element does not match the schema',
    ],
    [
      'an index key of the wrong type is a reason',
      ({ put }) => [put(1, { g: { N: '1' } }), put(2)],
      0,
      'One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N IndexName: global-keys',
    ],
    [
      'updating an index key to the wrong type is a reason',
      ({ put, update }) => [
        put(1),
        update(2, {
          UpdateExpression: 'SET g = :g',
          ExpressionAttributeValues: { ':g': { N: '1' } },
        }),
      ],
      1,
      'One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N IndexName: global-keys',
    ],
    [
      'updating a key attribute is a reason',
      ({ put, update }) => [
        put(1),
        update(2, {
          UpdateExpression: 'SET sk = :s',
          ExpressionAttributeValues: { ':s': { S: 'x' } },
        }),
      ],
      1,
      'One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key',
    ],
    [
      'reading an attribute that is not there is a reason',
      ({ put, update }) => [put(1), update(2, { UpdateExpression: 'SET x = y' })],
      1,
      'The provided expression refers to an attribute that does not exist in the item',
    ],
    [
      'a path that leads nowhere is a reason',
      ({ put, update }) => [
        put(1),
        update(2, {
          UpdateExpression: 'SET x.y = :y',
          ExpressionAttributeValues: { ':y': { S: 'y' } },
        }),
      ],
      1,
      'The document path provided in the update expression is invalid for update',
    ],
    [
      'an update of one byte more than 400 KB is a reason',
      ({ put, update }) => [
        put(1),
        update(2, {
          UpdateExpression: 'SET f = :f',
          ExpressionAttributeValues: { ':f': { S: 'x'.repeat(ITEM_SIZE_MAX_BYTES - 6) } },
        }),
      ],
      1,
      'Item size to update has exceeded the maximum allowed size',
    ],
    [
      'of two invalid actions the first alone is a reason',
      ({ put, update }) => [
        put(1),
        update(2, { UpdateExpression: 'SET x = y' }),
        update(3, { UpdateExpression: 'SET x = z' }),
      ],
      1,
      'The provided expression refers to an attribute that does not exist in the item',
    ],
    [
      'together with an invalid action a failed condition is not a reason',
      ({ check, update }) => [check(1, MUST_EXIST), update(2, { UpdateExpression: 'SET x = y' })],
      1,
      'The provided expression refers to an attribute that does not exist in the item',
    ],
  ]
  for (const [name, make, position, Message] of cancelled) {
    test(name, async (t) => {
      const TableName = await t.table(INDEXED)
      const TransactItems = make(actionsOn(TableName))
      const error = await t.fails(
        'TransactWriteItems',
        { TransactItems },
        'TransactionCanceledException',
      )
      expect(error.CancellationReasons).toEqual(
        TransactItems.map((_, other) =>
          other === position ? { Code: 'ValidationError', Message } : NONE,
        ),
      )
      expect(await namesIn(t, TableName)).toEqual([])
    })
  }

  test('a failed condition keeps its update from being applied at all', async (t) => {
    const TableName = await t.table()
    const error = await t.fails(
      'TransactWriteItems',
      {
        TransactItems: [
          actionsOn(TableName).update(1, { UpdateExpression: 'SET x = y', ...MUST_EXIST }),
        ],
      },
      'TransactionCanceledException',
    )
    expect(error.CancellationReasons).toEqual([FAILED])
  })

  for (const count of [TRANSACTION_ACTIONS_MAX - 1, TRANSACTION_ACTIONS_MAX]) {
    test(`${count} actions are carried out`, async (t) => {
      const TableName = await t.table()
      const { put } = actionsOn(TableName)
      await t.send('TransactWriteItems', {
        TransactItems: Array.from({ length: count }, (_, position) => put(position)),
      })
      expect((await t.send('Scan', { TableName, Select: 'COUNT' })).Count).toBe(count)
    })
  }

  test('101 actions are refused with all of them in the text', async (t) => {
    const TableName = await t.table()
    const { put } = actionsOn(TableName)
    await t.fails(
      'TransactWriteItems',
      { TransactItems: Array.from({ length: TRANSACTION_ACTIONS_MAX + 1 }, (_, n) => put(n)) },
      'ValidationException',
      /^1 validation error detected: Value '\[.*' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100$/,
    )
  })

  for (const over of [-1, 0, 1]) {
    test(`${TRANSACTION_MAX_BYTES + over} bytes are ${over > 0 ? 'refused' : 'carried out'}`, async (t) => {
      const TableName = await t.table()
      const TransactItems = ofBytes(TableName, TRANSACTION_MAX_BYTES + over)
      if (over <= 0) {
        expect(await t.send('TransactWriteItems', { TransactItems })).toEqual({})
        return
      }
      await t.fails(
        'TransactWriteItems',
        { TransactItems },
        'ValidationException',
        `Transaction payload size cannot exceed 4MB. Payload Size: ${TRANSACTION_MAX_BYTES + over}`,
      )
    })
  }

  test('items of more than 4 MB may be deleted at once', async (t) => {
    const TableName = await t.table()
    const f = { S: 'x'.repeat(400_000) }
    const names = Array.from({ length: 11 }, (_, position) => `n${position}`)
    for (const name of names) await putAll(t, TableName, [{ ...key(name), f }])
    const { remove } = actionsOn(TableName)
    await t.send('TransactWriteItems', { TransactItems: names.map((name) => remove(name)) })
    expect(await namesIn(t, TableName)).toEqual([])
  })

  test('parameters that transactions do not know are ignored', async (t) => {
    const TableName = await t.table(INDEXED)
    const { put } = actionsOn(TableName)
    expect(
      await t.send('TransactWriteItems', {
        TransactItems: [put(1, {}, { IndexName: 'global-keys', ReturnValues: 'ALL_OLD' })],
      }),
    ).toEqual({})
  })
})

conformance('TransactWriteItems tokens', (test) => {
  test('a repeated token answers without writing again', async (t) => {
    const TableName = await t.table()
    const { update } = actionsOn(TableName)
    const request = {
      TransactItems: [
        update(1, {
          UpdateExpression: 'ADD n :one',
          ExpressionAttributeValues: { ':one': { N: '1' } },
        }),
      ],
      ClientRequestToken: `${TableName.slice(-12)}-once`,
    }
    await t.send('TransactWriteItems', request)
    expect(await t.send('TransactWriteItems', request)).toEqual({})
    const { Item } = await t.send('GetItem', { TableName, Key: key(1) })
    expect(Item.n).toEqual({ N: '1' })
  })

  test('without a token a repeated request is carried out again', async (t) => {
    const TableName = await t.table()
    const request = {
      TransactItems: [
        actionsOn(TableName).update(1, {
          UpdateExpression: 'ADD n :one',
          ExpressionAttributeValues: { ':one': { N: '1' } },
        }),
      ],
    }
    await t.send('TransactWriteItems', request)
    await t.send('TransactWriteItems', request)
    const { Item } = await t.send('GetItem', { TableName, Key: key(1) })
    expect(Item.n).toEqual({ N: '2' })
  })

  test('a token with another request is refused', async (t) => {
    const TableName = await t.table()
    const { put } = actionsOn(TableName)
    const ClientRequestToken = `${TableName.slice(-12)}-other`
    await t.send('TransactWriteItems', { TransactItems: [put(1)], ClientRequestToken })
    await t.fails(
      'TransactWriteItems',
      { TransactItems: [put(2)], ClientRequestToken },
      'IdempotentParameterMismatchException',
    )
    expect(await namesIn(t, TableName)).toEqual(['1'])
  })

  test('the order of members and the wish for capacity do not make another request', async (t) => {
    const TableName = await t.table()
    const ClientRequestToken = `${TableName.slice(-12)}-order`
    await t.send('TransactWriteItems', {
      TransactItems: [{ Put: { TableName, Item: { pk: { S: 'a' }, sk: { S: '1' } } } }],
      ClientRequestToken,
    })
    await t.send('TransactWriteItems', {
      ClientRequestToken,
      ReturnConsumedCapacity: 'TOTAL',
      TransactItems: [{ Put: { Item: { sk: { S: '1' }, pk: { S: 'a' } }, TableName } }],
    })
    expect(await namesIn(t, TableName)).toEqual(['1'])
  })

  test('a cancelled transaction does not use its token up', async (t) => {
    const TableName = await t.table()
    const { put } = actionsOn(TableName)
    const request = {
      TransactItems: [put(1, {}, MUST_EXIST)],
      ClientRequestToken: `${TableName.slice(-12)}-again`,
    }
    await t.fails('TransactWriteItems', request, 'TransactionCanceledException')
    await putAll(t, TableName, [key(1)])
    expect(await t.send('TransactWriteItems', request)).toEqual({})
  })

  for (const length of [TOKEN_LENGTH_MAX - 1, TOKEN_LENGTH_MAX]) {
    test(`a token of ${length} characters is accepted`, async (t) => {
      const TableName = await t.table()
      const answer = await t.send('TransactWriteItems', {
        TransactItems: [actionsOn(TableName).put(1)],
        ClientRequestToken: TableName.slice(-12).padEnd(length, 'x'),
      })
      expect(answer).toEqual({})
    })
  }

  test('a token of 37 characters is refused', async (t) => {
    const TableName = await t.table()
    const ClientRequestToken = 'x'.repeat(TOKEN_LENGTH_MAX + 1)
    await t.fails(
      'TransactWriteItems',
      { TransactItems: [actionsOn(TableName).put(1)], ClientRequestToken },
      'ValidationException',
      `1 validation error detected: Value '${ClientRequestToken}' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36`,
    )
  })

  test('an empty token is refused', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'TransactWriteItems',
      { TransactItems: [actionsOn(TableName).put(1)], ClientRequestToken: '' },
      'ValidationException',
      "1 validation error detected: Value '' at 'clientRequestToken' failed to satisfy constraint: Member must have length greater than or equal to 1",
    )
  })
})

conformance('TransactWriteItems capacity', (test) => {
  test('a transaction pays double on the table and single on its indexes', async (t) => {
    const one = await t.table(INDEXED)
    const two = await t.table(HASH_ONLY)
    const answer = await t.send('TransactWriteItems', {
      TransactItems: [
        actionsOn(one).put(1, { l: { N: '1' } }),
        { Put: { TableName: two, Item: { pk: { S: 'x' } } } },
      ],
      ReturnConsumedCapacity: 'INDEXES',
    })
    const units = (count: number) => ({ CapacityUnits: count, WriteCapacityUnits: count })
    expect(answer.ConsumedCapacity).toEqual([
      {
        TableName: one,
        ...units(5),
        Table: units(2),
        LocalSecondaryIndexes: {
          'local-keys': units(1),
          'local-some': units(1),
          'local-all': units(1),
        },
      },
      { TableName: two, ...units(2), Table: units(2) },
    ])
  })

  test('TOTAL reports reads and writes separately', async (t) => {
    const TableName = await t.table()
    const answer = await t.send('TransactWriteItems', {
      TransactItems: [actionsOn(TableName).put(1), actionsOn(TableName).put(2)],
      ReturnConsumedCapacity: 'TOTAL',
    })
    expect(answer.ConsumedCapacity).toEqual([
      { TableName, CapacityUnits: 4, WriteCapacityUnits: 4 },
    ])
  })

  test('a ConditionCheck is paid like a write', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, [key(1)])
    const answer = await t.send('TransactWriteItems', {
      TransactItems: [actionsOn(TableName).check(1, MUST_EXIST)],
      ReturnConsumedCapacity: 'TOTAL',
    })
    expect(answer.ConsumedCapacity[0].CapacityUnits).toBe(2)
  })

  test('a repeated token is paid as reads', async (t) => {
    const TableName = await t.table()
    const request = {
      TransactItems: [actionsOn(TableName).put(1, { f: { S: 'x'.repeat(5000) } })],
      ClientRequestToken: `${TableName.slice(-12)}-paid`,
      ReturnConsumedCapacity: 'TOTAL',
    }
    const first = await t.send('TransactWriteItems', request)
    expect(first.ConsumedCapacity).toEqual([
      { TableName, CapacityUnits: 10, WriteCapacityUnits: 10 },
    ])
    const again = await t.send('TransactWriteItems', request)
    expect(again.ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 4, ReadCapacityUnits: 4 }])
  })

  test('item collection metrics are reported for tables with local indexes', async (t) => {
    const TableName = await t.table(INDEXED)
    const answer = await t.send('TransactWriteItems', {
      TransactItems: [actionsOn(TableName).put(1)],
      ReturnItemCollectionMetrics: 'SIZE',
    })
    expect(answer.ItemCollectionMetrics).toEqual({
      [TableName]: [{ ItemCollectionKey: { pk: { S: 'a' } }, SizeEstimateRangeGB: [0, 1] }],
    })
  })

  test('NONE reports no capacity', async (t) => {
    const TableName = await t.table()
    const answer = await t.send('TransactWriteItems', {
      TransactItems: [actionsOn(TableName).put(1)],
      ReturnConsumedCapacity: 'NONE',
    })
    expect(answer).toEqual({})
  })
})

/** Puts that are exactly this many bytes together. */
function ofBytes(TableName: string, bytes: number): object[] {
  const own = 'pkask'.length + 1 + 1
  const count = 11
  const each = Math.floor(bytes / count)
  return Array.from({ length: count }, (_, position) => {
    const size = position === 0 ? bytes - each * (count - 1) : each
    const sk = String.fromCharCode(97 + position)
    return {
      Put: { TableName, Item: { ...key(sk), f: { S: 'x'.repeat(size - own) } } },
    }
  })
}
