import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine, type Engine, type Item } from 'singletable/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listen } from '../server/listen.ts'
import { GroupStorage } from './group-storage.ts'
import type { LmdbFile } from './lmdb-file.ts'
import { lmdbStorage } from './lmdb-storage.ts'
import { openStoreFolder } from './store-folder.ts'

let folder: string
beforeEach(() => {
  // Hundreds of stores are opened, so it should cost little to flush.
  const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  folder = mkdtempSync(join(base, 'singletable-failures-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const TABLE = 'items'
const key = (n: number) => ({ pk: { S: `p${n % 3}` }, sk: { S: String(n).padStart(4, '0') } })
const item = (n: number, version: number): Item => ({
  ...key(n),
  gsi: { S: `g${(n + version) % 2}` },
  version: { N: String(version) },
})

function openFailing(at: FileFailure) {
  const { file, unlock } = openStoreFolder(folder, 'os')
  const failing = failingFile(file, at)
  const storage = new GroupStorage({ file: failing, path: folder, afterClose: unlock })
  return { storage, state: failing.state }
}

async function createTable(engine: Engine): Promise<void> {
  await engine.send('CreateTable', {
    TableName: TABLE,
    AttributeDefinitions: ['pk', 'sk', 'gsi'].map((name) => ({
      AttributeName: name,
      AttributeType: 'S' as const,
    })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byGroup',
        KeySchema: [{ AttributeName: 'gsi', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    BillingMode: 'PAY_PER_REQUEST',
  })
}

/** Puts, updates, deletes and transactions, some at the same time; notes each acknowledged state,
 * and what was still open. */
async function work(engine: Engine, name: string) {
  const acknowledged = new Map<number, number | undefined>()
  const uncertain = new Set<number>()
  let acknowledgedAfterFailure = 0
  let failed = false
  const attempt = async (
    numbers: readonly number[],
    version: number | undefined,
    send: () => Promise<unknown>,
  ): Promise<void> => {
    try {
      await send()
      if (failed) acknowledgedAfterFailure++
      for (const n of numbers) acknowledged.set(n, version)
    } catch (error) {
      if (String(error).includes('STORAGE_FAILED')) failed = true
      for (const n of numbers) uncertain.add(n)
    }
  }
  for (let round = 1; round <= 3; round++) {
    await Promise.all(
      [0, 1, 2, 3].map((n) =>
        attempt([n], round, () =>
          engine.send('PutItem', { TableName: TABLE, Item: item(n, round) }),
        ),
      ),
    )
    await attempt([4, 5], round, () =>
      engine.send('TransactWriteItems', {
        TransactItems: [4, 5].map((n) => ({ Put: { TableName: TABLE, Item: item(n, round) } })),
        // Another in each run: a known token is answered without a write.
        ClientRequestToken: `${name}-${round}`,
      }),
    )
    await attempt([0], undefined, () =>
      engine.send('DeleteItem', { TableName: TABLE, Key: key(0) }),
    )
  }
  return { acknowledged, uncertain, acknowledgedAfterFailure }
}

/** What must be true of the table whatever happened: indexes and stream fit the items. */
async function check({ acknowledged, uncertain }: Awaited<ReturnType<typeof work>>): Promise<void> {
  const engine = createEngine({ storage: lmdbStorage(folder, { durability: 'os' }) })
  const { Items = [], Count } = await engine.send('Scan', { TableName: TABLE })
  const versions = new Map(Items.map((each) => [Number(each.sk!.S), Number(each.version!.N)]))
  for (const [n, version] of acknowledged) {
    if (!uncertain.has(n)) expect(versions.get(n)).toBe(version)
  }
  const indexed = await engine.send('Scan', { TableName: TABLE, IndexName: 'byGroup' })
  const inOrder = (all: readonly Item[]) => all.map((each) => JSON.stringify(each)).sort()
  expect(inOrder(indexed.Items ?? [])).toEqual(inOrder(Items))
  // Both items of a transaction or none.
  expect(versions.get(4)).toBe(versions.get(5))
  const { Table } = await engine.send('DescribeTable', { TableName: TABLE })
  expect(Table?.ItemCount).toBe(Count)
  await engine.close()
}

/** The calls of a run in which none fails. */
async function countCalls(): Promise<number> {
  const { storage, state } = openFailing({ call: 0, when: 'before', forever: false })
  const engine = createEngine({ storage })
  const before = state.calls
  await work(engine, 'count')
  const count = state.calls - before
  await engine.close()
  return count
}

describe('when one call of LMDB fails, at any place, nothing acknowledged is lost', () => {
  for (const when of ['before', 'after'] as const) {
    for (const forever of [false, true]) {
      test(`${forever ? 'for good' : 'once'}, ${when} it has taken effect`, async () => {
        const empty = createEngine({ storage: lmdbStorage(folder, { durability: 'os' }) })
        await createTable(empty)
        await empty.close()
        const calls = await countCalls()
        let commitFailures = 0
        for (let call = 1; call <= calls; call++) {
          const opened = openFailing({ call: call + OPENING_CALLS, when, forever })
          const engine = createEngine({ storage: opened.storage })
          const done = await work(engine, `run-${call}`)
          if (opened.state.failedCommit) {
            commitFailures++
            expect(done.acknowledgedAfterFailure).toBe(0)
            await expect(
              engine.send('PutItem', { TableName: TABLE, Item: item(9, 1) }),
            ).rejects.toThrow('STORAGE_FAILED')
          }
          await engine.close()
          await check(done)
        }
        expect(commitFailures).toBeGreaterThan(3)
      })
    }
  }
})

/** Opening takes a read point and reads what is left of deleted tables, then the catalog. */
const OPENING_CALLS = 3

test('after a failed commit reads still work and see what was acknowledged', async () => {
  const { storage } = openFailing({ call: 8, when: 'before', forever: true })
  let acknowledged = 0
  for (let n = 1; ; n++) {
    try {
      await storage.transaction((transaction) => transaction.put('a', { n }))
      acknowledged = n
    } catch {
      break
    }
  }
  await storage.close()
  const reopened = lmdbStorage(folder)
  expect(reopened.get('a')).toEqual({ n: acknowledged })
  await reopened.close()
})

test('all that waited for the failed commit, and all that comes later, fails with the cause; nobody hangs', async () => {
  const { storage } = openFailing({ call: 2, when: 'before', forever: false })
  const waiting = [1, 2, 3].map((n) =>
    storage.transaction((transaction) => transaction.put('a', { n })),
  )
  const results = await Promise.allSettled(waiting)
  for (const result of results) {
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { code: 'STORAGE_FAILED', cause: { message: 'EIO: i/o error, fsync' } },
    })
  }
  await expect(storage.transaction(() => 1)).rejects.toThrow('STORAGE_FAILED')
  expect(storage.get('a')).toBeUndefined()
  await storage.close()
})

describe('an engine whose storage has failed', () => {
  /** With a table, and with all that is written after it failing. */
  async function failedEngine() {
    await withTable()
    const { storage, failNow } = openUntilFailure()
    return { engine: createEngine({ storage }), failNow }
  }

  async function withTable(): Promise<void> {
    const engine = createEngine({ storage: lmdbStorage(folder, { durability: 'os' }) })
    await createTable(engine)
    await engine.close()
  }

  function openUntilFailure() {
    const { file, unlock } = openStoreFolder(folder, 'os')
    let isFailing = false
    const commit: LmdbFile['commit'] = (writes) =>
      isFailing ? Promise.reject(new Error('EIO: i/o error, fsync')) : file.commit(writes)
    const storage = new GroupStorage({
      file: { ...file, commit },
      path: folder,
      afterClose: unlock,
    })
    const failNow = (): void => {
      isFailing = true
    }
    return { storage, failNow }
  }

  test('shows the tables that were acknowledged, and no others', async () => {
    const { engine, failNow } = await failedEngine()
    failNow()
    const definition = {
      TableName: 'second',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' as const }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
      BillingMode: 'PAY_PER_REQUEST' as const,
    }
    const results = await Promise.allSettled([
      engine.send('CreateTable', definition),
      // The second of one name throws inside its transaction, but what it has seen was never there.
      engine.send('CreateTable', definition),
      engine.send('DeleteTable', { TableName: TABLE }),
    ])
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'STORAGE_FAILED' } })
    }
    expect((await engine.send('ListTables', {})).TableNames).toEqual([TABLE])
    const { Table } = await engine.send('DescribeTable', { TableName: TABLE })
    expect(Table?.TableStatus).toBe('ACTIVE')
    await expect(engine.send('DescribeTable', { TableName: 'second' })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    })
    await engine.close()
  })

  test('keeps a table that another request is making while a second one of its name is refused', async () => {
    const { engine } = await failedEngine()
    const definition = {
      TableName: 'second',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' as const }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
      BillingMode: 'PAY_PER_REQUEST' as const,
    }
    const [first, second] = await Promise.allSettled([
      engine.send('CreateTable', definition),
      engine.send('CreateTable', definition),
    ])
    expect(first.status).toBe('fulfilled')
    expect(second).toMatchObject({ reason: { name: 'ResourceInUseException' } })
    expect((await engine.send('ListTables', {})).TableNames).toEqual([TABLE, 'second'])
    await engine.close()
  })

  test('answers 500 over HTTP, and calls onFailure', async () => {
    const { engine, failNow } = await failedEngine()
    failNow()
    const reported: unknown[] = []
    const server = await listen(engine, { port: 0, onFailure: (error) => reported.push(error) })
    const response = await fetch(server.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.PutItem',
        'x-amz-date': '20260101T000000Z',
        authorization: 'AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=c',
      },
      body: JSON.stringify({ TableName: TABLE, Item: item(1, 1) }),
    })
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({
      __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError',
      message: 'Internal server error',
    })
    expect(reported).toMatchObject([{ code: 'STORAGE_FAILED' }])
    await server.close()
    await engine.close()
  })

  test('gives the folder free although late entries of its indexes can not be written', async () => {
    const { engine, failNow } = await failedEngine()
    engine.faults.add({ kind: 'indexLag', ms: 5 })
    await engine.send('PutItem', { TableName: TABLE, Item: item(1, 1) })
    failNow()
    // The timer of the late entry fails as well, which must not end the process.
    await new Promise((resolve) => setTimeout(resolve, 50))
    await engine.send('PutItem', { TableName: TABLE, Item: item(2, 1) }).catch(() => {})
    await engine.close().catch(() => {})
    await lmdbStorage(folder).close()
  })
})

