import { expect } from 'vitest'
import { conformance } from '../conformance.ts'
import { expectItem, itemOf, KEY, tableWith } from '../item-cases.ts'

const OLD = { a: { N: '1' }, b: { S: 'x' } }

conformance('ReturnValues', (test) => {
  for (const [operation, request] of [
    ['PutItem', { Item: { ...KEY, a: { N: '2' } } }],
    ['DeleteItem', { Key: KEY }],
  ] as const) {
    test(`${operation} answers with nothing`, async (t) => {
      const TableName = await tableWith(t, OLD)
      expect(await t.send(operation, { TableName, ...request })).toEqual({})
    })

    test(`${operation} with NONE answers with nothing`, async (t) => {
      const TableName = await tableWith(t, OLD)
      expect(await t.send(operation, { TableName, ...request, ReturnValues: 'NONE' })).toEqual({})
    })

    test(`${operation} with ALL_OLD answers with the item as it was`, async (t) => {
      const TableName = await tableWith(t, OLD)
      expect(await t.send(operation, { TableName, ...request, ReturnValues: 'ALL_OLD' })).toEqual({
        Attributes: { ...KEY, ...OLD },
      })
    })

    test(`${operation} with ALL_OLD has no Attributes where there was no item`, async (t) => {
      const TableName = await t.table()
      expect(await t.send(operation, { TableName, ...request, ReturnValues: 'ALL_OLD' })).toEqual(
        {},
      )
    })
  }

  test('PutItem replaces the whole item', async (t) => {
    const TableName = await tableWith(t, OLD)
    await t.send('PutItem', { TableName, Item: { ...KEY, c: { S: 'y' } } })
    expect(await itemOf(t, TableName)).toEqual({ ...KEY, c: { S: 'y' } })
  })

  test('DeleteItem removes the item', async (t) => {
    const TableName = await tableWith(t, OLD)
    await t.send('DeleteItem', { TableName, Key: KEY })
    expect(await itemOf(t, TableName)).toBeUndefined()
  })

  test('DeleteItem of an item that is not there is no error', async (t) => {
    const TableName = await t.table()
    expect(await t.send('DeleteItem', { TableName, Key: KEY })).toEqual({})
  })

  interface UpdateCase {
    readonly name: string
    readonly before?: object
    readonly update?: string
    readonly values?: object
    readonly wanted: string
    readonly attributes?: object
  }
  const one = { ':v': { N: '5' } }
  const cases: UpdateCase[] = [
    {
      name: 'NONE returns nothing',
      before: OLD,
      update: 'SET a = :v',
      values: one,
      wanted: 'NONE',
    },
    {
      name: 'ALL_OLD returns the item as it was',
      before: OLD,
      update: 'SET a = :v',
      values: one,
      wanted: 'ALL_OLD',
      attributes: { ...KEY, ...OLD },
    },
    {
      name: 'ALL_OLD returns nothing for a new item',
      update: 'SET a = :v',
      values: one,
      wanted: 'ALL_OLD',
    },
    {
      name: 'ALL_NEW returns the item as it is now',
      before: OLD,
      update: 'SET a = :v',
      values: one,
      wanted: 'ALL_NEW',
      attributes: { ...KEY, ...OLD, a: { N: '5' } },
    },
    {
      name: 'ALL_NEW returns a new item',
      update: 'SET a = :v',
      values: one,
      wanted: 'ALL_NEW',
      attributes: { ...KEY, a: { N: '5' } },
    },
    {
      name: 'ALL_NEW returns a new item of nothing but keys',
      wanted: 'ALL_NEW',
      attributes: KEY,
    },
    {
      name: 'UPDATED_OLD returns what was changed, as it was',
      before: OLD,
      update: 'SET a = :v',
      values: one,
      wanted: 'UPDATED_OLD',
      attributes: { a: { N: '1' } },
    },
    {
      name: 'UPDATED_NEW returns what was changed, as it is now',
      before: OLD,
      update: 'SET a = :v',
      values: one,
      wanted: 'UPDATED_NEW',
      attributes: { a: { N: '5' } },
    },
    {
      name: 'UPDATED_OLD returns nothing for a new attribute',
      before: OLD,
      update: 'SET c = :v',
      values: one,
      wanted: 'UPDATED_OLD',
    },
    {
      name: 'UPDATED_OLD returns nothing for a new item',
      update: 'SET c = :v',
      values: one,
      wanted: 'UPDATED_OLD',
    },
    {
      name: 'UPDATED_OLD returns what was removed',
      before: OLD,
      update: 'REMOVE b',
      wanted: 'UPDATED_OLD',
      attributes: { b: { S: 'x' } },
    },
    {
      name: 'UPDATED_NEW returns nothing for what was removed',
      before: OLD,
      update: 'REMOVE b',
      wanted: 'UPDATED_NEW',
    },
    {
      name: 'UPDATED_NEW returns an attribute set to its old value',
      before: OLD,
      update: 'SET b = b',
      wanted: 'UPDATED_NEW',
      attributes: { b: { S: 'x' } },
    },
    {
      name: 'UPDATED_NEW returns only the changed part of a map',
      before: { m: { M: { x: { N: '1' }, y: { N: '2' } } } },
      update: 'SET m.x = :v',
      values: one,
      wanted: 'UPDATED_NEW',
      attributes: { m: { M: { x: { N: '5' } } } },
    },
    {
      name: 'UPDATED_OLD returns only the changed part of a map',
      before: { m: { M: { x: { N: '1' }, y: { N: '2' } } } },
      update: 'SET m.x = :v',
      values: one,
      wanted: 'UPDATED_OLD',
      attributes: { m: { M: { x: { N: '1' } } } },
    },
    {
      name: 'UPDATED_NEW returns only the changed element of a list',
      before: { l: { L: [{ N: '1' }, { N: '2' }, { N: '3' }] } },
      update: 'SET l[1] = :v',
      values: one,
      wanted: 'UPDATED_NEW',
      attributes: { l: { L: [{ N: '5' }] } },
    },
    {
      name: 'UPDATED_NEW returns a sum',
      before: OLD,
      update: 'ADD a :v',
      values: one,
      wanted: 'UPDATED_NEW',
      attributes: { a: { N: '6' } },
    },
    {
      name: 'UPDATED_NEW returns a whole set',
      before: { s: { SS: ['a', 'b'] } },
      update: 'DELETE s :v',
      values: { ':v': { SS: ['a'] } },
      wanted: 'UPDATED_NEW',
      attributes: { s: { SS: ['b'] } },
    },
    {
      name: 'UPDATED_OLD returns a whole set',
      before: { s: { SS: ['a', 'b'] } },
      update: 'ADD s :v',
      values: { ':v': { SS: ['c'] } },
      wanted: 'UPDATED_OLD',
      attributes: { s: { SS: ['a', 'b'] } },
    },
  ]
  for (const { name, before, update, values, wanted, attributes } of cases) {
    test(`UpdateItem with ${name}`, async (t) => {
      const TableName = before === undefined ? await t.table() : await tableWith(t, before)
      const answer = await t.send('UpdateItem', {
        TableName,
        Key: KEY,
        UpdateExpression: update,
        ExpressionAttributeValues: values,
        ReturnValues: wanted,
      })
      expectItem(answer, attributes === undefined ? {} : { Attributes: attributes })
    })
  }
})

