import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { TransferError } from './transfer-error.ts'

/** The text of a file in pieces; unpacked where its name ends in gz. `onBytes` is called with each
 * piece as it is in the file. */
export async function* readText(
  source: Readable,
  file: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<string, void, undefined> {
  source.on('data', (chunk: Buffer) => onBytes(chunk.length))
  const isPacked = file.endsWith('.gz')
  const stream = isPacked ? source.pipe(createGunzip()) : source
  // A failing source does not end what it is piped into.
  if (isPacked) source.on('error', (error) => stream.destroy(error))
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of stream) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof Error) || 'syscall' in error) throw error
    if (
      !(error instanceof TypeError) &&
      !/^(Z_|unexpected|incorrect|invalid)/.test(`${codeOf(error)}${error.message}`)
    )
      throw error
    throw new TransferError(
      error instanceof TypeError
        ? 'The file is not UTF-8.'
        : `The file can't be unpacked: ${error.message}.`,
      { where: file, fix: 'give the file as it was exported', cause: error },
    )
  } finally {
    source.destroy()
  }
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
