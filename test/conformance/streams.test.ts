import { expect } from 'vitest'
import { type Conformance, conformance } from './conformance.ts'
import {
  type Answer,
  eventsOf,
  iteratorAt,
  onlyShard,
  recordsOf,
  shardsOf,
  streamTable,
} from './stream-reading.ts'

const Key = { pk: { S: 'a' }, sk: { S: '1' } }

conformance('Stream records', (test) => {
  test('a new item is an INSERT with its new image', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    const Item = { ...Key, n: { N: '5' } }
    await t.send('PutItem', { TableName, Item })
    const [record, ...others] = await recordsOf(t, StreamArn)
    expect(others).toEqual([])
    expect(record).toMatchObject({
      eventName: 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      dynamodb: { Keys: Key, NewImage: Item, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
    expect(record.dynamodb).not.toHaveProperty('OldImage')
    expect(record).not.toHaveProperty('userIdentity')
  })

  test('an overwritten item is one MODIFY with both images', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: { ...Key, n: { N: '1' } } })
    await t.send('PutItem', { TableName, Item: { ...Key, m: { S: 'x' } } })
    const records = await recordsOf(t, StreamArn)
    expect(eventsOf(records)).toEqual(['INSERT a/1', 'MODIFY a/1'])
    expect(records[1].dynamodb).toMatchObject({
      OldImage: { ...Key, n: { N: '1' } },
      NewImage: { ...Key, m: { S: 'x' } },
    })
  })

  test('a deleted item is a REMOVE with its old image', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    const Item = { ...Key, n: { N: '5' } }
    await t.send('PutItem', { TableName, Item })
    await t.send('DeleteItem', { TableName, Key })
    const records = await recordsOf(t, StreamArn)
    expect(eventsOf(records)).toEqual(['INSERT a/1', 'REMOVE a/1'])
    expect(records[1].dynamodb.OldImage).toEqual(Item)
    expect(records[1].dynamodb).not.toHaveProperty('NewImage')
  })

  const images = {
    KEYS_ONLY: [],
    NEW_IMAGE: ['NewImage'],
    OLD_IMAGE: ['OldImage'],
    NEW_AND_OLD_IMAGES: ['NewImage', 'OldImage'],
  }
  for (const [viewType, present] of Object.entries(images)) {
    test(`a MODIFY in a stream of ${viewType} has the images of that type`, async (t) => {
      const { TableName, StreamArn } = await streamTable(t, viewType)
      await t.send('PutItem', { TableName, Item: { ...Key, n: { N: '1' } } })
      await t.send('PutItem', { TableName, Item: { ...Key, n: { N: '2' } } })
      const [, { dynamodb }] = await recordsOf(t, StreamArn)
      expect(dynamodb.StreamViewType).toBe(viewType)
      expect(
        Object.keys(dynamodb)
          .filter((name) => name.endsWith('Image'))
          .sort(),
      ).toEqual(present)
    })

    test(`a REMOVE in a stream of ${viewType} has at most the old image`, async (t) => {
      const { TableName, StreamArn } = await streamTable(t, viewType)
      await t.send('PutItem', { TableName, Item: Key })
      await t.send('DeleteItem', { TableName, Key })
      const [, { dynamodb }] = await recordsOf(t, StreamArn)
      expect(Object.keys(dynamodb).filter((name) => name.endsWith('Image'))).toEqual(
        present.filter((name) => name === 'OldImage'),
      )
    })
  }

  test('the size counts the keys and each image', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: { ...Key, n: { N: '1' } } })
    await t.send('PutItem', { TableName, Item: { ...Key, text: { S: 'four' } } })
    await t.send('DeleteItem', { TableName, Key })
    const sizes = (await recordsOf(t, StreamArn)).map(({ dynamodb }) => dynamodb.SizeBytes)
    // The key is 2+1 and 2+1 bytes; n adds 1+2, text adds 4+4.
    expect(sizes).toEqual([6 + 9, 6 + 9 + 14, 6 + 14])
  })

  test('the size in a stream of KEYS_ONLY counts the keys alone', async (t) => {
    const { TableName, StreamArn } = await streamTable(t, 'KEYS_ONLY')
    await t.send('PutItem', { TableName, Item: { ...Key, text: { S: 'four' } } })
    const [record] = await recordsOf(t, StreamArn)
    expect(record.dynamodb.SizeBytes).toBe(6)
  })

  test('an item of nothing but its key has an image of its key', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('UpdateItem', { TableName, Key })
    const [record] = await recordsOf(t, StreamArn)
    expect(record).toMatchObject({ eventName: 'INSERT', dynamodb: { NewImage: Key } })
  })

  const equalItems = {
    'the same item': [{ n: { N: '1' } }, { n: { N: '1' } }],
    'a number in another form': [{ n: { N: '100' } }, { n: { N: '1e2' } }],
    'a set in another order': [{ s: { SS: ['a', 'b'] } }, { s: { SS: ['b', 'a'] } }],
    'a map in another order': [
      { m: { M: { a: { S: 'x' }, b: { S: 'y' } } } },
      { m: { M: { b: { S: 'y' }, a: { S: 'x' } } } },
    ],
    'attributes in another order': [
      { a: { S: 'x' }, b: { S: 'y' } },
      { b: { S: 'y' }, a: { S: 'x' } },
    ],
  }
  for (const [what, [first, second]] of Object.entries(equalItems)) {
    test(`putting ${what} again leaves no record`, async (t) => {
      const { TableName, StreamArn } = await streamTable(t)
      await t.send('PutItem', { TableName, Item: { ...Key, ...first } })
      await t.send('PutItem', { TableName, Item: { ...Key, ...second } })
      expect(eventsOf(await recordsOf(t, StreamArn))).toEqual(['INSERT a/1'])
    })
  }

  test('a list in another order is a change', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: { ...Key, l: { L: [{ S: 'a' }, { S: 'b' }] } } })
    await t.send('PutItem', { TableName, Item: { ...Key, l: { L: [{ S: 'b' }, { S: 'a' }] } } })
    expect(eventsOf(await recordsOf(t, StreamArn))).toEqual(['INSERT a/1', 'MODIFY a/1'])
  })

  test('deleting an item that is not there leaves no record', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('DeleteItem', { TableName, Key })
    expect(await recordsOf(t, StreamArn)).toEqual([])
  })

  test('removing an attribute that is not there leaves no record', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: Key })
    await t.send('UpdateItem', { TableName, Key, UpdateExpression: 'REMOVE nothing' })
    expect(eventsOf(await recordsOf(t, StreamArn))).toEqual(['INSERT a/1'])
  })

  test('setting an attribute to the value it has leaves no record', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: { ...Key, n: { N: '1' } } })
    await t.send('UpdateItem', {
      TableName,
      Key,
      UpdateExpression: 'SET n = :n',
      ExpressionAttributeValues: { ':n': { N: '1.0' } },
    })
    expect(eventsOf(await recordsOf(t, StreamArn))).toEqual(['INSERT a/1'])
  })

  test('a write whose condition fails leaves no record', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.fails(
      'PutItem',
      { TableName, Item: Key, ConditionExpression: 'attribute_exists(pk)' },
      'ConditionalCheckFailedException',
    )
    expect(await recordsOf(t, StreamArn)).toEqual([])
  })

  test('an update is one record, whatever it does', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: { ...Key, a: { N: '1' }, b: { S: 'x' } } })
    await t.send('UpdateItem', {
      TableName,
      Key,
      UpdateExpression: 'SET c = :c REMOVE b ADD a :one',
      ExpressionAttributeValues: { ':c': { BOOL: true }, ':one': { N: '1' } },
    })
    const records = await recordsOf(t, StreamArn)
    expect(eventsOf(records)).toEqual(['INSERT a/1', 'MODIFY a/1'])
    expect(records[1].dynamodb.NewImage).toEqual({ ...Key, a: { N: '2' }, c: { BOOL: true } })
  })

  test('each member of a batch has its own record', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: Key })
    await t.send('BatchWriteItem', {
      RequestItems: {
        [TableName]: [
          { PutRequest: { Item: { pk: { S: 'b' }, sk: { S: '1' } } } },
          { PutRequest: { Item: { pk: { S: 'b' }, sk: { S: '2' } } } },
          { DeleteRequest: { Key } },
        ],
      },
    })
    const events = eventsOf(await recordsOf(t, StreamArn))
    expect(events[0]).toBe('INSERT a/1')
    expect(events.slice(1).sort()).toEqual(['INSERT b/1', 'INSERT b/2', 'REMOVE a/1'])
  })

  test('a transaction has one record for each item it changes', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: Key })
    await t.send('TransactWriteItems', {
      TransactItems: [
        { Put: { TableName, Item: { pk: { S: 'b' }, sk: { S: '1' } } } },
        {
          Update: {
            TableName,
            Key,
            UpdateExpression: 'SET x = :x',
            ExpressionAttributeValues: { ':x': { N: '1' } },
          },
        },
        {
          ConditionCheck: {
            TableName,
            Key: { pk: { S: 'c' }, sk: { S: '1' } },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
      ],
    })
    const events = eventsOf(await recordsOf(t, StreamArn))
    expect(events[0]).toBe('INSERT a/1')
    expect(events.slice(1).sort()).toEqual(['INSERT b/1', 'MODIFY a/1'])
  })

  test('a cancelled transaction leaves no record', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.fails(
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName, Item: Key } },
          {
            ConditionCheck: {
              TableName,
              Key: { pk: { S: 'c' }, sk: { S: '1' } },
              ConditionExpression: 'attribute_exists(pk)',
            },
          },
        ],
      },
      'TransactionCanceledException',
    )
    expect(await recordsOf(t, StreamArn)).toEqual([])
  })

  test('records of one item are in the order of its changes', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    for (let n = 0; n < 20; n++) {
      await t.send('PutItem', { TableName, Item: { ...Key, n: { N: String(n) } } })
    }
    const numbers = (await recordsOf(t, StreamArn)).map(({ dynamodb }) => dynamodb.NewImage.n.N)
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => String(n)))
  })

  test('sequence numbers are at least 21 digits and grow', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    for (let n = 0; n < 12; n++) {
      await t.send('PutItem', { TableName, Item: { ...Key, n: { N: String(n) } } })
    }
    const numbers: string[] = (await recordsOf(t, StreamArn)).map(
      ({ dynamodb }) => dynamodb.SequenceNumber,
    )
    expect(numbers).toHaveLength(12)
    for (const number of numbers) expect(number).toMatch(/^\d{21,40}$/)
    for (const [index, number] of numbers.entries()) {
      if (index > 0) expect(BigInt(number) > BigInt(numbers[index - 1] ?? '')).toBe(true)
    }
  })

  test('event ids differ, and are the same at the next reading', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    for (let n = 0; n < 5; n++) {
      await t.send('PutItem', { TableName, Item: { ...Key, n: { N: String(n) } } })
    }
    const ids = async () => (await recordsOf(t, StreamArn)).map(({ eventID }) => eventID)
    const first = await ids()
    expect(new Set(first).size).toBe(5)
    expect(await ids()).toEqual(first)
  })

  test('event ids are 32 hexadecimal digits', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: Key })
    const [record] = await recordsOf(t, StreamArn)
    expect(record.eventID).toMatch(/^[0-9a-f]{32}$/)
  })

  test('the time of a record is in whole seconds, within the last minute', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    const beforeSeconds = Date.now() / 1000
    await t.send('PutItem', { TableName, Item: Key })
    const [record] = await recordsOf(t, StreamArn)
    const seconds = record.dynamodb.ApproximateCreationDateTime
    expect(Number.isInteger(seconds)).toBe(true)
    expect(seconds).toBeGreaterThanOrEqual(beforeSeconds - 60)
    expect(seconds).toBeLessThanOrEqual(Date.now() / 1000)
  })

  test('every type of value comes through as it was written', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    const Item = {
      ...Key,
      n: { N: '-1.5' },
      b: { B: 'AAEC' },
      yes: { BOOL: true },
      nothing: { NULL: true },
      ss: { SS: ['x'] },
      ns: { NS: ['3'] },
      bs: { BS: ['AQ=='] },
      l: { L: [{ S: 'a' }, { M: { deep: { N: '1' } } }] },
      empty: { M: {} },
      text: { S: '' },
    }
    await t.send('PutItem', { TableName, Item })
    const [record] = await recordsOf(t, StreamArn)
    expect(record.dynamodb.NewImage).toEqual(Item)
  })

  test('an attribute named __proto__ comes through as its own', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    const Item = JSON.parse('{"pk":{"S":"a"},"sk":{"S":"1"},"__proto__":{"M":{"x":{"S":"y"}}}}')
    await t.send('PutItem', { TableName, Item })
    const [record] = await recordsOf(t, StreamArn)
    expect(Object.keys(record.dynamodb.NewImage).sort()).toEqual(['__proto__', 'pk', 'sk'])
    expect(Object.getOwnPropertyDescriptor(record.dynamodb.NewImage, '__proto__')?.value).toEqual({
      M: { x: { S: 'y' } },
    })
  })

  test('number keys are in canonical form', async (t) => {
    const { TableName, StreamArn } = await streamTable(t, 'KEYS_ONLY', {
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'N' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    })
    await t.send('PutItem', { TableName, Item: { pk: { N: '0010.50' } } })
    const [record] = await recordsOf(t, StreamArn)
    expect(record.dynamodb.Keys).toEqual({ pk: { N: '10.5' } })
  })

  test('a change of an item in an index is still one record', async (t) => {
    const { TableName, StreamArn } = await streamTable(t, 'NEW_IMAGE', {
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
        { AttributeName: 'g', AttributeType: 'S' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byG',
          KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    })
    await t.send('PutItem', { TableName, Item: { ...Key, g: { S: 'x' } } })
    await t.send('PutItem', { TableName, Item: { ...Key, g: { S: 'y' } } })
    expect(eventsOf(await recordsOf(t, StreamArn))).toEqual(['INSERT a/1', 'MODIFY a/1'])
  })

  test('changes from before the stream was enabled are not in it', async (t) => {
    const TableName = await t.table()
    await t.send('PutItem', { TableName, Item: Key })
    const { TableDescription } = await t.send('UpdateTable', {
      TableName,
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    })
    await t.send('DeleteItem', { TableName, Key })
    expect(eventsOf(await recordsOf(t, TableDescription.LatestStreamArn))).toEqual(['REMOVE a/1'])
  })
})

