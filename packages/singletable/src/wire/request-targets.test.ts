import { expect, test } from 'vitest'
import type { OperationName, Operations } from './operations.ts'
import { type RequestTarget, requestTargets } from './request-targets.ts'

const table = 'blog'
const key = { pk: { S: 'a' }, sk: { S: '1' } }
const other = { pk: { S: 'b' }, sk: { S: '2' } }
const item = { ...key, title: { S: 'x' } }
const named = { table, item: key, isWhole: false }
const whole = { table, item, isWhole: true }
const tableOnly = { table, isWhole: false }
const TableName = table

/** So that each request has the shape of its operation. */
function row<TOperation extends OperationName>(
  operation: TOperation,
  request: Operations[TOperation]['request'],
  targets: readonly RequestTarget[],
): [OperationName, object, readonly RequestTarget[]] {
  return [operation, request, targets]
}

test.each([
  row('GetItem', { TableName, Key: key }, [named]),
  row('PutItem', { TableName, Item: item }, [whole]),
  row('UpdateItem', { TableName, Key: key, UpdateExpression: 'REMOVE a' }, [named]),
  row('DeleteItem', { TableName, Key: key }, [named]),
  row('Query', { TableName, KeyConditionExpression: 'pk = :pk' }, [tableOnly]),
  row('Scan', { TableName, ExclusiveStartKey: key }, [tableOnly]),
  row('BatchGetItem', { RequestItems: { blog: { Keys: [key, other] }, users: { Keys: [key] } } }, [
    named,
    { ...named, item: other },
    { ...named, table: 'users' },
  ]),
  row(
    'BatchWriteItem',
    {
      RequestItems: {
        blog: [{ PutRequest: { Item: item } }, { DeleteRequest: { Key: other } }],
        users: [],
      },
    },
    [whole, { ...named, item: other }, { ...tableOnly, table: 'users' }],
  ),
  row(
    'TransactGetItems',
    { TransactItems: [{ Get: { TableName, Key: key } }, { Get: { TableName, Key: other } }] },
    [named, { ...named, item: other }],
  ),
  row(
    'TransactWriteItems',
    {
      TransactItems: [
        { Put: { TableName, Item: item } },
        { Update: { TableName, Key: key, UpdateExpression: 'REMOVE a' } },
        { Delete: { TableName: 'users', Key: key } },
        { ConditionCheck: { TableName, Key: other, ConditionExpression: 'a = b' } },
      ],
    },
    [whole, named, { ...named, table: 'users' }, { ...named, item: other }],
  ),
  row('ExecuteStatement', { Statement: `SELECT * FROM blog WHERE pk = 'a'` }, []),
  row('BatchExecuteStatement', { Statements: [{ Statement: 'SELECT * FROM blog' }] }, []),
  row('ExecuteTransaction', { TransactStatements: [{ Statement: 'SELECT * FROM blog' }] }, []),
  row('DescribeTable', { TableName }, [tableOnly]),
  row('ListTables', {}, []),
])('%s %j names %j', (_, request, targets) => {
  expect(requestTargets(request)).toEqual(targets)
})

test.each([
  [null, []],
  ['text', []],
  [[], []],
  [{ TableName: 5, Key: key }, []],
  [{ TableName, Key: 'a' }, [tableOnly]],
  [{ RequestItems: 'blog' }, []],
  [
    { RequestItems: { blog: null, users: { Keys: 1 } } },
    [tableOnly, { ...tableOnly, table: 'users' }],
  ],
  [{ RequestItems: { blog: [null, {}] } }, [tableOnly]],
  [
    { RequestItems: { blog: [{ PutRequest: { Item: item }, DeleteRequest: { Key: key } }] } },
    [whole, named],
  ],
  [{ TransactItems: [null, 'x', { Put: null }, { Put: { TableName, Key: key } }] }, [named]],
])('of the malformed request %j only %j is used', (request, targets) => {
  expect(requestTargets(request)).toEqual(targets)
})

test('tables may have names that objects inherit', () => {
  const RequestItems = JSON.parse('{"__proto__":{"Keys":[{"pk":{"S":"a"}}]}}') as object
  expect(requestTargets({ RequestItems })).toEqual([
    { table: '__proto__', item: { pk: { S: 'a' } }, isWhole: false },
  ])
})
