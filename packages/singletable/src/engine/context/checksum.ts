import { hashKey } from '../../values/key-encoding.ts'

/** Sixteen hexadecimal digits that follow from a text. Guards against mistakes; it is no protection against intent. */
export function checksum(text: string): string {
  return Buffer.from(hashKey(text), 'latin1').toString('hex')
}
