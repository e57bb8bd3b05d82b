import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { lmdbStorage } from '@singletable/kit/storage'
import { type AttributeValue, createEngine, type Engine, type Item } from 'singletable/engine'
import { CLIENTS, type Operation, operationsOf, type Step } from './operation.ts'
import type { Cell, Change, Dump, Outcome } from './oracle.ts'
import { type SeededBug, withBug } from './seeded-bugs.ts'

/**
 * The child of the SIGKILL test: opens the store, says what is in it, then writes until it is
 * killed. What it starts and what was acknowledged it reports by synchronous writes to a pipe,
 * which the kernel keeps when the process is gone.
 */

/** What the parent sends the child, a line each. */
export type Command =
  | { readonly do: 'dump'; readonly after: string | undefined }
  | { readonly do: 'write'; readonly seed: number; readonly firstId: number }
  | { readonly do: 'replay'; readonly operations: readonly Operation[] }
  | { readonly do: 'close' }

/** What the child sends the parent, a line each. */
export type Report =
  | { readonly ready: true }
  | { readonly dump: Dump }
  | { readonly started: Operation }
  | { readonly acknowledged: number; readonly outcome: Outcome }
  | { readonly failed: string }

const PIPE = 3
const SHARED = { pk: { S: 'SHARED' }, sk: { S: 'COUNTER' } }
const COUNT_UP = {
  UpdateExpression: 'ADD n :one',
  ExpressionAttributeValues: { ':one': { N: '1' } },
}
const [folder = '', durability = 'flushed', bug = 'none'] = process.argv.slice(2)

let isWriting = false
const engine = createEngine({
  // The parent chooses among the words that are allowed.
  storage: withBug(
    lmdbStorage(folder, { durability: durability as 'flushed' | 'os' }),
    bug as SeededBug,
    () => isWriting,
  ),
})
await createTables()
report({ ready: true })
for await (const line of createInterface({ input: process.stdin })) {
  const command: Command = JSON.parse(line)
  if (command.do === 'dump') report({ dump: await dump(command.after) })
  else if (command.do === 'close') {
    await engine.close()
    process.exit(0)
  } else if (command.do === 'replay') {
    for (const operation of command.operations) await send(operation)
    report({ ready: true })
  } else {
    isWriting = true
    for (let client = 0; client < CLIENTS; client++) {
      run(client, command).catch((error) => report({ failed: String(error?.stack ?? error) }))
    }
  }
}

function report(message: Report): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(PIPE, bytes, written)
    } catch (error) {
      // The parent has not yet read what is in the pipe.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
  }
}

async function run(client: number, { seed, firstId }: { seed: number; firstId: number }) {
  for (const operation of operationsOf(client, firstId, seed)) {
    report({ started: operation })
    const outcome = await send(operation)
    report({ acknowledged: client, outcome })
  }
}

async function send(operation: Operation): Promise<Outcome> {
  const [step] = operation.steps
  try {
    if (operation.kind === 'transact') {
      await engine.send('TransactWriteItems', {
        ...(operation.token && { ClientRequestToken: operation.token }),
        TransactItems: [
          ...operation.steps.map((each) => transactItem(operation, each)),
          { Update: { TableName: 'main', Key: SHARED, ...COUNT_UP } },
        ],
      })
    } else if (operation.kind === 'batch') {
      const requests = (table: string) =>
        operation.steps
          .filter((each) => each.table === table)
          .map((each) =>
            each.kind === 'delete'
              ? { DeleteRequest: { Key: keyOf(operation, each) } }
              : { PutRequest: { Item: itemOf(operation, each) } },
          )
      const RequestItems = Object.fromEntries(
        ['main', 'side']
          .map((table) => [table, requests(table)])
          .filter(([, list]) => list?.length),
      )
      await engine.send('BatchWriteItem', { RequestItems })
    } else if (step?.kind === 'put') {
      await engine.send('PutItem', { TableName: step.table, Item: itemOf(operation, step) })
    } else if (step?.kind === 'delete') {
      await engine.send('DeleteItem', { TableName: step.table, Key: keyOf(operation, step) })
    } else if (step) {
      await engine.send('UpdateItem', {
        TableName: step.table,
        Key: keyOf(operation, step),
        ...change(step),
        ...(step.kind === 'update' && { ConditionExpression: 'attribute_exists(pk)' }),
      })
    }
    return 'done'
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return 'refused'
    throw error
  }
}

function transactItem(operation: Operation, step: Step) {
  const TableName = step.table
  if (step.kind === 'put') return { Put: { TableName, Item: itemOf(operation, step) } }
  const Key = keyOf(operation, step)
  if (step.kind === 'delete') return { Delete: { TableName, Key } }
  return { Update: { TableName, Key, ...change(step) } }
}

function change({ value, group }: Step) {
  return {
    UpdateExpression: 'SET v = :v, g = :g ADD n :one',
    ExpressionAttributeValues: { ':v': { S: value }, ':g': { S: group }, ':one': { N: '1' } },
  }
}

