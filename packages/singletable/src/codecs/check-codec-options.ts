import { DefinitionError } from '../errors/definition-error.ts'
import { didYouMean } from '../schema/did-you-mean.ts'
import type { CompressionOptions } from './compress.ts'

const COMPRESSIONS = ['gzip', 'deflate', 'brotli']

export function checkCompression(options: CompressionOptions, where: string): void {
  checkCodecOptions(options, ['algorithm', 'thresholdBytes', 'bytesMax'], where)
  const { algorithm = 'gzip' } = options
  if (!COMPRESSIONS.includes(algorithm)) {
    refuseCodec(where, `algorithm "${algorithm}" is none of ${COMPRESSIONS.join(', ')}`)
  }
  checkNumber(options.thresholdBytes, 'thresholdBytes', 0, where)
  checkNumber(options.bytesMax, 'bytesMax', 1, where)
}

/** Refuses what is no object, and options nobody would read. */
export function checkCodecOptions(options: object, known: readonly string[], where: string): void {
  if (typeof options !== 'object' || options === null) refuseCodec(where, 'options are no object')
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      refuseCodec(where, `"${name}" is no option${didYouMean(name, known)}`)
    }
  }
}

export function checkNumber(
  value: number | undefined,
  name: string,
  least: number,
  where: string,
): void {
  if (value === undefined || (typeof value === 'number' && value >= least)) return
  refuseCodec(where, `${name} must be a number of ${least} or more`)
}

export function refuseCodec(where: string, what: string): never {
  throw new DefinitionError('OPTION_INVALID', { what: `${what}.`, where, fix: 'correct it' })
}
