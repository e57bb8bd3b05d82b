import { listen } from '@singletable/kit/server'
import { lmdbStorage } from '@singletable/kit/storage'
import { createEngine, SingletableError } from 'singletable/engine'

// Serves an engine on a disk that fills up, and reports what its clients see. Whatever nobody
// handles ends this process.
const report: Record<string, unknown> = {}
try {
  const engine = createEngine({ storage: lmdbStorage(process.argv[2]!) })
  const server = await listen(engine, { port: 0, onFailure: () => {} })
  const call = async (operation: string, request: object): Promise<number> => {
    const response = await fetch(server.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        'x-amz-date': '20260101T000000Z',
        authorization: 'AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=c',
      },
      body: JSON.stringify(request),
    })
    return response.status
  }
  const TableName = 'items'
  await call('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  // Several at a time, so that some wait for the commit that fails.
  let written = 0
  let failed = 0
  while (failed === 0 && written < 10_000) {
    const statuses = await Promise.all(
      [0, 1, 2].map((n) =>
        call('PutItem', {
          TableName,
          Item: { pk: { S: `p${written + n}` }, v: { S: 'x'.repeat(100_000) } },
        }),
      ),
    )
    written += statuses.filter((status) => status === 200).length
    failed += statuses.filter((status) => status === 500).length
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
  report.written = written
  report.read = await call('GetItem', { TableName, Key: { pk: { S: 'p0' } } })
  report.writtenLater = await call('DeleteItem', { TableName, Key: { pk: { S: 'p0' } } })
  await server.close()
  await engine.close()
} catch (error) {
  report.error = SingletableError.is(error) ? error.code : String(error)
}
console.log(JSON.stringify(report))
