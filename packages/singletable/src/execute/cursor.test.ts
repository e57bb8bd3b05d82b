import { describe, expect, test } from 'vitest'
import { CursorError } from '../errors/cursor-error.ts'
import { compileSchema } from '../plan/compile-schema.ts'
import type { ReadPlan } from '../plan/read/read-plan.ts'
import { systemEnvironment } from '../values/environment.ts'
import { decodeCursor, encodeCursor, FanPosition } from './cursor.ts'
import type { TableContext } from './table-context.ts'

const model = compileSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Log: {
      key: { pk: 'LOG#${at:day}', sk: '${at}' },
      attributes: { at: { type: Date, required: true } },
    },
  },
}).models.get('Log')!
/** A query of the buckets 10 to 20 with three shards each. */
const plan = {
  model,
  index: model.indexes[0],
  state: {},
  members: [],
  fan: { first: 10, last: 20, shards: 3 },
} as unknown as ReadPlan

describe.each([[[]], [['a secret']]])('a cursor of several partitions, secrets %j', (secrets) => {
  const context = {
    cursorSecrets: secrets,
    environment: systemEnvironment,
  } as unknown as TableContext

  /** Also what anybody can make without a secret. */
  async function opened(position: FanPosition): Promise<FanPosition> {
    const cursor = encodeCursor(context, plan, position)
    return (await decodeCursor(context, plan, cursor, 'query()')) as FanPosition
  }

  test.each([10, 15, 20])('of bucket %i is taken', async (bucket) => {
    expect(await opened(new FanPosition(bucket, []))).toEqual(new FanPosition(bucket, []))
    const starts = [undefined, null, undefined]
    expect((await opened(new FanPosition(bucket, starts))).starts).toEqual(starts)
  })

  test.each([9, 21, 0, -1_000_000, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 10.5])(
    'of bucket %d, which the query does not read, is refused',
    async (bucket) => {
      await expect(opened(new FanPosition(bucket, []))).rejects.toThrow(CursorError)
    },
  )

  test.each([1, 2, 4, 100_000])('with %i shards instead of three is refused', async (count) => {
    const starts = Array.from({ length: count }, () => undefined)
    await expect(opened(new FanPosition(15, starts))).rejects.toThrow(CursorError)
  })
})
