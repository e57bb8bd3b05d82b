import { expect } from 'vitest'
import { conformance } from '../conformance.ts'
import { refuses } from '../item-cases.ts'
import { putAll, sortedBy, sortKeys } from '../read-tables.ts'

const P = { ':p': { S: 'a' } }
const PS = { ...P, ':s': { S: '1' } }
const PST = { ...PS, ':t': { S: '2' } }

const EMPTY = (key: string, type = 'string') =>
  `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${type} value. Key: ${key}`
const TYPE =
  'One or more parameter values were invalid: Condition parameter type does not match schema type'
const PARTITION_KEY_MAX_BYTES = 2048
const SORT_KEY_MAX_BYTES = 1024

function asked(KeyConditionExpression: string, ExpressionAttributeValues: object | undefined) {
  return ExpressionAttributeValues === undefined
    ? { KeyConditionExpression }
    : { KeyConditionExpression, ExpressionAttributeValues }
}

conformance('Query key conditions', (test) => {
  const refused: [name: string, expression: string, values: object | undefined, text: string][] = []
  for (const [operator, expression] of [
    ['OR', 'pk = :p OR sk = :s'],
    ['OR', 'pk = :p AND (sk = :s OR sk = :p)'],
    ['NOT', 'pk = :p AND NOT sk = :s'],
    ['<>', 'pk = :p AND sk <> :s'],
    ['<>', 'pk <> :p AND sk = :s'],
    ['IN', 'pk = :p AND sk IN (:s)'],
    ['IN', 'pk IN (:p, :s)'],
    ['contains', 'pk = :p AND contains(sk, :s)'],
  ] as const) {
    refused.push([
      `${expression} is refused for its ${operator}`,
      expression,
      PS,
      `Invalid operator used in KeyConditionExpression: ${operator}`,
    ])
  }
  for (const name of ['attribute_exists', 'attribute_not_exists']) {
    refused.push([
      `${name} is refused`,
      `pk = :p AND ${name}(sk)`,
      P,
      `Invalid operator used in KeyConditionExpression: ${name}`,
    ])
  }
  refused.push(
    [
      'attribute_type is refused',
      'pk = :p AND attribute_type(sk, :s)',
      { ...P, ':s': { S: 'S' } },
      'Invalid operator used in KeyConditionExpression: attribute_type',
    ],
    [
      'size of the sort key is refused',
      'pk = :p AND size(sk) = :n',
      { ...P, ':n': { N: '1' } },
      'KeyConditionExpressions cannot contain nested operations',
    ],
    [
      'size of the partition key is refused',
      'size(pk) = :p',
      P,
      'KeyConditionExpressions cannot contain nested operations',
    ],
    [
      'two conditions on the sort key are refused',
      'pk = :p AND sk > :s AND sk < :t',
      PST,
      'KeyConditionExpressions must only contain one condition per key',
    ],
    [
      'two conditions on the partition key are refused',
      'pk = :p AND pk = :s',
      PS,
      'KeyConditionExpressions must only contain one condition per key',
    ],
    [
      'a comparison of two attributes is refused',
      'pk = sk',
      undefined,
      'Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition',
    ],
    [
      'an attribute as a bound of BETWEEN is refused',
      'pk = :p AND sk BETWEEN :s AND pk',
      PS,
      'Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition',
    ],
    [
      'a comparison of two values is refused',
      'pk = :p AND :s = :t',
      PST,
      'Invalid condition in KeyConditionExpression: No key attribute specified',
    ],
    [
      'BETWEEN with a value before it is refused',
      'pk = :p AND :s BETWEEN sk AND :t',
      PST,
      'Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand',
    ],
    [
      'BETWEEN of values alone is refused',
      'pk = :p AND :s BETWEEN :s AND :t',
      PST,
      'Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand',
    ],
    [
      'begins_with of a value is refused',
      'pk = :p AND begins_with(:s, sk)',
      PS,
      'Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand',
    ],
    [
      'begins_with of values alone is refused',
      'pk = :p AND begins_with(:s, :t)',
      PST,
      'Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand',
    ],
    [
      'a map member of the partition key is refused',
      'pk.x = :p',
      P,
      'Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes',
    ],
    [
      'a list element of the sort key is refused',
      'pk = :p AND sk[0] = :s',
      PS,
      'Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes',
    ],
    [
      'three conditions are refused',
      'pk = :p AND sk = :s AND x = :t',
      PST,
      'Conditions can be of length 1 or 2 only',
    ],
    [
      'a condition without the partition key is refused',
      'sk = :s',
      { ':s': { S: '1' } },
      'Query condition missed key schema element: pk',
    ],
    [
      'a condition on another attribute together with the partition key is refused',
      'pk = :p AND x = :s',
      PS,
      'Query condition missed key schema element: sk',
    ],
    ['an open partition key is refused', 'pk > :p', P, 'Query key condition not supported'],
    [
      'begins_with on the partition key is refused',
      'begins_with(pk, :p)',
      P,
      'Query key condition not supported',
    ],
    [
      'BETWEEN on the partition key is refused',
      'pk BETWEEN :s AND :t',
      { ':s': { S: '1' }, ':t': { S: '2' } },
      'Query key condition not supported',
    ],
    ['a number for a string partition key is refused', 'pk = :p', { ':p': { N: '1' } }, TYPE],
    ['a boolean for a partition key is refused', 'pk = :p', { ':p': { BOOL: true } }, TYPE],
    [
      'a number for a string sort key is refused',
      'pk = :p AND sk = :s',
      { ...P, ':s': { N: '1' } },
      TYPE,
    ],
    [
      'numbers as bounds for a string sort key are refused',
      'pk = :p AND sk BETWEEN :s AND :t',
      { ...P, ':s': { N: '1' }, ':t': { N: '2' } },
      TYPE,
    ],
    [
      'begins_with bytes on a string sort key is refused',
      'pk = :p AND begins_with(sk, :s)',
      { ...P, ':s': { B: 'AAAA' } },
      TYPE,
    ],
    [
      'bounds of two types are refused',
      'pk = :p AND sk BETWEEN :s AND :t',
      { ...P, ':s': { S: '1' }, ':t': { N: '2' } },
      'Invalid KeyConditionExpression: The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {S:1}, upper bound operand: AttributeValue: {N:2}',
    ],
    [
      'bounds in the wrong order are refused',
      'pk = :p AND sk BETWEEN :t AND :s',
      PST,
      'Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:2}, upper bound operand: AttributeValue: {S:1}',
    ],
    [
      'begins_with a number is refused',
      'pk = :p AND begins_with(sk, :s)',
      { ...P, ':s': { N: '1' } },
      'Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
    ],
    [
      'an order of booleans is refused',
      'pk = :p AND sk > :s',
      { ...P, ':s': { BOOL: true } },
      'Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: >, operand type: BOOL',
    ],
    ['an empty partition key is refused', 'pk = :p', { ':p': { S: '' } }, EMPTY('pk')],
    ['an empty sort key is refused', 'pk = :p AND sk = :s', { ...P, ':s': { S: '' } }, EMPTY('sk')],
    [
      'an empty lower bound is refused',
      'pk = :p AND sk BETWEEN :s AND :t',
      { ...P, ':s': { S: '' }, ':t': { S: 'x' } },
      EMPTY('sk'),
    ],
    [
      'an empty prefix is refused',
      'pk = :p AND begins_with(sk, :s)',
      { ...P, ':s': { S: '' } },
      EMPTY('sk'),
    ],
    [
      'a partition key of 2049 bytes is refused',
      'pk = :p',
      { ':p': { S: 'x'.repeat(PARTITION_KEY_MAX_BYTES + 1) } },
      'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes',
    ],
    [
      'a sort key of 1025 bytes is refused',
      'pk = :p AND sk = :s',
      { ...P, ':s': { S: 'x'.repeat(SORT_KEY_MAX_BYTES + 1) } },
      'One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
    ],
    [
      'a prefix of 1025 bytes is refused',
      'pk = :p AND begins_with(sk, :s)',
      { ...P, ':s': { S: 'x'.repeat(SORT_KEY_MAX_BYTES + 1) } },
      'One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
    ],
    [
      'two pairs of parentheses are refused',
      '((pk = :p))',
      P,
      'Invalid KeyConditionExpression: The expression has redundant parentheses;',
    ],
    [
      'an empty expression is refused',
      '',
      P,
      'Invalid KeyConditionExpression: The expression can not be empty;',
    ],
    [
      'an unfinished expression is refused',
      'pk = :p AND',
      P,
      'Invalid KeyConditionExpression: Syntax error; token: "<EOF>", near: "AND"',
    ],
    [
      'a reserved word as a name is refused',
      'hash = :p',
      P,
      'Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: hash',
    ],
    [
      'an undefined value is refused',
      'pk = :p AND sk = :zz',
      P,
      'Invalid KeyConditionExpression: An expression attribute value used in expression is not defined; attribute value: :zz',
    ],
    [
      'an undefined name is refused',
      '#p = :p',
      P,
      'Invalid KeyConditionExpression: An expression attribute name used in the document path is not defined; attribute name: #p',
    ],
    [
      'a value that is not used is refused',
      'pk = :p',
      PS,
      'Value provided in ExpressionAttributeValues unused in expressions: keys: {:s}',
    ],
    [
      'an unknown function is refused',
      'pk = :p AND foo(sk)',
      P,
      'Invalid KeyConditionExpression: Invalid function name; function: foo',
    ],
  )
  refuses(
    test,
    'Query',
    refused.map(([name, expression, values, message]) => ({
      name,
      request: asked(expression, values),
      message,
    })),
  )
  refuses(test, 'Query', [
    {
      name: 'a Query without a key condition is refused',
      request: {},
      message:
        'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    },
    {
      name: 'a name that is not used is refused',
      request: { ...asked('pk = :p', P), ExpressionAttributeNames: { '#x': 'x' } },
      message: 'Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}',
    },
    {
      name: 'KeyConditions together with the expression are refused',
      request: {
        ...asked('pk = :p', P),
        KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'a' }] } },
      },
      message:
        'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {KeyConditions} Expression parameters: {KeyConditionExpression}',
    },
  ])
  refuses(
    test,
    'Query',
    [
      {
        name: 'begins_with on a number sort key is refused',
        request: asked('pk = :p AND begins_with(sk, :s)', PS),
        message: TYPE,
      },
    ],
    sortedBy('N'),
  )
  refuses(
    test,
    'Query',
    [
      {
        name: 'empty bytes for a sort key are refused',
        request: asked('pk = :p AND sk = :s', { ...P, ':s': { B: '' } }),
        message: EMPTY('sk', 'binary'),
      },
    ],
    sortedBy('B'),
  )

  const letters = ['a', 'b', 'ba', 'bb', 'c', 'd']
  for (const [expression, values, found] of [
    ['pk = :p', {}, letters],
    ['pk = :p AND sk = :s', { ':s': { S: 'b' } }, ['b']],
    ['sk = :s AND pk = :p', { ':s': { S: 'b' } }, ['b']],
    ['pk = :p AND sk < :s', { ':s': { S: 'b' } }, ['a']],
    ['pk = :p AND sk <= :s', { ':s': { S: 'b' } }, ['a', 'b']],
    ['pk = :p AND sk > :s', { ':s': { S: 'bb' } }, ['c', 'd']],
    ['pk = :p AND sk >= :s', { ':s': { S: 'bb' } }, ['bb', 'c', 'd']],
    [':p = pk AND :s < sk', { ':s': { S: 'bb' } }, ['c', 'd']],
    [':p = pk AND :s >= sk', { ':s': { S: 'b' } }, ['a', 'b']],
    [
      'pk = :p AND sk BETWEEN :s AND :t',
      { ':s': { S: 'b' }, ':t': { S: 'c' } },
      ['b', 'ba', 'bb', 'c'],
    ],
    ['pk = :p AND sk BETWEEN :s AND :s', { ':s': { S: 'ba' } }, ['ba']],
    ['pk = :p AND begins_with(sk, :s)', { ':s': { S: 'b' } }, ['b', 'ba', 'bb']],
    ['(pk = :p) AND (begins_with(sk, :s))', { ':s': { S: 'bb' } }, ['bb']],
    ['(pk = :p AND sk > :s)', { ':s': { S: 'c' } }, ['d']],
    ['pk = :p AND sk > :s', { ':s': { S: 'x' } }, []],
  ] as const) {
    test(`${expression} with ${JSON.stringify(values)} finds ${found.join(', ') || 'nothing'}`, async (t) => {
      const TableName = await t.table()
      await putAll(t, TableName, [
        ...letters.map((letter) => ({ pk: { S: 'a' }, sk: { S: letter } })),
        { pk: { S: 'b' }, sk: { S: 'b' } },
        { pk: { S: 'aa' }, sk: { S: 'b' } },
      ])
      const answer = await t.send('Query', {
        TableName,
        ...asked(expression, { ...P, ...values }),
      })
      expect(sortKeys(answer.Items)).toEqual(found)
      expect(answer.Count).toBe(found.length)
    })
  }

  test('names stand for keys that are reserved words', async (t) => {
    const TableName = await t.table({
      AttributeDefinitions: [
        { AttributeName: 'hash', AttributeType: 'S' },
        { AttributeName: 'a.b', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'hash', KeyType: 'HASH' },
        { AttributeName: 'a.b', KeyType: 'RANGE' },
      ],
    })
    const Item = { hash: { S: 'a' }, 'a.b': { S: '1' } }
    await t.send('PutItem', { TableName, Item })
    const answer = await t.send('Query', {
      TableName,
      KeyConditionExpression: '#h = :p AND #r = :s',
      ExpressionAttributeNames: { '#h': 'hash', '#r': 'a.b' },
      ExpressionAttributeValues: PS,
    })
    expect(answer.Items).toEqual([Item])
  })

  test('keys of exactly the largest sizes are found', async (t) => {
    const TableName = await t.table()
    const Item = {
      pk: { S: 'p'.repeat(PARTITION_KEY_MAX_BYTES) },
      sk: { S: 's'.repeat(SORT_KEY_MAX_BYTES) },
    }
    await t.send('PutItem', { TableName, Item })
    const answer = await t.send('Query', {
      TableName,
      ...asked('pk = :p AND sk = :s', { ':p': Item.pk, ':s': Item.sk }),
    })
    expect(answer.Items).toEqual([Item])
  })

  test('number keys are found by any way of writing the number', async (t) => {
    const TableName = await t.table(sortedBy('N'))
    await t.send('PutItem', { TableName, Item: { pk: { S: 'a' }, sk: { N: '100' } } })
    for (const N of ['1e2', '100.0', '+100', '0100']) {
      const answer = await t.send('Query', {
        TableName,
        ...asked('pk = :p AND sk = :s', { ...P, ':s': { N } }),
      })
      expect(answer.Items).toEqual([{ pk: { S: 'a' }, sk: { N: '100' } }])
    }
  })
})
