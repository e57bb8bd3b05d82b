import { type Answer, answers, CORAL, VALIDATION, type WireCase } from '../wire-case.ts'

const refused = (message: string | null): Answer => ({
  status: 400,
  type: `${CORAL}SerializationException`,
  message,
})

/** A JSON text in the place of a member: its name, the text, and the message where another type is
 * expected. */
type Given = readonly [name: string, json: string, message: string]

const structure = 'Start of structure or map found where not expected'
const forText: readonly Given[] = [
  ['true', 'true', 'TRUE_VALUE cannot be converted to String'],
  ['false', 'false', 'FALSE_VALUE cannot be converted to String'],
  ['an integer', '1', 'NUMBER_VALUE cannot be converted to String'],
  ['a decimal', '1.5', 'DECIMAL_VALUE cannot be converted to String'],
  ['a list', '[]', 'Unrecognized collection type class java.lang.String'],
  ['an object', '{}', structure],
]
const forNumber = (type: string): readonly Given[] => [
  ['a string', '"5"', `STRING_VALUE cannot be converted to ${type}`],
  ['true', 'true', `TRUE_VALUE cannot be converted to ${type}`],
  ['false', 'false', `FALSE_VALUE cannot be converted to ${type}`],
  ['a list', '[1]', `Unrecognized collection type class java.lang.${type}`],
  ['an object', '{}', structure],
]
const forBoolean: readonly Given[] = [
  ['an integer', '1', 'NUMBER_VALUE cannot be converted to Boolean'],
  ['a decimal', '0.5', 'DECIMAL_VALUE cannot be converted to Boolean'],
  ['a word', '"maybe"', 'Unexpected token received from parser'],
  ['an empty string', '""', 'Unexpected token received from parser'],
  ['a list', '[true]', 'Unrecognized collection type class java.lang.Boolean'],
  ['an object', '{}', structure],
]
const forList: readonly Given[] = [
  ['a string', '"a"', 'Unexpected field type'],
  ['a number', '1', 'Unexpected field type'],
  ['true', 'true', 'Unexpected field type'],
  ['an object', '{}', structure],
]
const forMap = (type: string): readonly Given[] => [
  ['a string', '"a"', 'Unexpected field type'],
  ['a number', '1', 'Unexpected field type'],
  ['false', 'false', 'Unexpected field type'],
  ['a list', '[]', `Unrecognized collection type java.util.Map<java.lang.String, ${type}>`],
]
const ATTRIBUTE_VALUE = 'com.amazonaws.dynamodb.v20120810.AttributeValue'

/** Cases of each JSON text in the place of one member. */
function member(
  operation: string,
  name: string,
  given: readonly Given[],
  id?: string,
): readonly WireCase[] {
  return given.map(([what, json, message]) =>
    answers(
      `${operation}: ${name} can't be ${what}`,
      { target: operation, body: `{"${name}":${json}}` },
      refused(message),
      id,
    ),
  )
}

const members: readonly WireCase[] = [
  ...member('GetItem', 'TableName', forText, 'J1'),
  ...member('PutItem', 'TableName', forText, 'J2'),
  ...member('DescribeTable', 'TableName', forText, 'J3'),
  ...member('Query', 'KeyConditionExpression', forText),
  ...member('UpdateItem', 'UpdateExpression', forText),
  ...member('PutItem', 'ReturnValues', forText),
  ...member('ExecuteStatement', 'Statement', forText),
  ...member('DynamoDBStreams_20120810.DescribeStream', 'StreamArn', forText),
  ...member('DynamoDBStreams_20120810.GetRecords', 'ShardIterator', forText),
  ...member('Query', 'Limit', forNumber('Integer'), 'J5'),
  ...member('Scan', 'Segment', forNumber('Integer')),
  ...member('ListTables', 'Limit', forNumber('Integer')),
  ...member('GetItem', 'ConsistentRead', forBoolean, 'J7'),
  ...member('Query', 'ScanIndexForward', forBoolean),
  ...member('CreateTable', 'DeletionProtectionEnabled', forBoolean),
  ...member('CreateTable', 'KeySchema', forList),
  ...member('TransactWriteItems', 'TransactItems', forList),
  ...member('Query', 'AttributesToGet', forList),
  ...member('GetItem', 'Key', forMap(ATTRIBUTE_VALUE), 'J8'),
  ...member('PutItem', 'Item', forMap(ATTRIBUTE_VALUE)),
  ...member('Query', 'ExpressionAttributeValues', forMap(ATTRIBUTE_VALUE)),
  ...member('Scan', 'ExpressionAttributeNames', forMap('java.lang.String')),
]

