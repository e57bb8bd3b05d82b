import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams'

/** All changes of a table that its stream still has, in their order. */
export async function* readStream(
  client: DynamoDBStreamsClient,
  StreamArn: string,
): AsyncGenerator<StreamRecord> {
  const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn }))
  for (const { ShardId } of StreamDescription?.Shards ?? []) {
    const start = await client.send(
      new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
    )
    let iterator = start.ShardIterator
    while (iterator !== undefined) {
      const page = await client.send(new GetRecordsCommand({ ShardIterator: iterator, Limit: 10 }))
      yield* page.Records ?? []
      // An open shard never ends; an empty page means that there is nothing new.
      iterator = page.Records?.length === 0 ? undefined : page.NextShardIterator
    }
  }
}