conformance('DescribeStream', (test) => {
  test('an enabled stream shows its table, its label and one open shard', async (t) => {
    const { TableName, StreamArn } = await streamTable(t, 'OLD_IMAGE')
    const { StreamDescription } = await t.send('DescribeStream', { StreamArn })
    expect(StreamDescription).toMatchObject({
      StreamArn,
      StreamLabel: StreamArn.slice(StreamArn.lastIndexOf('/') + 1),
      StreamStatus: 'ENABLED',
      StreamViewType: 'OLD_IMAGE',
      TableName,
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    })
    expect(StreamDescription.Shards).toHaveLength(1)
    const [shard] = StreamDescription.Shards
    expect(shard.SequenceNumberRange).not.toHaveProperty('EndingSequenceNumber')
    expect(shard).not.toHaveProperty('ParentShardId')
    expect(StreamDescription).not.toHaveProperty('LastEvaluatedShardId')
  })

  test('the label is the time of creation', async (t) => {
    const { StreamArn } = await streamTable(t)
    const { StreamDescription } = await t.send('DescribeStream', { StreamArn })
    expect(StreamDescription.StreamLabel).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)
    expect(StreamDescription.CreationRequestDateTime * 1000).toBeCloseTo(
      Date.parse(`${StreamDescription.StreamLabel}Z`),
      -3,
    )
  })

  test('a shard id has the form of AWS', async (t) => {
    const { StreamArn } = await streamTable(t)
    expect(await onlyShard(t, StreamArn)).toMatch(/^shardId-\d{20}-[0-9a-f]{8}$/)
  })

  test('a shard begins with a sequence number of at least 21 digits', async (t) => {
    const { StreamArn } = await streamTable(t)
    const [shard] = await shardsOf(t, StreamArn)
    expect(shard.SequenceNumberRange.StartingSequenceNumber).toMatch(/^\d{21,40}$/)
  })

  test('a disabled stream is DISABLED and its shard closed', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: Key })
    await t.send('UpdateTable', { TableName, StreamSpecification: { StreamEnabled: false } })
    const { StreamDescription } = await t.send('DescribeStream', { StreamArn })
    expect(StreamDescription.StreamStatus).toBe('DISABLED')
    const [shard] = StreamDescription.Shards
    const { StartingSequenceNumber, EndingSequenceNumber } = shard.SequenceNumberRange
    expect(BigInt(EndingSequenceNumber) >= BigInt(StartingSequenceNumber)).toBe(true)
  })

  test('no shards follow the last one', async (t) => {
    const { StreamArn } = await streamTable(t)
    const ExclusiveStartShardId = await onlyShard(t, StreamArn)
    const answer = await t.send('DescribeStream', { StreamArn, ExclusiveStartShardId })
    expect(answer.StreamDescription.Shards).toEqual([])
  })

  test('no shards follow an id beyond all ids', async (t) => {
    const { StreamArn } = await streamTable(t)
    const answer = await t.send('DescribeStream', {
      StreamArn,
      ExclusiveStartShardId: 'z'.repeat(40),
    })
    expect(answer.StreamDescription.Shards).toEqual([])
  })

  test('an open shard has no children', async (t) => {
    const { StreamArn } = await streamTable(t)
    const ShardId = await onlyShard(t, StreamArn)
    const answer = await t.send('DescribeStream', {
      StreamArn,
      ShardFilter: { Type: 'CHILD_SHARDS', ShardId },
    })
    expect(answer.StreamDescription.Shards).toEqual([])
  })

  test('a filter of an unknown type is refused', async (t) => {
    const { StreamArn } = await streamTable(t)
    await t.fails(
      'DescribeStream',
      { StreamArn, ShardFilter: { Type: 'ALL' } },
      'ValidationException',
      "1 validation error detected: Value 'ALL' at 'shardFilter.type' failed to satisfy constraint: Member must satisfy enum value set: [CHILD_SHARDS]",
    )
  })

  test('a stream that does not exist is not found', async (t) => {
    const { StreamArn } = await streamTable(t)
    const arn = StreamArn.replace(/[^/]+$/, '2020-01-01T00:00:00.000')
    await t.fails(
      'DescribeStream',
      { StreamArn: arn },
      'ResourceNotFoundException',
      `Requested resource not found: Stream: ${arn} not found`,
    )
  })

  test('a string that is not an ARN is refused', async (t) => {
    await t.fails(
      'DescribeStream',
      { StreamArn: 'x'.repeat(40) },
      'ValidationException',
      'Invalid StreamArn',
    )
  })

  test('the ARN may not be missing', async (t) => {
    await t.fails(
      'DescribeStream',
      {},
      'ValidationException',
      "1 validation error detected: Value null at 'streamArn' failed to satisfy constraint: Member must not be null",
    )
  })

  test('an ARN of 36 characters is too short', async (t) => {
    const arn = 'a'.repeat(36)
    await t.fails(
      'DescribeStream',
      { StreamArn: arn },
      'ValidationException',
      `1 validation error detected: Value '${arn}' at 'streamArn' failed to satisfy constraint: Member must have length greater than or equal to 37`,
    )
  })

  test('an ARN of 1025 characters is too long', async (t) => {
    await t.fails(
      'DescribeStream',
      { StreamArn: 'a'.repeat(1025) },
      'ValidationException',
      /at 'streamArn' failed to satisfy constraint: Member must have length less than or equal to 1024$/,
    )
  })

  limitCases(test, 'DescribeStream', 100, async (t) => {
    const { StreamArn } = await streamTable(t)
    return { StreamArn }
  })

  for (const [length, rule] of [
    [27, 'greater than or equal to 28'],
    [66, 'less than or equal to 65'],
  ] as const) {
    test(`a starting shard id of ${length} characters is refused`, async (t) => {
      const { StreamArn } = await streamTable(t)
      const ExclusiveStartShardId = 's'.repeat(length)
      await t.fails(
        'DescribeStream',
        { StreamArn, ExclusiveStartShardId },
        'ValidationException',
        `1 validation error detected: Value '${ExclusiveStartShardId}' at 'exclusiveStartShardId' failed to satisfy constraint: Member must have length ${rule}`,
      )
    })
  }

  for (const length of [28, 65]) {
    test(`a starting shard id of ${length} characters is taken`, async (t) => {
      const { StreamArn } = await streamTable(t)
      const answer = await t.send('DescribeStream', {
        StreamArn,
        ExclusiveStartShardId: 'z'.repeat(length),
      })
      expect(answer.StreamDescription.Shards).toEqual([])
    })
  }
})

