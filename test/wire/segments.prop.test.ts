import fc from 'fast-check'
import { createEngine, type Engine } from 'singletable/engine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cutAt, cuts, mutatedRequests, VALID_REQUESTS, validRequests } from './request-bytes.ts'
import { runScript, statusesOf } from './scripted-connection.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 200)

let engine: Engine
beforeAll(() => {
  engine = createEngine()
})
afterAll(() => engine.close())

test('each request is answered as it should be', async () => {
  const statuses: number[][] = []
  for (const request of VALID_REQUESTS) {
    statuses.push(statusesOf((await runScript([request], { engine })).sent))
  }
  expect(statuses).toEqual([
    ...[[200], [200], [200], [404], [404], [200], [403], [400], [200]],
    ...[[100, 200], [200], [200], [200]],
  ])
})

test.each(VALID_REQUESTS.map((request, at) => [at, request] as const))(
  'request %i is answered alike wherever it is cut in two',
  async (_, request) => {
    const { sent } = await runScript([request], { engine })
    for (let at = 1; at < request.length; at++) {
      const parts = [request.subarray(0, at), request.subarray(at)]
      expect({ at, sent: (await runScript(parts, { engine })).sent }).toEqual({ at, sent })
    }
  },
)

test('a request byte by byte is answered as a whole one', async () => {
  for (const request of VALID_REQUESTS) {
    const bytes = Array.from(request, (byte) => Buffer.of(byte))
    const whole = await runScript([request], { engine })
    expect((await runScript(bytes, { engine })).sent).toBe(whole.sent)
  }
})

test('two requests in one segment, cut anywhere, are answered in their order', async () => {
  const [first = Buffer.alloc(0), , health = first] = VALID_REQUESTS
  const both = Buffer.concat([first, health])
  const { sent } = await runScript([both], { engine })
  expect(sent.match(/TableNames|healthy/g)).toEqual(['TableNames', 'healthy'])
  for (let at = 1; at < both.length; at++) {
    const parts = [both.subarray(0, at), both.subarray(at)]
    expect({ at, sent: (await runScript(parts, { engine })).sent }).toEqual({ at, sent })
  }
})

test('requests in any segments are answered as in one', async () => {
  await fc.assert(
    fc.asyncProperty(validRequests, cuts, async (requests, places) => {
      const whole = await runScript([requests], { engine })
      const parts = await runScript(cutAt(requests, places), { engine })
      expect(parts.sent).toBe(whole.sent)
    }),
    { numRuns: RUNS },
  )
})

test('requests with mistakes are refused at the same place in any segments', async () => {
  await fc.assert(
    fc.asyncProperty(mutatedRequests, cuts, async (requests, places) => {
      const whole = await runScript([requests], { engine })
      const parts = await runScript(cutAt(requests, places), { engine })
      expect(statusesOf(parts.sent)).toEqual(statusesOf(whole.sent))
      expect(parts.isClosed).toBe(true)
    }),
    { numRuns: RUNS },
  )
})
