import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { connect } from 'singletable/direct'
import { seededRandom, type Transport } from 'singletable/engine'
import type { SoakSample } from './processes/server.ts'

/**
 * Mixed load on a durable server for many minutes: puts, updates, deletes, queries, batches and
 * transactions on items of which some expire, with a reader of the stream and callers that give up.
 * Prints memory, handles and latency as a curve; after warm-up they should be flat.
 */
const minutes = Number(optionOf('--minutes') ?? 30)
const rate = Number(optionOf('--rate') ?? 500)
const KEYS = 20_000
const TABLE = 'soak'
const TICK_MS = 10
const SAMPLE_MS = Math.min(60_000, (minutes * 60_000) / 10)

const server = fork(fileURLToPath(new URL('./processes/server.mjs', import.meta.url)), [], {
  execArgv: ['--expose-gc'],
})
process.on('exit', () => server.kill('SIGKILL'))
const [{ port }] = await once(server, 'message')
const transport = connect({
  region: 'us-east-1',
  endpoint: `http://127.0.0.1:${port}`,
  credentials: { accessKeyId: 'soak', secretAccessKey: 'soak' },
})
await createTable()
const random = seededRandom(1)
const counts = { done: 0, given_up: 0, failed: 0, records: 0 }
let latencies: number[] = []
const stop = new AbortController()
const reader = readStream(stop.signal)
console.log(
  [
    'minute',
    'operations',
    'given up',
    'failed',
    'records',
    'RSS MB',
    'anonymous',
    'heap MB',
    'handles',
    'p99 ms',
    'loop p99',
  ]
    .map((title) => title.padStart(11))
    .join(''),
)
const begin = performance.now()
const end = begin + minutes * 60_000
let nextSample = begin + SAMPLE_MS
while (performance.now() < end) {
  const tick = performance.now()
  for (let n = 0; n < (rate * TICK_MS) / 1000; n++) void operation()
  if (tick >= nextSample) {
    nextSample += SAMPLE_MS
    await printSample((tick - begin) / 60_000)
  }
  await new Promise((resolve) =>
    setTimeout(resolve, Math.max(1, TICK_MS - (performance.now() - tick))),
  )
}
stop.abort()
await reader
await transport.close()
server.kill('SIGTERM')

async function printSample(minute: number): Promise<void> {
  server.send('sample')
  const [sample]: [SoakSample] = (await once(server, 'message')) as [SoakSample]
  const sorted = latencies.sort((one, other) => one - other)
  latencies = []
  const cells = [
    minute.toFixed(1),
    ...Object.values(counts),
    sample.rss.toFixed(0),
    sample.anonymous.toFixed(0),
    sample.heap.toFixed(1),
    sample.handles,
    (sorted[Math.floor(sorted.length * 0.99)] ?? 0).toFixed(1),
    sample.loopP99.toFixed(1),
  ]
  console.log(cells.map((cell) => String(cell).padStart(11)).join(''))
}

async function operation(): Promise<void> {
  const started = performance.now()
  const abort = random() < 0.05 ? AbortSignal.timeout(1) : undefined
  try {
    await send(abort)
    counts.done++
    latencies.push(performance.now() - started)
  } catch (error) {
    if (abort?.aborted) counts.given_up++
    else {
      counts.failed++
      if (counts.failed < 5) console.error(error)
    }
  }
}

function send(signal: AbortSignal | undefined): Promise<unknown> {
  const kind = random()
  const options = { signal }
  const Key = someKey()
  if (kind < 0.3)
    return transport.send('PutItem', { TableName: TABLE, Item: someItem(Key) }, options)
  if (kind < 0.5) {
    return transport.send(
      'UpdateItem',
      {
        TableName: TABLE,
        Key,
        UpdateExpression: 'SET g = :g ADD n :one',
        ExpressionAttributeValues: { ':g': { S: someGroup() }, ':one': { N: '1' } },
      },
      options,
    )
  }
  if (kind < 0.6) return transport.send('DeleteItem', { TableName: TABLE, Key }, options)
  if (kind < 0.75) {
    return transport.send(
      'Query',
      {
        TableName: TABLE,
        IndexName: 'byGroup',
        KeyConditionExpression: 'g = :g',
        ExpressionAttributeValues: { ':g': { S: someGroup() } },
        Limit: 25,
      },
      options,
    )
  }
  if (kind < 0.85) {
    const keys = new Map(Array.from({ length: 10 }, () => someKey()).map((key) => [key.sk.S, key]))
    const requests = [...keys.values()].map((key) => ({ PutRequest: { Item: someItem(key) } }))
    return transport.send('BatchWriteItem', { RequestItems: { [TABLE]: requests } }, options)
  }
  const keys = new Map(Array.from({ length: 4 }, () => someKey()).map((key) => [key.sk.S, key]))
  const TransactItems = [...keys.values()].map((key) => ({
    Put: { TableName: TABLE, Item: someItem(key) },
  }))
  return transport.send('TransactWriteItems', { TransactItems }, options)
}

function someKey(): { pk: { S: string }; sk: { S: string } } {
  const n = Math.floor(random() * KEYS)
  return { pk: { S: `P${n % 500}` }, sk: { S: `K${n}` } }
}

function someGroup(): string {
  return `G${Math.floor(random() * 200)}`
}

function someItem(key: ReturnType<typeof someKey>) {
  const seconds = Math.floor(Date.now() / 1000) + 30
  return {
    ...key,
    g: { S: someGroup() },
    n: { N: '0' },
    text: { S: 'x'.repeat(200 + Math.floor(random() * 800)) },
    ...(random() < 0.2 && { expires: { N: String(seconds) } }),
  }
}

async function createTable(): Promise<void> {
  await transport.send('CreateTable', {
    TableName: TABLE,
    AttributeDefinitions: ['pk', 'sk', 'g'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S' as const,
    })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byGroup',
        KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  })
  await transport.send('UpdateTimeToLive', {
    TableName: TABLE,
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
  })
}

async function readStream(signal: AbortSignal): Promise<void> {
  const { Table } = await transport.send('DescribeTable', { TableName: TABLE })
  const StreamArn = Table?.LatestStreamArn ?? ''
  const { StreamDescription } = await transport.send('DescribeStream', { StreamArn })
  const ShardId = StreamDescription?.Shards?.[0]?.ShardId ?? ''
  const first = await transport.send('GetShardIterator', {
    StreamArn,
    ShardId,
    ShardIteratorType: 'TRIM_HORIZON',
  })
  let iterator: string | undefined = first.ShardIterator
  while (!signal.aborted && iterator) {
    const page: Awaited<ReturnType<typeof records>> = await records(transport, iterator)
    counts.records += page.Records?.length ?? 0
    iterator = page.NextShardIterator
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function records(from: Transport, ShardIterator: string) {
  return from.send('GetRecords', { ShardIterator })
}

function optionOf(name: string): string | undefined {
  const position = process.argv.indexOf(name)
  return position < 0 ? undefined : process.argv[position + 1]
}
