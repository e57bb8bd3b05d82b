import { expect, test } from 'vitest'
import { ServiceError } from '../wire/service-error.ts'
import type { Transport } from '../wire/transport.ts'
import { retrying } from './retry.ts'

const environment = {
  now: () => 0,
  randomBytes: (count: number) => new Uint8Array(count),
  schedule(callback: () => void) {
    queueMicrotask(callback)
    return () => {}
  },
}
const options = { attemptsMax: 8, delayMsBase: 1, delayMsMax: 2 }
const put = { TableName: 'Blog', Item: {} }

/** Answers with the errors in turn, and then well. */
function transport(...errors: readonly string[]): Transport['send'] {
  const left = [...errors]
  const once = {
    async send() {
      const name = left.shift()
      if (name === undefined) return {}
      throw new ServiceError(name, 'x')
    },
  }
  // Answers are all the same, whatever is asked.
  return retrying(once as unknown as Transport, options, environment).send
}

test('one throttled request in a hundred is waited out for as long as the transport lives', async () => {
  let calls = 0
  const once = {
    async send() {
      if (++calls % 100 === 0) throw new ServiceError('ThrottlingException', 'x')
      return {}
    },
  }
  const send = retrying(once as unknown as Transport, options, environment).send
  for (let call = 0; call < 40_000; call++) await send('ListTables', {})
  expect(calls).toBeGreaterThan(40_400)
})

test('retries end where nothing succeeds', async () => {
  let calls = 0
  const once = {
    async send() {
      calls++
      throw new ServiceError('ThrottlingException', 'x')
    },
  }
  const send = retrying(once as unknown as Transport, options, environment).send
  for (let call = 0; call < 1000; call++) await send('ListTables', {}).catch(() => {})
  expect(calls).toBe(1100)
})

test.each(['ThrottlingException', 'AccessDeniedException', 'ResourceNotFoundException'])(
  'a write that may have happened is not reported as refused by a later %s',
  async (name) => {
    const errors = ['InternalServerError', ...Array<string>(8).fill(name)]
    await expect(transport(...errors)('PutItem', put)).rejects.toThrow(
      expect.objectContaining({ name: 'InternalServerError' }),
    )
    await expect(transport(...errors)('GetItem', { TableName: 'a', Key: {} })).rejects.toThrow(
      expect.objectContaining({ name }),
    )
  },
)
