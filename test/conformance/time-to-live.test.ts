import { expect } from 'vitest'
import { type Conformance, conformance } from './conformance.ts'
import { eventsOf, recordsOf, streamTable } from './stream-reading.ts'

const ON = { Enabled: true, AttributeName: 'expires' }
const OFF = { Enabled: false, AttributeName: 'expires' }

const update = (t: Conformance, TableName: string, TimeToLiveSpecification: unknown) =>
  t.send('UpdateTimeToLive', { TableName, TimeToLiveSpecification })

conformance('UpdateTimeToLive', (test) => {
  test('enabling answers with what was asked for', async (t) => {
    const TableName = await t.table()
    expect(await update(t, TableName, ON)).toEqual({ TimeToLiveSpecification: ON })
  })

  test('disabling answers with what was asked for', async (t) => {
    const TableName = await t.table()
    await update(t, TableName, ON)
    expect(await update(t, TableName, OFF)).toEqual({ TimeToLiveSpecification: OFF })
  })

  test('enabling twice is refused', async (t) => {
    const TableName = await t.table()
    await update(t, TableName, ON)
    await t.fails(
      'UpdateTimeToLive',
      { TableName, TimeToLiveSpecification: ON },
      'ValidationException',
      'TimeToLive is already enabled',
    )
  })

  test('disabling what is not enabled is refused', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'UpdateTimeToLive',
      { TableName, TimeToLiveSpecification: OFF },
      'ValidationException',
      'TimeToLive is already disabled',
    )
  })

  test('disabling twice is refused', async (t) => {
    const TableName = await t.table()
    await update(t, TableName, ON)
    await update(t, TableName, OFF)
    await t.fails(
      'UpdateTimeToLive',
      { TableName, TimeToLiveSpecification: OFF },
      'ValidationException',
      'TimeToLive is already disabled',
    )
  })

  for (const Enabled of [true, false]) {
    test(`naming another attribute with Enabled ${Enabled} is refused`, async (t) => {
      const TableName = await t.table()
      await update(t, TableName, ON)
      await t.fails(
        'UpdateTimeToLive',
        { TableName, TimeToLiveSpecification: { Enabled, AttributeName: 'other' } },
        'ValidationException',
        'TimeToLive is active on a different AttributeName: current AttributeName is expires',
      )
    })
  }

  test('after disabling another attribute may be named', async (t) => {
    const TableName = await t.table()
    await update(t, TableName, ON)
    await update(t, TableName, OFF)
    await update(t, TableName, { Enabled: true, AttributeName: 'other' })
    expect(await t.send('DescribeTimeToLive', { TableName })).toEqual({
      TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'other' },
    })
  })

  test('a refused change leaves everything as it was', async (t) => {
    const TableName = await t.table()
    await update(t, TableName, ON)
    await t.fails(
      'UpdateTimeToLive',
      { TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'other' } },
      'ValidationException',
    )
    expect(await t.send('DescribeTimeToLive', { TableName })).toEqual({
      TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' },
    })
  })

  for (const AttributeName of ['pk', 'sk', '__proto__', 'a b', 'ü', 'x'.repeat(255)]) {
    const shown = AttributeName.length > 20 ? `${AttributeName.length} letters` : AttributeName
    test(`the attribute may be named ${shown}`, async (t) => {
      const TableName = await t.table()
      const TimeToLiveSpecification = { Enabled: true, AttributeName }
      expect(await update(t, TableName, TimeToLiveSpecification)).toEqual({
        TimeToLiveSpecification,
      })
    })
  }

  test('an empty attribute name is refused', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'UpdateTimeToLive',
      { TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: '' } },
      'ValidationException',
      "1 validation error detected: Value '' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must have length greater than or equal to 1",
    )
  })

  test('an attribute name of 256 letters is refused', async (t) => {
    const TableName = await t.table()
    const AttributeName = 'x'.repeat(256)
    await t.fails(
      'UpdateTimeToLive',
      { TableName, TimeToLiveSpecification: { Enabled: true, AttributeName } },
      'ValidationException',
      `1 validation error detected: Value '${AttributeName}' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must have length less than or equal to 255`,
    )
  })

  const incomplete = {
    'the attribute name': [{ Enabled: true }, 'timeToLiveSpecification.attributeName'],
    Enabled: [{ AttributeName: 'expires' }, 'timeToLiveSpecification.enabled'],
    'the specification': [undefined, 'timeToLiveSpecification'],
  } as const
  for (const [what, [TimeToLiveSpecification, path]] of Object.entries(incomplete)) {
    test(`without ${what} a change is refused`, async (t) => {
      const TableName = await t.table()
      await t.fails(
        'UpdateTimeToLive',
        { TableName, TimeToLiveSpecification },
        'ValidationException',
        `1 validation error detected: Value null at '${path}' failed to satisfy constraint: Member must not be null`,
      )
    })
  }

  test('Enabled must be a boolean', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'UpdateTimeToLive',
      { TableName, TimeToLiveSpecification: { Enabled: 'dog', AttributeName: 'expires' } },
      'SerializationException',
    )
  })

  test('the attribute name must be a string', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'UpdateTimeToLive',
      { TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 3 } },
      'SerializationException',
    )
  })

  for (const operation of ['UpdateTimeToLive', 'DescribeTimeToLive']) {
    test(`${operation} on a table that does not exist is refused`, async (t) => {
      const TableName = t.tableName()
      await t.fails(
        operation,
        { TableName, TimeToLiveSpecification: ON },
        'ResourceNotFoundException',
        `Requested resource not found: Table: ${TableName} not found`,
      )
    })

    test(`${operation} without a table name is refused`, async (t) => {
      await t.fails(
        operation,
        { TimeToLiveSpecification: ON },
        'ValidationException',
        "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null",
      )
    })

    test(`${operation} on a table name with a blank is refused`, async (t) => {
      await t.fails(
        operation,
        { TableName: 'bad name', TimeToLiveSpecification: ON },
        'ValidationException',
        "1 validation error detected: Value 'bad name' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
      )
    })
  }

  test('a table may be named by its ARN', async (t) => {
    const TableName = await t.table()
    const { Table } = await t.send('DescribeTable', { TableName })
    await update(t, Table.TableArn, ON)
    expect(await t.send('DescribeTimeToLive', { TableName: Table.TableArn })).toEqual({
      TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' },
    })
  })
})

