import { changesOf, combineHandlers, onChange, type StreamEvent } from 'singletable/streams'
import { describe, expect, test, vi } from 'vitest'
import lambdaEvent from './lambda-event.json' with { type: 'json' }
import { recordsOf, schema, streamTable } from './stream-table.ts'

const silent = { onError: () => {} }

/** Events of a table in which alice, bob and alice again are written. */
async function threeChanges(): Promise<StreamEvent & { readonly numbers: string[] }> {
  const { table, engine, streamArn } = await streamTable()
  const { User } = table.entities
  await User.put({ username: 'alice', name: 'Alice' }).execute()
  await User.put({ username: 'bob', name: 'Bob' }).execute()
  await User.put({ username: 'alice', name: 'Alicia' }).execute()
  const Records = await recordsOf(engine, streamArn)
  const numbers = changesOf(schema, Records).map(({ sequenceNumber }) => sequenceNumber)
  return { Records, numbers }
}

describe('a handler of changes', () => {
  test('gives each change of a Lambda event to the handler of its model and kind', async () => {
    const calls: string[] = []
    const handler = onChange(schema, {
      User: {
        insert: ({ after }) => calls.push(`new ${after.name}`),
        modify: async ({ before, after, changed }) => {
          await Promise.resolve()
          calls.push(`${before.name} to ${after.name}: ${changed}`)
        },
      },
      Session: {
        remove: ({ before }) => calls.push(`removed ${before.number}`),
        expire: ({ before }) => calls.push(`expired ${before.number}`),
      },
    })
    expect(await handler(lambdaEvent)).toEqual({ batchItemFailures: [] })
    expect(calls).toEqual(['new Alice', 'Alice to Alicia: name', 'expired 7', 'removed 8'])
  })

  test('gives what expired to remove where there is no expire', async () => {
    const removed: unknown[] = []
    const handler = onChange(schema, {
      Session: { remove: ({ keys, expired }) => removed.push([keys.number, expired]) },
    })
    await handler(lambdaEvent)
    expect(removed).toEqual([
      [7, true],
      [8, false],
    ])
  })

  test('stops at the first failure and reports it, so that Lambda delivers again from there on', async () => {
    const event = await threeChanges()
    const handled: unknown[] = []
    let broken = true
    const errors: unknown[] = []
    const failure = new Error('bob is not welcome')
    const handle = ({ after }: { after: { name: string } }): void => {
      if (broken && after.name === 'Bob') throw failure
      handled.push(after.name)
    }
    const handler = onChange(
      schema,
      { User: { insert: handle, modify: handle } },
      { onError: (error, { dynamodb }) => errors.push([error, dynamodb.SequenceNumber]) },
    )
    expect(await handler(event)).toEqual({
      batchItemFailures: [{ itemIdentifier: event.numbers[1] }],
    })
    expect(errors).toEqual([[failure, event.numbers[1]]])
    expect(handled).toEqual(['Alice'])
    broken = false
    expect(await handler(event)).toEqual({ batchItemFailures: [] })
    // What was handled is remembered, and not handled again.
    expect(handled).toEqual(['Alice', 'Bob', 'Alicia'])
  })

  test('that continues after a failure leaves later changes of the same item alone', async () => {
    const event = await threeChanges()
    const handled: string[] = []
    const handler = onChange(
      schema,
      {
        User: {
          insert({ after }) {
            if (after.name === 'Alice') throw new Error('not yet')
            handled.push(after.name)
          },
          modify: ({ after }) => handled.push(after.name),
        },
      },
      { ...silent, afterFailure: 'continue' },
    )
    const { batchItemFailures } = await handler(event)
    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual([
      event.numbers[0],
      event.numbers[2],
    ])
    expect(handled).toEqual(['Bob'])
  })

  test('can throw instead of reporting', async () => {
    const failure = new Error('no')
    const handlers = {
      User: {
        insert: () => {
          throw failure
        },
      },
    }
    const handler = onChange(schema, handlers, { ...silent, failures: 'throw' })
    await expect(handler(lambdaEvent)).rejects.toBe(failure)
  })

  test('prints failures if there is not an onError', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    try {
      const handlers = { User: { insert: () => Promise.reject(new Error('no')) } }
      await onChange(schema, handlers)(lambdaEvent)
      expect(print.mock.calls[0]?.[0]).toContain('4421584500000000017450439091')
    } finally {
      print.mockRestore()
    }
  })

  test.each([
    [0, 2],
    [1, 2],
    [2, 1],
  ])(
    'that remembers %i records handles a repeated first of two %i times',
    async (remember, times) => {
      const { Records } = await threeChanges()
      let count = 0
      const handlers = {
        User: {
          insert: ({ keys }: { keys: { username: string } }) =>
            void (keys.username === 'alice' && count++),
        },
      }
      const handler = onChange(schema, handlers, { remember })
      await handler({ Records: Records.slice(0, 2) })
      await handler({ Records: Records.slice(0, 1) })
      expect(count).toBe(times)
    },
  )

  test('gives items of no model to unknown, and an image that does not fit its model fails', async () => {
    const { table, engine, streamArn } = await streamTable()
    const TableName = table.name
    const Key = { pk: { S: 'USER#bob' }, sk: { S: 'PROFILE' } }
    await engine.send('PutItem', { TableName, Item: { ...Key, pk: { S: 'x' } } })
    await engine.send('PutItem', { TableName, Item: { ...Key, name: { N: '5' } } })
    const Records = await recordsOf(engine, streamArn)
    const unknown: unknown[] = []
    const errors: unknown[] = []
    const handler = onChange(
      table,
      { unknown: ({ keys }) => unknown.push(keys) },
      { onError: (error) => errors.push(error) },
    )
    const { batchItemFailures } = await handler({ Records })
    expect(unknown).toEqual([{ pk: 'x', sk: 'PROFILE' }])
    expect(errors).toMatchObject([{ code: 'DECODE_FAILED' }])
    expect(batchItemFailures).toHaveLength(1)
  })

  test.each([
    [undefined, 'no handlers'],
    [{ Usr: {} }, 'did you mean "User"'],
    [{ User: { inserted: () => {} } }, 'did you mean "insert"'],
    [{ User: { insert: 5 } }, '"User.insert" is not a handler'],
    [{ unknown: {} }, 'which is not a model'],
  ])('refuses %o', (handlers, problem) => {
    // Most of this is refused by the compiler, too.
    expect(() => onChange(schema, handlers as never)).toThrow(problem)
  })

  test.each([{ afterFailure: 'pause' }, { failures: 'hide' }, { remember: -1 }])(
    'refuses the option %o',
    (options) => {
      expect(() => onChange(schema, {}, options as never)).toThrow('OPTION_INVALID')
    },
  )

  test('refuses values that are not events', async () => {
    await expect(onChange(schema, {})({} as never)).rejects.toThrow('"Records" is not a list')
  })
})

test('combined handlers get all records, and what one fails at is failed', async () => {
  const { Records, numbers } = await threeChanges()
  const handled: string[] = []
  const handle = (who: string, refused: string) =>
    onChange(
      schema,
      {
        User: {
          insert: ({ keys: { username } }) => {
            if (username === refused) throw new Error('no')
            handled.push(`${who} ${username}`)
          },
        },
      },
      { ...silent, afterFailure: 'continue' },
    )
  const both = combineHandlers(handle('first', 'bob'), handle('second', ''))
  expect(await both({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: numbers[1] }] })
  expect(handled).toEqual(['first alice', 'second alice', 'second bob'])
})
