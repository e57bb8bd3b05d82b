import { expect, test } from 'vitest'
import { tablesOf } from './tables-of.ts'

test.each([
  [{ TableName: 'blog' }, ['blog']],
  [{ TableName: 'arn:aws:dynamodb:us-east-1:000000000000:table/blog/index/x' }, ['blog']],
  [{ RequestItems: { blog: [], other: [] } }, ['blog', 'other']],
  [{ TransactItems: [{ Put: { TableName: 'blog' } }, { Get: { TableName: 'blog' } }] }, ['blog']],
  [{}, []],
  [null, []],
  ['text', []],
  [{ TableName: 5 }, []],
  [{ TableName: 'a value that went astray' }, []],
  [{ TableName: 'x'.repeat(256) }, []],
  [{ TransactItems: [null, 'x', { Put: null }] }, []],
  [{ RequestItems: 'blog' }, []],
])('%j names %j', (request, tables) => {
  expect(tablesOf(request)).toEqual(tables)
})

test('a log names ten tables at most', () => {
  const RequestItems = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`table-${n}`, []]))
  expect(tablesOf({ RequestItems })).toHaveLength(10)
})
