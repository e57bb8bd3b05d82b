import { expect } from 'vitest'
import { conformance } from '../conformance.ts'
import { itemOf, KEY, tableWith } from '../item-cases.ts'

const MISSING = 'The provided expression refers to an attribute that does not exist in the item'
const TYPE = 'An operand in the update expression has an incorrect data type'
const PATH = 'The document path provided in the update expression is invalid for update'
const OVERFLOW =
  'Number overflow. Attempting to store a number with magnitude larger than supported range'
const KEY_PART = (name: string) =>
  `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`

interface Refused {
  readonly name: string
  readonly before?: object
  readonly update: string
  readonly values?: object
  readonly message: string
}

const before = {
  n: { N: '1' },
  s: { S: 'x' },
  l: { L: [{ N: '1' }] },
  m: { M: { a: { N: '1' } } },
  ss: { SS: ['a'] },
  ns: { NS: ['1'] },
}
const one = { ':v': { N: '1' } }
const list = { ':v': { L: [] } }

const cases: Refused[] = [
  { name: 'SET from an attribute that is not there', update: 'SET a = b', message: MISSING },
  { name: 'SET from a member that is not there', update: 'SET a = m.b', message: MISSING },
  { name: 'SET from an element that is not there', update: 'SET a = l[5]', message: MISSING },
  {
    name: 'SET from an attribute that the same update makes',
    update: 'SET a = :v, b = a',
    values: one,
    message: MISSING,
  },
  {
    name: 'a sum with an attribute that is not there',
    update: 'SET a = b + :v',
    values: one,
    message: MISSING,
  },
  { name: 'a sum with a string', update: 'SET a = s + :v', values: one, message: TYPE },
  { name: 'a difference with a list', update: 'SET a = :v - l', values: one, message: TYPE },
  {
    name: 'list_append to a number',
    update: 'SET a = list_append(n, :v)',
    values: list,
    message: TYPE,
  },
  {
    name: 'list_append to nothing',
    update: 'SET a = list_append(b, :v)',
    values: list,
    message: MISSING,
  },
  { name: 'SET below nothing', update: 'SET a.b = :v', values: one, message: PATH },
  { name: 'SET of an element of nothing', update: 'SET a[0] = :v', values: one, message: PATH },
  { name: 'SET below a string', update: 'SET s.b = :v', values: one, message: PATH },
  { name: 'SET of a member of a list', update: 'SET l.b = :v', values: one, message: PATH },
  { name: 'SET of an element of a map', update: 'SET m[0] = :v', values: one, message: PATH },
  { name: 'SET two levels below nothing', update: 'SET m.b.c = :v', values: one, message: PATH },
  { name: 'SET below a missing element', update: 'SET l[3].c = :v', values: one, message: PATH },
  { name: 'REMOVE below nothing', update: 'REMOVE a.b', message: PATH },
  { name: 'REMOVE below a string', update: 'REMOVE s.b', message: PATH },
  { name: 'REMOVE of an element of a map', update: 'REMOVE m[0]', message: PATH },
  { name: 'ADD below nothing', update: 'ADD a.b :v', values: one, message: PATH },
  {
    name: 'DELETE below nothing',
    update: 'DELETE a.b :v',
    values: { ':v': { SS: ['a'] } },
    message: PATH,
  },
  { name: 'ADD of a number to a string', update: 'ADD s :v', values: one, message: TYPE },
  {
    name: 'ADD of a set to a number',
    update: 'ADD n :v',
    values: { ':v': { SS: ['a'] } },
    message: TYPE,
  },
  {
    name: 'ADD of numbers to a set of strings',
    update: 'ADD ss :v',
    values: { ':v': { NS: ['1'] } },
    message: TYPE,
  },
  { name: 'ADD of a number to a set', update: 'ADD ns :v', values: one, message: TYPE },
  {
    name: 'DELETE from a number',
    update: 'DELETE n :v',
    values: { ':v': { NS: ['1'] } },
    message: TYPE,
  },
  {
    name: 'DELETE of strings from a set of numbers',
    update: 'DELETE ns :v',
    values: { ':v': { SS: ['1'] } },
    message: TYPE,
  },
  {
    name: 'a sum that is too large',
    before: { n: { N: '9.9e125' } },
    update: 'SET n = n + n',
    message: OVERFLOW,
  },
  {
    name: 'a sum that needs more than 38 digits',
    before: { n: { N: '1e50' } },
    update: 'SET n = n + :v',
    values: one,
    message: OVERFLOW,
  },
  {
    name: 'ADD of a number that makes the sum too large',
    before: { n: { N: '9.9e125' } },
    update: 'ADD n :v',
    values: { ':v': { N: '9.9e125' } },
    message: OVERFLOW,
  },
  { name: 'SET of the partition key', update: 'SET pk = :v', values: one, message: KEY_PART('pk') },
  {
    name: 'SET of the sort key to its value',
    update: 'SET sk = sk',
    message: KEY_PART('sk'),
  },
  { name: 'REMOVE of a key', update: 'REMOVE pk', message: KEY_PART('pk') },
  { name: 'ADD to a key', update: 'ADD sk :v', values: one, message: KEY_PART('sk') },
  {
    name: 'DELETE from a key',
    update: 'DELETE sk :v',
    values: { ':v': { SS: ['1'] } },
    message: KEY_PART('sk'),
  },
  { name: 'SET below a key', update: 'SET pk.a = :v', values: one, message: KEY_PART('pk') },
  { name: 'ADD below a key', update: 'ADD pk.a :v', values: one, message: KEY_PART('pk') },
  { name: 'REMOVE below a key', update: 'REMOVE sk[0]', message: KEY_PART('sk') },
  {
    name: 'SET of both keys, the sort key first',
    update: 'SET sk = :v, pk = :v',
    values: one,
    message: KEY_PART('pk'),
  },
  {
    name: 'SET from below a key together with a changed key',
    update: 'SET a = pk.b, sk = :v',
    values: one,
    message: KEY_PART('sk'),
  },
  {
    name: 'SET from below a key',
    update: 'SET a = pk.b',
    message:
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk",
  },
]

