import { expect } from 'vitest'
import { type Conformance, conformance } from './conformance.ts'

// What is said here of AWS was measured there in October 2026, in us-west-2, and published; the
// names of rules and the bounds of requests are those of the Developer Guide and the API reference.
const NO_INSIGHTS =
  'DynamoDB Local has no Contributor Insights: it answers UnknownOperationException.'
const ALL = 'ACCESSED_AND_THROTTLED_KEYS'
const THROTTLED = 'THROTTLED_KEYS'

const indexed = {
  AttributeDefinitions: ['pk', 'sk', 'g'].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S',
  })),
  LocalSecondaryIndexes: [
    {
      IndexName: 'local',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'g', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'byG',
      KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
}

const enable = (t: Conformance, TableName: string, members: object = {}) =>
  t.send('UpdateContributorInsights', {
    TableName,
    ContributorInsightsAction: 'ENABLE',
    ...members,
  })
const disable = (t: Conformance, TableName: string, members: object = {}) =>
  enable(t, TableName, { ContributorInsightsAction: 'DISABLE', ...members })
const describe = (t: Conformance, TableName: string, members: object = {}) =>
  t.send('DescribeContributorInsights', { TableName, ...members })
const list = async (t: Conformance, request: object) =>
  (await t.send('ListContributorInsights', request)).ContributorInsightsSummaries

conformance('Contributor Insights', (define) => {
  const test = (name: string, body: (t: Conformance) => Promise<void>): void =>
    define.engineOnly(name, NO_INSIGHTS, body)

  test('a new table has a status and nothing else', async (t) => {
    const TableName = await t.table()
    expect(await describe(t, TableName)).toEqual({
      TableName,
      ContributorInsightsStatus: 'DISABLED',
    })
  })
  test('enabling is announced, and done for both kinds of keys', async (t) => {
    const TableName = await t.table()
    expect(await enable(t, TableName)).toEqual({
      TableName,
      ContributorInsightsStatus: 'ENABLING',
      ContributorInsightsMode: ALL,
    })
    const described = await describe(t, TableName)
    expect(described).toEqual({
      TableName,
      ContributorInsightsStatus: 'ENABLED',
      ContributorInsightsMode: ALL,
      ContributorInsightsRuleList: ['PKC', 'SKC', 'PKT', 'SKT'].map((kind) =>
        expect.stringMatching(`^DynamoDBContributorInsights-${kind}-${TableName}-\\d{13}$`),
      ),
      LastUpdateDateTime: expect.any(Number),
    })
    expect(Math.abs(described.LastUpdateDateTime - Date.now() / 1000)).toBeLessThan(60)
  })
  test('without a sort key there are two rules, and those of an index have its name', async (t) => {
    const TableName = await t.table(indexed)
    const answer = await enable(t, TableName, { IndexName: 'byG' })
    expect(answer.IndexName).toBe('byG')
    const described = await describe(t, TableName, { IndexName: 'byG' })
    expect(described.IndexName).toBe('byG')
    expect(described.ContributorInsightsRuleList).toEqual(
      ['PKC', 'PKT'].map((kind) =>
        expect.stringMatching(`^DynamoDBContributorInsights-${kind}-${TableName}-byG-\\d{13}$`),
      ),
    )
    expect((await describe(t, TableName)).ContributorInsightsStatus).toBe('DISABLED')
  })
  test('another mode leaves out the rules of what is accessed and keeps the others', async (t) => {
    const TableName = await t.table()
    await enable(t, TableName)
    const before = (await describe(t, TableName)).ContributorInsightsRuleList
    expect(await enable(t, TableName, { ContributorInsightsMode: THROTTLED })).toMatchObject({
      ContributorInsightsStatus: 'ENABLING',
      ContributorInsightsMode: THROTTLED,
    })
    expect(await describe(t, TableName)).toMatchObject({
      ContributorInsightsMode: THROTTLED,
      ContributorInsightsRuleList: before.slice(2),
    })
  })
  test('enabling without a mode brings back the default', async (t) => {
    const TableName = await t.table()
    await enable(t, TableName, { ContributorInsightsMode: THROTTLED })
    expect((await enable(t, TableName)).ContributorInsightsStatus).toBe('ENABLING')
    expect((await describe(t, TableName)).ContributorInsightsMode).toBe(ALL)
  })
  test('enabling what is enabled changes nothing', async (t) => {
    const TableName = await t.table()
    await enable(t, TableName)
    const before = await describe(t, TableName)
    expect(await enable(t, TableName, { ContributorInsightsMode: ALL })).toEqual({
      TableName,
      ContributorInsightsStatus: 'ENABLED',
      ContributorInsightsMode: ALL,
    })
    expect(await describe(t, TableName)).toEqual(before)
  })
  test('disabling keeps the mode, not that of the request, and the time', async (t) => {
    const TableName = await t.table()
    await enable(t, TableName)
    expect(await disable(t, TableName, { ContributorInsightsMode: THROTTLED })).toEqual({
      TableName,
      ContributorInsightsStatus: 'DISABLING',
      ContributorInsightsMode: ALL,
    })
    expect(await describe(t, TableName)).toEqual({
      TableName,
      ContributorInsightsStatus: 'DISABLED',
      ContributorInsightsMode: ALL,
      LastUpdateDateTime: expect.any(Number),
    })
    expect((await disable(t, TableName)).ContributorInsightsStatus).toBe('DISABLED')
  })
  test('disabling what was never enabled is not an error', async (t) => {
    const TableName = await t.table()
    expect((await disable(t, TableName)).ContributorInsightsStatus).toBe('DISABLED')
    expect(await describe(t, TableName)).not.toHaveProperty('LastUpdateDateTime')
  })
  test('a table can be named by its ARN, and is answered by its name', async (t) => {
    const TableName = await t.table()
    const { Table } = await t.send('DescribeTable', { TableName })
    expect((await enable(t, Table.TableArn)).TableName).toBe(TableName)
    expect((await describe(t, Table.TableArn)).ContributorInsightsStatus).toBe('ENABLED')
  })

  // Lists

  test('a list has the table before its index, and nothing that is disabled', async (t) => {
    const TableName = await t.table(indexed)
    expect(await list(t, { TableName })).toEqual([])
    await enable(t, TableName, { IndexName: 'byG' })
    await enable(t, TableName)
    const summary = {
      TableName,
      ContributorInsightsStatus: 'ENABLED',
      ContributorInsightsMode: ALL,
    }
    expect(await list(t, { TableName })).toEqual([summary, { ...summary, IndexName: 'byG' }])
    await disable(t, TableName)
    expect(await list(t, { TableName })).toEqual([{ ...summary, IndexName: 'byG' }])
  })
  test('pages of a table are full, and the last has no token', async (t) => {
    const TableName = await t.table(indexed)
    await enable(t, TableName)
    await enable(t, TableName, { IndexName: 'byG' })
    const request = { TableName, MaxResults: 1 }
    const first = await t.send('ListContributorInsights', request)
    expect(first.ContributorInsightsSummaries).toHaveLength(1)
    const { NextToken } = first
    const last = await t.send('ListContributorInsights', { ...request, NextToken })
    expect(last.ContributorInsightsSummaries).toMatchObject([{ IndexName: 'byG' }])
    expect(last).not.toHaveProperty('NextToken')
  })
  test('pages over all tables may be empty and still have a token', async (t) => {
    const names = [await t.table(), await t.table(indexed), await t.table()].sort()
    await enable(t, names[2] ?? '')
    const sizes: number[] = []
    let NextToken: string | undefined
    do {
      const page = await t.send('ListContributorInsights', {
        MaxResults: 1,
        ...(NextToken && { NextToken }),
      })
      sizes.push(page.ContributorInsightsSummaries.length)
      NextToken = page.NextToken
    } while (NextToken !== undefined && sizes.length < 10)
    expect(sizes.length).toBe(4)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(1)
    expect(await list(t, {})).toMatchObject([{ TableName: names[2] }])
  })
  test('a page continues behind a table that was deleted meanwhile', async (t) => {
    const [one = '', two = '', three = ''] = [
      await t.table(),
      await t.table(),
      await t.table(),
    ].sort()
    for (const name of [one, two, three]) await enable(t, name)
    const { NextToken } = await t.send('ListContributorInsights', { MaxResults: 2 })
    await t.send('DeleteTable', { TableName: two })
    expect(await list(t, { NextToken })).toMatchObject([{ TableName: three }])
  })
  test('a token that is not one is refused', async (t) => {
    for (const NextToken of ['x', '%', '', btoa('sum|table/')]) {
      await t.fails('ListContributorInsights', { NextToken }, 'ValidationException')
    }
  })

  // What goes with a table or an index

  test('a table that is made again has nothing of the one before', async (t) => {
    const TableName = await t.table()
    await enable(t, TableName)
    await t.send('DeleteTable', { TableName })
    await t.table({ TableName })
    expect(await describe(t, TableName)).toEqual({
      TableName,
      ContributorInsightsStatus: 'DISABLED',
    })
  })
  test('an index that is deleted is not listed any more', async (t) => {
    const TableName = await t.table(indexed)
    await enable(t, TableName, { IndexName: 'byG' })
    await t.send('UpdateTable', {
      TableName,
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byG' } }],
    })
    expect(await list(t, { TableName })).toEqual([])
    await t.fails(
      'DescribeContributorInsights',
      { TableName, IndexName: 'byG' },
      'ResourceNotFoundException',
      `Requested resource not found: Index: byG not found for table: ${TableName}`,
    )
  })
  test('a change of the table or of the index leaves it as it is', async (t) => {
    const TableName = await t.table(indexed)
    for (const members of [{}, { IndexName: 'byG' }]) await enable(t, TableName, members)
    const before = await list(t, { TableName })
    const OnDemandThroughput = { MaxReadRequestUnits: 10 }
    await t.send('UpdateTable', {
      TableName,
      GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'byG', OnDemandThroughput } }],
    })
    await t.send('UpdateTable', { TableName, DeletionProtectionEnabled: false })
    expect(before).toHaveLength(2)
    expect(await list(t, { TableName })).toEqual(before)
  })
  test('a table restored from a backup has none, nor have its indexes', async (t) => {
    const TableName = await t.table(indexed)
    for (const members of [{}, { IndexName: 'byG' }]) await enable(t, TableName, members)
    const { BackupDetails } = await t.send('CreateBackup', { TableName, BackupName: 'backup' })
    const { BackupArn } = BackupDetails
    const TargetTableName = t.tableName()
    await t.send('RestoreTableFromBackup', { TargetTableName, BackupArn })
    expect(await list(t, { TableName: TargetTableName })).toEqual([])
  })

  // Errors

  const requests = {
    DescribeContributorInsights: {},
    UpdateContributorInsights: { ContributorInsightsAction: 'DISABLE' },
  }
  for (const [operation, request] of Object.entries(requests)) {
    test(`${operation} does not find an index that is local or missing`, async (t) => {
      const TableName = await t.table(indexed)
      for (const IndexName of ['local', 'nope']) {
        await t.fails(
          operation,
          { ...request, TableName, IndexName },
          'ResourceNotFoundException',
          `Requested resource not found: Index: ${IndexName} not found for table: ${TableName}`,
        )
      }
    })
    test(`${operation} needs a table name`, async (t) => {
      await t.fails(
        operation,
        request,
        'ValidationException',
        "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null",
      )
    })
    test(`${operation} refuses an index name of two characters`, async (t) => {
      await t.fails(
        operation,
        { ...request, TableName: 'missing', IndexName: 'ab' },
        'ValidationException',
        "1 validation error detected: Value 'ab' at 'indexName' failed to satisfy constraint: Member must have length greater than or equal to 3",
      )
    })
  }
  for (const [operation, request] of Object.entries({ ...requests, ListContributorInsights: {} })) {
    test(`${operation} does not find a table that is missing`, async (t) => {
      await t.fails(
        operation,
        { ...request, TableName: 'missing' },
        'ResourceNotFoundException',
        'Requested resource not found: Table: missing not found',
      )
    })
  }
  test('a list refuses a table name with a blank', async (t) => {
    await t.fails(
      'ListContributorInsights',
      { TableName: 'a b' },
      'ValidationException',
      /Member must satisfy regular expression pattern: \[a-zA-Z0-9_.-\]\+$/,
    )
  })
  test('an unknown action and an unknown mode are refused together', async (t) => {
    await t.fails(
      'UpdateContributorInsights',
      { TableName: 'table', ContributorInsightsAction: 'PAUSE', ContributorInsightsMode: 'NONE' },
      'ValidationException',
      "2 validation errors detected: Value 'PAUSE' at 'contributorInsightsAction' failed to satisfy constraint: Member must satisfy enum value set: [ENABLE, DISABLE]; Value 'NONE' at 'contributorInsightsMode' failed to satisfy constraint: Member must satisfy enum value set: [ACCESSED_AND_THROTTLED_KEYS, THROTTLED_KEYS]",
    )
  })
  test('an update needs an action', async (t) => {
    await t.fails(
      'UpdateContributorInsights',
      { TableName: 'table' },
      'ValidationException',
      "1 validation error detected: Value null at 'contributorInsightsAction' failed to satisfy constraint: Member must not be null",
    )
  })
})
