import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type CommandProcess, type CompiledCommand, compileCommand } from './command-process.ts'
import { exchange } from './raw-http.ts'
import { requestBytes } from './wire-case.ts'

let command: CompiledCommand
const processes: CommandProcess[] = []
const folder = mkdtempSync(path.join(tmpdir(), 'singletable-serve-'))

beforeAll(async () => {
  command = await compileCommand()
})
afterEach(() => {
  for (const { child } of processes.splice(0)) child.kill('SIGKILL')
})
afterAll(() => {
  command.remove()
  rmSync(folder, { recursive: true, force: true })
})

function run(...parameters: readonly string[]): CommandProcess {
  const started = command.start(['serve', ...parameters])
  processes.push(started)
  return started
}
async function serve(...parameters: readonly string[]): Promise<CommandProcess & { port: number }> {
  const started = run('--port', '0', ...parameters)
  const [, port] = await started.waitFor(/listening\D+http:\/\/[^:]+:(\d+)/)
  return { ...started, port: Number(port) }
}
async function send(
  port: number,
  target: string,
  request: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; json: Record<string, unknown> }> {
  const bytes = requestBytes({ target, body: JSON.stringify(request), headers })
  const { responses } = await exchange([bytes], { port })
  const text = responses[0]?.body.toString() ?? ''
  return { status: responses[0]?.statusCode ?? 0, json: text === '' ? {} : JSON.parse(text) }
}
async function refusal(
  ...parameters: readonly string[]
): Promise<{ code: number | string; complaints: string; printed: string }> {
  const started = run(...parameters)
  const code = await started.ended
  return { code, complaints: started.complaints(), printed: started.printed() }
}
const TABLE = {
  TableName: 'kept',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
}

test('serve says where it listens, answers, and ends with 0 at a signal', async () => {
  const server = await serve()
  expect(server.printed()).toBe(`listening on http://127.0.0.1:${server.port}\n`)
  expect(await send(server.port, 'ListTables', {})).toEqual({
    status: 200,
    json: { TableNames: [] },
  })
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(server.complaints()).toBe('')
})

test('at a signal what is running is answered first', async () => {
  const server = await serve('--fault', 'latency:ms=1500')
  const running = send(server.port, 'ListTables', {})
  await new Promise((resolve) => setTimeout(resolve, 1000))
  server.child.kill('SIGINT')
  expect((await running).status).toBe(200)
  expect(await server.ended).toBe(0)
})

test('a second signal ends it at once', async () => {
  const server = await serve('--fault', 'latency:ms=60000')
  const running = send(server.port, 'ListTables', {})
  await new Promise((resolve) => setTimeout(resolve, 150))
  server.child.kill('SIGINT')
  await new Promise((resolve) => setTimeout(resolve, 150))
  server.child.kill('SIGINT')
  expect(await server.ended).toBe(130)
  expect((await running).status).toBe(0)
})

test('what can not be understood ends with 2', async () => {
  const { code, complaints, printed } = await refusal('--nonsense')
  expect(complaints).toContain("Unknown option '--nonsense'")
  expect({ code, printed }).toEqual({ code: 2, printed: '' })
})

test('a port in use is named, and ends with 1', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const { code, complaints } = await refusal('--port', String(port))
  other.close()
  expect(code).toBe(1)
  expect(complaints).toContain(`SERVER_LISTEN_FAILED: Port ${port} is in use.`)
})

test('an address of another machine is named, and ends with 1', async () => {
  const { code, complaints } = await refusal('--host', '192.0.2.1', '--allow-insecure-network')
  expect(code).toBe(1)
  expect(complaints).toContain('This machine has no address 192.0.2.1.')
})

test('S1: other machines are let in only when it is said, with a warning', async () => {
  const server = await serve('--host', '0.0.0.0', '--allow-insecure-network')
  expect(server.complaints()).toContain('warning: clients are not authenticated')
  expect((await send(server.port, 'ListTables', {}, { Host: '192.168.0.7:8000' })).status).toBe(200)
  expect((await send(server.port, 'ListTables', {}, { Host: 'evil.example' })).status).toBe(403)
})

