import { conformance } from './conformance.ts'
import { KEY } from './item-cases.ts'

const KEY_NOT_SCALAR =
  "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk"

// Each of these is what was left of a random program on which engine and DynamoDB Local once did
// not agree.
conformance('Found by comparison', (test) => {
  const refused: [name: string, operation: string, request: object][] = [
    [
      'GetItem cannot project what is inside a key attribute',
      'GetItem',
      { Key: KEY, ProjectionExpression: 'pk.a' },
    ],
    [
      'the condition of a put cannot look inside a key attribute',
      'PutItem',
      { Item: KEY, ConditionExpression: 'attribute_not_exists(pk[0])' },
    ],
    [
      'the condition of a deletion cannot look inside a key attribute',
      'DeleteItem',
      { Key: KEY, ConditionExpression: 'NOT attribute_exists(pk.a)' },
    ],
    [
      'the condition of an update cannot look inside a key attribute',
      'UpdateItem',
      { Key: KEY, UpdateExpression: 'REMOVE a', ConditionExpression: 'a <> pk.a' },
    ],
    [
      'an update cannot read what is inside a key attribute',
      'UpdateItem',
      { Key: KEY, UpdateExpression: 'SET a = if_not_exists(b, pk.a)' },
    ],
  ]
  for (const [name, operation, request] of refused) {
    test(name, async (t) => {
      const TableName = await t.table()
      await t.fails(operation, { TableName, ...request }, 'ValidationException', KEY_NOT_SCALAR)
    })
  }

  test('taking elements from a set inside an item that does not exist is refused', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'UpdateItem',
      {
        TableName,
        Key: KEY,
        UpdateExpression: 'DELETE m.s :s',
        ExpressionAttributeValues: { ':s': { SS: ['a'] } },
      },
      'ValidationException',
      'The document path provided in the update expression is invalid for update',
    )
  })
})