conformance('ListStreams', (test) => {
  test('a table without a stream has none', async (t) => {
    const TableName = await t.table()
    expect(await t.send('ListStreams', { TableName })).toEqual({ Streams: [] })
  })

  test('a stream is listed with its table and its label', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    const StreamLabel = StreamArn.slice(StreamArn.lastIndexOf('/') + 1)
    expect(await t.send('ListStreams', { TableName })).toEqual({
      Streams: [{ StreamArn, TableName, StreamLabel }],
    })
  })

  test('a disabled stream is still listed next to the new one', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('UpdateTable', { TableName, StreamSpecification: { StreamEnabled: false } })
    const { TableDescription } = await t.send('UpdateTable', {
      TableName,
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    })
    const { Streams } = await t.send('ListStreams', { TableName })
    expect(Streams.map((stream: Answer) => stream.StreamArn).sort()).toEqual(
      [StreamArn, TableDescription.LatestStreamArn].sort(),
    )
  })

  test('pages of one stream each show every stream once', async (t) => {
    const { TableName } = await streamTable(t)
    for (let round = 0; round < 2; round++) {
      await t.send('UpdateTable', { TableName, StreamSpecification: { StreamEnabled: false } })
      await t.send('UpdateTable', {
        TableName,
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
      })
    }
    const seen: string[] = []
    let ExclusiveStartStreamArn: string | undefined
    do {
      const page: Answer = await t.send('ListStreams', {
        TableName,
        Limit: 1,
        ...(ExclusiveStartStreamArn === undefined ? {} : { ExclusiveStartStreamArn }),
      })
      seen.push(...page.Streams.map((stream: Answer) => stream.StreamArn))
      ExclusiveStartStreamArn = page.LastEvaluatedStreamArn
      expect(seen.length).toBeLessThanOrEqual(3)
    } while (ExclusiveStartStreamArn !== undefined)
    expect(new Set(seen).size).toBe(3)
  })

  test('a page names its last stream as the place to continue', async (t) => {
    const { TableName } = await streamTable(t)
    await t.send('UpdateTable', { TableName, StreamSpecification: { StreamEnabled: false } })
    await t.send('UpdateTable', {
      TableName,
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    })
    const page = await t.send('ListStreams', { TableName, Limit: 1 })
    expect(page.LastEvaluatedStreamArn).toBe(page.Streams[0].StreamArn)
  })

  test('the last page does not say that there is more', async (t) => {
    const { TableName } = await streamTable(t)
    const page = await t.send('ListStreams', { TableName, Limit: 1 })
    expect(page.Streams).toHaveLength(1)
    expect(page).not.toHaveProperty('LastEvaluatedStreamArn')
  })

  test('without a table name streams of all tables are listed', async (t) => {
    const tables = [(await streamTable(t)).TableName, (await streamTable(t)).TableName]
    const names = new Set<string>()
    let start: string | undefined
    do {
      const page: Answer = await t.send(
        'ListStreams',
        start === undefined ? {} : { ExclusiveStartStreamArn: start },
      )
      for (const stream of page.Streams) names.add(stream.TableName)
      start = page.LastEvaluatedStreamArn
    } while (start !== undefined)
    for (const name of tables) expect(names).toContain(name)
  })

  test('the stream of a deleted table is still listed', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('DeleteTable', { TableName })
    const { Streams } = await t.send('ListStreams', { TableName })
    expect(Streams.map((stream: Answer) => stream.StreamArn)).toEqual([StreamArn])
  })

  test('a table that does not exist has no streams', async (t) => {
    expect(await t.send('ListStreams', { TableName: t.tableName() })).toEqual({ Streams: [] })
  })

  test('a start that is not an ARN is refused', async (t) => {
    await t.fails(
      'ListStreams',
      { ExclusiveStartStreamArn: 'x'.repeat(40) },
      'ValidationException',
      'Invalid StreamArn',
    )
  })

  test('a table name of two characters is refused', async (t) => {
    await t.fails(
      'ListStreams',
      { TableName: 'ab' },
      'ValidationException',
      "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3",
    )
  })

  limitCases(test, 'ListStreams', 100, async () => ({}))
})

