import { expect } from 'vitest'
import { type Conformance, conformance } from './conformance.ts'

const INVALID = 'One or more parameter values were invalid: '
const KEY = { pk: { S: 'a' }, sk: { S: '1' } }
const ITEM = {
  ...KEY,
  text: { S: 'hello' },
  number: { N: '5' },
  binary: { B: 'YWJj' },
  flag: { BOOL: true },
  nothing: { NULL: true },
  strings: { SS: ['a', 'b'] },
  numbers: { NS: ['1', '2'] },
  list: { L: [{ S: 'a' }, { N: '1' }] },
  map: { M: { x: { N: '1' } } },
}

type Members = Readonly<Record<string, unknown>>

function comparison(ComparisonOperator: string, ...AttributeValueList: unknown[]): Members {
  return { ComparisonOperator, AttributeValueList }
}

/** Whether an update of the stored item goes through under these members. */
async function holds(t: Conformance, members: Members): Promise<boolean> {
  const TableName = await t.table()
  await t.send('PutItem', { TableName, Item: ITEM })
  const request = { TableName, Key: KEY, ...members }
  try {
    await t.send('UpdateItem', request)
    return true
  } catch (error) {
    expect((error as Error).message).toBe('The conditional request failed')
    return false
  }
}

async function refused(t: Conformance, members: Members, message: string | RegExp): Promise<void> {
  const TableName = await t.table()
  await t.fails('UpdateItem', { TableName, Key: KEY, ...members }, 'ValidationException', message)
}

