import { describe, expect, test } from 'vitest'
import { createEngine, type EngineOptions } from '../engine.ts'

describe('the options of an engine', () => {
  test.each([
    [{ transitonMs: 5 }, 'There is no option transitonMs.'],
    [{ transitionMs: -1 }, 'The option transitionMs is -1.'],
    [{ timeToLiveSweepMs: Number.NaN }, 'The option timeToLiveSweepMs is null.'],
    [{ itemCollectionMaxBytes: Number.POSITIVE_INFINITY }, 'The option itemCollectionMaxBytes is'],
    [{ region: 'Us East' }, 'The option region is "Us East".'],
    [{ accountId: '12' }, 'The option accountId is "12".'],
  ])('%j is refused with a message that says why', (options, problem) => {
    expect(() => createEngine(options as EngineOptions)).toThrow(
      expect.objectContaining({
        code: 'ENGINE_OPTION_INVALID',
        message: expect.stringContaining(problem),
      }),
    )
  })

  test('region and account are in the ARN of a table', async () => {
    const engine = createEngine({ region: 'eu-west-2', accountId: '123456789012' })
    const { TableDescription } = await engine.send('CreateTable', {
      TableName: 'table',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    })
    expect(TableDescription?.TableArn).toBe('arn:aws:dynamodb:eu-west-2:123456789012:table/table')
    await engine.close()
  })
})