conformance('GetShardIterator', (test) => {
  const place = async (t: Conformance) => {
    const { TableName, StreamArn } = await streamTable(t)
    return { TableName, at: { StreamArn, ShardId: await onlyShard(t, StreamArn) } }
  }

  test('TRIM_HORIZON begins with the oldest record', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    for (const sk of ['1', '2']) {
      await t.send('PutItem', { TableName, Item: { pk: { S: 'a' }, sk: { S: sk } } })
    }
    const ShardIterator = await iteratorAt(t, StreamArn)
    const { Records } = await t.send('GetRecords', { ShardIterator })
    expect(eventsOf(Records)).toEqual(['INSERT a/1', 'INSERT a/2'])
  })

  test('LATEST begins after the last record at the time of the call', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: Key })
    const ShardIterator = await iteratorAt(t, StreamArn, { ShardIteratorType: 'LATEST' })
    await t.send('PutItem', { TableName, Item: { pk: { S: 'b' }, sk: { S: '1' } } })
    const { Records } = await t.send('GetRecords', { ShardIterator })
    expect(eventsOf(Records)).toEqual(['INSERT b/1'])
  })

  test('LATEST on an empty shard shows what is written next', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    const ShardIterator = await iteratorAt(t, StreamArn, { ShardIteratorType: 'LATEST' })
    await t.send('PutItem', { TableName, Item: Key })
    const { Records } = await t.send('GetRecords', { ShardIterator })
    expect(eventsOf(Records)).toEqual(['INSERT a/1'])
  })

  const sequenceTypes = [
    ['AT_SEQUENCE_NUMBER', ['INSERT a/2', 'INSERT a/3']],
    ['AFTER_SEQUENCE_NUMBER', ['INSERT a/3']],
  ] as const
  for (const [ShardIteratorType, expected] of sequenceTypes) {
    test(`${ShardIteratorType} begins where it says`, async (t) => {
      const { TableName, StreamArn } = await streamTable(t)
      for (const sk of ['1', '2', '3']) {
        await t.send('PutItem', { TableName, Item: { pk: { S: 'a' }, sk: { S: sk } } })
      }
      const records = await recordsOf(t, StreamArn)
      const { SequenceNumber } = records[1].dynamodb
      const ShardIterator = await iteratorAt(t, StreamArn, { ShardIteratorType, SequenceNumber })
      const { Records } = await t.send('GetRecords', { ShardIterator })
      expect(eventsOf(Records)).toEqual(expected)
    })

    test(`${ShardIteratorType} takes the number a shard begins with`, async (t) => {
      const { TableName, StreamArn } = await streamTable(t)
      await t.send('PutItem', { TableName, Item: Key })
      const [shard] = await shardsOf(t, StreamArn)
      const SequenceNumber = shard.SequenceNumberRange.StartingSequenceNumber
      const { ShardIterator } = await t.send('GetShardIterator', {
        StreamArn,
        ShardId: shard.ShardId,
        ShardIteratorType,
        SequenceNumber,
      })
      expect(typeof ShardIterator).toBe('string')
    })

    test(`${ShardIteratorType} needs a sequence number`, async (t) => {
      const { at } = await place(t)
      await t.fails(
        'GetShardIterator',
        { ...at, ShardIteratorType },
        'ValidationException',
        'One or more parameter values were invalid: Invalid SequenceNumber',
      )
    })
  }

  test('AFTER_SEQUENCE_NUMBER of the last record shows what is written next', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: Key })
    const [record] = await recordsOf(t, StreamArn)
    const ShardIterator = await iteratorAt(t, StreamArn, {
      ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
      SequenceNumber: record.dynamodb.SequenceNumber,
    })
    expect((await t.send('GetRecords', { ShardIterator })).Records).toEqual([])
    await t.send('DeleteItem', { TableName, Key })
    const { Records } = await t.send('GetRecords', { ShardIterator })
    expect(eventsOf(Records)).toEqual(['REMOVE a/1'])
  })

  for (const ShardIteratorType of ['TRIM_HORIZON', 'LATEST']) {
    test(`${ShardIteratorType} takes no sequence number`, async (t) => {
      const { StreamArn } = await streamTable(t)
      const [shard] = await shardsOf(t, StreamArn)
      await t.fails(
        'GetShardIterator',
        {
          StreamArn,
          ShardId: shard.ShardId,
          ShardIteratorType,
          SequenceNumber: shard.SequenceNumberRange.StartingSequenceNumber,
        },
        'ValidationException',
        'One or more parameter values were invalid: SequenceNumber should not be passed for this iterator type',
      )
    })
  }

  test('an unknown type is refused', async (t) => {
    const { at } = await place(t)
    await t.fails(
      'GetShardIterator',
      { ...at, ShardIteratorType: 'FIRST' },
      'ValidationException',
      /^1 validation error detected: Value 'FIRST' at 'shardIteratorType' failed to satisfy constraint: Member must satisfy enum value set: \[/,
    )
  })

  test('all that is missing is named at once', async (t) => {
    await t.fails(
      'GetShardIterator',
      {},
      'ValidationException',
      "3 validation errors detected: Value null at 'streamArn' failed to satisfy constraint: Member must not be null; Value null at 'shardId' failed to satisfy constraint: Member must not be null; Value null at 'shardIteratorType' failed to satisfy constraint: Member must not be null",
    )
  })

  test('a shard that does not exist is not found', async (t) => {
    const { at } = await place(t)
    await t.fails(
      'GetShardIterator',
      { ...at, ShardId: 'shardId-00000001414576573621-f55eea83', ShardIteratorType: 'LATEST' },
      'ResourceNotFoundException',
      'Requested resource not found: Shard does not exist',
    )
  })

  test('a stream that does not exist is not found', async (t) => {
    const { at } = await place(t)
    const StreamArn = at.StreamArn.replace(/[^/]+$/, '2020-01-01T00:00:00.000')
    await t.fails(
      'GetShardIterator',
      { ...at, StreamArn, ShardIteratorType: 'LATEST' },
      'ResourceNotFoundException',
    )
  })

  test('a string that is not an ARN is refused', async (t) => {
    const { at } = await place(t)
    await t.fails(
      'GetShardIterator',
      { ...at, StreamArn: 'x'.repeat(40), ShardIteratorType: 'LATEST' },
      'ValidationException',
      'Invalid StreamArn',
    )
  })

  for (const [length, rule] of [
    [20, 'greater than or equal to 21'],
    [41, 'less than or equal to 40'],
  ] as const) {
    test(`a sequence number of ${length} digits is refused`, async (t) => {
      const { at } = await place(t)
      const SequenceNumber = '1'.repeat(length)
      await t.fails(
        'GetShardIterator',
        { ...at, ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber },
        'ValidationException',
        `1 validation error detected: Value '${SequenceNumber}' at 'sequenceNumber' failed to satisfy constraint: Member must have length ${rule}`,
      )
    })
  }

  for (const SequenceNumber of ['x'.repeat(21), '9'.repeat(21), '9'.repeat(40)]) {
    test(`the sequence number ${SequenceNumber}, never given out, is refused`, async (t) => {
      const { at } = await place(t)
      await t.fails(
        'GetShardIterator',
        { ...at, ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber },
        'ValidationException',
        `One or more parameter values were invalid: Invalid SequenceNumber: ${SequenceNumber}`,
      )
    })
  }
})