test('S1: with key pairs no such word is needed', async () => {
  const server = await serve('--host', '0.0.0.0', '--verify-signatures', 'id:secret')
  expect(server.complaints()).toBe('')
  expect((await send(server.port, 'ListTables', {})).json.__type).toMatch(/Signature|Unrecognized/)
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${server.port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  })
  expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual([])
})

test('names and origins are allowed one by one', async () => {
  const server = await serve('--allow-host', 'dynamodb', '--cors-origin', 'http://localhost:5173')
  expect((await send(server.port, 'ListTables', {}, { Host: 'dynamodb' })).status).toBe(200)
  expect((await send(server.port, 'ListTables', {}, { Host: 'other' })).status).toBe(403)
  const origin = (Origin: string) => send(server.port, 'ListTables', {}, { Origin })
  expect((await origin('http://localhost:5173')).status).toBe(200)
  expect((await origin('http://localhost:5174')).status).toBe(403)
})

test('the region is in ARNs and in the health', async () => {
  const server = await serve('--region', 'eu-north-1')
  const { json } = await send(server.port, 'CreateTable', TABLE)
  expect(JSON.stringify(json)).toContain('arn:aws:dynamodb:eu-north-1:')
  const { responses } = await exchange(['GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'], server)
  expect(responses[0]?.body.toString()).toBe('healthy: dynamodb.eu-north-1.amazonaws.com ')
})

test('--transition-ms lets a table be CREATING', async () => {
  const server = await serve('--transition-ms', '60000')
  const { json } = await send(server.port, 'CreateTable', TABLE)
  expect(json.TableDescription).toMatchObject({ TableStatus: 'CREATING' })
  const { json: described } = await send(server.port, 'DescribeTable', { TableName: 'kept' })
  expect(described.Table).toMatchObject({ TableStatus: 'CREATING' })
})

