import { base64UrlText } from '../values/base64.ts'
import type { Environment } from '../values/environment.ts'
import {
  KEY_BYTES,
  NONCE_BYTES,
  openBytes,
  partsOf,
  sealBytes,
  TAG_BYTES,
} from './xchacha20-poly1305.ts'

/**
 * Encrypts cursors with one secret. `bound` is not in the result, but must be the same when it is
 * opened.
 */
export interface CursorCipher {
  /** Done when there is a key; undefined if there is one. */
  readonly ready: Promise<void> | undefined
  /** A nonce, a tag and the encrypted text, as base64 for URLs. Only when it is ready. */
  seal(text: string, bound: string): string
  /**
   * Of the bytes that `seal` made. Undefined if anything was changed, or was made with another
   * secret.
   */
  open(sealed: Uint8Array, bound: string): Promise<string | undefined>
}

type RandomBytes = Environment['randomBytes']

/** Derives the key from the secret for nothing else. */
const KEY_USE = 'singletable cursor XChaCha20-Poly1305'
const HEAD_BYTES: number = NONCE_BYTES + TAG_BYTES
/** More than most cursors need. */
const ROOM_BYTES = 4096
/** Random bytes are fetched for this many cursors at once. */
const NONCES = 64

const prepared = new WeakMap<readonly string[], readonly CursorCipher[]>()

/** The ciphers of a table's secrets. Keys are derived once. */
export function cursorCiphers(
  secrets: readonly string[],
  { randomBytes }: Environment,
): readonly CursorCipher[] {
  let ciphers = prepared.get(secrets)
  if (ciphers === undefined) {
    // Asked for at run time, so that the library also loads where there is no such module.
    const node = globalThis.process?.getBuiltinModule?.('node:crypto')
    ciphers = secrets.map((secret) => {
      const key = node?.hkdfSync
        ? node.hkdfSync('sha512', secret, '', KEY_USE, KEY_BYTES)
        : deriveKey(secret)
      return createCipher(key, randomBytes)
    })
    prepared.set(secrets, ciphers)
  }
  return ciphers
}

/** By WebCrypto, which has no other way than to wait. */
export async function deriveKey(secret: string): Promise<ArrayBuffer> {
  const { subtle } = crypto
  const base = await subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveBits'])
  const info = encoder.encode(KEY_USE)
  const how = { name: 'HKDF', hash: 'SHA-512', salt: new Uint8Array(), info }
  return subtle.deriveBits(how, base, 8 * KEY_BYTES)
}

const encoder = new TextEncoder()

export function createCipher(
  secretKey: ArrayBuffer | Promise<ArrayBuffer>,
  randomBytes: RandomBytes,
): CursorCipher {
  const tag = new Uint8Array(TAG_BYTES)
  const tagView = new DataView(tag.buffer)
  let key: DataView | undefined
  if (!(secretKey instanceof Promise)) key = new DataView(secretKey)
  let nonces = new Uint8Array()
  let used = 0
  // Kept, since memory takes longer to get than to fill. Nothing waits between writing to it and
  // reading from it.
  let room = new Uint8Array(ROOM_BYTES)
  let view = new DataView(room.buffer)
  let text = new Uint8Array(ROOM_BYTES)

  const derive = async (): Promise<void> => {
    key = new DataView(await secretKey)
  }

  const reserve = (bytes: number): void => {
    if (bytes <= room.length) return
    room = new Uint8Array(bytes)
    text = new Uint8Array(bytes)
    view = new DataView(room.buffer)
  }

  const seal = (json: string, bound: string): string => {
    // A character takes up to three bytes.
    reserve(3 * (json.length + bound.length) + HEAD_BYTES + 3 * TAG_BYTES)
    if (used === nonces.length) {
      nonces = new Uint8Array(randomBytes(NONCES * NONCE_BYTES))
      used = 0
    }
    const associatedBytes = encoder.encodeInto(bound, room).written
    const start = partsOf(associatedBytes)
    const bytes = encoder.encodeInto(json, room.subarray(start)).written
    const nonce = new DataView(nonces.buffer, used)
    sealBytes({ view, associatedBytes, start, bytes }, key!, nonce, tagView)
    for (let at = 0; at < NONCE_BYTES; at++) text[at] = nonces[used + at]!
    used += NONCE_BYTES
    for (let at = 0; at < TAG_BYTES; at++) text[NONCE_BYTES + at] = tag[at]!
    for (let at = 0; at < bytes; at++) text[HEAD_BYTES + at] = room[start + at]!
    return base64UrlText(text, HEAD_BYTES + bytes)
  }

  return {
    seal,
    get ready() {
      return key ? undefined : derive()
    },
    async open(sealed, bound) {
      if (key === undefined) await derive()
      const bytes = sealed.length - HEAD_BYTES
      if (bytes < 0) return undefined
      reserve(3 * bound.length + sealed.length + 3 * TAG_BYTES)
      const associatedBytes = encoder.encodeInto(bound, room).written
      const start = partsOf(associatedBytes)
      room.set(sealed.subarray(HEAD_BYTES), start)
      const nonce = new DataView(sealed.buffer, sealed.byteOffset, NONCE_BYTES)
      openBytes({ view, associatedBytes, start, bytes }, key!, nonce, tagView)
      if (!isSame(tag, sealed.subarray(NONCE_BYTES, HEAD_BYTES))) return undefined
      return new TextDecoder().decode(room.subarray(start, start + bytes))
    },
  }
}

/** Compares all of it, so that the time says nothing about where the difference is. */
function isSame(tag: Uint8Array, right: Uint8Array): boolean {
  let difference = 0
  for (let at = 0; at < TAG_BYTES; at++) difference |= tag[at]! ^ right[at]!
  return difference === 0
}
