import { expect } from 'vitest'
import type { Conformance } from './conformance.ts'

/** Reading streams, for tests of what is in them. */

export interface StreamTable {
  readonly TableName: string
  readonly StreamArn: string
}

/** A table with the key `pk`, `sk` and a stream of that view type. */
export async function streamTable(
  t: Conformance,
  StreamViewType = 'NEW_AND_OLD_IMAGES',
  members: Readonly<Record<string, unknown>> = {},
): Promise<StreamTable> {
  const TableName = await t.table({
    StreamSpecification: { StreamEnabled: true, StreamViewType },
    ...members,
  })
  const { Table } = await t.send('DescribeTable', { TableName })
  return { TableName, StreamArn: Table.LatestStreamArn }
}

// biome-ignore lint/suspicious/noExplicitAny: answers are what the tests look at.
export type Answer = any

/** All shards, page by page. */
export async function shardsOf(t: Conformance, StreamArn: string): Promise<Answer[]> {
  const { StreamDescription } = await t.send('DescribeStream', { StreamArn })
  return StreamDescription.Shards
}

/** The id of the stream's only shard. */
export async function onlyShard(t: Conformance, StreamArn: string): Promise<string> {
  const shards = await shardsOf(t, StreamArn)
  expect(shards).toHaveLength(1)
  return shards[0].ShardId
}

/** An iterator at some place of the stream's only shard. */
export async function iteratorAt(
  t: Conformance,
  StreamArn: string,
  place: Readonly<Record<string, unknown>> = { ShardIteratorType: 'TRIM_HORIZON' },
): Promise<string> {
  const ShardId = await onlyShard(t, StreamArn)
  const { ShardIterator } = await t.send('GetShardIterator', { StreamArn, ShardId, ...place })
  return ShardIterator
}

/** Every record of the stream from the oldest on. */
export async function recordsOf(t: Conformance, StreamArn: string): Promise<Answer[]> {
  const records: Answer[] = []
  for (const { ShardId } of await shardsOf(t, StreamArn)) {
    let { ShardIterator } = await t.send('GetShardIterator', {
      StreamArn,
      ShardId,
      ShardIteratorType: 'TRIM_HORIZON',
    })
    while (ShardIterator !== undefined) {
      const page = await t.send('GetRecords', { ShardIterator })
      records.push(...page.Records)
      if (page.Records.length === 0) break
      ShardIterator = page.NextShardIterator
    }
  }
  return records
}

/** What happened, in short: `INSERT a/1`. */
export function eventsOf(records: readonly Answer[]): string[] {
  return records.map(
    ({ eventName, dynamodb }) => `${eventName} ${dynamodb.Keys.pk.S}/${dynamodb.Keys.sk.S}`,
  )
}
