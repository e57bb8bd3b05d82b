import * as node from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { nodeCipher, webCipher } from './cursor-cipher.ts'

const makers = [
  ['node:crypto', (secret: string) => nodeCipher(node, secret)],
  ['WebCrypto', webCipher],
] as const
const text = '[{"S":"USER#alice and a text that takes more than one block"}]'
const bound = 'the query, in ünicode'

describe.each(makers)('what %s has encrypted', (_, make) => {
  it.each(makers)('is the same as, and can be opened by, %s', async (_name, other) => {
    const sealed = await make('s').seal(text, bound)
    expect(sealed).not.toContain('USER')
    expect(sealed).toBe(await other('s').seal(text, bound))
    expect(await other('s').open(sealed, bound)).toBe(text)
  })

  it('is refused after any change, with another secret or query', async () => {
    const cipher = make('s')
    const sealed = await cipher.seal(text, bound)
    for (let at = 0; at < sealed.length; at++) {
      const flipped = String.fromCharCode(sealed.charCodeAt(at) ^ 1)
      const damaged = sealed.slice(0, at) + flipped + sealed.slice(at + 1)
      expect(await cipher.open(damaged, bound)).toBeUndefined()
      expect(await cipher.open(sealed.slice(0, at), bound)).toBeUndefined()
    }
    expect(await make('t').open(sealed, bound)).toBeUndefined()
    expect(await cipher.open(sealed, 'another query')).toBeUndefined()
  })

  it('is right for any length, also beyond what is kept ready', async () => {
    for (const length of [0, 1, 15, 16, 17, 4000, 5000, 20_000]) {
      const sealed = await make('s').seal('x'.repeat(length), bound)
      for (const [, other] of makers) {
        expect(await other('s').open(sealed, bound)).toBe('x'.repeat(length))
      }
    }
  })

  it('has another tag for every text, secret and query', async () => {
    const tags = await Promise.all(
      [
        make('s').seal(text, bound),
        make('t').seal(text, bound),
        make('s').seal(`${text} `, bound),
        make('s').seal(text, `${bound} `),
        make('s').seal(`e${text}`, bound.slice(0, -1)),
      ].map(async (sealed) => (await sealed).slice(0, 16)),
    )
    expect(new Set(tags).size).toBe(tags.length)
  })

  it('is what is documented: a tag and a stream of SHA-512', async () => {
    const long = text.repeat(5)
    const hash = (...parts: readonly (string | Buffer)[]): Buffer =>
      node
        .createHash('sha512')
        .update(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
        .digest()
    const key = (use: string) => hash(`${use} cursors s`).subarray(0, 32)
    const tag = hash(key('authenticate'), `${bound.length}:${bound}${long}`).subarray(0, 16)
    const stream = [0, 1, 2, 3, 4].map((n) => hash(key('encrypt'), tag, Buffer.from([0, 0, 0, n])))
    const bytes = Buffer.concat(stream).subarray(0, long.length)
    for (let at = 0; at < bytes.length; at++) bytes[at]! ^= long.charCodeAt(at)
    const sealed = Buffer.from(await make('s').seal(long, bound), 'latin1')
    expect(sealed).toEqual(Buffer.concat([tag, bytes]))
  })
})
