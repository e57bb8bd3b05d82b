import { expect, test } from 'vitest'
import { didYouMean } from './did-you-mean.ts'

test.each([
  ['titel', ' (did you mean "title"?)'],
  ['Title', ' (did you mean "title"?)'],
  ['tile', ' (did you mean "title"?)'],
  ['id2', ' (did you mean "id"?)'],
  ['something', ''],
  ['ab', ''],
  ['', ''],
  ['t'.repeat(100_000), ''],
])('%s', (name, hint) => {
  expect(didYouMean(name, ['title', 'name', 'id'])).toBe(hint)
})

test('of a short name at most half may differ', () => {
  expect(didYouMean('csv', ['env'])).toBe('')
  expect(didYouMean('evn', ['env'])).toBe(' (did you mean "env"?)')
  expect(didYouMean('vne', ['env'])).toBe('')
  expect(didYouMean('evns', ['envs'])).toBe(' (did you mean "envs"?)')
})
