import { conformance } from '../conformance.ts'
import { KEY } from '../item-cases.ts'

const REASON =
  'DynamoDB Local reads JSON more loosely, or refuses it with its own messages or none; the messages are those that clients of AWS have recorded.'

const deep = (levels: number): object => {
  let value: object = { S: 'x' }
  for (let level = 0; level < levels; level++) value = { L: [value] }
  return value
}

conformance('JSON types', (test) => {
  const STRUCTURE = 'Start of structure or map found where not expected'
  const FIELD = 'Unexpected field type'
  const members: Record<string, [operation: string, request: object, message: string]> = {
    'a table name may not be true': [
      'GetItem',
      { TableName: true },
      'TRUE_VALUE cannot be converted to String',
    ],
    'a table name may not be false': [
      'GetItem',
      { TableName: false },
      'FALSE_VALUE cannot be converted to String',
    ],
    'a table name may not be an integer': [
      'GetItem',
      { TableName: 23 },
      'NUMBER_VALUE cannot be converted to String',
    ],
    'a table name may not be a decimal': [
      'GetItem',
      { TableName: 23.5 },
      'DECIMAL_VALUE cannot be converted to String',
    ],
    'a table name may not be a list': [
      'GetItem',
      { TableName: [] },
      'Unrecognized collection type class java.lang.String',
    ],
    'a table name may not be an object': ['GetItem', { TableName: {} }, STRUCTURE],
    'a flag may not be a number': [
      'GetItem',
      { ConsistentRead: 1 },
      'NUMBER_VALUE cannot be converted to Boolean',
    ],
    'a flag may not be any text': [
      'GetItem',
      { ConsistentRead: 'dog' },
      'Unexpected token received from parser',
    ],
    'a flag may not be a list': [
      'GetItem',
      { ConsistentRead: [] },
      'Unrecognized collection type class java.lang.Boolean',
    ],
    'a flag may not be an object': ['GetItem', { ConsistentRead: {} }, STRUCTURE],
    'a limit may not be a string': [
      'Scan',
      { Limit: '1' },
      'STRING_VALUE cannot be converted to Integer',
    ],
    'a limit may not be true': [
      'Scan',
      { Limit: true },
      'TRUE_VALUE cannot be converted to Integer',
    ],
    'a list may not be a string': ['GetItem', { AttributesToGet: 'a' }, FIELD],
    'a list may not be an object': ['GetItem', { AttributesToGet: {} }, STRUCTURE],
    'an element of a list of strings may not be a number': [
      'GetItem',
      { AttributesToGet: [1] },
      'NUMBER_VALUE cannot be converted to String',
    ],
    'a map may not be a string': ['GetItem', { Key: 'a' }, FIELD],
    'a map may not be a number': ['PutItem', { Item: 23 }, FIELD],
    'a map may not be a list': [
      'GetItem',
      { Key: [] },
      'Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>',
    ],
    'a map of strings may not be a list': [
      'GetItem',
      { ExpressionAttributeNames: [] },
      'Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>',
    ],
    'a map of strings may not have a number': [
      'GetItem',
      { ExpressionAttributeNames: { '#a': 1 } },
      'NUMBER_VALUE cannot be converted to String',
    ],
    'a condition may not be a number': [
      'PutItem',
      { ConditionExpression: 1 },
      'NUMBER_VALUE cannot be converted to String',
    ],
  }
  for (const [name, [operation, request, message]] of Object.entries(members)) {
    test.engineOnly(name, REASON, async (t) => {
      await t.fails(operation, { TableName: 'abc', ...request }, 'SerializationException', message)
    })
  }

  const values: Record<string, [value: unknown, message: string]> = {
    'a value may not be a string': ['x', 'Unexpected value type in payload'],
    'a value may not be a number': [1, 'Unexpected value type in payload'],
    'a string may not be a number': [{ S: 1 }, 'NUMBER_VALUE cannot be converted to String'],
    'a string may not be an object': [{ S: {} }, STRUCTURE],
    'a string may not be a list': [
      { S: [] },
      'Unrecognized collection type class java.lang.String',
    ],
    'a number may not be a JSON number': [{ N: 123 }, 'NUMBER_VALUE cannot be converted to String'],
    'a number may not be a JSON decimal': [
      { N: 1.5 },
      'DECIMAL_VALUE cannot be converted to String',
    ],
    'an element of a number set may not be a JSON number': [
      { NS: ['1', 2] },
      'NUMBER_VALUE cannot be converted to String',
    ],
    'a boolean may not be a number': [{ BOOL: 1 }, 'NUMBER_VALUE cannot be converted to Boolean'],
    'a boolean may not be any text': [{ BOOL: 'dog' }, 'Unexpected token received from parser'],
    'a null may not be an object': [{ NULL: {} }, STRUCTURE],
    'a set may not be a string': [{ SS: 'a' }, FIELD],
    'a set may not be an object': [{ SS: {} }, STRUCTURE],
    'a list value may not be a string': [{ L: 'a' }, FIELD],
    'a list value may not be an object': [{ L: {} }, STRUCTURE],
    'an element of a list value may not be a string': [
      { L: ['a'] },
      'Unexpected value type in payload',
    ],
    'a map value may not be a string': [{ M: 'a' }, FIELD],
    'a map value may not be a list': [
      { M: [] },
      'Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>',
    ],
    'a member of a map value may not be a string': [
      { M: { a: 'b' } },
      'Unexpected value type in payload',
    ],
    'a binary may not be a number': [
      { B: 1 },
      'only base-64-encoded strings are convertible to bytes',
    ],
    'a binary may not be true': [
      { B: true },
      'only base-64-encoded strings are convertible to bytes',
    ],
    'a binary must have a multiple of four letters': [
      { B: 'abc' },
      'Base64 encoded length is expected a multiple of 4 bytes but found: 3',
    ],
    'an element of a binary set must have a multiple of four letters': [
      { BS: ['AA==', 'a'] },
      'Base64 encoded length is expected a multiple of 4 bytes but found: 1',
    ],
    'a binary may not have other letters': [{ B: 'A-==' }, 'Invalid Base64 character detected'],
    'a binary may not end in bits that mean nothing': [
      { B: 'AB==' },
      'Invalid last non-pad Base64 character dectected',
    ],
    'a lone surrogate is not a string': [
      { S: '\ud800' },
      'Ill-formed Unicode: the string contains a lone surrogate',
    ],
  }
  for (const [name, [value, message]] of Object.entries(values)) {
    test.engineOnly(name, REASON, async (t) => {
      await t.fails(
        'PutItem',
        { TableName: 'abc', Item: { ...KEY, a: value } },
        'SerializationException',
        message,
      )
    })
  }

  test.engineOnly('JSON types are reported before anything else', REASON, async (t) => {
    await t.fails(
      'PutItem',
      { TableName: '', Item: { a: { S: 1 } }, ReturnValues: 'X' },
      'SerializationException',
      'NUMBER_VALUE cannot be converted to String',
    )
  })

  test.engineOnly('a request may not be a list', REASON, async (t) => {
    await t.fails('PutItem', [], 'SerializationException')
  })

  test.engineOnly('a list of 100000 levels is refused without a crash', REASON, async (t) => {
    await t.fails(
      'PutItem',
      { TableName: 'abc', Item: { ...KEY, a: deep(100_000) } },
      'ValidationException',
      'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
    )
  })

  for (const ConsistentRead of ['true', 'YES', '1', 'false', 'No', '0']) {
    test.engineOnly(`a flag may be the text ${ConsistentRead}`, REASON, async (t) => {
      const TableName = await t.table()
      await t.send('GetItem', { TableName, Key: KEY, ConsistentRead })
    })
  }
})
