import { defineSchema, Table } from 'singletable'
import { createEngine, type Engine, simulatedEnvironment } from 'singletable/engine'
import { type AnyStreamRecord, pollStream } from 'singletable/streams'

export const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'USER#${username}', sk: 'PROFILE' },
      attributes: {
        username: { type: String, required: true },
        name: { type: String, required: true },
        photo: { type: Uint8Array },
        born: { type: Date },
        tags: { type: Set, items: { type: String } },
        secret: { type: String, hidden: true },
      },
    },
    Session: {
      key: { pk: 'USER#${username}', sk: 'SESSION#${number:pad(4)}' },
      attributes: {
        username: { type: String, required: true },
        number: { type: Number, required: true },
        count: { type: Number, default: 0 },
        expiresAt: { type: Number, ttl: true },
      },
    },
  },
  table: { stream: 'new-and-old' },
})

export const NOW = Date.UTC(2026, 0, 2, 3, 0, 0)

/** A table with a stream on an engine whose clock is moved by hand. */
export async function streamTable() {
  const environment = simulatedEnvironment({ now: NOW })
  const engine = createEngine({ environment })
  const table = new Table({ name: 'Things', schema, client: engine, environment })
  await table.create()
  return { environment, engine, table, streamArn: await streamOf(engine, 'Things') }
}

export async function streamOf(engine: Engine, TableName: string): Promise<string> {
  const { Table: description } = await engine.send('DescribeTable', { TableName })
  return description.LatestStreamArn ?? ''
}

/** All records of a stream, shard after shard. */
export async function recordsOf(
  source: Parameters<typeof pollStream>[0]['source'],
  streamArn: string,
): Promise<AnyStreamRecord[]> {
  const records: AnyStreamRecord[] = []
  await pollStream({
    source,
    streamArn,
    until: 'caught-up',
    environment: hasty,
    handler: ({ Records }) => void records.push(...Records),
  })
  return records
}

/** A setup in which nobody waits. */
export const hasty = {
  now: () => NOW,
  randomBytes: (count: number) => new Uint8Array(count),
  schedule(callback: () => void) {
    const timer = setImmediate(callback)
    return () => clearImmediate(timer)
  },
}
