import { describe, expect, it } from 'vitest'
import { ExpressionError } from './expression-error.ts'
import { createParseCache } from './parse-cache.ts'

function countingParser(): { parse: (text: string) => { text: string }; parsed: string[] } {
  const parsed: string[] = []
  return {
    parsed,
    parse: (text) => {
      parsed.push(text)
      if (text.startsWith('!')) throw new ExpressionError({ kind: 'empty' })
      if (text.startsWith('?')) throw new TypeError('a bug')
      return { text }
    },
  }
}

describe('createParseCache', () => {
  it('a text is parsed once', () => {
    const { parse, parsed } = countingParser()
    const cached = createParseCache(parse, 10)
    const first = cached('a')
    cached('b')
    expect(cached('a')).toBe(first)
    expect(cached('a')).toBe(first)
    expect(parsed).toEqual(['a', 'b'])
  })

  it('an ExpressionError is remembered too', () => {
    const { parse, parsed } = countingParser()
    const cached = createParseCache(parse, 10)
    expect(() => cached('!')).toThrow(ExpressionError)
    expect(() => cached('!')).toThrow(ExpressionError)
    expect(parsed).toEqual(['!'])
  })

  it('any other error is thrown and not remembered', () => {
    const { parse, parsed } = countingParser()
    const cached = createParseCache(parse, 10)
    expect(() => cached('?')).toThrow(TypeError)
    expect(() => cached('?')).toThrow(TypeError)
    expect(parsed).toEqual(['?', '?'])
  })

  it('the text used longest ago is forgotten first', () => {
    const { parse, parsed } = countingParser()
    const cached = createParseCache(parse, 2)
    cached('a')
    cached('b')
    cached('a')
    cached('c')
    cached('a')
    expect(parsed).toEqual(['a', 'b', 'c'])
    cached('b')
    expect(parsed).toEqual(['a', 'b', 'c', 'b'])
  })
})
