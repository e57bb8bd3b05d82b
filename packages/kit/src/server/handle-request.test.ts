import { crc32 } from 'node:zlib'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'
import { handleRequest } from './handle-request.ts'

test('a large answer comes in pieces that are its bytes, also where a character lies between two', async () => {
  const engine = createEngine()
  await engine.send('CreateTable', {
    TableName: 'table',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (const shift of ['', 'x']) {
    const Item = { pk: { S: 'wide' }, a: { S: shift + '😀'.repeat(90_000) }, b: { S: '😀😀' } }
    const other = { ...Item, pk: { S: 'other' } }
    for (const each of [Item, other]) {
      await engine.send('PutItem', { TableName: 'table', Item: each })
    }
    const response = await handleRequest(engine, {
      method: 'POST',
      url: '/',
      headers: [
        ...['Content-Type', 'application/x-amz-json-1.0'],
        ...['X-Amz-Target', 'DynamoDB_20120810.Scan'],
        ...['X-Amz-Date', '20260101T000000Z'],
        'Authorization',
        'AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0',
      ],
      body: Buffer.from(
        JSON.stringify({ TableName: 'table', FilterExpression: 'attribute_exists(a)' }),
      ),
    })
    expect(response.statusCode).toBe(200)
    const pieces = response.body as readonly Buffer[]
    expect(pieces.length).toBeGreaterThan(1)
    const body = Buffer.concat(pieces)
    expect(JSON.parse(body.toString()).Items).toEqual(expect.arrayContaining([Item, other]))
    expect(response.bodyBytes).toBe(body.length)
    expect(response.headers[response.headers.indexOf('x-amz-crc32') + 1]).toBe(String(crc32(body)))
  }
  await engine.close()
})
