import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createEngine, type Engine, seededRandom } from 'singletable/engine'
import sortedBtree from 'sorted-btree'
import { median } from '../median.ts'
import { arrived, measureRound, prepareCalls, type Subject, subject } from './measure.ts'

/**
 * CPU microseconds per operation of the engine in process, on tables of 10 thousand and of 1
 * million items with one GSI, next to a bare ordered map (sorted-btree) with as many entries. Each
 * has a process of its own for each size, and these take turns, so that a busy machine strikes all
 * alike. What else the machine does can only add to a figure, by taking the caches away, and so
 * does a collection of the whole heap that falls into a round: so the best round is nearest to what
 * the calls need, and the median shows what came on top. The growth is that of the best rounds, and
 * the median of the growths round by round.
 */
const SIZES = [10_000, 1_000_000]
const ROUNDS = 40
/** The compiler needs to have seen all subjects take turns before its code is as good as it
 * gets. */
const WARM_UP_ROUNDS = 4
const CALLS = 20_000
const TABLE = 'bench'

/** What a process holds and measures. */
const CONTENTS = ['map', 'engine'] as const
type Content = (typeof CONTENTS)[number]

/** The package is CommonJS: its class is the `default` member of what is imported. */
type OrderedPeer = InstanceType<typeof sortedBtree.default<string, number>>

interface Row {
  readonly name: string
  readonly ceiling?: number
}
const ROWS: readonly Row[] = [
  { name: 'bare map get' },
  { name: 'bare map put' },
  { name: 'GetItem', ceiling: 5 },
  { name: 'PutItem', ceiling: 15 },
  { name: 'UpdateItem' },
  { name: 'Query 25' },
  { name: 'TransactWriteItems 5' },
]

const [sizeGiven, contentGiven] = process.argv.slice(2)
if (sizeGiven === undefined) await compareSizes()
else await serveRounds(Number(sizeGiven), contentGiven as Content)

async function compareSizes(): Promise<void> {
  console.error(`loading ${SIZES.join(' and ')} items …`)
  const bench = process.argv[1]!
  const processes = SIZES.map((size) =>
    CONTENTS.map((content) => fork(bench, [String(size), content])),
  )
  await Promise.all(processes.flat().map((child) => once(child, 'message')))
  const rounds: Record<string, number>[][] = SIZES.map(() => [])
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const [place, children] of processes.entries()) {
      const figures = {}
      for (const child of children) Object.assign(figures, await nextRound(child))
      if (round >= 0) rounds[place]!.push(figures)
    }
  }
  for (const child of processes.flat()) child.disconnect()
  print(rounds)
}

async function nextRound(child: ChildProcess): Promise<Record<string, number>> {
  child.send('next')
  const [figures] = await once(child, 'message')
  return figures
}

function print(rounds: readonly Record<string, number>[][]): void {
  console.log(`CPU µs per operation, best (median) of ${ROUNDS} rounds of up to ${CALLS} calls`)
  console.log(row(['', ...SIZES.map((size) => `${size} items`), 'growth', 'ceiling']))
  for (const { name, ceiling } of ROWS) {
    const samples = rounds.map((figures) => figures.map((figure) => figure[name] ?? Number.NaN))
    const [small = [], large = []] = samples
    // A round of one size and the next of the other have the same busy machine.
    const growths = large.map((value, round) => value / (small[round] ?? Number.NaN))
    console.log(
      row([
        name,
        ...samples.map((values) => bestAndMedian(Math.min(...values), values)),
        bestAndMedian(Math.min(...large) / Math.min(...small), growths, '×'),
        ceiling === undefined ? '' : `${ceiling}, ×1.5`,
      ]),
    )
  }
}

function bestAndMedian(best: number, values: readonly number[], sign = ''): string {
  return `${sign}${best.toFixed(2)} (${sign}${median(values).toFixed(2)})`
}

/** Measures a round whenever the parent asks for one, and ends with it. */
async function serveRounds(size: number, content: Content): Promise<void> {
  const subjects = content === 'map' ? mapSubjects(size) : await engineSubjects(size)
  const prepared = prepareCalls(subjects)
  // What loading has left behind is nothing the rounds shall pay for.
  globalThis.gc?.()
  process.on('message', async () => process.send?.(await measureRound(prepared)))
  process.send?.('ready')
}

/** Numbers of items at random, the same in every run. */
function picker(size: number): () => number {
  const random = seededRandom(42)
  return () => Math.floor(random() * size)
}