conformance('Updates are refused', (test) => {
  for (const { name, update, values, message, before: own } of cases) {
    test(`for ${name}`, async (t) => {
      const TableName = await tableWith(t, own ?? before)
      const stored = await itemOf(t, TableName)
      await t.fails(
        'UpdateItem',
        { TableName, Key: KEY, UpdateExpression: update, ExpressionAttributeValues: values },
        'ValidationException',
        message,
      )
      expect(await itemOf(t, TableName)).toEqual(stored)
    })
  }

  test('for SET below nothing on a missing item', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'UpdateItem',
      {
        TableName,
        Key: KEY,
        UpdateExpression: 'SET a.b = :v',
        ExpressionAttributeValues: one,
      },
      'ValidationException',
      PATH,
    )
    expect(await itemOf(t, TableName)).toBeUndefined()
  })

  test('for SET from a missing item', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'UpdateItem',
      { TableName, Key: KEY, UpdateExpression: 'SET a = b' },
      'ValidationException',
      MISSING,
    )
  })

  test('for SET that nests a value below level 32', async (t) => {
    let value: object = { M: {} }
    for (let level = 2; level < 31; level++) value = { M: { m: value } }
    const TableName = await tableWith(t, { a: { M: {} } })
    await t.fails(
      'UpdateItem',
      {
        TableName,
        Key: KEY,
        UpdateExpression: 'SET a.b.c = :v',
        ExpressionAttributeValues: { ':v': value },
      },
      'ValidationException',
    )
    await t.send('UpdateItem', {
      TableName,
      Key: KEY,
      UpdateExpression: 'SET a.b = :v',
      ExpressionAttributeValues: { ':v': value },
    })
    await t.fails(
      'UpdateItem',
      {
        TableName,
        Key: KEY,
        UpdateExpression: 'SET a.b = :v',
        ExpressionAttributeValues: { ':v': { L: [value] } },
      },
      'ValidationException',
      /^Nesting Levels have exceeded supported limits/,
    )
  })
})
