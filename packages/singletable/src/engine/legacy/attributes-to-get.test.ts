import { describe, expect, test } from 'vitest'
import { attributesToGet } from './attributes-to-get.ts'

describe('attributesToGet', () => {
  test('names whole attributes, dots and brackets included', () => {
    expect(attributesToGet(['a.b', 'c[0]', '__proto__'])).toEqual([
      ['a.b'],
      ['c[0]'],
      ['__proto__'],
    ])
  })

  test('refuses the first name that comes a second time', () => {
    expect(() => attributesToGet(['a', 'b', 'c', 'b', 'a'])).toThrow(
      'One or more parameter values were invalid: Duplicate value in attribute name: b',
    )
  })
})