conformance('Expected', (test) => {
  const outcomes: readonly (readonly [string, Members, boolean])[] = [
    ['a Value that is equal holds', { text: { Value: { S: 'hello' } } }, true],
    ['a Value that is not equal fails', { text: { Value: { S: 'x' } } }, false],
    [
      'Exists true with an equal Value holds',
      { text: { Exists: true, Value: { S: 'hello' } } },
      true,
    ],
    ['Exists false fails for an attribute that is there', { text: { Exists: false } }, false],
    ['Exists false holds for a missing attribute', { other: { Exists: false } }, true],
    [
      'an operator may take its one value from Value',
      { text: { ComparisonOperator: 'BEGINS_WITH', Value: { S: 'he' } } },
      true,
    ],
    [
      'IN may take its one value from Value',
      { text: { ComparisonOperator: 'IN', Value: { S: 'hello' } } },
      true,
    ],
    [
      'NULL without a list holds for a missing attribute',
      { other: { ComparisonOperator: 'NULL' } },
      true,
    ],
    ['NULL with an empty list holds for a missing attribute', { other: comparison('NULL') }, true],
    ['NULL fails for an attribute that is there', { text: { ComparisonOperator: 'NULL' } }, false],
    [
      'NULL fails for an attribute that holds a null',
      { nothing: { ComparisonOperator: 'NULL' } },
      false,
    ],
    [
      'NOT_NULL holds for an attribute that is there',
      { text: { ComparisonOperator: 'NOT_NULL' } },
      true,
    ],
    [
      'NOT_NULL fails for a missing attribute',
      { other: { ComparisonOperator: 'NOT_NULL' } },
      false,
    ],
    ['EQ compares sets in any order', { strings: comparison('EQ', { SS: ['b', 'a'] }) }, true],
    ['EQ fails for a part of a set', { strings: comparison('EQ', { SS: ['a'] }) }, false],
    ['EQ compares lists', { list: comparison('EQ', { L: [{ S: 'a' }, { N: '1.0' }] }) }, true],
    ['EQ compares maps', { map: comparison('EQ', { M: { x: { N: '1' } } }) }, true],
    ['EQ fails for another type', { number: comparison('EQ', { S: '5' }) }, false],
    ['EQ fails for a missing attribute', { other: comparison('EQ', { S: 'a' }) }, false],
    [
      'EQ finds numbers equal however they are written',
      { number: comparison('EQ', { N: '5.00' }) },
      true,
    ],
    ['NE holds for a missing attribute', { other: comparison('NE', { S: 'a' }) }, true],
    ['NE holds for another type', { text: comparison('NE', { N: '1' }) }, true],
    ['NE fails for an equal value', { text: comparison('NE', { S: 'hello' }) }, false],
    ['LT orders numbers', { number: comparison('LT', { N: '10' }) }, true],
    ['LE holds for the value itself', { number: comparison('LE', { N: '5' }) }, true],
    ['GT fails for the value itself', { number: comparison('GT', { N: '5' }) }, false],
    ['GE holds for the value itself', { number: comparison('GE', { N: '5' }) }, true],
    ['LT fails for another type', { text: comparison('LT', { N: '1' }) }, false],
    ['LT fails for a missing attribute', { other: comparison('LT', { N: '1' }) }, false],
    [
      'BETWEEN includes its bounds',
      { number: comparison('BETWEEN', { N: '5' }, { N: '5' }) },
      true,
    ],
    [
      'BETWEEN fails outside its bounds',
      { number: comparison('BETWEEN', { N: '6' }, { N: '7' }) },
      false,
    ],
    [
      'BETWEEN fails for another type',
      { number: comparison('BETWEEN', { S: '1' }, { S: '9' }) },
      false,
    ],
    ['BEGINS_WITH compares bytes', { binary: comparison('BEGINS_WITH', { B: 'YWI=' }) }, true],
    ['BEGINS_WITH holds for an empty prefix', { text: comparison('BEGINS_WITH', { S: '' }) }, true],
    ['BEGINS_WITH fails for a set', { strings: comparison('BEGINS_WITH', { S: 'a' }) }, false],
    ['IN holds if one value is equal', { number: comparison('IN', { N: '4' }, { N: '5' }) }, true],
    ['IN fails if no value is equal', { number: comparison('IN', { N: '4' }, { N: '6' }) }, false],
    ['IN fails for a missing attribute', { other: comparison('IN', { N: '4' }) }, false],
    [
      'IN takes more than a hundred values',
      { number: comparison('IN', ...Array.from({ length: 101 }, (_, n) => ({ N: String(n) }))) },
      true,
    ],
    ['CONTAINS finds a part of a string', { text: comparison('CONTAINS', { S: 'ell' }) }, true],
    ['CONTAINS finds a part of a binary', { binary: comparison('CONTAINS', { B: 'Yg==' }) }, true],
    ['CONTAINS finds an element of a set', { numbers: comparison('CONTAINS', { N: '2.0' }) }, true],
    ['CONTAINS finds an element of a list', { list: comparison('CONTAINS', { N: '1' }) }, true],
    ['CONTAINS fails for a number', { number: comparison('CONTAINS', { N: '5' }) }, false],
    [
      'NOT_CONTAINS fails for a missing attribute',
      { other: comparison('NOT_CONTAINS', { S: 'a' }) },
      false,
    ],
    [
      'NOT_CONTAINS fails if the part is there',
      { text: comparison('NOT_CONTAINS', { S: 'ell' }) },
      false,
    ],
    [
      'NOT_CONTAINS holds if the part is not there',
      { text: comparison('NOT_CONTAINS', { S: 'x' }) },
      true,
    ],
    [
      'NOT_CONTAINS holds for a value of another type',
      { text: comparison('NOT_CONTAINS', { N: '1' }) },
      true,
    ],
    [
      'NOT_CONTAINS holds for an attribute that can contain nothing',
      { flag: comparison('NOT_CONTAINS', { N: '1' }) },
      true,
    ],
    [
      'NOT_CONTAINS fails if the element is in the list',
      { list: comparison('NOT_CONTAINS', { N: '1' }) },
      false,
    ],
    ['a name with a dot is one name', { 'map.x': comparison('EQ', { N: '1' }) }, false],
    ['a key attribute may be compared', { pk: comparison('EQ', { S: 'a' }) }, true],
    [
      'all of several must hold',
      { text: comparison('EQ', { S: 'x' }), number: comparison('EQ', { N: '5' }) },
      false,
    ],
    ['an empty map asks for nothing', {}, true],
  ]
  for (const [name, Expected, outcome] of outcomes) {
    test(name, async (t) => {
      expect(await holds(t, { Expected })).toBe(outcome)
    })
  }

  const two = { text: comparison('EQ', { S: 'x' }), number: comparison('EQ', { N: '5' }) }
  test('one of several suffices with OR', async (t) => {
    expect(await holds(t, { Expected: two, ConditionalOperator: 'OR' })).toBe(true)
  })
  test('all of several must hold with AND', async (t) => {
    expect(await holds(t, { Expected: two, ConditionalOperator: 'AND' })).toBe(false)
  })

  const refusals: readonly (readonly [string, Members, string | RegExp])[] = [
    [
      'an empty expectation is refused',
      { a: {} },
      `${INVALID}Value must be provided when Exists is null for Attribute: a`,
    ],
    [
      'Exists true without Value is refused',
      { a: { Exists: true } },
      `${INVALID}Value must be provided when Exists is true for Attribute: a`,
    ],
    [
      'Exists false with Value is refused',
      { a: { Exists: false, Value: { S: 'x' } } },
      `${INVALID}Value cannot be used when Exists is false for Attribute: a`,
    ],
    [
      'Exists with an operator is refused',
      { a: { Exists: true, ComparisonOperator: 'EQ', Value: { S: 'x' } } },
      `${INVALID}Exists and ComparisonOperator cannot be used together for Attribute: a`,
    ],
    [
      'Exists with an operator is refused before Value with a list',
      {
        a: {
          Exists: true,
          ComparisonOperator: 'EQ',
          Value: { S: 'x' },
          AttributeValueList: [{ S: 'x' }],
        },
      },
      `${INVALID}Exists and ComparisonOperator cannot be used together for Attribute: a`,
    ],
    [
      'Value with a list is refused',
      { a: { Value: { S: 'x' }, AttributeValueList: [{ S: 'x' }] } },
      `${INVALID}Value and AttributeValueList cannot be used together for Attribute: a`,
    ],
    [
      'a list without an operator is refused',
      { a: { AttributeValueList: [] } },
      `${INVALID}AttributeValueList can only be used with a ComparisonOperator for Attribute: a`,
    ],
    [
      'a list without an operator is refused whatever Exists says',
      { a: { AttributeValueList: [{ S: 'x' }], Exists: false } },
      `${INVALID}AttributeValueList can only be used with a ComparisonOperator for Attribute: a`,
    ],
    [
      'an operator without values is refused',
      { a: { ComparisonOperator: 'BETWEEN' } },
      `${INVALID}Value or AttributeValueList must be used with ComparisonOperator: BETWEEN for Attribute: a`,
    ],
    [
      'BETWEEN with one Value is refused',
      { a: { ComparisonOperator: 'BETWEEN', Value: { S: 'x' } } },
      `${INVALID}Invalid number of argument(s) for the BETWEEN ComparisonOperator`,
    ],
    [
      'NULL with a Value is refused',
      { a: { ComparisonOperator: 'NULL', Value: { S: 'x' } } },
      `${INVALID}Invalid number of argument(s) for the NULL ComparisonOperator`,
    ],
    [
      'NOT_NULL with a value is refused',
      { a: comparison('NOT_NULL', { S: 'x' }) },
      `${INVALID}Invalid number of argument(s) for the NOT_NULL ComparisonOperator`,
    ],
    [
      'IN with an empty list is refused',
      { a: comparison('IN') },
      `${INVALID}Invalid number of argument(s) for the IN ComparisonOperator`,
    ],
    [
      'EQ with two values is refused',
      { a: comparison('EQ', { S: 'x' }, { S: 'y' }) },
      `${INVALID}Invalid number of argument(s) for the EQ ComparisonOperator`,
    ],
    [
      'BETWEEN with three values is refused',
      { a: comparison('BETWEEN', { S: 'x' }, { S: 'y' }, { S: 'z' }) },
      `${INVALID}Invalid number of argument(s) for the BETWEEN ComparisonOperator`,
    ],
    [
      'an order of sets is refused',
      { a: comparison('LT', { SS: ['x'] }) },
      `${INVALID}ComparisonOperator LT is not valid for SS AttributeValue type`,
    ],
    [
      'an order of flags is refused',
      { a: comparison('GE', { BOOL: true }) },
      `${INVALID}ComparisonOperator GE is not valid for BOOL AttributeValue type`,
    ],
    [
      'a search for a set is refused',
      { a: comparison('CONTAINS', { NS: ['1'] }) },
      `${INVALID}ComparisonOperator CONTAINS is not valid for NS AttributeValue type`,
    ],
    [
      'a search for a map is refused',
      { a: comparison('NOT_CONTAINS', { M: {} }) },
      `${INVALID}ComparisonOperator NOT_CONTAINS is not valid for M AttributeValue type`,
    ],
    [
      'a numeric prefix is refused',
      { a: comparison('BEGINS_WITH', { N: '1' }) },
      `${INVALID}ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type`,
    ],
    [
      'IN of lists is refused',
      { a: comparison('IN', { L: [] }) },
      `${INVALID}ComparisonOperator IN is not valid for L AttributeValue type`,
    ],
    [
      'IN names a type it does not take before it compares types',
      { a: comparison('IN', { N: '1' }, { SS: ['x'] }) },
      `${INVALID}ComparisonOperator IN is not valid for SS AttributeValue type`,
    ],
    [
      'IN reports the first value that is wrong in any way',
      { a: comparison('IN', { N: '1' }, { S: 'x' }, { SS: ['x'] }) },
      `${INVALID}AttributeValues inside AttributeValueList must be of same type`,
    ],
    [
      'IN of several types is refused',
      { a: comparison('IN', { N: '1' }, { S: 'x' }) },
      `${INVALID}AttributeValues inside AttributeValueList must be of same type`,
    ],
    [
      'BETWEEN of two types is refused',
      { a: comparison('BETWEEN', { N: '1' }, { S: 'x' }) },
      `${INVALID}AttributeValues inside AttributeValueList must be of same type`,
    ],
    [
      'BETWEEN with its bounds reversed is refused',
      {
        a: comparison('BETWEEN', { N: '9' }, { N: '10' }),
        b: comparison('BETWEEN', { N: '10' }, { N: '9' }),
      },
      'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
    ],
    [
      'a Value without a type is refused',
      { a: { Value: {} } },
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    ],
    [
      'a listed value of two types is refused',
      { a: comparison('EQ', { S: 'x', N: '1' }) },
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    ],
    [
      'an empty set is refused',
      { a: { Value: { SS: [] } } },
      `${INVALID}An string set  may not be empty`,
    ],
    [
      'values are refused before their number',
      { a: comparison('EQ', {}, {}) },
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    ],
    [
      'the first attribute that is wrong is named',
      { b: {}, a: { Value: {} } },
      `${INVALID}Value must be provided when Exists is null for Attribute: b`,
    ],
    [
      'an empty attribute name is refused',
      { '': comparison('EQ', { S: 'x' }) },
      /Empty attribute name$/,
    ],
  ]
  for (const [name, Expected, message] of refusals) {
    test(name, (t) => refused(t, { Expected }, message))
  }

  test('an operator that does not exist is refused', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'PutItem',
      { TableName, Item: KEY, Expected: { a: comparison('FOO', { S: 'x' }) } },
      'ValidationException',
      "1 validation error detected: Value 'FOO' at 'expected.a.member.comparisonOperator' failed to satisfy constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]",
    )
  })

  for (const [operation, members] of [
    ['PutItem', { Item: KEY }],
    ['UpdateItem', { Key: KEY }],
    ['DeleteItem', { Key: KEY }],
  ] as const) {
    const request = async (t: Conformance, more: Members) => ({
      TableName: await t.table(),
      ...members,
      ...more,
    })
    test(`${operation} with a failing expectation changes nothing`, async (t) => {
      const TableName = await t.table()
      await t.send('PutItem', { TableName, Item: ITEM })
      await t.fails(
        operation,
        { TableName, ...members, Expected: { text: { Value: { S: 'x' } } } },
        'ConditionalCheckFailedException',
        'The conditional request failed',
      )
      const { Item } = await t.send('GetItem', { TableName, Key: KEY })
      expect(Item).toEqual(ITEM)
    })
    test(`${operation} refuses a ConditionalOperator without Expected`, async (t) => {
      await t.fails(
        operation,
        await request(t, { ConditionalOperator: 'AND' }),
        'ValidationException',
        'ConditionalOperator cannot be used without Filter or Expected',
      )
    })
    test(`${operation} refuses a ConditionalOperator for an empty Expected`, async (t) => {
      await t.fails(
        operation,
        await request(t, { ConditionalOperator: 'OR', Expected: {} }),
        'ValidationException',
        'ConditionalOperator cannot be used without Filter or Expected',
      )
    })
    test(`${operation} refuses a ConditionalOperator for one expectation`, async (t) => {
      await t.fails(
        operation,
        await request(t, {
          ConditionalOperator: 'AND',
          Expected: { text: { Value: { S: 'x' } } },
        }),
        'ValidationException',
        'ConditionalOperator can only be used when Filter or Expected has two or more elements',
      )
    })
    test(`${operation} looks at the expectations before the ConditionalOperator`, async (t) => {
      await t.fails(
        operation,
        await request(t, { ConditionalOperator: 'AND', Expected: { a: {} } }),
        'ValidationException',
        `${INVALID}Value must be provided when Exists is null for Attribute: a`,
      )
    })
    test(`${operation} refuses Expected together with a ConditionExpression`, async (t) => {
      await t.fails(
        operation,
        await request(t, {
          ConditionExpression: 'attribute_exists(pk)',
          ConditionalOperator: 'AND',
          Expected: { text: { Value: { S: 'x' } } },
        }),
        'ValidationException',
        'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected, ConditionalOperator} Expression parameters: {ConditionExpression}',
      )
    })
    test(`${operation} takes an empty Expected together with a ConditionExpression`, async (t) => {
      await t.send(
        operation,
        await request(t, { ConditionExpression: 'attribute_not_exists(pk)', Expected: {} }),
      )
    })
  }

  test('refused parameters of both languages come before what is wrong inside them', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'PutItem',
      { TableName, Item: KEY, Expected: { a: {} }, ConditionExpression: 'nonsense' },
      'ValidationException',
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}',
    )
  })

  test('the old item comes with the error if it is asked for', async (t) => {
    const TableName = await t.table()
    await t.send('PutItem', { TableName, Item: ITEM })
    const error = await t.fails(
      'DeleteItem',
      {
        TableName,
        Key: KEY,
        Expected: { text: { Exists: false } },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
      'ConditionalCheckFailedException',
    )
    expect(error.Item).toEqual(ITEM)
  })
})