const TABLE = '"TableName":"table"'
const put = (value: string): string => `{${TABLE},"Item":{"pk":{"S":"j"},"a":${value}}}`
const inItem = (name: string, value: string, answer: Answer, id: string): WireCase =>
  answers(name, { target: 'PutItem', body: put(value) }, answer, id)
const invalid = (message?: string | RegExp): Answer => ({
  status: 400,
  type: VALIDATION,
  ...(message !== undefined && { message }),
})

const values: readonly WireCase[] = [
  answers(
    'a table of null is a missing one',
    { target: 'DescribeTable', body: '{"TableName":null}' },
    invalid(/null/i),
    'J4',
  ),
  answers(
    'a limit of 1.5 is 1',
    { body: '{"Limit":1.5}' },
    { status: 200, json: { LastEvaluatedTableName: 'music' } },
    'J6',
  ),
  inItem(
    'a member of an item that is a string is refused',
    '"x"',
    refused('Unexpected value type in payload'),
    'J9',
  ),
  inItem(
    'a member of an item that is a number is refused',
    '1',
    refused('Unexpected value type in payload'),
    'J9',
  ),
  inItem('an attribute value of no type is refused', '{}', invalid(), 'J10'),
  inItem('an attribute value of two types is refused', '{"S":"a","N":"1"}', invalid(), 'J11'),
  inItem('an attribute value of an unknown type is refused', '{"X":"a"}', invalid(), 'J12'),
  inItem(
    'S of a number is refused',
    '{"S":1}',
    refused('NUMBER_VALUE cannot be converted to String'),
    'J13',
  ),
  inItem(
    'S of true is refused',
    '{"S":true}',
    refused('TRUE_VALUE cannot be converted to String'),
    'J13',
  ),
  inItem(
    'N of a number is refused',
    '{"N":1}',
    refused('NUMBER_VALUE cannot be converted to String'),
    'J14',
  ),
  inItem(
    'N of a decimal is refused',
    '{"N":1.5}',
    refused('DECIMAL_VALUE cannot be converted to String'),
    'J14',
  ),
  inItem('BOOL of "true" is true', '{"BOOL":"true"}', { status: 200 }, 'J15'),
  inItem(
    'BOOL of "maybe" is refused',
    '{"BOOL":"maybe"}',
    refused('Unexpected token received from parser'),
    'J15',
  ),
  inItem(
    'BOOL of a number is refused',
    '{"BOOL":1}',
    refused('NUMBER_VALUE cannot be converted to Boolean'),
    'J15',
  ),
  inItem('NULL of false is refused', '{"NULL":false}', invalid(), 'J16'),
  inItem('SS of a string is refused', '{"SS":"a"}', refused('Unexpected field type'), 'J17'),
  inItem(
    'SS of numbers is refused',
    '{"SS":[1]}',
    refused('NUMBER_VALUE cannot be converted to String'),
    'J17',
  ),
  inItem('L of an object is refused', '{"L":{}}', refused(structure), 'J18'),
  inItem(
    'L of scalars is refused',
    '{"L":["a"]}',
    refused('Unexpected value type in payload'),
    'J18',
  ),
  inItem(
    'M of a list is refused',
    '{"M":[]}',
    refused(`Unrecognized collection type java.util.Map<java.lang.String, ${ATTRIBUTE_VALUE}>`),
    'J19',
  ),
  inItem(
    'B of a number is refused',
    '{"B":1}',
    refused('only base-64-encoded strings are convertible to bytes'),
    'J20',
  ),
  inItem(
    'B of true is refused',
    '{"B":true}',
    refused('only base-64-encoded strings are convertible to bytes'),
    'J20',
  ),
  inItem(
    'B of a bad length is refused',
    '{"B":"abc"}',
    refused('Base64 encoded length is expected a multiple of 4 bytes but found: 3'),
    'J20',
  ),
  inItem(
    'B with a bad tail is refused',
    '{"B":"AAB="}',
    refused('Invalid last non-pad Base64 character dectected'),
    'J20',
  ),
  inItem(
    'B of stars is refused',
    '{"B":"****"}',
    refused('Invalid Base64 character detected'),
    'J20',
  ),
  inItem(
    'a lone surrogate is refused',
    '{"S":"\\ud800"}',
    { status: 400, type: `${CORAL}SerializationException` },
    'S6',
  ),
]

/** JSON of the wrong type, member by member. */
export const jsonTypeCases: readonly WireCase[] = [...members, ...values]
