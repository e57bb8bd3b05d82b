import type { AttributeValue } from '../values/attribute-value.ts'
import { base64Bytes, base64Text } from '../values/base64.ts'

/**
 * What is stored begins with two letters, the version of the form, and the algorithm that made the
 * rest. The content before that is a byte that says what follows: text as UTF-8, bytes as they are,
 * or any other value as the JSON that is sent on the wire.
 */
export const ALGORITHMS = { none: 0, gzip: 1, deflate: 2, brotli: 3, aes256gcm: 16 } as const

export type Algorithm = keyof typeof ALGORITHMS

const MARK = [0x53, 0x54, 1] as const
/** The mark as base64, which the first three bytes are by themselves. */
const MARK_BASE64 = 'U1QB'

export const HEADER_BYTES: number = MARK.length + 1

const TEXT = 0
const BYTES = 1
const JSON_TEXT = 2

/** The content of a value as bytes. */
export function contentOf(value: AttributeValue): Uint8Array {
  if (value.B !== undefined) return concatenate([BYTES], base64Bytes(value.B))
  const encoder = new TextEncoder()
  return value.S === undefined
    ? concatenate([JSON_TEXT], encoder.encode(JSON.stringify(value)))
    : concatenate([TEXT], encoder.encode(value.S))
}

/** The value that a content was made of. */
export function valueFrom(content: Uint8Array): AttributeValue {
  const rest = content.subarray(1)
  if (content[0] === BYTES) return { B: base64Text(rest) }
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rest)
  if (content[0] === TEXT) return { S: text }
  if (content[0] === JSON_TEXT) return JSON.parse(text) as AttributeValue
  throw new Error('its kind of content is unknown')
}

export function pack(algorithm: Algorithm, ...parts: readonly Uint8Array[]): Uint8Array {
  return concatenate([...MARK, ALGORITHMS[algorithm]], ...parts)
}

/** The algorithm and the rest; `undefined` for what was not made here. */
export function unpack(
  bytes: Uint8Array,
): { readonly algorithm: Algorithm; readonly rest: Uint8Array } | undefined {
  if (bytes.length < HEADER_BYTES || MARK.some((byte, at) => bytes[at] !== byte)) return undefined
  const number = bytes[MARK.length]
  // The names are those of the table above.
  const names = Object.keys(ALGORITHMS) as Algorithm[]
  const algorithm = names.find((name) => ALGORITHMS[name] === number)
  if (algorithm === undefined) throw new Error(`its algorithm ${number} is unknown`)
  return { algorithm, rest: bytes.subarray(HEADER_BYTES) }
}

/** Whether a base64 text begins as all that is stored here. */
export function isMarked(base64: string): boolean {
  return base64.startsWith(MARK_BASE64)
}

export function concatenate(...parts: readonly ArrayLike<number>[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
