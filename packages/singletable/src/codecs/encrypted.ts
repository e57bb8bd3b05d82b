import { checkOptions, refuseOption } from '../errors/check-options.ts'
import type { AttributeCodec, CodecPlace } from '../schema/schema-definition.ts'
import { base64Bytes, base64Text } from '../values/base64.ts'
import { type CompressionOptions, checkCompression, compress, decompress } from './compress.ts'
import { DataKeys } from './data-keys.ts'
import { envelopeOf } from './find-sealed.ts'
import { contextText } from './key-provider.ts'
import { open, seal } from './seal.ts'
import { contentOf, pack, valueFrom } from './stored-form.ts'

export interface EncryptionOptions {
  /**
   * What a stored value belongs to, so that nobody can put it elsewhere and have it read: its
   * `'item'`, with model, attribute and primary key, or only its `'model'` and attribute, which
   * lets copies have it. `'item'` unless given.
   */
  readonly bind?: 'item' | 'model' | undefined
  /** Whether values that were stored before the attribute was encrypted are read, or refused;
   * `'refuse'` unless given. */
  readonly plain?: 'accept' | 'refuse' | undefined
  /** Compresses what is encrypted. Its length then reveals something about the content: not for
   * secrets next to text that an attacker chooses. */
  readonly compression?: CompressionOptions | undefined
}

const KNOWN = { where: 'encrypted()', names: ['bind', 'plain', 'compression'] }

/**
 * Stores an attribute's values encrypted by AES-256-GCM, each with its encrypted data key. Whether
 * there is a value, whether it is null, and about how long it is stays visible.
 *
 * @example
 * const keys = dataKeys(localKeys({ secrets: [new Uint8Array(32).fill(7)] }))
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk' } },
 *   models: {
 *     User: {
 *       key: { pk: 'USER#${name}' },
 *       attributes: {
 *         name: { type: String, required: true },
 *         passport: { type: String, codec: encrypted(keys) },
 *       },
 *     },
 *   },
 * })
 * const table = new Table({ name: 'users', schema, client: createEngine() })
 * await table.create()
 * await table.entities.User.put({ name: 'alice', passport: 'C01X00T47' })
 * await table.entities.User.get({ name: 'alice' }) // => { name: 'alice', passport: 'C01X00T47' }
 */
export function encrypted(keys: DataKeys, options: EncryptionOptions = {}): AttributeCodec {
  checkOptions(KNOWN, options)
  if (!(keys instanceof DataKeys)) refuseOption(KNOWN, 'keys must be what dataKeys() gives')
  const { bind = 'item', plain = 'refuse', compression } = options
  if (bind !== 'item' && bind !== 'model') refuseOption(KNOWN, "bind must be 'item' or 'model'")
  if (compression) checkCompression(compression, KNOWN.where)
  const compressing = compression ?? { thresholdBytes: Number.POSITIVE_INFINITY }
  const isBound = bind === 'item'
  const boundTo = ({ model, attribute, key }: CodecPlace): Uint8Array =>
    new TextEncoder().encode(
      JSON.stringify([
        contextText(keys.context),
        model,
        attribute,
        ...(isBound ? Object.values(key) : []),
      ]),
    )
  return {
    bound: isBound,
    encode(value, place) {
      const { plaintext: key, encrypted: dataKey } = keys.sealingKey()
      const content = compress(contentOf(value), compressing)
      const { randomBytes } = keys.environment
      const sealed = seal(content, randomBytes, { key, bound: boundTo(place) })
      const length = new Uint8Array([dataKey.length >> 8, dataKey.length & 255])
      return { B: base64Text(pack('aes256gcm', length, dataKey, sealed)) }
    },
    decode(value, place) {
      const envelope = value.B === undefined ? undefined : envelopeOf(base64Bytes(value.B))
      if (envelope === undefined) {
        if (plain === 'accept') return value
        throw new Error("it is not encrypted; use plain: 'accept' while old values are rewritten")
      }
      const key = keys.openingKey(envelope.dataKey)
      let content: Uint8Array
      try {
        content = open(envelope.sealed, { key, bound: boundTo(place) })
      } catch (cause) {
        throw new Error(
          'it was changed, or encrypted for another attribute, item, context or key',
          { cause },
        )
      }
      return valueFrom(decompress(content, compressing)!)
    },
  }
}
