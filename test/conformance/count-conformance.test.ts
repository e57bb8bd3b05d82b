import { expect, test } from 'vitest'
import { countConformance, unknownDifferences } from './count-conformance.ts'

const difference = { test: 'Query › orders', reason: 'Local does not.' }

test('the closing line counts cases once and passes by target', () => {
  const outcomes = [
    { name: 'GetItem › returns [engine]', state: 'passed' },
    { name: 'GetItem › returns [durable]', state: 'passed' },
    { name: 'GetItem › returns [local]', state: 'passed' },
    { name: 'Query › orders [engine]', state: 'passed' },
    { name: 'Query › orders [local]', state: 'passed' },
    { name: 'Query › counts [engine]', state: 'failed' },
    { name: 'Query › counts [local]', state: 'passed' },
    { name: 'a unit test', state: 'passed' },
  ]
  expect(countConformance(outcomes, [difference])).toBe(
    'conformance: 3 cases, engine 2, on LMDB 1, DynamoDB Local 2 (1 difference)',
  )
})

test('the closing line says when the referee was skipped', () => {
  const outcomes = [
    { name: 'GetItem › returns [engine]', state: 'passed' },
    { name: 'GetItem › returns [local]', state: 'skipped' },
  ]
  expect(countConformance(outcomes, [])).toBe(
    'conformance: 1 cases, engine 1, on LMDB 0, DynamoDB Local skipped',
  )
})

test('a run without conformance tests has no closing line', () => {
  expect(countConformance([{ name: 'a unit test', state: 'passed' }], [])).toBeUndefined()
})

test('a difference whose test did not run on local is unknown', () => {
  const outcomes = [{ name: 'Query › orders [engine]', state: 'passed' }]
  expect(unknownDifferences(outcomes, [difference])).toEqual([difference])
})
