import { expect, it } from 'vitest'
import { parseProjection } from './parse-projection.ts'
import { RESERVED_WORDS } from './reserved-words.ts'

it('the list has the 573 words of the guide', () => {
  expect(RESERVED_WORDS.size).toBe(573)
})

it('every word is refused as a name, in lower case and behind a dot, as reserved or as a keyword', () => {
  for (const word of RESERVED_WORDS) {
    const name = word.toLowerCase()
    const keyword = /^(ADD|AND|BETWEEN|DELETE|IN|NOT|OR|SET)$/.test(word)
    const problem = keyword
      ? { kind: 'syntax', token: name, near: `.${name}` }
      : { kind: 'reserved-word', word: name }
    expect(() => parseProjection(`a.${name}`), word).toThrow(expect.objectContaining({ problem }))
  }
})

it('words that merely look reserved are names', () => {
  for (const name of ['flatten', 'id', 'pk', 'sk', 'version', 'title', 'names_', 'toString']) {
    expect(parseProjection(name).paths[0]?.components).toEqual([name])
  }
})
