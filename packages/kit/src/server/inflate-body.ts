import { BODY_MAX_BYTES } from './limits.ts'

/** A body that was sent compressed: its bytes, or why there are none. */
export type Inflated = Buffer | 'too large' | 'undecodable'

/** Undoes a `Content-Encoding`. More than a body may have is never made: a megabyte can hold a
 * gigabyte of zeros. */
export async function inflateBody(encoding: string, body: Buffer): Promise<Inflated> {
  // Loaded when first needed: most clients never compress.
  const { gunzip, inflate } = await import('node:zlib')
  const decode = encoding === 'gzip' ? gunzip : encoding === 'deflate' ? inflate : undefined
  if (decode === undefined) return 'undecodable'
  return new Promise((resolve) => {
    decode(body, { maxOutputLength: BODY_MAX_BYTES }, (error, bytes) => {
      if (error === null) resolve(bytes)
      else
        resolve(
          'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : 'undecodable',
        )
    })
  })
}
