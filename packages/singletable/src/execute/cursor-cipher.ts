import { byteString } from '../values/base64.ts'

/**
 * Encrypts cursors with one secret, as *synthetic IV* (Rogaway and Shrimpton, 2006): the first 16 bytes of HMAC-SHA256 over everything are the tag, and AES-256-CTR
 * encrypts with the tag as its initial counter. So it needs no random bytes, and the same text always gives the same result. `bound` is not in
 * the result, but must be the same when it is opened. Texts are ASCII; what is encrypted is a byte string, a character for each byte.
 */
export interface CursorCipher {
  seal(text: string, bound: string): string | Promise<string>
  /** Undefined if anything was changed, or was made with another secret. */
  open(sealed: string, bound: string): string | undefined | Promise<string | undefined>
}

type NodeCrypto = ReturnType<typeof process.getBuiltinModule<'node:crypto'>>

const TAG_BYTES = 16
const BLOCK_BYTES = 16
/** The counter is in the last bytes of a block; there the first one has zeros instead of the tag's. */
const COUNTER_BITS = 32
const COUNTER_AT = BLOCK_BYTES - COUNTER_BITS / 8
/** Of HMAC (RFC 2104) with SHA-256. */
const HASH_BLOCK_BYTES = 64
const INNER_PAD = 0x36
/** More than most cursors need. */
const ROOM_BYTES = 4096
const OUTER_PAD = 0x5c

const prepared = new WeakMap<readonly string[], readonly CursorCipher[]>()

/** The ciphers of a table's secrets. Keys are prepared once: that takes longer than all the rest. */
export function cursorCiphers(secrets: readonly string[]): readonly CursorCipher[] {
  let ciphers = prepared.get(secrets)
  if (ciphers === undefined) {
    // Asked for at run time, so that the library also loads where there is no such module.
    const node: Partial<NodeCrypto> | undefined =
      globalThis.process?.getBuiltinModule?.('node:crypto')
    ciphers = secrets.map((secret) =>
      isComplete(node) ? nodeCipher(node, secret) : webCipher(secret),
    )
    prepared.set(secrets, ciphers)
  }
  return ciphers
}

/** Other runtimes have the module, but not all of it. */
function isComplete(node: Partial<NodeCrypto> | undefined): node is NodeCrypto {
  return node?.hash !== undefined
}

/**
 * Synchronous, since calls of WebCrypto go through a pool of threads. It makes none of OpenSSL's objects for a cursor, since each of them takes
 * longer than its work: hashes in one call, and one AES of blocks that is kept, which makes the key stream.
 */