/** Which call fails, counted from 1, and how. */
interface FileFailure {
  readonly call: number
  /** `before`: nothing is done. `after`: a commit takes place, but is reported as failed, as when
   * the last flush fails. */
  readonly when: 'before' | 'after'
  /** Whether all later calls fail too. */
  readonly forever: boolean
}

/** A file whose calls fail as planned; `calls` counts them, `failed` says whether the time has
 * come. */
function failingFile(
  file: LmdbFile,
  failure: FileFailure,
): LmdbFile & { readonly state: { calls: number; failedCommit: boolean } } {
  const state = { calls: 0, failedCommit: false }
  const failsNow = (): boolean => {
    state.calls++
    return failure.forever ? state.calls >= failure.call : state.calls === failure.call
  }
  const failing = <TArguments extends unknown[], TResult>(
    call: (...args: TArguments) => TResult,
  ): ((...args: TArguments) => TResult) => {
    return (...args) => {
      if (failsNow()) throw new Error('EIO: i/o error')
      return call(...args)
    }
  }
  return {
    state,
    readPoint: failing(file.readPoint),
    release: (point) => file.release(point),
    get: failing(file.get),
    range: failing(file.range),
    async commit(writes) {
      const fails = failsNow()
      if (!fails || failure.when === 'after') await file.commit(writes)
      if (!fails) return
      state.failedCommit = true
      throw new Error('EIO: i/o error, fsync')
    },
    commitLarge(callback) {
      const fails = failsNow()
      if (!fails || failure.when === 'after') file.commitLarge(callback)
      if (!fails) return
      state.failedCommit = true
      throw new Error('EIO: i/o error, fsync')
    },
    close: () => file.close(),
  }
}
