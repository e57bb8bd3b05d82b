import { expect } from 'vitest'
import { conformance } from './conformance.ts'

conformance('GetItem', (test) => {
  test('an item that was put comes back whole', async (t) => {
    const TableName = await t.table()
    const Item = { pk: { S: 'a' }, sk: { S: '1' }, list: { L: [{ N: '1' }, { NULL: true }] } }
    await t.send('PutItem', { TableName, Item })
    const answer = await t.send('GetItem', { TableName, Key: { pk: { S: 'a' }, sk: { S: '1' } } })
    expect(answer).toEqual({ Item })
  })

  test('a key without the sort key is refused', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'GetItem',
      { TableName, Key: { pk: { S: 'a' } } },
      'ValidationException',
      'The provided key element does not match the schema',
    )
  })
})
