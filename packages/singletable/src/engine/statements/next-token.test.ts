import { expect, it } from 'vitest'
import { decodeNextToken, encodeNextToken } from './next-token.ts'

const request = { Statement: 'SELECT * FROM tab WHERE a = ?', Parameters: [{ S: 'x' }] }
const key = { pk: { S: 'é|😀' }, __proto: { N: '1' } }

it('a token gives back the key it was made from', () => {
  const NextToken = encodeNextToken(request, key)
  expect(decodeNextToken({ ...request, NextToken })).toEqual(key)
  expect(decodeNextToken(request)).toBeUndefined()
})

it('a token of another statement or other parameters is refused', () => {
  const NextToken = encodeNextToken(request, key)
  for (const other of [
    { ...request, Statement: 'SELECT * FROM tab WHERE b = ?' },
    { ...request, Parameters: [{ S: 'y' }] },
    { Statement: request.Statement },
  ]) {
    expect(() => decodeNextToken({ ...other, NextToken })).toThrow(
      'NextToken does not match request',
    )
  }
})

it('a token with any one character changed, cut or added is refused', () => {
  const token = encodeNextToken(request, key)
  const changed = Array.from(token, (character, index) => {
    const other = character === 'A' ? 'B' : 'A'
    return token.slice(0, index) + other + token.slice(index + 1)
  }).filter((text) => atob(text) !== atob(token))
  const others = [token.slice(1), token.slice(0, -4), `${token}A`, 'x', '%', '[]', btoa('1|a|b|c')]
  for (const NextToken of [...changed, ...others]) {
    expect(() => decodeNextToken({ ...request, NextToken })).toThrow(
      /^(Invalid NextToken|NextToken does not match request)$/,
    )
  }
})
