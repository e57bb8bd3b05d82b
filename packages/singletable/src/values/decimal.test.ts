import { describe, expect, it } from 'vitest'
import { addDecimals, decimalSizeBytes, parseDecimal, subtractDecimals } from './decimal.ts'

describe('parsing a number', () => {
  it.each([
    ['5.', '5'],
    ['.5', '0.5'],
    ['+1.5', '1.5'],
    ['00042', '42'],
    ['-0', '0'],
    ['-0.000e7', '0'],
    ['0e126', '0'],
    ['0.0e999999999999', '0'],
    ['1e3', '1000'],
    ['1E+3', '1000'],
    ['-1200.500', '-1200.5'],
    ['12.5e1', '125'],
    ['0.00120', '0.0012'],
    ['100e-2', '1'],
    ['999999999999999', '999999999999999'],
    ['-99999999999999999', '-99999999999999999'],
  ])('writes %s as %s', (text, canonical) => {
    expect(parseDecimal(text)).toEqual({ text: canonical })
  })

  it.each([
    '1e',
    '.',
    '+',
    '-',
    '+e2',
    '1+2',
    ' 5',
    '5 ',
    '1_0',
    'NaN',
    'Infinity',
    '1.2.3',
    '--1',
    'e5',
    '1e+',
    '0x1',
    '١',
  ])('calls %j malformed', (text) => {
    expect(parseDecimal(text)).toEqual({ problem: 'malformed' })
  })

  it('distinguishes an empty string', () => {
    expect(parseDecimal('')).toEqual({ problem: 'empty' })
  })

  it('accepts the largest and smallest magnitudes and nothing beyond', () => {
    const nines = '9'.repeat(38)
    expect(parseDecimal(`${nines}e88`)).toEqual({ text: nines + '0'.repeat(88) })
    expect(parseDecimal('1e125')).toEqual({ text: `1${'0'.repeat(125)}` })
    expect(parseDecimal('-1e126')).toEqual({ problem: 'overflow' })
    expect(parseDecimal('1e-130')).toEqual({ text: `0.${'0'.repeat(129)}1` })
    expect(parseDecimal('9e-131')).toEqual({ problem: 'underflow' })
  })

  it('counts digits only between the first and the last that are not zero', () => {
    expect(parseDecimal(`000${'1'.repeat(38)}000`)).toEqual({ text: `${'1'.repeat(38)}000` })
    expect(parseDecimal('1'.repeat(39))).toEqual({ problem: 'digits' })
    expect(parseDecimal(`1${'0'.repeat(37)}.1`)).toEqual({ problem: 'digits' })
    expect(parseDecimal(`1${'0'.repeat(36)}.1`)).toEqual({ text: `1${'0'.repeat(36)}.1` })
  })

  it('reports range before digits', () => {
    expect(parseDecimal(`${'1'.repeat(39)}e200`)).toEqual({ problem: 'overflow' })
    expect(parseDecimal(`${'1'.repeat(39)}e-200`)).toEqual({ problem: 'underflow' })
  })

  it('takes no longer for a huge exponent, even one that a long mantissa makes up for', () => {
    expect(parseDecimal(`1e${'9'.repeat(100_000)}`)).toEqual({ problem: 'overflow' })
    expect(parseDecimal(`1e-${'9'.repeat(100_000)}`)).toEqual({ problem: 'underflow' })
    expect(parseDecimal(`1${'0'.repeat(100_000)}e-100000`)).toEqual({ text: '1' })
    expect(parseDecimal(`0.${'0'.repeat(99_999)}1e100000`)).toEqual({ text: '1' })
  })
})

describe('arithmetic', () => {
  it('is exact where doubles are not', () => {
    expect(addDecimals('0.1', '0.2')).toBe('0.3')
    expect(subtractDecimals('0.3', '0.3')).toBe('0')
    expect(addDecimals('9'.repeat(37), '1')).toBe(`1${'0'.repeat(37)}`)
    expect(subtractDecimals('5', '5')).toBe('0')
  })

  it('has no result that needs more than 38 digits or leaves the range', () => {
    expect(addDecimals(`1${'0'.repeat(50)}`, '1')).toBeUndefined()
    expect(addDecimals(`9${'0'.repeat(125)}`, `9${'0'.repeat(125)}`)).toBeUndefined()
    expect(subtractDecimals(`0.${'0'.repeat(129)}15`, `0.${'0'.repeat(129)}1`)).toBeUndefined()
  })
})

describe('the size of a number', () => {
  it.each([
    ['0', 1],
    ['1', 2],
    ['-1', 3],
    ['10', 2],
    ['12', 2],
    ['100', 2],
    ['120', 3],
    ['123', 3],
    ['1234', 3],
    ['0.5', 2],
    ['0.05', 2],
    ['0.012', 3],
    ['1.5', 3],
    ['1'.repeat(38), 20],
  ])('of %s is %i bytes', (text, size) => {
    expect(decimalSizeBytes(text)).toBe(size)
  })
})
