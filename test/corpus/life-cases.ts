import { expect } from 'vitest'
import { type CorpusCase, row } from './corpus-case.ts'

/** An engine used after its end, or by a caller who has given up. */
export const lifeCases: readonly CorpusCase[] = [
  row('L1', 'a closed engine refuses to be used', async ({ engine }) => {
    await engine.close()
    const closed = { code: 'ENGINE_CLOSED' }
    await expect(engine.send('ListTables', {})).rejects.toMatchObject(closed)
    await expect(engine.snapshot()).rejects.toMatchObject(closed)
    await expect(engine.sweepExpired()).rejects.toMatchObject(closed)
    const { requestHandler } = engine.clientConfig()
    const headers = { 'x-amz-target': 'DynamoDB_20120810.ListTables' }
    await expect(requestHandler.handle({ headers, body: '{}' })).rejects.toMatchObject(closed)
  }),
  row('L1', 'a closed engine is not restored', async ({ engine }) => {
    const snapshot = await engine.snapshot()
    await engine.close()
    await expect(engine.restore(snapshot)).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
  }),
  row('L2', 'an engine may be closed twice', async ({ engine }) => {
    await engine.close()
    await engine.close()
  }),
  row(
    'L3',
    'a request that was given up before it was sent does nothing',
    async ({ engine, send }) => {
      const signal = AbortSignal.abort()
      const request = { TableName: 'hash', Item: { pk: { S: 'a' } } }
      await expect(engine.send('PutItem', request, { signal })).rejects.toMatchObject({
        name: 'AbortError',
      })
      expect((await send('Scan', { TableName: 'hash' })).Count).toBe(0)
    },
  ),
]
