import { expect, test } from 'vitest'
import { dataKeys } from './data-keys.ts'
import { encrypted } from './encrypted.ts'
import { type KmsClient, kmsKeys } from './kms-keys.ts'
import { localKeys } from './local-keys.ts'

/** Answers as KMS does, with keys of its own and checks of the context. */
function memoryKms() {
  const inputs: object[] = []
  const keys = localKeys({ secrets: [new Uint8Array(32).fill(3)] })
  const client: KmsClient = {
    async generateDataKey(input) {
      inputs.push(input)
      const { plaintext, encrypted } = await keys.generateDataKey(input.EncryptionContext)
      return { Plaintext: plaintext, CiphertextBlob: encrypted }
    },
    async decrypt(input) {
      inputs.push(input)
      const { CiphertextBlob, EncryptionContext } = input
      return { Plaintext: await keys.decryptDataKey(CiphertextBlob, EncryptionContext) }
    },
  }
  return { client, inputs }
}

const PLACE = { model: 'Note', attribute: 'text', key: { pk: { S: 'NOTE#1' } } }

test('keys of KMS are asked for by their id, with the context', async () => {
  const { client, inputs } = memoryKms()
  const keysIn = (stage: string) =>
    dataKeys(kmsKeys({ client, keyId: 'alias/notes' }), { context: { stage } })
  const writing = keysIn('production')
  await writing.ready()
  const stored = encrypted(writing).encode({ S: 'secret' }, PLACE)
  const reading = keysIn('production')
  await reading.prepare({ Records: [{ dynamodb: { NewImage: { text: stored } } }] })
  expect(encrypted(reading).decode(stored, PLACE)).toEqual({ S: 'secret' })
  const common = { KeyId: 'alias/notes', EncryptionContext: { stage: 'production' } }
  expect(inputs).toEqual([
    { ...common, KeySpec: 'AES_256' },
    { ...common, CiphertextBlob: expect.any(Uint8Array) },
  ])
  const elsewhere = keysIn('test')
  await elsewhere.prepare([stored])
  expect(() => encrypted(elsewhere).decode(stored, PLACE)).toThrow('could not be decrypted')
})

test('values that are not clients, and answers without keys, are refused', async () => {
  expect(() => kmsKeys({ client: {} as KmsClient, keyId: 'a' })).toThrow('OPTION_INVALID')
  expect(() => kmsKeys({ client: memoryKms().client, keyId: '' })).toThrow('OPTION_INVALID')
  const empty: KmsClient = { generateDataKey: async () => ({}), decrypt: async () => ({}) }
  const keys = dataKeys(kmsKeys({ client: empty, keyId: 'a' }))
  await expect(keys.ready()).rejects.toThrow('KMS gave no data key')
})
