import { expect, test } from 'vitest'
import { createEngine, type Engine } from '../engine.ts'
import { type SimulatedEnvironment, simulatedEnvironment } from '../simulated-environment.ts'

// These states end too soon on DynamoDB for a conformance test.
const START_MS = 1_700_000_000_000
const TRANSITION_MS = 1000
const TableName = 'slow'
const IndexName = 'byG'

async function slowTable(): Promise<{ engine: Engine; environment: SimulatedEnvironment }> {
  const environment = simulatedEnvironment({ now: START_MS - TRANSITION_MS })
  const engine = createEngine({ environment, transitionMs: TRANSITION_MS })
  await engine.send('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  return { engine, environment }
}

const update = (engine: Engine, action: 'ENABLE' | 'DISABLE', members: object = {}) =>
  engine.send('UpdateContributorInsights', {
    TableName,
    ContributorInsightsAction: action,
    ...members,
  })
const describe = (engine: Engine, members: object = {}) =>
  engine.send('DescribeContributorInsights', { TableName, ...members })
const listed = async (engine: Engine) =>
  (await engine.send('ListContributorInsights', { TableName })).ContributorInsightsSummaries.map(
    (each) => each.ContributorInsightsStatus,
  )
const notActive = (status: string) => ({
  name: 'ValidationException',
  message: `Table or Index is not in a valid state to update Key Access Insights: ${status} must be ACTIVE to enable ContributorInsights.`,
})

test('it is ENABLING and DISABLING until its time has passed, and listed meanwhile', async () => {
  const { engine, environment } = await slowTable()
  await environment.advance(TRANSITION_MS)
  await update(engine, 'ENABLE')
  const enabling = await describe(engine)
  expect(enabling).toMatchObject({
    ContributorInsightsStatus: 'ENABLING',
    LastUpdateDateTime: START_MS / 1000,
  })
  expect(enabling).not.toHaveProperty('ContributorInsightsRuleList')
  expect((await update(engine, 'ENABLE')).ContributorInsightsStatus).toBe('ENABLING')
  await environment.advance(TRANSITION_MS - 1)
  expect(await listed(engine)).toEqual(['ENABLING'])
  await environment.advance(1)
  expect(await describe(engine)).toMatchObject({
    ContributorInsightsStatus: 'ENABLED',
    ContributorInsightsRuleList: ['PKC', 'PKT'].map(
      (kind) => `DynamoDBContributorInsights-${kind}-slow-${START_MS}`,
    ),
    LastUpdateDateTime: START_MS / 1000 + 1,
  })
  await update(engine, 'DISABLE')
  expect(await listed(engine)).toEqual(['DISABLING'])
  await environment.advance(TRANSITION_MS)
  expect(await listed(engine)).toEqual([])
  expect((await describe(engine)).ContributorInsightsStatus).toBe('DISABLED')
  await engine.close()
})

test('rules that are created again have new names', async () => {
  const { engine, environment } = await slowTable()
  await environment.advance(TRANSITION_MS)
  await update(engine, 'ENABLE')
  await update(engine, 'DISABLE')
  await environment.advance(TRANSITION_MS)
  await update(engine, 'ENABLE')
  await environment.advance(TRANSITION_MS)
  expect((await describe(engine)).ContributorInsightsRuleList?.[0]).toBe(
    `DynamoDBContributorInsights-PKC-slow-${START_MS + TRANSITION_MS}`,
  )
  await engine.close()
})

test('only an active table and an active index can have it enabled', async () => {
  const { engine, environment } = await slowTable()
  await expect(update(engine, 'ENABLE')).rejects.toMatchObject(notActive('TableStatus'))
  expect((await describe(engine)).ContributorInsightsStatus).toBe('DISABLED')
  expect((await update(engine, 'DISABLE')).ContributorInsightsStatus).toBe('DISABLED')
  await environment.advance(TRANSITION_MS)
  await engine.send('UpdateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'g', AttributeType: 'S' }],
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName,
          KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      },
    ],
  })
  await expect(update(engine, 'ENABLE', { IndexName })).rejects.toMatchObject(
    notActive('IndexStatus'),
  )
  // The table is UPDATING meanwhile.
  await update(engine, 'ENABLE')
  await environment.advance(TRANSITION_MS)
  await update(engine, 'ENABLE', { IndexName })
  await engine.close()
})

test('while an index or its table is being deleted it can be described and disabled', async () => {
  const { engine, environment } = await slowTable()
  await environment.advance(TRANSITION_MS)
  const index = {
    IndexName,
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
    Projection: { ProjectionType: 'ALL' as const },
  }
  await engine.send('UpdateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    GlobalSecondaryIndexUpdates: [{ Create: index }],
  })
  await environment.advance(TRANSITION_MS)
  await update(engine, 'ENABLE', { IndexName })
  await environment.advance(TRANSITION_MS)
  await engine.send('UpdateTable', {
    TableName,
    GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }],
  })
  expect((await describe(engine, { IndexName })).ContributorInsightsStatus).toBe('ENABLED')
  expect(await listed(engine)).toEqual(['ENABLED'])
  await expect(
    update(engine, 'ENABLE', { IndexName, ContributorInsightsMode: 'THROTTLED_KEYS' }),
  ).rejects.toMatchObject(notActive('IndexStatus'))
  await update(engine, 'DISABLE', { IndexName })
  expect(await listed(engine)).toEqual(['DISABLING'])
  await environment.advance(TRANSITION_MS)
  await expect(describe(engine, { IndexName })).rejects.toThrow('Index: byG not found')
  await update(engine, 'ENABLE')
  await environment.advance(TRANSITION_MS)
  await engine.send('DeleteTable', { TableName })
  expect((await describe(engine)).ContributorInsightsStatus).toBe('ENABLED')
  expect((await update(engine, 'DISABLE')).ContributorInsightsStatus).toBe('DISABLING')
  await environment.advance(TRANSITION_MS)
  await expect(describe(engine)).rejects.toThrow('Table: slow not found')
  await engine.close()
})
