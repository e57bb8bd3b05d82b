import zlib from 'node:zlib'
import { checkNumber, checkOptions, refuseOption } from '../errors/check-options.ts'
import { refuseInput } from '../schema/input-issues.ts'
import { type Algorithm, concatenate, pack, unpack } from './stored-form.ts'

export interface CompressionOptions {
  /** `'gzip'` unless given. Brotli makes text smallest and takes longest. */
  readonly algorithm?: 'gzip' | 'deflate' | 'brotli' | undefined
  /** Values of fewer bytes are stored as they are; 256 unless given. */
  readonly thresholdBytes?: number | undefined
  /** The most bytes a value may have when it is read, so that a few stored bytes can't fill the
   * memory; 16 MB unless given. */
  readonly bytesMax?: number | undefined
}

const THRESHOLD_BYTES = 256
const BYTES_MAX = 16 * 1024 * 1024

/** Refuses options of compression that can't be meant. */
export function checkCompression(options: CompressionOptions, where: string): void {
  const known = { where, names: ['algorithm', 'thresholdBytes', 'bytesMax'] }
  checkOptions(known, options)
  const { algorithm = 'gzip', thresholdBytes, bytesMax } = options
  if (!Object.hasOwn(COMPRESS, algorithm)) {
    refuseOption(
      known,
      `algorithm "${algorithm}" is not one of ${Object.keys(COMPRESS).join(', ')}`,
    )
  }
  checkNumber(known, 'thresholdBytes', thresholdBytes)
  checkNumber(known, 'bytesMax', bytesMax, 1)
}

/** The content in the stored form, compressed where that makes it smaller. */
export function compress(
  content: Uint8Array,
  {
    algorithm = 'gzip',
    thresholdBytes = THRESHOLD_BYTES,
    bytesMax = BYTES_MAX,
  }: CompressionOptions,
): Uint8Array {
  // What could not be read again is not stored.
  if (content.length > bytesMax) {
    refuseInput(
      [
        {
          path: [],
          message: `a value has ${content.length} bytes, more than the ${bytesMax} allowed`,
        },
      ],
      'compressed()',
      'give a smaller value, or raise bytesMax',
    )
  }
  if (content.length >= thresholdBytes) {
    const compressed = COMPRESS[algorithm](content)
    if (compressed.length < content.length) return pack(algorithm, compressed)
  }
  return pack('none', content)
}

/** The content of the stored form; `undefined` for what was not made here. */
export function decompress(
  bytes: Uint8Array,
  { bytesMax: maxOutputLength = BYTES_MAX }: CompressionOptions,
): Uint8Array | undefined {
  const unpacked = unpack(bytes)
  if (unpacked === undefined) return undefined
  const { algorithm, rest } = unpacked
  if (algorithm === 'none') return rest
  const expand = EXPAND[algorithm]
  if (expand === undefined) throw new Error(`it is stored by ${algorithm}, not compressed`)
  try {
    return expand(rest, { maxOutputLength })
  } catch (error) {
    const isLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    throw new Error(
      isLarge
        ? `it has more bytes than the bytesMax of ${maxOutputLength}`
        : 'its compressed bytes are damaged',
      { cause: error },
    )
  }
}

const COMPRESS = {
  gzip: (content: Uint8Array): Uint8Array => zlib.gzipSync(content),
  deflate: (content: Uint8Array): Uint8Array => zlib.deflateSync(content),
  brotli: (content: Uint8Array): Uint8Array =>
    zlib.brotliCompressSync(content, {
      params: {
        // The highest quality is meant for files that are compressed once, and takes tens of times
        // as long as this one.
        [zlib.constants.BROTLI_PARAM_QUALITY]: 5,
        [zlib.constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
}

type Expand = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array

const EXPAND: { readonly [TAlgorithm in Algorithm]?: Expand } = {
  gzip: (bytes, options) => concatenate(zlib.gunzipSync(bytes, options)),
  deflate: (bytes, options) => concatenate(zlib.inflateSync(bytes, options)),
  brotli: (bytes, options) => concatenate(zlib.brotliDecompressSync(bytes, options)),
}