export function nodeCipher(node: NodeCrypto, secret: string): CursorCipher {
  // As byte strings: a buffer is memory outside of V8's heap, which its collector has to account for.
  const hash = (data: string | Uint8Array): string => node.hash('sha256', data, 'binary')
  const [encryptionKey, tagKey] = keyTexts(secret).map((text) => bytesOf(hash(text))) as [
    Buffer,
    Buffer,
  ]
  const blocks = node.createCipheriv('aes-256-ecb', encryptionKey, null).setAutoPadding(false)
  const padded = (pad: number): Buffer => {
    const bytes = Buffer.alloc(HASH_BLOCK_BYTES, pad)
    for (const [at, byte] of tagKey.entries()) bytes[at]! ^= byte
    return bytes
  }
  const inner = padded(INNER_PAD)
  const outer = Buffer.concat([padded(OUTER_PAD), bytesOf(hash(''))])
  // Kept, since a buffer takes longer to make than to fill. Nothing waits in between, so no other call writes to it.
  const room = Buffer.concat([inner, Buffer.alloc(ROOM_BYTES)])
  const tagOf = (text: string, bound: string): string => {
    const all = tagged(text, bound)
    const bytesMax = HASH_BLOCK_BYTES + 3 * all.length
    const bytes =
      bytesMax <= room.length ? room : Buffer.concat([inner, Buffer.alloc(3 * all.length)])
    const end = HASH_BLOCK_BYTES + bytes.write(all, HASH_BLOCK_BYTES)
    outer.write(hash(bytes.subarray(0, end)), HASH_BLOCK_BYTES, 'latin1')
    return hash(outer).slice(0, TAG_BYTES)
  }
  const crypt = (tag: string, data: string): string => {
    const counters = Buffer.allocUnsafe(Math.ceil(data.length / BLOCK_BYTES) * BLOCK_BYTES)
    counters.write(tag, 'latin1')
    for (let at = 0; at < counters.length; at += BLOCK_BYTES) {
      if (at > 0) counters.copyWithin(at, 0, COUNTER_AT)
      counters.writeUInt32BE(at / BLOCK_BYTES, at + COUNTER_AT)
    }
    const bytes = blocks.update(counters)
    for (let at = 0; at < data.length; at++) bytes[at]! ^= data.charCodeAt(at)
    return bytes.toString('latin1', 0, data.length)
  }
  return {
    seal(text, bound) {
      const tag = tagOf(text, bound)
      return tag + crypt(tag, text)
    },
    open(sealed, bound) {
      const tag = sealed.slice(0, TAG_BYTES)
      const text = crypt(tag, sealed.slice(TAG_BYTES))
      return isSame(tag, tagOf(text, bound)) ? text : undefined
    },
  }
}

export function webCipher(secret: string): CursorCipher {
  const { subtle } = crypto
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const [encryptionKey, tagKey] = keyTexts(secret).map((text) =>
    subtle.digest('SHA-256', utf8(text)),
  ) as [Promise<ArrayBuffer>, Promise<ArrayBuffer>]
  const encryption = encryptionKey.then((key) =>
    subtle.importKey('raw', key, 'AES-CTR', false, ['encrypt', 'decrypt']),
  )
  const tagging = tagKey.then((key) =>
    subtle.importKey('raw', key, hmac, false, ['sign', 'verify']),
  )
  const counterOf = (tag: Uint8Array) => ({
    name: 'AES-CTR',
    counter: new Uint8Array(tag).fill(0, COUNTER_AT),
    length: COUNTER_BITS,
  })
  const tagOf = async (text: string, bound: string): Promise<Uint8Array> => {
    const sum = await subtle.sign('HMAC', await tagging, utf8(tagged(text, bound)))
    return new Uint8Array(sum, 0, TAG_BYTES)
  }
  return {
    async seal(text, bound) {
      const tag = await tagOf(text, bound)
      const encrypted = await subtle.encrypt(counterOf(tag), await encryption, utf8(text))
      return byteString(tag) + byteString(new Uint8Array(encrypted))
    },
    async open(sealed, bound) {
      const bytes = Uint8Array.from(sealed, (character) => character.charCodeAt(0))
      if (bytes.length < TAG_BYTES) return undefined
      const tag = bytes.slice(0, TAG_BYTES)
      const data = await subtle.decrypt(counterOf(tag), await encryption, bytes.slice(TAG_BYTES))
      const text = byteString(new Uint8Array(data))
      return isSame(byteString(tag), byteString(await tagOf(text, bound))) ? text : undefined
    },
  }
}

/** Compares all of it, so that the time says nothing about where the difference is. */
function isSame(tag: string, right: string): boolean {
  let difference = tag.length ^ right.length
  for (let at = 0; at < right.length; at++) difference |= tag.charCodeAt(at) ^ right.charCodeAt(at)
  return difference === 0
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

/** What the two keys are hashes of. */
function keyTexts(secret: string): readonly [string, string] {
  return [`encrypt cursors ${secret}`, `authenticate cursors ${secret}`]
}

/** With a length, so that no other pair makes the same. */
function tagged(text: string, bound: string): string {
  return `${bound.length}:${bound}${text}`
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