function keyOf({ client }: Operation, { sk }: Step): Item {
  return { pk: { S: `C${client}` }, sk: { S: sk } }
}

function itemOf(operation: Operation, step: Step): Item {
  const { value, group } = step
  return { ...keyOf(operation, step), v: { S: value }, g: { S: group }, n: { N: '0' } }
}

async function createTables(): Promise<void> {
  const { TableNames = [] } = await engine.send('ListTables', {})
  const names = [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ] as const
  const KeySchema = [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ] as const
  if (!TableNames.includes('side')) {
    await engine.send('CreateTable', {
      TableName: 'side',
      AttributeDefinitions: names,
      KeySchema,
      BillingMode: 'PAY_PER_REQUEST',
    })
  }
  if (!TableNames.includes('main')) await createMainTable(names, KeySchema)
  // Makes the item where there is none yet; otherwise it changes nothing.
  await engine.send('UpdateItem', {
    TableName: 'main',
    Key: SHARED,
    UpdateExpression: 'ADD n :zero',
    ExpressionAttributeValues: { ':zero': { N: '0' } },
  })
}

async function createMainTable(
  names: readonly { readonly AttributeName: string; readonly AttributeType: 'S' }[],
  KeySchema: readonly { readonly AttributeName: string; readonly KeyType: 'HASH' | 'RANGE' }[],
): Promise<void> {
  await engine.send('CreateTable', {
    TableName: 'main',
    AttributeDefinitions: [...names, { AttributeName: 'g', AttributeType: 'S' }],
    KeySchema,
    BillingMode: 'PAY_PER_REQUEST',
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byGroup',
        KeySchema: [
          { AttributeName: 'g', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  })
}

async function dump(after: string | undefined): Promise<Dump> {
  const main = await scan(engine, { TableName: 'main' })
  const side = await scan(engine, { TableName: 'side' })
  const index = await scan(engine, { TableName: 'main', IndexName: 'byGroup' })
  const shared = main.find((item) => item.pk?.S === 'SHARED')
  const { Table } = await engine.send('DescribeTable', { TableName: 'main' })
  const { changes, lastSequence } = await readStream(Table?.LatestStreamArn ?? '', after)
  return {
    items: [...placed('main', main), ...placed('side', side)],
    index: placed('main', index),
    shared: Number(shared?.n?.N),
    changes,
    lastSequence,
    counts: [
      Table?.ItemCount ?? -1,
      Table?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === 'byGroup')?.ItemCount ??
        -1,
    ],
  }
}

async function scan(from: Engine, request: { TableName: string; IndexName?: string }) {
  const items: Item[] = []
  let start: Item | undefined
  do {
    const page = await from.send('Scan', {
      ...request,
      ...(start && { ExclusiveStartKey: start }),
    })
    items.push(...(page.Items ?? []))
    start = page.LastEvaluatedKey
  } while (start)
  return items
}

async function readStream(StreamArn: string, after: string | undefined) {
  const changes: Change[] = []
  let lastSequence: string | undefined = after
  const { StreamDescription } = await engine.send('DescribeStream', { StreamArn })
  for (const { ShardId = '' } of StreamDescription?.Shards ?? []) {
    const place = after
      ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: after }
      : { ShardIteratorType: 'TRIM_HORIZON' as const }
    const found = await engine.send('GetShardIterator', { StreamArn, ShardId, ...place })
    let iterator: string | undefined = found.ShardIterator
    while (iterator !== undefined) {
      const page = await readRecords(iterator)
      if (!page.Records?.length) break
      for (const { dynamodb } of page.Records) {
        lastSequence = dynamodb?.SequenceNumber
        const keys = dynamodb?.Keys
        if (keys?.pk?.S === 'SHARED') continue
        changes.push({
          place: `main ${keys?.pk?.S} ${keys?.sk?.S}`,
          sequence: dynamodb?.SequenceNumber ?? '',
          before: cellOf(dynamodb?.OldImage),
          after: cellOf(dynamodb?.NewImage),
        })
      }
      iterator = page.NextShardIterator
    }
  }
  return { changes, lastSequence }
}

function readRecords(ShardIterator: string) {
  return engine.send('GetRecords', { ShardIterator })
}

function placed(table: string, items: readonly Item[]): [string, Cell][] {
  return items.flatMap((item) => {
    const cell = cellOf(item)
    const isShared = item.pk?.S === 'SHARED'
    return cell && !isShared ? [[`${table} ${item.pk?.S} ${item.sk?.S}`, cell]] : []
  })
}

function cellOf(item: { readonly [name: string]: AttributeValue } | undefined): Cell | undefined {
  if (item === undefined) return undefined
  return {
    value: item.v?.S ?? '',
    group: item.g?.S ?? '',
    count: Number(item.n?.N ?? Number.NaN),
  }
}
