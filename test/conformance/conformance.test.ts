import { expect, test } from 'vitest'
import { expectDifference, untilJudged } from './conformance.ts'
import { RefereeUnavailable } from './targets.ts'

test('a difference that has disappeared fails and asks for its line to be deleted', async () => {
  await expect(expectDifference(Promise.resolve(), 'orders sets')).rejects.toThrow(
    'The difference has disappeared: DynamoDB Local passes this test. Delete its line from test/conformance/differences.ts ("orders sets").',
  )
})

test('a difference that is still there passes', async () => {
  await expectDifference(Promise.reject(new Error('expected 1 to be 2')), 'orders sets')
})

test('an unreachable referee does not show a difference', async () => {
  const run = Promise.reject(new RefereeUnavailable('connect ECONNREFUSED'))
  await expect(expectDifference(run, 'orders sets')).rejects.toThrow('connect ECONNREFUSED')
})

test('a test is repeated when the referee has an internal failure, but not for ever', async () => {
  const failure = Object.assign(new Error('unknown error'), { name: 'InternalFailure' })
  let runs = 0
  const failingTimes = (times: number) => async () => {
    runs++
    if (runs <= times) throw failure
  }
  await untilJudged(failingTimes(2))
  expect(runs).toBe(3)
  runs = 0
  await expect(untilJudged(failingTimes(3))).rejects.toBe(failure)
  expect(runs).toBe(3)
})

test('a judgement of the referee is final', async () => {
  let runs = 0
  const run = async () => {
    runs++
    throw new Error('expected 1 to be 2')
  }
  await expect(untilJudged(run)).rejects.toThrow('expected 1 to be 2')
  expect(runs).toBe(1)
})
