import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { Table } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import {
  type Checkpoint,
  type Checkpoints,
  memoryCheckpoints,
  onChange,
  pollStream,
  type StreamGap,
  type StreamRecord,
} from 'singletable/streams'
import { describe, expect, test, vi } from 'vitest'
import { hasty, NOW, schema, streamTable } from './stream-table.ts'

const HOUR_MS = 3_600_000

const idOf = ({ dynamodb }: StreamRecord): string =>
  `${dynamodb.Keys.pk?.S?.slice(5)}${dynamodb.NewImage ? '' : ' gone'}`

/** A table, and a way to read what is new in its stream. */
async function polled(source?: (engine: Engine) => DynamoDBStreamsClient) {
  const setting = await streamTable()
  const { table, engine, streamArn } = setting
  const checkpoints = memoryCheckpoints()
  const gaps: StreamGap[] = []
  const read = async (options: Partial<Parameters<typeof pollStream>[0]> = {}) => {
    const seen: string[] = []
    const { reason } = await pollStream({
      source: source?.(engine) ?? engine,
      streamArn,
      checkpoints,
      environment: hasty,
      until: 'caught-up',
      handler: ({ Records }) => void seen.push(...Records.map(idOf)),
      onGap: (gap) => gaps.push(gap),
      ...options,
    })
    return { seen, reason }
  }
  const put = (username: string) => table.entities.User.put({ username, name: username }).execute()
  return { ...setting, checkpoints, gaps, read, put }
}

const sources = {
  'an engine': undefined,
  'the AWS SDK': (engine: Engine) => new DynamoDBStreamsClient(engine.clientConfig()),
}
for (const [name, source] of Object.entries(sources)) {
  describe(`a poller on ${name}`, () => {
    test('reads each record once, and continues where the last one stopped', async () => {
      const { read, put } = await polled(source)
      await put('a')
      await put('b')
      expect(await read()).toEqual({ seen: ['a', 'b'], reason: 'caught-up' })
      expect(await read()).toEqual({ seen: [], reason: 'caught-up' })
      await put('c')
      expect((await read()).seen).toEqual(['c'])
    })

    test('reads parents before their children', async () => {
      const { read, put, engine, streamArn } = await polled(source)
      for (const username of ['a', 'b', 'c', 'd']) {
        await put(username)
        await engine.rotateShards(streamArn)
      }
      expect((await read({ batchSize: 1 })).seen).toEqual(['a', 'b', 'c', 'd'])
      await put('e')
      await engine.rotateShards(streamArn)
      await put('f')
      expect((await read()).seen).toEqual(['e', 'f'])
    })

    test('begins after the newest record if asked, and misses nothing from then on', async () => {
      const { read, put, engine, streamArn, checkpoints } = await polled(source)
      await put('a')
      await engine.rotateShards(streamArn)
      await put('b')
      expect((await read({ from: 'latest' })).seen).toEqual([])
      const { shards } = (await checkpoints.load(streamArn)) ?? { shards: {} }
      expect(Object.values(shards)).toEqual([{ finished: true }, { since: NOW / 1000 - 5 }])
      await put('c')
      expect((await read()).seen).toContain('c')
    })

    test('reports records that were deleted before they were handled', async () => {
      const { read, put, environment, gaps } = await polled(source)
      await put('a')
      await put('b')
      await read({ batchSize: 1 })
      await put('c')
      await environment.advance(25 * HOUR_MS)
      await put('d')
      expect((await read()).seen).toEqual(['d'])
      expect(gaps).toHaveLength(1)
      expect(gaps[0]?.after).toBeDefined()
      expect((await read()).seen).toEqual([])
      expect(gaps).toHaveLength(1)
    })
  })
}

