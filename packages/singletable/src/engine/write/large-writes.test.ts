import { createEngine, type Engine } from 'singletable/engine'
import { describe, expect, test } from 'vitest'

/** Large enough that its writes take steps, between which others write. */
const LARGE = { L: Array.from({ length: 30_000 }, () => ({ N: '1' })) }
const ONE = { ':one': { N: '1' } }

async function engineWith(...names: readonly string[]): Promise<Engine> {
  const engine = createEngine()
  await engine.send('CreateTable', {
    TableName: 'table',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (const name of names) {
    const Item = { pk: { S: name }, a: LARGE, n: { N: '0' } }
    await engine.send('PutItem', { TableName: 'table', Item })
  }
  return engine
}

async function numberOf(engine: Engine, name: string): Promise<string | undefined> {
  const { Item } = await engine.send('GetItem', { TableName: 'table', Key: { pk: { S: name } } })
  return Item?.n?.N
}

describe('writes of a large item at the same time', () => {
  test('are all applied, and each to what the one before has left', async () => {
    const engine = await engineWith('x')
    const add = { TableName: 'table', Key: { pk: { S: 'x' } }, UpdateExpression: 'ADD n :one' }
    const request = { ...add, ExpressionAttributeValues: ONE, ReturnValues: 'UPDATED_NEW' }
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        n % 3 === 0
          ? engine.send('UpdateItem', request as never)
          : engine.sendText('UpdateItem', request).then((text) => JSON.parse(text)),
      ),
    )
    const seen = answers.map(({ Attributes }) => Number(Attributes.n.N)).sort((a, b) => a - b)
    expect(seen).toEqual(Array.from({ length: 12 }, (_, n) => n + 1))
    expect(await numberOf(engine, 'x')).toBe('12')
    await engine.close()
  })

  test('that ask for the same state succeed once', async () => {
    const engine = await engineWith('x')
    const request = {
      TableName: 'table',
      Key: { pk: { S: 'x' } },
      UpdateExpression: 'SET n = :one',
      ConditionExpression: 'n <> :one',
      ExpressionAttributeValues: ONE,
    }
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => engine.sendText('UpdateItem', request)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason.name).toMatch(/^ConditionalCheck/)
    }
    await engine.close()
  })

  test('move amounts between two items without a moment in which their sum is another', async () => {
    const engine = await engineWith('x', 'y')
    const change = (name: string, by: string) => ({
      Update: {
        TableName: 'table',
        Key: { pk: { S: name } },
        UpdateExpression: 'ADD n :by',
        ExpressionAttributeValues: { ':by': { N: by } },
      },
    })
    const moves = Array.from({ length: 8 }, () =>
      engine.sendText('TransactWriteItems', {
        TransactItems: [change('x', '-1'), change('y', '1')],
      }),
    )
    const reads = Array.from({ length: 8 }, () =>
      engine.sendText('TransactGetItems', {
        TransactItems: ['x', 'y'].map((name) => ({
          Get: { TableName: 'table', Key: { pk: { S: name } }, ProjectionExpression: 'n' },
        })),
      }),
    )
    for (const text of await Promise.all(reads)) {
      const { Responses } = JSON.parse(text)
      expect(Number(Responses[0].Item.n.N) + Number(Responses[1].Item.n.N)).toBe(0)
    }
    await Promise.all(moves)
    expect([await numberOf(engine, 'x'), await numberOf(engine, 'y')]).toEqual(['-8', '8'])
    await engine.close()
  })

  test('of a table that is deleted meanwhile leave nothing', async () => {
    const engine = await engineWith('x')
    const Item = { pk: { S: 'y' }, a: LARGE }
    const put = engine.sendText('PutItem', { TableName: 'table', Item })
    const refused = expect(put).rejects.toThrow(/not found/)
    await engine.send('DeleteTable', { TableName: 'table' })
    await refused
    await engine.close()
  })

  test('report each failed condition of a transaction, and change nothing', async () => {
    const engine = await engineWith('x', 'y')
    const action = (name: string, condition: string) => ({
      Update: {
        TableName: 'table',
        Key: { pk: { S: name } },
        UpdateExpression: 'ADD n :one',
        ConditionExpression: condition,
        ExpressionAttributeValues: ONE,
      },
    })
    const TransactItems = [action('x', 'attribute_exists(a)'), action('y', 'n = :one')]
    await expect(engine.sendText('TransactWriteItems', { TransactItems })).rejects.toMatchObject({
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    })
    expect(await numberOf(engine, 'x')).toBe('0')
    await engine.close()
  })
})

test('members of a batch each wait for a turn of their own', async () => {
  const engine = await engineWith()
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const members = Array.from({ length: 10 }, (_, n) => ({
    PutRequest: { Item: { pk: { S: `${n}` }, a: LARGE } },
  }))
  await engine.sendText('BatchWriteItem', { RequestItems: { table: members } })
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(members.length)
  await engine.close()
})
