import { expect } from 'vitest'
import { conformance } from './conformance.ts'

conformance('Limits', (test) => {
  test('an account has the quotas of a new one', async (t) => {
    expect(await t.send('DescribeLimits', {})).toEqual({
      AccountMaxReadCapacityUnits: 80_000,
      AccountMaxWriteCapacityUnits: 80_000,
      TableMaxReadCapacityUnits: 40_000,
      TableMaxWriteCapacityUnits: 40_000,
    })
  })

  test('one endpoint is described, to be kept for a day', async (t) => {
    const { Endpoints } = await t.send('DescribeEndpoints', {})
    expect(Endpoints).toHaveLength(1)
    expect(Endpoints[0].Address).toMatch(/\./)
    expect(Endpoints[0].CachePeriodInMinutes).toBe(1440)
  })

  for (const operation of [
    'RestoreTableToPointInTime',
    'ExportTableToPointInTime',
    'ImportTable',
    'DescribeKinesisStreamingDestination',
    'ListGlobalTables',
    'GetResourcePolicy',
    'DescribeTableReplicaAutoScaling',
  ]) {
    test.engineOnly(
      `${operation} is refused by name`,
      'The text is ours: AWS has the operation.',
      async (t) => {
        await t.fails(
          operation,
          {},
          'UnknownOperationException',
          `The operation ${operation} is not supported by this engine.`,
        )
      },
    )
  }

  test('an operation that never was is unknown', async (t) => {
    await t.fails('MakeTea', {}, 'UnknownOperationException')
  })
  test('the name of an operation is taken to the letter', async (t) => {
    await t.fails('listtables', {}, 'UnknownOperationException')
  })
  test('an operation called toString is unknown', async (t) => {
    await t.fails('toString', {}, 'UnknownOperationException')
  })
})
