import { createEngine, type Engine, simulatedEnvironment } from 'singletable/engine'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** Large enough that each takes steps of its own. */
const LARGE = { L: Array.from({ length: 100 }, () => ({ N: '1' })) }
const SECONDS = 2_000_000_000

/** Every step counts as a long one, so that turns do not depend on the speed of the machine. */
beforeEach(() => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 20
    return now
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

const key = (n: number) => ({ pk: { S: `${n}` } })
const item = (n: number, name: string, until = SECONDS) => ({
  ...key(n),
  a: LARGE,
  b: { S: name },
  until: { N: `${until}` },
})

async function engineWith(count: number, options = {}): Promise<Engine> {
  const engine = createEngine(options)
  await engine.send('CreateTable', {
    TableName: 'table',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (let n = 0; n < count; n++) {
    await engine.send('PutItem', { TableName: 'table', Item: item(n, 'old') })
  }
  return engine
}

/** Writes by others while a request is carried out: how many of them were done before it. */
async function during(
  running: Promise<unknown>,
  write: (n: number) => Promise<unknown>,
): Promise<number> {
  let isOver = false
  const over = running.then(() => {
    isOver = true
  })
  let before = 0
  for (let n = 0; n < 40; n++) {
    await write(n)
    if (!isOver) before++
    // Only a turn of its own tells whether others have theirs.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await over
  return before
}

/** All items of the table, or of an index, in the order of their keys. */
async function all(engine: Engine, IndexName?: string) {
  const items: { readonly pk?: { readonly S?: string }; readonly b?: { readonly S?: string } }[] =
    []
  let ExclusiveStartKey: object | undefined
  do {
    const from = ExclusiveStartKey && { ExclusiveStartKey }
    const page = await engine.send('Scan', {
      TableName: 'table',
      ...(IndexName && { IndexName }),
      ...from,
    } as never)
    items.push(...(page.Items ?? []))
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey)
  return items.sort((one, other) => (one.pk!.S! < other.pk!.S! ? -1 : 1))
}

test('others write while an index is added, and it has what they have written', async () => {
  const engine = await engineWith(200)
  const running = engine.sendText('UpdateTable', {
    TableName: 'table',
    AttributeDefinitions: ['pk', 'b'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName: 'byB',
          KeySchema: [{ AttributeName: 'b', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      },
    ],
  })
  const before = await during(running, (n) =>
    n % 2 === 0
      ? engine.send('PutItem', { TableName: 'table', Item: item(n * 5, 'new') })
      : engine.send('DeleteItem', { TableName: 'table', Key: key(n * 5) }),
  )
  expect(before).toBeGreaterThan(1)
  expect(await all(engine, 'byB')).toEqual(await all(engine))
  const { Table } = await engine.send('DescribeTable', { TableName: 'table' })
  expect(Table?.GlobalSecondaryIndexes?.[0]?.ItemCount).toBe(Table?.ItemCount)
  await engine.close()
})

test('others write while time to live is enabled, and items expire when they say', async () => {
  const environment = simulatedEnvironment({ now: (SECONDS - 1000) * 1000 })
  const engine = await engineWith(200, { environment })
  const running = engine.sendText('UpdateTimeToLive', {
    TableName: 'table',
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'until' },
  })
  const before = await during(running, (n) =>
    engine.send('PutItem', { TableName: 'table', Item: item(n * 5, 'new', SECONDS * 2) }),
  )
  expect(before).toBeGreaterThan(1)
  await environment.advance(7 * 24 * 3600 * 1000)
  const names = async () => (await all(engine)).map(({ b }) => b?.S)
  await expect.poll(names, { timeout: 20_000 }).toEqual(Array.from({ length: 40 }, () => 'new'))
  await engine.close()
})
