import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dealOut } from './seed-plan.ts'

test('what rounding leaves over goes to those who lack most', () => {
  expect(dealOut(20, [1, 3, 3, 9], 1)).toEqual([1, 4, 4, 11])
})

test('everybody gets the least, at the cost of those who have more', () => {
  expect(dealOut(10, [1, 1000], 3)).toEqual([3, 7])
  expect(dealOut(2, [1, 1, 1], 1)).toEqual([1, 1, 1])
  expect(dealOut(2, [], 1)).toEqual([])
})

test('the parts are the number, or the least each', () => {
  const weights = fc.array(fc.double({ min: 0.01, max: 1000, noNaN: true }), {
    minLength: 1,
    maxLength: 12,
  })
  fc.assert(
    fc.property(fc.nat(5000), weights, fc.integer({ min: 1, max: 5 }), (count, each, least) => {
      const parts = dealOut(count, each, least)
      const sum = parts.reduce((total, part) => total + part, 0)
      expect(sum).toBe(Math.max(count, least * each.length))
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(least)
    }),
  )
})
