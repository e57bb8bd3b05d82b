import { base64Bytes } from '../values/base64.ts'
import { type Algorithm, isMarked, unpack } from './stored-form.ts'

const AES: Algorithm = 'aes256gcm'

/** The encrypted data key, and what it has encrypted. */
export interface Envelope {
  readonly dataKey: Uint8Array
  readonly sealed: Uint8Array
}

/** The parts of an encrypted value; `undefined` for any other. */
export function envelopeOf(bytes: Uint8Array): Envelope | undefined {
  const unpacked = unpack(bytes)
  if (unpacked?.algorithm !== AES) return undefined
  const { rest } = unpacked
  const length = (rest[0] ?? 0) * 256 + (rest[1] ?? 0)
  return { dataKey: rest.subarray(2, 2 + length), sealed: rest.subarray(2 + length) }
}

/** All encrypted values in an answer, an item or a stream's records, in any of the shapes that the
 * SDK and the wire have for bytes. */
export function findSealed(value: unknown): readonly Envelope[] {
  const found: Envelope[] = []
  const seen = new Set<object>()
  const left: unknown[] = [value]
  while (left.length > 0) {
    const each = left.pop()
    if (typeof each !== 'object' || each === null || seen.has(each)) continue
    seen.add(each)
    const bytes = bytesOf(each)
    if (bytes === undefined) for (const inner of Object.values(each)) left.push(inner)
    else {
      const envelope = tryEnvelope(bytes)
      if (envelope) found.push(envelope)
    }
  }
  return found
}

function bytesOf(value: object): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value
  const { B } = value as { readonly B?: unknown }
  return typeof B === 'string' && isMarked(B) ? base64Bytes(B) : undefined
}

/** What can't be read is reported by whoever decodes it. */
function tryEnvelope(bytes: Uint8Array): Envelope | undefined {
  try {
    return envelopeOf(bytes)
  } catch {
    return undefined
  }
}
