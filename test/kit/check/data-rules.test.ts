import { describe, expect, test } from 'vitest'
import { DATA_RULES } from '../../../packages/kit/src/check/rules/data-rules.ts'
import { DATA_FIXTURES } from './fixtures/data-fixtures.ts'

describe.each(DATA_FIXTURES)('$code', ({ code, fires, messages, silent }) => {
  const rule = DATA_RULES.find((each) => each.code === code)

  test('reports every fault in full', () => {
    expect([...(rule?.check(fires()) ?? [])].map(({ message }) => message)).toEqual(messages)
  })

  test('is silent on the neighbour', () => {
    expect([...(rule?.check(silent()) ?? ['no rule'])]).toEqual([])
  })

  test('is silent without a sample', () => {
    expect([...(rule?.check({ ...fires(), sample: undefined }) ?? ['no rule'])]).toEqual([])
  })
})
