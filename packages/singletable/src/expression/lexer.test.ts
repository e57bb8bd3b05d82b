import { describe, expect, it } from 'vitest'
import { isPlaceholder, tokenize } from './lexer.ts'

function tokens(text: string): string[] {
  return tokenize(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`.trim())
}

describe('tokenize', () => {
  it('keywords are found in any case, and only as whole words', () => {
    expect(tokens('and aNd ANDy between_ SET')).toEqual([
      'AND and',
      'AND aNd',
      'name ANDy',
      'name between_',
      'SET SET',
      'end',
    ])
  })

  it('a number has no leading zero', () => {
    expect(tokens('0 10 007')).toEqual([
      'number 0',
      'number 10',
      'number 0',
      'number 0',
      'number 7',
      'end',
    ])
  })

  it('a sigil alone is not a placeholder', () => {
    expect(tokens('#a1_ :0 # :-')).toEqual([
      '# #a1_',
      ': :0',
      'unknown #',
      'unknown :',
      '- -',
      'end',
    ])
  })

  it('only blank, tab, line feed and carriage return separate', () => {
    expect(tokenize(' a\t\r\nb\u00a0').map(({ kind }) => kind)).toEqual([
      'name',
      'name',
      '\u00a0',
      'end',
    ])
  })

  it('comparators are read as long as they can be', () => {
    expect(tokens('<><=>=<>>')).toEqual(['<> <>', '<= <=', '>= >=', '<> <>', '> >', 'end'])
  })
})

describe('isPlaceholder', () => {
  it.each([
    ['#a', true],
    ['#_', true],
    ['#0', true],
    ['#', false],
    ['a', false],
    [':a', false],
    ['#a-b', false],
    ['#é', false],
    ['##', false],
    ['', false],
  ])('%s as a name: %s', (text, expected) => {
    expect(isPlaceholder(text, '#')).toBe(expected)
  })

  it.each([
    [253, true],
    [254, true],
    [255, false],
  ])('a colon and %i characters: %s', (length, expected) => {
    expect(isPlaceholder(`:${'v'.repeat(length)}`, ':')).toBe(expected)
  })
})
