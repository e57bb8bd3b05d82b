import { expect, test } from 'vitest'
import { expectDifference } from './conformance.ts'
import { RefereeUnavailable } from './targets.ts'

test('a difference that has disappeared fails and asks for its line to be deleted', async () => {
  await expect(expectDifference(Promise.resolve(), 'orders sets')).rejects.toThrow(
    'The difference has disappeared: DynamoDB Local passes this test. Delete its line from test/conformance/differences.ts ("orders sets").',
  )
})

test('a difference that is still there passes', async () => {
  await expectDifference(Promise.reject(new Error('expected 1 to be 2')), 'orders sets')
})

test('a referee that cannot be reached is no proof of a difference', async () => {
  const run = Promise.reject(new RefereeUnavailable('connect ECONNREFUSED'))
  await expect(expectDifference(run, 'orders sets')).rejects.toThrow('connect ECONNREFUSED')
})
