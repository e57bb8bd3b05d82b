import fc from 'fast-check'
import { expect, it } from 'vitest'
import { includesText } from './includes-text.ts'

it('finds what includes() finds, in strings that repeat themselves', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 })
  const search = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 })
  fc.assert(
    fc.property(text, search, (whole, part) => {
      expect(includesText(whole, part, 0)).toBe(whole.includes(part))
    }),
    { numRuns: 3000 },
  )
})

// What engines of JavaScript do for `includes` takes longer than a test may.
it('finds a long text in a long one, or not, without comparing each part of one with each of the other', () => {
  const half = 'a'.repeat(100_000)
  const whole = 'a'.repeat(409_600)
  expect(includesText(whole, `${half}b${half}`)).toBe(false)
  expect(includesText(`${whole}b${whole}`, `${half}b${half}`)).toBe(true)
})
