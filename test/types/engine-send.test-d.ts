import type { Engine, Item } from 'singletable/engine'

declare const engine: Engine

/** Compiled, never run: what `engine.send` must let through, what it must not, and what it
 * answers. */
export async function sendIsTyped(): Promise<void> {
  const got = await engine.send('GetItem', { TableName: 'blog', Key: { pk: { S: 'a' } } })
  got.Item satisfies Item | undefined
  const page = await engine.send('Query', {
    TableName: 'blog',
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: 'a' } },
    Limit: 10,
  })
  page.Count satisfies number
  await engine.send('DescribeLimits', {}, { signal: new AbortController().signal })

  // @ts-expect-error: there is no such operation.
  await engine.send('MakeTea', {})
  // @ts-expect-error: operations are named to the letter.
  await engine.send('getItem', { TableName: 'blog', Key: { pk: { S: 'a' } } })
  // @ts-expect-error: AWS has this operation, the engine does not.
  await engine.send('ImportTable', {})
  // @ts-expect-error: a request is an object, also where it has no members.
  await engine.send('DescribeLimits')

  // @ts-expect-error: TableName is missing.
  await engine.send('GetItem', { Key: { pk: { S: 'a' } } })
  // @ts-expect-error: Key is missing.
  await engine.send('GetItem', { TableName: 'blog' })
  // @ts-expect-error: TableName is a string.
  await engine.send('DescribeTable', { TableName: 7 })
  // @ts-expect-error: Limit is a number, not its digits.
  await engine.send('Scan', { TableName: 'blog', Limit: '5' })
  // @ts-expect-error: KeyConditionExpression belongs to Query.
  await engine.send('Scan', { TableName: 'blog', KeyConditionExpression: 'pk = :pk' })
  // @ts-expect-error: ReturnValues is one of five words.
  await engine.send('PutItem', { TableName: 'blog', Item: {}, ReturnValues: 'EVERYTHING' })
  // @ts-expect-error: an absent member is left out, not set to undefined.
  await engine.send('ListTables', { Limit: undefined })

  // @ts-expect-error: a plain string is not an attribute value.
  await engine.send('PutItem', { TableName: 'blog', Item: { pk: 'a' } })
  // @ts-expect-error: numbers are written as text, which holds all 38 digits.
  await engine.send('PutItem', { TableName: 'blog', Item: { pk: { N: 1 } } })
  // @ts-expect-error: binaries are Base64 text on the wire; bytes are the SDK's.
  await engine.send('PutItem', { TableName: 'blog', Item: { pk: { B: new Uint8Array() } } })
  // @ts-expect-error: a value has one type.
  await engine.send('PutItem', { TableName: 'blog', Item: { pk: { S: 'a', N: '1' } } })
  // @ts-expect-error: there is no type X.
  await engine.send('PutItem', { TableName: 'blog', Item: { pk: { X: 'a' } } })

  // @ts-expect-error: a response has only the members of its operation.
  page.TableNames
  // @ts-expect-error: an item that may be missing is not used without a look.
  got.Item.pk
}
