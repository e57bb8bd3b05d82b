import { expect, test } from 'vitest'
import { TAG_KEY_MAX_LENGTH, TAG_VALUE_MAX_LENGTH } from '../limits/table-limits.ts'
import { validateTags } from './validate-tags.ts'

test.each([1, TAG_KEY_MAX_LENGTH - 1, TAG_KEY_MAX_LENGTH])('a key of %i is fine', (length) => {
  expect(() => validateTags([{ Key: 'k'.repeat(length), Value: '' }])).not.toThrow()
})
test.each([0, TAG_KEY_MAX_LENGTH + 1])('a key of %i is refused', (length) => {
  expect(() => validateTags([{ Key: 'k'.repeat(length), Value: '' }])).toThrow('Tag Key')
})
test.each([0, TAG_VALUE_MAX_LENGTH - 1, TAG_VALUE_MAX_LENGTH])(
  'a value of %i is fine',
  (length) => {
    expect(() => validateTags([{ Key: 'k', Value: 'v'.repeat(length) }])).not.toThrow()
  },
)
test('a value one character too long is refused', () => {
  const Value = 'v'.repeat(TAG_VALUE_MAX_LENGTH + 1)
  expect(() => validateTags([{ Key: 'k', Value }])).toThrow('Tag Value')
})