function mapSubjects(size: number): Subject[] {
  const map = loadedMap(size)
  const pick = picker(size)
  return [
    subject({
      name: 'bare map get',
      calls: CALLS,
      prepare: () => mapKey(pick()),
      run(keys) {
        for (const key of keys) if (map.get(key) === undefined) throw new Error('missing entry')
      },
    }),
    subject({
      name: 'bare map put',
      calls: CALLS,
      prepare: () => mapKey(pick()),
      run(keys) {
        for (const key of keys) map.set(key, keys.length)
      },
    }),
  ]
}

async function engineSubjects(size: number): Promise<Subject[]> {
  const engine = await loadedEngine(size)
  const pick = picker(size)
  let count = 0
  return [
    subject({
      name: 'GetItem',
      calls: CALLS,
      prepare: () => ({ TableName: TABLE, Key: keyOf(pick()) }),
      async run(requests) {
        for (const request of requests) await engine.send('GetItem', request)
      },
    }),
    subject({
      name: 'PutItem',
      calls: CALLS,
      prepare: () => ({ TableName: TABLE, Item: itemOf(pick(), count++) }),
      async run(requests) {
        for (const request of requests) await engine.send('PutItem', request)
      },
    }),
    subject({
      name: 'UpdateItem',
      calls: CALLS,
      prepare: () => ({
        TableName: TABLE,
        Key: keyOf(pick()),
        UpdateExpression: 'SET #views = #views + :one, title = :title',
        ExpressionAttributeNames: { '#views': 'views' },
        ExpressionAttributeValues: { ':one': { N: '1' }, ':title': { S: `title ${count++}` } },
      }),
      async run(requests) {
        for (const request of requests) await engine.send('UpdateItem', request)
      },
    }),
    subject({
      name: 'Query 25',
      calls: CALLS / 10,
      prepare: () => ({
        TableName: TABLE,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': keyOf(pick()).pk },
        Limit: 25,
      }),
      async run(requests) {
        for (const request of requests) {
          const { Count } = await engine.send('Query', request)
          if (Count !== 25) throw new Error(`${Count} instead of 25 items`)
        }
      },
    }),
    subject({
      name: 'TransactWriteItems 5',
      calls: CALLS / 5,
      prepare: () => {
        const first = pick()
        return {
          TransactItems: [0, 1, 2, 3, 4].map((offset) => ({
            Put: { TableName: TABLE, Item: itemOf((first + offset) % size, count++) },
          })),
        }
      },
      async run(requests) {
        for (const request of requests) await engine.send('TransactWriteItems', request)
      },
    }),
  ]
}

async function loadedEngine(size: number): Promise<Engine> {
  const engine = createEngine()
  await engine.send('CreateTable', {
    TableName: TABLE,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['pk', 'sk', 'gsi1pk', 'gsi1sk'].map((name) => ({
      AttributeName: name,
      AttributeType: 'S',
    })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'gsi1',
        KeySchema: [
          { AttributeName: 'gsi1pk', KeyType: 'HASH' },
          { AttributeName: 'gsi1sk', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  })
  // One at a time, as calls come: many that are made together grow old among the items, and leave a
  // heap full of holes behind them.
  for (let number = 0; number < size; number++) {
    await engine.send('PutItem', arrived({ TableName: TABLE, Item: itemOf(number, 0) }))
  }
  return engine
}

function loadedMap(size: number): OrderedPeer {
  const map: OrderedPeer = new sortedBtree.default<string, number>()
  for (let number = 0; number < size; number++) {
    // A flat string, as those that are looked for.
    map.set(JSON.parse(JSON.stringify(mapKey(number))), number)
  }
  return map
}

/** 50 items a partition, so that every partition can answer a query of 25. */
function keyOf(number: number) {
  return {
    pk: { S: `USER#${String(Math.floor(number / 50)).padStart(8, '0')}` },
    sk: { S: `POST#${String(number % 50).padStart(8, '0')}` },
  }
}

function mapKey(number: number): string {
  const { pk, sk } = keyOf(number)
  return `${pk.S}\0${sk.S}`
}

/** Its key isn't spread into it: V8 promotes objects so made, a kilobyte an item, long after nobody
 * knows them any more. */
function itemOf(number: number, views: number) {
  const { pk, sk } = keyOf(number)
  return {
    pk,
    sk,
    gsi1pk: { S: `STATUS#${number % 1000}` },
    gsi1sk: { S: `POST#${String(number).padStart(10, '0')}` },
    title: { S: `post number ${number}` },
    views: { N: String(views) },
    published: { BOOL: true },
    tags: { SS: ['one', 'two'] },
  }
}

function row(cells: readonly string[]): string {
  return cells.map((cell, column) => (column === 0 ? cell.padEnd(22) : cell.padStart(16))).join('')
}
