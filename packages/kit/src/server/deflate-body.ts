/** The encodings in which a large answer can be sent. */
export type BodyEncoding = 'gzip' | 'deflate'

/** The encoding to use for a client that sent this `Accept-Encoding`, or `undefined` for none. */
export function acceptedEncoding(header: string): BodyEncoding | undefined {
  let best: BodyEncoding | undefined
  let bestQuality = 0
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    if (name !== 'gzip' && name !== 'deflate') continue
    const given = parameters.find((parameter) => parameter.startsWith('q='))
    const quality = given === undefined ? 1 : Number(given.slice(2))
    if (quality > bestQuality) {
      best = name
      bestQuality = quality
    }
  }
  return best
}

/** Compresses a body off the main thread. */
export async function deflateBody(encoding: BodyEncoding, body: Buffer): Promise<Buffer> {
  const { gzip, deflate } = await import('node:zlib')
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, bytes: Buffer): void => {
      if (error === null) resolve(bytes)
      else reject(error)
    }
    if (encoding === 'gzip') gzip(body, done)
    else deflate(body, done)
  })
}
