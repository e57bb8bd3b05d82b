import { expect, test } from 'vitest'
import { requestIds } from './request-id.ts'

test('ids have 52 characters and are counted in base 36, over all carries', () => {
  const next = requestIds()
  const count = 36 ** 4 + 2000
  let last = ''
  for (let n = 1; n <= count; n++) {
    const id = next()
    if (n % 997 === 0 || n < 3000 || n > count - 4000) {
      expect(id).toMatch(/^[0-9A-Z]{52}$/)
      expect(Number.parseInt(id.slice(40), 36)).toBe(n)
    }
    last = id
  }
  expect(requestIds()().slice(0, 40)).not.toBe(last.slice(0, 40))
})