describe('a poller', () => {
  test('begins at a time', async () => {
    const { read, put, environment } = await polled()
    await put('a')
    await environment.advance(10_000)
    await put('b')
    expect((await read({ from: new Date(NOW + 10_000) })).seen).toEqual(['b'])
  })

  test('finds the stream and the client of a table', async () => {
    const { table, put } = await polled()
    await put('a')
    const seen: string[] = []
    await pollStream({
      table,
      environment: hasty,
      until: 'caught-up',
      handler: onChange(table, { User: { insert: ({ after }) => seen.push(after.name) } }),
    })
    expect(seen).toEqual(['a'])
  })

  test('gives handlers the records as Lambda does', async () => {
    const { read, put, environment, engine, table, streamArn } = await polled()
    await put('a')
    await table.entities.Session.put({
      username: 'a',
      number: 1,
      expiresAt: NOW / 1000 + 1,
    }).execute()
    await environment.advance(5000)
    await engine.sweepExpired()
    const records: StreamRecord[] = []
    const client = new DynamoDBStreamsClient(engine.clientConfig())
    await read({ source: client, handler: ({ Records }) => void records.push(...Records) })
    expect(records[0]).toMatchObject({
      eventSourceARN: streamArn,
      dynamodb: { ApproximateCreationDateTime: NOW / 1000, NewImage: { name: { S: 'a' } } },
    })
    expect(records[2]).toMatchObject({
      userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
    })
  })

  test('follows shards that appear while it runs, and stops when it is aborted', async () => {
    const { read, put, engine, streamArn } = await polled()
    const controller = new AbortController()
    const seen: string[] = []
    const reading = read({
      until: 'stopped',
      signal: controller.signal,
      handler: ({ Records }) => void seen.push(...Records.map(idOf)),
    })
    for (const username of ['a', 'b', 'c']) {
      await put(username)
      await engine.rotateShards(streamArn)
      await vi.waitFor(() => expect(seen).toContain(username))
    }
    controller.abort()
    expect((await reading).reason).toBe('stopped')
    expect(seen).toEqual(['a', 'b', 'c'])
    const aborted = await read({ signal: AbortSignal.abort() })
    expect(aborted).toEqual({ seen: [], reason: 'stopped' })
  })

  test('that is stopped while a batch is handled finishes it and saves its checkpoint', async () => {
    const { read, put } = await polled()
    await put('a')
    await put('b')
    const controller = new AbortController()
    const seen: string[] = []
    await read({
      batchSize: 1,
      signal: controller.signal,
      handler: async ({ Records }) => {
        controller.abort()
        await new Promise((resolve) => setImmediate(resolve))
        seen.push(...Records.map(idOf))
      },
    })
    expect(seen).toEqual(['a'])
    expect((await read()).seen).toEqual(['b'])
  })

  test('ends when the stream was switched off and is read to its end', async () => {
    const { read, put, engine, table } = await polled()
    await put('a')
    await engine.send('UpdateTable', {
      TableName: table.name,
      StreamSpecification: { StreamEnabled: false },
    })
    expect(await read({ until: 'stopped' })).toEqual({ seen: ['a'], reason: 'ended' })
  })

  test('tries a record again until it is handled, and hands over those before it once', async () => {
    const { read, put } = await polled()
    for (const username of ['a', 'b', 'c']) await put(username)
    const seen: string[] = []
    const attempts: number[] = []
    await read({
      handler: ({ Records }) => {
        const failed = Records.findIndex((record) => idOf(record) === 'b')
        if (failed < 0 || attempts.length === 3) {
          seen.push(...Records.map(idOf))
          return undefined
        }
        seen.push(...Records.slice(0, failed).map(idOf))
        const { SequenceNumber } = Records[failed]!.dynamodb
        return { batchItemFailures: [{ itemIdentifier: SequenceNumber }] }
      },
      onFailure: ({ attempt, error }) => {
        expect(error).toBeUndefined()
        attempts.push(attempt)
        return 'retry'
      },
    })
    expect(attempts).toEqual([1, 2, 3])
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  test('finds the record at which a handler throws, and skips it if that is wanted', async () => {
    const { read, put } = await polled()
    for (const username of ['a', 'b', 'c']) await put(username)
    const seen: string[] = []
    const failures: string[] = []
    await read({
      handler: ({ Records }) => {
        for (const record of Records) {
          if (idOf(record) === 'b') throw new Error('no b')
          seen.push(idOf(record))
        }
      },
      onFailure: ({ record, error }) => {
        failures.push(`${idOf(record)}: ${(error as Error).message}`)
        return 'skip'
      },
    })
    expect(failures).toEqual(['b: no b'])
    expect(seen).toEqual(['a', 'a', 'c'])
    expect((await read()).seen).toEqual([])
  })

  test('stops at a failure if that is wanted, before the record that failed', async () => {
    const { read, put } = await polled()
    await put('a')
    const failure = new Error('no')
    const stopped = read({
      handler: () => Promise.reject(failure),
      onFailure: () => 'stop',
    })
    await expect(stopped).rejects.toMatchObject({ code: 'STREAM_HANDLER_FAILED', cause: failure })
    expect((await read()).seen).toEqual(['a'])
  })

  test('survives expired iterators', async () => {
    const { read, put, environment } = await polled()
    for (const username of ['a', 'b', 'c']) await put(username)
    const seen: string[] = []
    await read({
      batchSize: 1,
      handler: async ({ Records }) => {
        await environment.advance(20 * 60 * 1000)
        seen.push(...Records.map(idOf))
      },
    })
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  test('survives throttling and failures of the service, and reports them', async () => {
    const { read, put, engine } = await polled()
    await put('a')
    engine.faults.add({ kind: 'throttle', operation: 'GetRecords', count: 2 })
    const errors: unknown[] = []
    expect((await read({ onError: (error) => errors.push(error) })).seen).toEqual(['a'])
    expect(errors).toHaveLength(2)
  })

  test('saves a checkpoint again until it is saved', async () => {
    const { read, put } = await polled()
    await put('a')
    let saved: Checkpoint | undefined
    let failures = 3
    const checkpoints: Checkpoints = {
      load: async () => saved,
      async save(_, checkpoint) {
        if (failures-- > 0) throw new Error('disk full')
        saved = checkpoint
      },
    }
    const errors: unknown[] = []
    await read({ checkpoints, onError: (error) => errors.push(error) })
    expect(errors).toHaveLength(3)
    expect(Object.values(saved?.shards ?? {})[0]?.after).toBeDefined()
  })

  test('of a table without a stream, or of a stream that is not there, is refused', async () => {
    const engine = createEngine()
    const { table: _, ...withoutStream } = schema
    const table = new Table({ name: 'Silent', schema: withoutStream, client: engine })
    await table.create()
    const handler = (): void => {}
    await expect(pollStream({ table, handler })).rejects.toMatchObject({
      code: 'STREAM_NOT_FOUND',
    })
    const { read, streamArn } = await polled()
    const missing = read({ streamArn: streamArn.replace(/.$/, '9') })
    await expect(missing).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' })
  })

  test.each([1, 999, 1000])('takes batches of %d', async (batchSize) => {
    const { read, put } = await polled()
    await put('a')
    expect((await read({ batchSize })).seen).toEqual(['a'])
  })

  test.each([
    [{ handler: undefined }, 'handler must be'],
    [{ streamArn: undefined }, 'one of streamArn and table'],
    [{ from: 'now' }, 'from must be'],
    [{ from: new Date(Number.NaN) }, 'from must be'],
    [{ until: 'later' }, 'until must be'],
    [{ batchSize: 0 }, 'batchSize must be'],
    [{ batchSize: 1001 }, 'batchSize must be'],
    [{ idleMsMax: -1 }, 'idleMsMax must'],
    [{ signal: {} }, 'signal must be'],
    [{ source: {} }, 'source is neither'],
    [{ hander: () => {} }, 'did you mean "handler"'],
  ])('refuses the options %o', async (options, problem) => {
    const { read } = await polled()
    await expect(read(options as never)).rejects.toThrow(problem)
  })
})
