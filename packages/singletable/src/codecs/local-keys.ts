import { createHash } from 'node:crypto'
import { checkOptions, refuseOption } from '../errors/check-options.ts'
import { type Environment, systemEnvironment } from '../values/environment.ts'
import { contextText, DATA_KEY_BYTES, type KeyContext, type KeyProvider } from './key-provider.ts'
import { open, seal } from './seal.ts'
import { concatenate } from './stored-form.ts'

/** Enough to distinguish the few secrets of an application. */
const ID_BYTES = 8

export interface LocalKeysOptions {
  /** 32 random bytes. Of several the first encrypts new data keys, and all decrypt: put a new one
   * in front to change it. */
  readonly secrets: readonly Uint8Array[]
  /** The random source, for tests that control it. */
  readonly environment?: Pick<Environment, 'randomBytes'> | undefined
}

/** Data keys that are encrypted by secrets of the application's own, without a service. */
export function localKeys(options: LocalKeysOptions): KeyProvider {
  const known = { where: 'localKeys()', names: ['secrets', 'environment'] }
  checkOptions(known, options)
  const { secrets, environment = systemEnvironment } = options
  if (!Array.isArray(secrets) || secrets.length === 0) refuseOption(known, 'secrets is not a list')
  const keys = secrets.map((secret: unknown) => {
    if (!(secret instanceof Uint8Array) || secret.length !== DATA_KEY_BYTES) {
      return refuseOption(known, `a secret is not a Uint8Array of ${DATA_KEY_BYTES} bytes`)
    }
    const key = concatenate(secret)
    return { key, id: createHash('sha256').update(key).digest().subarray(0, ID_BYTES) }
  })
  const bound = (context: KeyContext): Uint8Array => new TextEncoder().encode(contextText(context))
  return {
    generateDataKey(context) {
      const { key, id } = keys[0]!
      const plaintext = environment.randomBytes(DATA_KEY_BYTES)
      const sealed = seal(plaintext, environment.randomBytes, { key, bound: bound(context) })
      const encrypted = concatenate(id, sealed)
      return { plaintext, encrypted }
    },
    decryptDataKey(encrypted, context) {
      const found = keys.find(({ id }) => id.every((byte, at) => encrypted[at] === byte))
      if (found === undefined) throw new Error('none of the secrets has made its data key')
      return open(encrypted.subarray(ID_BYTES), { key: found.key, bound: bound(context) })
    },
  }
}
