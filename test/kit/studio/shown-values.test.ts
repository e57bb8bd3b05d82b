import { describe, expect, test } from 'vitest'
import { formText, shownText } from '../../../packages/kit/src/studio/web/state/format.ts'

describe('values as the studio shows them', () => {
  test('blanks at the ends can be seen, and those inside stay', () => {
    expect(shownText('  a b ')).toBe('␣␣a b␣')
    expect(shownText('   ')).toBe('␣␣␣')
    expect(shownText('a\u0000')).toBe('a\\u0000')
  })

  test('what was has the notation of the form, with all digits', () => {
    expect(formText({ S: 'a' })).toBe('a')
    expect(formText({ B: 'q80=' })).toBe('q80=')
    expect(formText({ SS: ['a', 'b'] })).toBe('["a","b"]')
    expect(formText({ BS: ['q80='] })).toBe('["q80="]')
    const digits = '12345678901234567890123456789012345678'
    expect(formText({ NS: ['1', digits] })).toBe(`[1,${digits}]`)
    expect(
      formText({ M: { list: { L: [{ S: '' }, { BOOL: true }, { NULL: true }] }, n: { N: '2' } } }),
    ).toBe('{"list":["",true,null],"n":2}')
  })
})