conformance('DescribeTimeToLive', (test) => {
  test('a new table has none', async (t) => {
    const TableName = await t.table()
    expect(await t.send('DescribeTimeToLive', { TableName })).toEqual({
      TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' },
    })
  })

  test('an enabled one is shown with its attribute', async (t) => {
    const TableName = await t.table()
    await update(t, TableName, ON)
    expect(await t.send('DescribeTimeToLive', { TableName })).toEqual({
      TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' },
    })
  })

  test('a disabled one is shown without its attribute', async (t) => {
    const TableName = await t.table()
    await update(t, TableName, ON)
    await update(t, TableName, OFF)
    expect(await t.send('DescribeTimeToLive', { TableName })).toEqual({
      TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' },
    })
  })

  test('a table made again under the same name has none', async (t) => {
    const TableName = await t.table()
    await update(t, TableName, ON)
    await t.send('DeleteTable', { TableName })
    await t.table({ TableName })
    expect(await t.send('DescribeTimeToLive', { TableName })).toEqual({
      TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' },
    })
  })
})

conformance('Time to live', (test) => {
  const nowSeconds = () => Math.floor(Date.now() / 1000)
  const item = (sk: string, expires?: unknown) => ({
    pk: { S: 'a' },
    sk: { S: sk },
    ...(expires === undefined ? {} : { expires }),
  })
  const sortKeys = async (t: Conformance, TableName: string): Promise<string[]> => {
    const { Items } = await t.send('Scan', { TableName, ConsistentRead: true })
    return Items.map(({ sk }: { sk: { S: string } }) => sk.S).sort()
  }

  test('an item that has yet to expire can be read', async (t) => {
    const TableName = await t.table()
    await update(t, TableName, ON)
    const Item = item('1', { N: String(nowSeconds() + 3600) })
    await t.send('PutItem', { TableName, Item })
    const { pk, sk } = Item
    expect(await t.send('GetItem', { TableName, Key: { pk, sk } })).toEqual({ Item })
  })

  test('expired items go, all others stay', async (t) => {
    const TableName = await t.table()
    const past = nowSeconds() - 100
    await t.send('PutItem', { TableName, Item: item('gone, written before', { N: `${past}` }) })
    await update(t, TableName, ON)
    const kept = {
      'no attribute': undefined,
      'a string': { S: `${past}` },
      'a set': { NS: [`${past}`] },
      'in a list': { L: [{ N: `${past}` }] },
      'in the future': { N: `${past + 10_000}` },
      'in milliseconds': { N: `${past * 1000}` },
      'six years ago': { N: `${past - 6 * 365 * 24 * 3600}` },
      negative: { N: '-5' },
      zero: { N: '0' },
      absurd: { N: '9e100' },
    }
    for (const [name, expires] of Object.entries(kept)) {
      await t.send('PutItem', { TableName, Item: item(name, expires) })
    }
    await t.send('PutItem', { TableName, Item: item('gone', { N: `${past}` }) })
    await t.send('PutItem', { TableName, Item: item('gone, a decimal', { N: `${past}.75` }) })
    await t.eventually(async () => {
      expect(await sortKeys(t, TableName)).toEqual(Object.keys(kept).sort())
    })
  })

  test('an expired item is a REMOVE that the service itself made', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await update(t, TableName, ON)
    const Item = item('1', { N: `${nowSeconds() - 100}` })
    await t.send('PutItem', { TableName, Item })
    await t.eventually(async () => expect(await sortKeys(t, TableName)).toEqual([]))
    const records = await recordsOf(t, StreamArn)
    expect(eventsOf(records)).toEqual(['INSERT a/1', 'REMOVE a/1'])
    expect(records[1].dynamodb.OldImage).toEqual(Item)
    expect(records[1].userIdentity).toEqual({
      PrincipalId: 'dynamodb.amazonaws.com',
      Type: 'Service',
    })
  })

  test('an item deleted by a request has no identity of the service', async (t) => {
    const { TableName, StreamArn } = await streamTable(t)
    await update(t, TableName, ON)
    const Item = item('1', { N: `${nowSeconds() + 1000}` })
    await t.send('PutItem', { TableName, Item })
    await t.send('DeleteItem', { TableName, Key: { pk: Item.pk, sk: Item.sk } })
    const records = await recordsOf(t, StreamArn)
    expect(eventsOf(records)).toEqual(['INSERT a/1', 'REMOVE a/1'])
    expect(records[1]).not.toHaveProperty('userIdentity')
  })
})