conformance('ReturnValuesOnConditionCheckFailure', (test) => {
  const requests: Record<string, object> = {
    PutItem: { Item: KEY },
    UpdateItem: { Key: KEY },
    DeleteItem: { Key: KEY },
  }
  for (const [operation, request] of Object.entries(requests)) {
    const failing = { ...request, ConditionExpression: 'attribute_exists(absent)' }

    test(`${operation} returns the item whose condition failed`, async (t) => {
      const TableName = await tableWith(t, OLD)
      const error = await t.fails(
        operation,
        { TableName, ...failing, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' },
        'ConditionalCheckFailedException',
        'The conditional request failed',
      )
      expect(error.Item).toEqual({ ...KEY, ...OLD })
      expect(await itemOf(t, TableName)).toEqual({ ...KEY, ...OLD })
    })

    test(`${operation} returns no item where there is none`, async (t) => {
      const TableName = await t.table()
      const error = await t.fails(
        operation,
        { TableName, ...failing, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' },
        'ConditionalCheckFailedException',
        'The conditional request failed',
      )
      expect(error.Item).toBeUndefined()
    })

    for (const wanted of [undefined, 'NONE']) {
      test(`${operation} returns no item with ${wanted ?? 'no wish'}`, async (t) => {
        const TableName = await tableWith(t, OLD)
        const error = await t.fails(
          operation,
          { TableName, ...failing, ReturnValuesOnConditionCheckFailure: wanted },
          'ConditionalCheckFailedException',
          'The conditional request failed',
        )
        expect(error.Item).toBeUndefined()
      })
    }
  }
})
