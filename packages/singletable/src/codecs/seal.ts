import { createCipheriv, createDecipheriv } from 'node:crypto'
import { concatenate } from './stored-form.ts'

const IV_BYTES = 12
const TAG_BYTES = 16
const ALGORITHM = 'aes-256-gcm'

interface Sealing {
  readonly key: Uint8Array
  /** What is not encrypted and must be the same when it is opened. */
  readonly bound: Uint8Array
}

/** Encrypts by AES-256-GCM; gives the initialisation vector, the tag and the ciphertext as one. */
export function seal(
  plaintext: Uint8Array,
  randomBytes: (count: number) => Uint8Array,
  { key, bound }: Sealing,
): Uint8Array {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, iv)
  cipher.setAAD(bound)
  const ciphertext = [cipher.update(plaintext), cipher.final()]
  return concatenate(iv, cipher.getAuthTag(), ...ciphertext)
}

/** Decrypts what `seal` has made, or throws if anything about it is another. */
export function open(sealed: Uint8Array, { key, bound }: Sealing): Uint8Array {
  const start = IV_BYTES + TAG_BYTES
  if (sealed.length < start) throw new Error('it is too short')
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(bound)
  decipher.setAuthTag(sealed.subarray(IV_BYTES, start))
  return concatenate(decipher.update(sealed.subarray(start)), decipher.final())
}