conformance('GetRecords', (test) => {
  test('an empty shard answers no records and an iterator to continue with', async (t) => {
    const { StreamArn } = await streamTable(t)
    const ShardIterator = await iteratorAt(t, StreamArn)
    const page = await t.send('GetRecords', { ShardIterator })
    expect(page.Records).toEqual([])
    expect(typeof page.NextShardIterator).toBe('string')
  })

  test('pages of a limit continue where the one before ended', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    for (let n = 1; n <= 5; n++) {
      await t.send('PutItem', { TableName, Item: { pk: { S: 'a' }, sk: { S: String(n) } } })
    }
    let ShardIterator = await iteratorAt(t, StreamArn)
    const pages: string[][] = []
    for (let page = 0; page < 4; page++) {
      const answer = await t.send('GetRecords', { ShardIterator, Limit: 2 })
      pages.push(eventsOf(answer.Records))
      ShardIterator = answer.NextShardIterator
    }
    expect(pages).toEqual([
      ['INSERT a/1', 'INSERT a/2'],
      ['INSERT a/3', 'INSERT a/4'],
      ['INSERT a/5'],
      [],
    ])
  })

  test('an iterator may be used again', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: Key })
    const ShardIterator = await iteratorAt(t, StreamArn)
    const first = await t.send('GetRecords', { ShardIterator })
    const second = await t.send('GetRecords', { ShardIterator })
    expect(second.Records).toEqual(first.Records)
  })

  test('the iterator of an empty answer shows what is written later', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    const { NextShardIterator } = await t.send('GetRecords', {
      ShardIterator: await iteratorAt(t, StreamArn),
    })
    await t.send('PutItem', { TableName, Item: Key })
    const { Records } = await t.send('GetRecords', { ShardIterator: NextShardIterator })
    expect(eventsOf(Records)).toEqual(['INSERT a/1'])
  })

  test('a closed shard read to its end gives no further iterator', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: Key })
    const ShardIterator = await iteratorAt(t, StreamArn)
    await t.send('UpdateTable', { TableName, StreamSpecification: { StreamEnabled: false } })
    const page = await t.send('GetRecords', { ShardIterator })
    expect(eventsOf(page.Records)).toEqual(['INSERT a/1'])
    expect(page).not.toHaveProperty('NextShardIterator')
  })

  test('a closed shard not yet read to its end gives a further iterator', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    for (const sk of ['1', '2']) {
      await t.send('PutItem', { TableName, Item: { pk: { S: 'a' }, sk: { S: sk } } })
    }
    const ShardIterator = await iteratorAt(t, StreamArn)
    await t.send('UpdateTable', { TableName, StreamSpecification: { StreamEnabled: false } })
    const page = await t.send('GetRecords', { ShardIterator, Limit: 1 })
    expect(eventsOf(page.Records)).toEqual(['INSERT a/1'])
    const last = await t.send('GetRecords', { ShardIterator: page.NextShardIterator })
    expect(eventsOf(last.Records)).toEqual(['INSERT a/2'])
    expect(last).not.toHaveProperty('NextShardIterator')
  })

  test('changes after the stream was disabled are not in it', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: Key })
    await t.send('UpdateTable', { TableName, StreamSpecification: { StreamEnabled: false } })
    await t.send('DeleteItem', { TableName, Key })
    expect(eventsOf(await recordsOf(t, StreamArn))).toEqual(['INSERT a/1'])
  })

  test('a stream enabled again is a new one', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: Key })
    await t.send('UpdateTable', { TableName, StreamSpecification: { StreamEnabled: false } })
    const { TableDescription } = await t.send('UpdateTable', {
      TableName,
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    })
    expect(TableDescription.LatestStreamArn).not.toBe(StreamArn)
    await t.send('DeleteItem', { TableName, Key })
    expect(eventsOf(await recordsOf(t, TableDescription.LatestStreamArn))).toEqual(['REMOVE a/1'])
    expect(eventsOf(await recordsOf(t, StreamArn))).toEqual(['INSERT a/1'])
  })

  test('the records of a deleted table can still be read', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await t.send('PutItem', { TableName, Item: Key })
    await t.send('DeleteTable', { TableName })
    expect(eventsOf(await recordsOf(t, StreamArn))).toEqual(['INSERT a/1'])
  })

  test('a page ends before it would exceed 1 MB', async (t) => {
    const { TableName, StreamArn } = await streamTable(t, 'NEW_IMAGE')
    for (let n = 1; n <= 4; n++) {
      const Item = { pk: { S: 'a' }, sk: { S: String(n) }, text: { S: 'x'.repeat(300_000) } }
      await t.send('PutItem', { TableName, Item })
    }
    const ShardIterator = await iteratorAt(t, StreamArn)
    const page = await t.send('GetRecords', { ShardIterator })
    expect(page.Records).toHaveLength(3)
    const rest = await t.send('GetRecords', { ShardIterator: page.NextShardIterator })
    expect(eventsOf(rest.Records)).toEqual(['INSERT a/4'])
  })

  const garbage = {
    'a word': () => 'x',
    'an ARN and a word': (iterator: string) => `${iterator.split('|')[0]}|1|x`,
    'an iterator and a letter': (iterator: string) => `${iterator}x`,
    'half an iterator': (iterator: string) => iterator.slice(0, iterator.length / 2),
    'an iterator with the ARN of another stream': (iterator: string) =>
      iterator.replace(/conformance-[0-9a-f]+/, 'conformance-other'),
    'an iterator cut short by four characters': (iterator: string) => iterator.slice(0, -4),
  }
  for (const [what, spoil] of Object.entries(garbage)) {
    test(`${what} is not an iterator`, async (t) => {
      const { StreamArn } = await streamTable(t)
      const ShardIterator = spoil(await iteratorAt(t, StreamArn))
      await t.fails('GetRecords', { ShardIterator }, 'ValidationException', 'Invalid ShardIterator')
    })
  }

  test('the iterator may not be missing', async (t) => {
    await t.fails(
      'GetRecords',
      {},
      'ValidationException',
      "1 validation error detected: Value null at 'shardIterator' failed to satisfy constraint: Member must not be null",
    )
  })

  test('the iterator may not be empty', async (t) => {
    await t.fails(
      'GetRecords',
      { ShardIterator: '' },
      'ValidationException',
      "1 validation error detected: Value '' at 'shardIterator' failed to satisfy constraint: Member must have length greater than or equal to 1",
    )
  })

  test('an iterator of 2049 characters is too long', async (t) => {
    await t.fails(
      'GetRecords',
      { ShardIterator: 'x'.repeat(2049) },
      'ValidationException',
      /at 'shardIterator' failed to satisfy constraint: Member must have length less than or equal to 2048$/,
    )
  })

  test('an iterator of 2048 characters is read', async (t) => {
    await t.fails(
      'GetRecords',
      { ShardIterator: 'x'.repeat(2048) },
      'ValidationException',
      'Invalid ShardIterator',
    )
  })

  limitCases(test, 'GetRecords', 1000, async (t) => {
    const { StreamArn } = await streamTable(t)
    return { ShardIterator: await iteratorAt(t, StreamArn) }
  })
})

/** A limit from 1 to `max`: the last good and the first bad value at both ends. */
function limitCases(
  test: Parameters<Parameters<typeof conformance>[1]>[0],
  operation: string,
  max: number,
  request: (t: Conformance) => Promise<Record<string, unknown>>,
): void {
  for (const Limit of [1, max - 1, max]) {
    test(`a limit of ${Limit} is taken`, async (t) => {
      const answer = await t.send(operation, { ...(await request(t)), Limit })
      expect(Object.keys(answer).length).toBeGreaterThan(0)
    })
  }
  for (const [Limit, rule] of [
    [0, 'greater than or equal to 1'],
    [-1, 'greater than or equal to 1'],
    [max + 1, `less than or equal to ${max}`],
  ] as const) {
    test(`a limit of ${Limit} is refused`, async (t) => {
      await t.fails(
        operation,
        { ...(await request(t)), Limit },
        'ValidationException',
        `1 validation error detected: Value '${Limit}' at 'limit' failed to satisfy constraint: Member must have value ${rule}`,
      )
    })
  }
}
