import { checkOptions, refuseOption } from '../errors/check-options.ts'
import type { KeyContext, KeyProvider } from './key-provider.ts'

/** The part of the AWS SDK's `KMS` client that is used. */
export interface KmsClient {
  generateDataKey(input: {
    KeyId: string
    KeySpec: 'AES_256'
    EncryptionContext: Record<string, string>
  }): Promise<{ Plaintext?: Uint8Array | undefined; CiphertextBlob?: Uint8Array | undefined }>
  decrypt(input: {
    KeyId: string
    CiphertextBlob: Uint8Array
    EncryptionContext: Record<string, string>
  }): Promise<{ Plaintext?: Uint8Array | undefined }>
}

/** Data keys of AWS Key Management Service: `kmsKeys({ client: new KMS({}), keyId: 'alias/orders'
 * })`. */
export function kmsKeys(options: {
  readonly client: KmsClient
  /** Id, ARN or alias of the key. */
  readonly keyId: string
}): KeyProvider {
  const known = { where: 'kmsKeys()', names: ['client', 'keyId'] }
  checkOptions(known, options)
  const { client, keyId: KeyId } = options
  if (typeof client?.generateDataKey !== 'function' || typeof client.decrypt !== 'function') {
    refuseOption(known, "client is not a KMS client: give new KMS({}) of '@aws-sdk/client-kms'")
  }
  if (typeof KeyId !== 'string' || KeyId === '') refuseOption(known, 'keyId is not a string')
  const common = (context: KeyContext) => ({ KeyId, EncryptionContext: { ...context } })
  return {
    async generateDataKey(context) {
      const answer = await client.generateDataKey({ ...common(context), KeySpec: 'AES_256' })
      const { Plaintext, CiphertextBlob } = answer
      if (!Plaintext || !CiphertextBlob) throw new Error('KMS gave no data key')
      return { plaintext: Plaintext, encrypted: CiphertextBlob }
    },
    async decryptDataKey(encrypted, context) {
      const answer = await client.decrypt({ ...common(context), CiphertextBlob: encrypted })
      if (!answer.Plaintext) throw new Error('KMS did not decrypt the data key')
      return answer.Plaintext
    },
  }
}
