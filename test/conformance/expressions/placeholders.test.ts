import { conformance } from '../conformance.ts'
import { KEY, type RefusedCase, refuses } from '../item-cases.ts'

const one = { ':v': { N: '1' } }
const condition = { Key: KEY, ConditionExpression: 'a = :v', ExpressionAttributeValues: one }
const names = (map: object) => ({ ...condition, ExpressionAttributeNames: map })
const values = (map: object) => ({ ...condition, ExpressionAttributeValues: map })
const badName = (name: string, key: string): RefusedCase => ({
  name,
  request: names({ [key]: 'a' }),
  message: `ExpressionAttributeNames contains invalid key: Syntax error; key: "${key}"`,
})
const badValue = (name: string, key: string): RefusedCase => ({
  name,
  request: values({ [key]: { N: '1' } }),
  message: `ExpressionAttributeValues contains invalid key: Syntax error; key: "${key}"`,
})
const EAV = 'ExpressionAttributeValues contains invalid value: '

conformance('Placeholders', (test) => {
  refuses(test, 'DeleteItem', [
    {
      name: 'names may not be empty',
      request: names({}),
      message: 'ExpressionAttributeNames must not be empty',
    },
    {
      name: 'values may not be empty',
      request: values({}),
      message: 'ExpressionAttributeValues must not be empty',
    },
    badName('a name must begin with #', 'a'),
    badName('a name is more than #', '#'),
    badName('a name may not have a hyphen', '#a-b'),
    badName('a name may not have a blank', '#a b'),
    badName('a name may not have letters beyond ASCII', '#ü'),
    badName('a name may not begin with :', ':a'),
    badValue('a value must begin with :', 'v'),
    badValue('a value is more than :', ':'),
    badValue('a value may not have a dot', ':a.b'),
    badValue('a value may not begin with #', '#v'),
    {
      name: 'values must be values',
      request: values({ ':v': {} }),
      message: `${EAV}Supplied AttributeValue is empty, must contain exactly one of the supported datatypes for key :v`,
    },
    {
      name: 'values have one type',
      request: values({ ':v': { S: 'x', N: '1' } }),
      message: `${EAV}Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes for key :v`,
    },
    {
      name: 'values that are numbers must be numbers',
      request: values({ ':v': { N: 'x' } }),
      message: `${EAV}The parameter cannot be converted to a numeric value: x for key :v`,
    },
    {
      name: 'values that are sets may not be empty',
      request: values({ ':v': { SS: [] } }),
      message: `${EAV}One or more parameter values were invalid: An string set  may not be empty for key :v`,
    },
    {
      name: 'a name that is not used is refused',
      request: names({ '#x': 'x' }),
      message: 'Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}',
    },
    {
      name: 'a value that is not used is refused',
      request: values({ ...one, ':x': { S: 'x' } }),
      message: 'Value provided in ExpressionAttributeValues unused in expressions: keys: {:x}',
    },
    {
      name: 'all names that are not used are listed',
      request: names({ '#a': 'a', '#b': 'b' }),
      message: 'Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}',
    },
    {
      name: 'names that are not used come before values',
      request: { ...names({ '#x': 'x' }), ExpressionAttributeValues: { ...one, ':x': { S: 'x' } } },
      message: 'Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}',
    },
    {
      name: 'a bad expression comes before names that are not used',
      request: { ...names({ '#x': 'x' }), ConditionExpression: 'a = :v AND' },
      message: 'Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "AND"',
    },
    {
      name: 'names need an expression',
      request: { Key: KEY, ExpressionAttributeNames: { '#a': 'a' } },
      message: 'ExpressionAttributeNames can only be specified when using expressions',
    },
    {
      name: 'values need a condition',
      request: { Key: KEY, ExpressionAttributeValues: one },
      message:
        'ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null',
    },
    {
      name: 'expressions and what they replaced do not go together',
      request: { ...condition, Expected: { a: { Exists: false } } },
      message:
        'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}',
    },
  ])

  refuses(test, 'UpdateItem', [
    {
      name: 'values need an update or a condition',
      request: { Key: KEY, ExpressionAttributeValues: one },
      message:
        'ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and ConditionExpression are null',
    },
    {
      name: 'a value must be used in the update or the condition',
      request: {
        Key: KEY,
        UpdateExpression: 'SET a = :v',
        ConditionExpression: 'a = :w',
        ExpressionAttributeValues: { ...one, ':w': { S: 'x' }, ':x': { S: 'x' } },
      },
      message: 'Value provided in ExpressionAttributeValues unused in expressions: keys: {:x}',
    },
    {
      name: 'an update expression and AttributeUpdates do not go together',
      request: {
        Key: KEY,
        UpdateExpression: 'REMOVE a',
        AttributeUpdates: { a: { Action: 'DELETE' } },
      },
      message:
        'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributeUpdates} Expression parameters: {UpdateExpression}',
    },
    {
      name: 'a value nested too deep is refused before anything is evaluated',
      request: {
        Key: KEY,
        UpdateExpression: 'SET a = :v',
        ExpressionAttributeValues: {
          ':v': Array.from({ length: 33 }).reduce<object>((value) => ({ L: [value] }), { S: 'x' }),
        },
      },
      message: `${EAV}Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit for key :v`,
    },
  ])

  refuses(test, 'GetItem', [
    {
      name: 'names need a projection',
      request: { Key: KEY, ExpressionAttributeNames: { '#a': 'a' } },
      message: 'ExpressionAttributeNames can only be specified when using expressions',
    },
    {
      name: 'a projection and AttributesToGet do not go together',
      request: { Key: KEY, ProjectionExpression: 'a', AttributesToGet: ['a'] },
      message:
        'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}',
    },
  ])

  test('one placeholder may be used by both expressions', async (t) => {
    const TableName = await t.table()
    await t.send('UpdateItem', {
      TableName,
      Key: KEY,
      UpdateExpression: 'SET #a = :v',
      ConditionExpression: '#a <> :v',
      ExpressionAttributeNames: { '#a': 'name' },
      ExpressionAttributeValues: one,
    })
  })

  test('placeholders may be named like members of objects', async (t) => {
    const TableName = await t.table()
    await t.send('UpdateItem', {
      TableName,
      Key: KEY,
      UpdateExpression: 'SET #__proto__ = :constructor, #1 = :0',
      ExpressionAttributeNames: JSON.parse('{"#__proto__":"toString","#1":"__proto__"}'),
      ExpressionAttributeValues: { ':constructor': { S: 'x' }, ':0': { S: 'y' } },
    })
  })
})
