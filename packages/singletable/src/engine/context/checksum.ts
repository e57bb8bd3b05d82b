import { hexText } from '../../values/hex.ts'
import { hashKey } from '../../values/key-encoding.ts'

/** Sixteen hexadecimal digits that follow from a text. Protects against mistakes, not against
 * attackers. */
export function checksum(text: string): string {
  return hexText(Uint8Array.from(hashKey(text), (unit) => unit.charCodeAt(0)))
}
