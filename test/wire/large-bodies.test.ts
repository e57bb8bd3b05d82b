import { listen } from '@singletable/kit/server'
import { createEngine } from 'singletable/engine'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exchange } from './raw-http.ts'
import { requestBytes } from './wire-case.ts'

/** Every step counts as a long one, so that turns do not depend on the speed of the machine. */
beforeEach(() => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 11
    return now
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

test('small requests are answered while a body of many megabytes is being parsed', async () => {
  const engine = createEngine()
  const server = await listen(engine, { port: 0 })
  const body = `{"ExclusiveStartTableName":"zzzz","x":[${'{},'.repeat(2_000_000)}{}]}`
  let isAnswered = false
  const large = exchange([requestBytes({ body })], { port: server.port }).then(({ responses }) => {
    isAnswered = true
    return responses[0]?.statusCode
  })
  let small = 0
  while (!isAnswered) {
    const { responses } = await exchange([requestBytes()], { port: server.port })
    expect(responses[0]?.statusCode).toBe(200)
    if (!isAnswered) small++
  }
  expect(await large).toBe(200)
  expect(small).toBeGreaterThan(2)
  await server.close()
  await engine.close()
})
