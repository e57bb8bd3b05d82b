import { describe, expect, test } from 'vitest'
import { TextFit } from '../../../packages/kit/src/studio/web/parts/text-fit.ts'

/** Every character of a string has 10 px. */
const fit = new TextFit((text) => [...text].length * 10)

describe('a string in a column', () => {
  test('is left as it is where it fits', () => {
    expect(fit.fit('abcd', 42)).toEqual({ text: 'abcd', short: 'abcd', isWide: false })
    expect(fit.fit('', 0)).toEqual({ text: '', short: '', isWide: false })
  })

  test('is cut so that its beginning and an ellipsis fit', () => {
    expect(fit.fit('abcdefgh', 42)).toEqual({ text: 'abcdefgh', short: 'abc…', isWide: true })
    expect(fit.fit('abcdefgh', 5).short).toBe('…')
  })

  test('is left to the browser where a character may be wider than it is measured', () => {
    expect(fit.fit('ab🎈def', 42)).toEqual({ text: 'ab🎈def', short: 'ab🎈def', isWide: true })
    // What follows the cut does not matter.
    expect(fit.fit('abcdef🎈', 42).short).toBe('abc…')
  })

  test('counts characters that are not measured as wide ones', () => {
    expect(fit.fit('é', 21).isWide).toBe(false)
    expect(fit.fit('éé', 39).isWide).toBe(true)
  })
})
