import { expect, test } from 'vitest'
import { plainNumber } from './plain-number.ts'

test('a number is printed without exponent and needless zeros', () => {
  const cases = {
    '1e3': '1000',
    '+1E+3': '1000',
    '-25e-1': '-2.5',
    '.5': '0.5',
    '5.': '5',
    '2.50': '2.5',
    '00042': '42',
    '-0': '0',
    '0e5': '0',
    '1e-3': '0.001',
    '0.01e3': '10',
    '123.45e1': '1234.5',
    abc: 'abc',
    '': '',
  }
  for (const [text, plain] of Object.entries(cases)) expect(plainNumber(text)).toBe(plain)
})
