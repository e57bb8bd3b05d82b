import { describe, expect, test } from 'vitest'
import { checkConstraints, FAILURES_MAX } from './check-constraints.ts'
import { list, oneOf, structure } from './shape.ts'

const shape = structure({ Words: list(oneOf('YES', 'NO')) })
const wrongWords = (count: number) => ({ Words: Array(count).fill('MAYBE') })

describe('checkConstraints', () => {
  test('says nothing where nothing is wrong', () => {
    expect(() => checkConstraints(shape, { Words: ['YES', 'NO'] })).not.toThrow()
  })

  test('reports one failure in the singular', () => {
    expect(() => checkConstraints(shape, wrongWords(1))).toThrow(
      "1 validation error detected: Value 'MAYBE' at 'words.1.member' failed to satisfy constraint: Member must satisfy enum value set: [YES, NO]",
    )
  })

  test.each([
    [FAILURES_MAX - 1, FAILURES_MAX - 1],
    [FAILURES_MAX, FAILURES_MAX],
    [FAILURES_MAX + 1, FAILURES_MAX],
  ])('of %d failures it reports %d', (failures, reported) => {
    expect(() => checkConstraints(shape, wrongWords(failures))).toThrow(
      new RegExp(`^${reported} validation errors detected: .*'words\\.${reported}\\.member'[^']*$`),
    )
  })
})

describe('checkConstraints of one failure', () => {
  test('reports the first alone', () => {
    expect(() => checkConstraints(shape, wrongWords(3), 1)).toThrow(
      /^1 validation error detected: .*'words\.1\.member'[^']*$/,
    )
  })
})
