import type { Environment } from '../../values/environment.ts'
import { hexText } from '../../values/hex.ts'

/** A random uuid (version 4), made from the engine's own random source. */
export function uuid(environment: Environment): string {
  const digits = randomHexadecimal(environment, 32)
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    variant + digits.slice(17, 20),
    digits.slice(20),
  ].join('-')
}

/** An even number of random digits. */
export function randomHexadecimal({ randomBytes }: Environment, digits: number): string {
  return hexText(randomBytes(digits / 2))
}
