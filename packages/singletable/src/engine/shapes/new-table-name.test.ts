import { expect, test } from 'vitest'
import { TABLE_NAME_MAX_LENGTH, TABLE_NAME_MIN_LENGTH } from '../limits/table-limits.ts'
import { validateNewTableName } from './new-table-name.ts'

test.each([
  TABLE_NAME_MIN_LENGTH,
  TABLE_NAME_MIN_LENGTH + 1,
  TABLE_NAME_MAX_LENGTH - 1,
  TABLE_NAME_MAX_LENGTH,
])('a name of %i characters is fine', (length) => {
  expect(() => validateNewTableName('a'.repeat(length))).not.toThrow()
})
test('a name one character too short is refused', () => {
  expect(() => validateNewTableName('a'.repeat(TABLE_NAME_MIN_LENGTH - 1))).toThrow(
    'greater than or equal to 3',
  )
})
test('a name one character too long is refused', () => {
  expect(() => validateNewTableName('a'.repeat(TABLE_NAME_MAX_LENGTH + 1))).toThrow(
    'less than or equal to 255',
  )
})
test('a name that is too short and has a bad character gets both errors', () => {
  expect(() => validateNewTableName('a!')).toThrow(/^2 validation errors detected: /)
})
test.each(['a/b', 'arn:aws:dynamodb:::table/x', 'naïve', 'a\nb', '../etc'])(
  '%j is not a name',
  (name) => {
    expect(() => validateNewTableName(name)).toThrow('regular expression pattern')
  },
)
test('a name of a megabyte does not come back in whole', () => {
  try {
    validateNewTableName('a'.repeat(1_000_000))
    expect.unreachable()
  } catch (error) {
    expect((error as Error).message.length).toBeLessThan(10_000)
  }
})
