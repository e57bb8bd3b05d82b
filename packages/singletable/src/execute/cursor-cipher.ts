import { byteString } from '../values/base64.ts'

/**
 * Encrypts cursors with one secret, as *synthetic IV* (Rogaway and Shrimpton, 2006): a tag of everything, and a key stream that depends on the tag. So it needs no
 * random bytes, and the same text always gives the same result. Both are SHA-512 over a key of their own and more: the tag is the first 16 bytes of that of all
 * texts (a keyed hash, since what is left out keeps anybody from going on with it: Coron and others, 2005), block n of the stream that of the
 * tag and n. Ciphers and HMAC would be no safer, and Node takes several times as long to set them up as for a hash in one call. `bound` is not in the result, but must be the same
 * when it is opened. Texts are ASCII; what is encrypted is a byte string, a character for each byte.
 */
export interface CursorCipher {
  seal(text: string, bound: string): string | Promise<string>
  /** Undefined if anything was changed, or was made with another secret. */
  open(sealed: string, bound: string): string | undefined | Promise<string | undefined>
}

type NodeCrypto = ReturnType<typeof process.getBuiltinModule<'node:crypto'>>

const TAG_BYTES = 16
const KEY_BYTES = 32
/** Where the number of a block is among the bytes that the block is made of. */
const NUMBER_AT: number = KEY_BYTES + TAG_BYTES
const SEED_BYTES: number = NUMBER_AT + 4
/** Of the key stream. */
const BLOCK_BYTES = 64
/** More than most cursors need. */
const ROOM_BYTES = 4096

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
 * longer than its work: hashes in one call are all it needs.
 */
export function nodeCipher(node: NodeCrypto, secret: string): CursorCipher {
  const hash = (data: string | Uint8Array): string => node.hash('sha512', data, 'binary')
  const [encryptionKey, tagKey] = keyTexts(secret).map((text) =>
    bytesOf(hash(text), KEY_BYTES),
  ) as [Buffer, Buffer]
  // Kept, since a buffer takes longer to make than to fill. Nothing waits in between, so no other call writes to it.
  const room = Buffer.concat([tagKey, Buffer.alloc(ROOM_BYTES)])
  const tagOf = (text: string, bound: string): string => {
    const all = tagged(text, bound)
    const isSmall = 3 * all.length <= ROOM_BYTES
    const bytes = isSmall ? room : Buffer.concat([tagKey, Buffer.alloc(3 * all.length)])
    const end = KEY_BYTES + bytes.write(all, KEY_BYTES)
    return hash(bytes.subarray(0, end)).slice(0, TAG_BYTES)
  }
  const seed = Buffer.alloc(SEED_BYTES)
  encryptionKey.copy(seed)
  const result = Buffer.alloc(ROOM_BYTES)
  const crypt = (tag: string, data: string): string => {
    seed.write(tag, KEY_BYTES, 'latin1')
    const bytes = data.length <= result.length ? result : Buffer.alloc(data.length)
    for (let start = 0; start < data.length; start += BLOCK_BYTES) {
      seed.writeUInt32BE(start / BLOCK_BYTES, NUMBER_AT)
      const block = hash(seed)
      const length = Math.min(data.length - start, BLOCK_BYTES)
      for (let at = 0; at < length; at++) {
        bytes[start + at] = data.charCodeAt(start + at) ^ block.charCodeAt(at)
      }
    }
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
  const hash = async (data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.digest('SHA-512', data))
  const [encryptionKey, tagKey] = keyTexts(secret).map(async (text) =>
    (await hash(utf8(text))).subarray(0, KEY_BYTES),
  ) as [Promise<Uint8Array>, Promise<Uint8Array>]
  const tagOf = async (text: string, bound: string): Promise<string> => {
    const all = await hash(new Uint8Array([...(await tagKey), ...utf8(tagged(text, bound))]))
    return byteString(all.subarray(0, TAG_BYTES))
  }
  const crypt = async (tag: string, data: string): Promise<string> => {
    const seed = new Uint8Array(SEED_BYTES)
    seed.set(await encryptionKey)
    seed.set(bytesIn(tag), KEY_BYTES)
    const bytes = bytesIn(data)
    for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
      new DataView(seed.buffer).setUint32(NUMBER_AT, start / BLOCK_BYTES)
      const block = await hash(seed)
      for (const [at, byte] of block.entries()) bytes[start + at]! ^= byte
    }
    return byteString(bytes)
  }
  return {
    async seal(text, bound) {
      const tag = await tagOf(text, bound)
      return tag + (await crypt(tag, text))
    },
    async open(sealed, bound) {
      const tag = sealed.slice(0, TAG_BYTES)
      const text = await crypt(tag, sealed.slice(TAG_BYTES))
      return isSame(tag, await tagOf(text, bound)) ? text : undefined
    },
  }
}

/** Compares all of it, so that the time says nothing about where the difference is. */
function isSame(tag: string, right: string): boolean {
  let difference = tag.length ^ right.length
  for (let at = 0; at < right.length; at++) difference |= tag.charCodeAt(at) ^ right.charCodeAt(at)
  return difference === 0
}

function bytesOf(text: string, length: number): Buffer {
  return Buffer.from(text.slice(0, length), 'latin1')
}

function bytesIn(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
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
