import * as node from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base64UrlBytes } from '../values/base64.ts'
import { systemEnvironment } from '../values/environment.ts'
import { type CursorCipher, createCipher, cursorCiphers, deriveKey } from './cursor-cipher.ts'
import { openBytes, sealBytes } from './xchacha20-poly1305.ts'

const { randomBytes } = systemEnvironment
const makers: readonly (readonly [string, (secret: string) => CursorCipher])[] = [
  ['a key at once', (secret) => cursorCiphers([secret], systemEnvironment)[0]!],
  ['a key of WebCrypto', (secret) => createCipher(deriveKey(secret), randomBytes)],
]
const text = '[{"S":"USER#alice and a text that takes more than one blöck"}]'
const bound = 'the query, in ünicode'

describe.each(makers)('what is encrypted with %s', (_, make) => {
  const sealed = async (cipher: CursorCipher, json = text): Promise<Uint8Array> => {
    await cipher.ready
    return base64UrlBytes(cipher.seal(json, bound))
  }

  it.each(makers)('can be opened with %s', async (_name, other) => {
    const bytes = await sealed(make('s'))
    expect(Buffer.from(bytes).toString('latin1')).not.toContain('USER')
    expect(await other('s').open(bytes, bound)).toBe(text)
  })

  it('is refused after any change, with another secret or query', async () => {
    const cipher = make('s')
    const bytes = await sealed(cipher)
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.map((byte, each) => (each === at ? byte ^ 1 : byte))
      expect(await cipher.open(damaged, bound)).toBeUndefined()
      expect(await cipher.open(bytes.slice(0, at), bound)).toBeUndefined()
    }
    expect(await make('t').open(bytes, bound)).toBeUndefined()
    expect(await cipher.open(bytes, 'another query')).toBeUndefined()
    expect(await cipher.open(bytes, bound)).toBe(text)
  })

  it('is right for any length, also beyond what is kept ready', async () => {
    for (const length of [0, 1, 15, 16, 17, 63, 64, 65, 4000, 5000, 20_000]) {
      const bytes = await sealed(make('s'), 'ü'.repeat(length))
      for (const [, other] of makers) {
        expect(await other('s').open(bytes, bound)).toBe('ü'.repeat(length))
      }
    }
  })

  it('is right for many calls at the same time, each with a nonce of its own', async () => {
    const cipher = make('s')
    const strings = Array.from({ length: 200 }, (_each, at) => text.repeat(at % 7))
    const all = await Promise.all(strings.map((each) => sealed(cipher, each)))
    const opened = await Promise.all(all.map((each) => cipher.open(each, bound)))
    expect(opened).toEqual(strings)
    const nonces = all.map((each) => Buffer.from(each.slice(0, 24)).toString('hex'))
    expect(new Set(nonces).size).toBe(all.length)
  })
})

const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(/\s/g, ''), 'hex')
const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

/** As one piece of bytes: encrypted or decrypted, then the tag. */
function apply(
  work: typeof sealBytes,
  key: Uint8Array,
  nonce: Uint8Array,
  data: Uint8Array,
  associated: Uint8Array,
): Buffer {
  const start = Math.ceil(associated.length / 16) * 16
  // What was there before must not matter.
  const room = Buffer.alloc(start + data.length + 48, 0xa5)
  room.set(associated)
  room.set(data, start)
  const tag = Buffer.alloc(16)
  const layout = {
    view: viewOf(room),
    associatedBytes: associated.length,
    start,
    bytes: data.length,
  }
  work(layout, viewOf(key), viewOf(nonce), viewOf(tag))
  return Buffer.concat([room.subarray(start, start + data.length), tag])
}

describe('XChaCha20-Poly1305', () => {
  it('gives the example of draft-irtf-cfrg-xchacha-03, A.3.1', () => {
    const data = Buffer.from(
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.",
    )
    const key = hex('808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f')
    const nonce = hex('404142434445464748494a4b4c4d4e4f5051525354555657')
    const associated = hex('50515253c0c1c2c3c4c5c6c7')
    const sealed = apply(sealBytes, key, nonce, data, associated)
    expect(sealed.toString('hex')).toBe(
      hex(`
        bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb
        731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452
        2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9
        21f9664c97637da9768812f615c68b13b52e c0875924c1c7987947deafd8780acf49
      `).toString('hex'),
    )
  })

  it('is what OpenSSL makes of any bytes, and opens it', () => {
    const bytes = (maxLength: number) => fc.uint8Array({ maxLength })
    const fixed = (length: number) =>
      fc.oneof(
        fc.uint8Array({ minLength: length, maxLength: length }),
        // Bits that make carries go all the way.
        fc.constant(new Uint8Array(length).fill(0xff)),
      )
    fc.assert(
      fc.property(
        fixed(32),
        fixed(24),
        fc.oneof(
          bytes(300),
          fc.nat(200).map((length) => new Uint8Array(length).fill(0xff)),
        ),
        bytes(300),
        (key, nonce, data, associated) => {
          const subkey = hChaCha20(key, nonce.subarray(0, 16))
          const short = Buffer.concat([Buffer.alloc(4), nonce.subarray(16)])
          const cipher = node.createCipheriv('chacha20-poly1305', subkey, short, {
            authTagLength: 16,
          })
          cipher.setAAD(associated, { plaintextLength: data.length })
          const right = Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()])
          expect(apply(sealBytes, key, nonce, data, associated)).toEqual(right)
          const opened = apply(openBytes, key, nonce, right.subarray(0, data.length), associated)
          expect(opened).toEqual(Buffer.concat([data, right.subarray(data.length)]))
        },
      ),
      { numRuns: 300 },
    )
  })
})

/** HChaCha20 by OpenSSL: the ChaCha20 block less the state it began with. */
function hChaCha20(key: Uint8Array, nonce: Uint8Array): Buffer {
  const block = node.createCipheriv('chacha20', key, nonce).update(Buffer.alloc(64))
  const constant = Buffer.from('expand 32-byte k')
  const first = Buffer.alloc(32)
  for (let at = 0; at < 4; at++) {
    first.writeInt32LE((block.readInt32LE(4 * at) - constant.readInt32LE(4 * at)) | 0, 4 * at)
    const end = block.readInt32LE(48 + 4 * at) - viewOf(nonce).getInt32(4 * at, true)
    first.writeInt32LE(end | 0, 16 + 4 * at)
  }
  return first
}
