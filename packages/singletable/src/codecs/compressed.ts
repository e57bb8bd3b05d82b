import type { AttributeCodec } from '../schema/schema-definition.ts'
import { base64Bytes, base64Text } from '../values/base64.ts'
import { type CompressionOptions, checkCompression, compress, decompress } from './compress.ts'
import { contentOf, valueFrom } from './stored-form.ts'

/**
 * Stores an attribute's values compressed, as bytes. Values that were stored before the attribute
 * had this codec are still read, and are compressed with the next write.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk' } },
 *   models: {
 *     Page: {
 *       key: { pk: 'PAGE#${id}' },
 *       attributes: {
 *         id: { type: String, required: true },
 *         html: { type: String, codec: compressed() },
 *       },
 *     },
 *   },
 * })
 * const { Page } = new Table({ name: 'pages', schema, client: createEngine() }).entities
 * const { Item } = Page.put({ id: '1', html: 'la '.repeat(1000) }).params()
 * const stored = Item.html as Uint8Array
 * stored.length < 50 // => true
 */
export function compressed(options: CompressionOptions = {}): AttributeCodec {
  checkCompression(options, 'compressed()')
  return {
    encode: (value) => ({ B: base64Text(compress(contentOf(value), options)) }),
    decode(value) {
      const content = value.B === undefined ? undefined : decompress(base64Bytes(value.B), options)
      return content ? valueFrom(content) : value
    },
  }
}