test('faults happen as declared', async () => {
  const server = await serve(
    ...['--fault', 'throttle:operation=PutItem+DeleteItem,table=kept,count=1'],
    ...['--fault', 'error:when=before,operation=GetItem,key={"pk":{"S":"a,b"}}'],
  )
  await send(server.port, 'CreateTable', TABLE)
  const put = () => send(server.port, 'PutItem', { TableName: 'kept', Item: { pk: { S: 'a' } } })
  expect((await put()).json.__type).toMatch(/#ProvisionedThroughputExceededException$/)
  expect((await put()).status).toBe(200)
  const get = (pk: string) =>
    send(server.port, 'GetItem', { TableName: 'kept', Key: { pk: { S: pk } } })
  expect((await get('a,b')).status).toBe(500)
  expect((await get('a')).status).toBe(200)
})

describe('--data', () => {
  const data = path.join(folder, 'data')

  test.each(['flushed', 'os'])(
    'what was written is there after a restart (%s)',
    async (durability) => {
      const directory = `${data}-${durability}`
      const first = await serve('--data', directory, '--durability', durability)
      await send(first.port, 'CreateTable', TABLE)
      await send(first.port, 'PutItem', { TableName: 'kept', Item: { pk: { S: 'a' } } })
      first.child.kill('SIGTERM')
      expect(await first.ended).toBe(0)
      const second = await serve('--data', directory)
      const { json } = await send(second.port, 'GetItem', {
        TableName: 'kept',
        Key: { pk: { S: 'a' } },
      })
      expect(json).toEqual({ Item: { pk: { S: 'a' } } })
    },
  )

  test('an acknowledged write survives SIGKILL', async () => {
    const directory = `${data}-killed`
    const first = await serve('--data', directory)
    await send(first.port, 'CreateTable', TABLE)
    await send(first.port, 'PutItem', { TableName: 'kept', Item: { pk: { S: 'a' } } })
    first.child.kill('SIGKILL')
    await first.ended
    const second = await serve('--data', directory)
    const { json } = await send(second.port, 'GetItem', {
      TableName: 'kept',
      Key: { pk: { S: 'a' } },
    })
    expect(json).toEqual({ Item: { pk: { S: 'a' } } })
  })

  test('a directory that can not be one is named, and ends with 1', async () => {
    const file = path.join(folder, 'a-file')
    writeFileSync(file, 'x')
    chmodSync(file, 0o400)
    const { code, complaints } = await refusal('--port', '0', '--data', path.join(file, 'inside'))
    expect(complaints).toContain('fix:')
    expect(complaints).toContain(file)
    expect(complaints).not.toMatch(/\n\s+at /)
    expect(code).toBe(1)
  })
})

test('--json prints a line for each request, and never values, keys or credentials', async () => {
  const server = await serve('--json')
  const CANARY = 'CANARY-7f3a'
  await send(server.port, 'CreateTable', TABLE)
  const headers = {
    Authorization: `AWS4-HMAC-SHA256 Credential=${CANARY}/x, SignedHeaders=${CANARY}, Signature=${CANARY}`,
    'X-Amz-Security-Token': CANARY,
    'User-Agent': CANARY,
    Cookie: CANARY,
  }
  const Item = { pk: { S: CANARY }, [CANARY]: { S: CANARY } }
  await send(server.port, 'PutItem', { TableName: 'kept', Item }, headers)
  await send(server.port, 'PutItem', { TableName: `no ${CANARY}`, Item }, headers)
  await send(
    server.port,
    'PutItem',
    { TableName: 'kept', Item: { [CANARY]: { S: CANARY } } },
    headers,
  )
  await send(server.port, 'Query', { TableName: 'kept', KeyConditionExpression: CANARY }, headers)
  await send(server.port, 'ExecuteStatement', { Statement: `SELECT '${CANARY}' FROM x` }, headers)
  await send(
    server.port,
    'TransactWriteItems',
    { TransactItems: [{ Put: { TableName: 'kept', Item } }] },
    headers,
  )
  await send(
    server.port,
    'BatchGetItem',
    { RequestItems: { [`? ${CANARY}`]: { Keys: [Item] } } },
    headers,
  )
  await exchange([requestBytes({ path: `/?${CANARY}`, body: `{"${CANARY}`, headers })], server)
  await exchange([requestBytes({ headers: { ...headers, 'X-Amz-Target': CANARY } })], server)
  await exchange([requestBytes({ headers: { ...headers, Host: CANARY } })], server)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(server.printed() + server.complaints()).not.toContain(CANARY)
  const lines = server
    .printed()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines[0]).toEqual({
    event: 'listening',
    url: `http://127.0.0.1:${server.port}`,
    port: server.port,
  })
  expect(
    lines
      .slice(1)
      .map(({ operation, table, status, error }) => ({ operation, table, status, error })),
  ).toEqual([
    { operation: 'CreateTable', table: 'kept', status: 200 },
    { operation: 'PutItem', table: 'kept', status: 200 },
    { operation: 'PutItem', status: 400, error: 'ValidationException' },
    { operation: 'PutItem', table: 'kept', status: 400, error: 'ValidationException' },
    { operation: 'Query', table: 'kept', status: 400, error: 'ValidationException' },
    { operation: 'ExecuteStatement', status: 400, error: 'ValidationException' },
    { operation: 'TransactWriteItems', table: 'kept', status: 200 },
    { operation: 'BatchGetItem', status: 400, error: 'ValidationException' },
    { status: 400, error: 'SerializationException' },
    { status: 400, error: 'UnknownOperationException' },
    { status: 403 },
  ])
  for (const line of lines.slice(1)) {
    expect(line).toMatchObject({
      event: 'request',
      requestId: expect.stringMatching(/^[0-9A-Z]{52}$/),
    })
    expect(line.durationMs).toBeGreaterThan(0)
    expect(line.responseBytes).toBeTypeOf('number')
  }
})
