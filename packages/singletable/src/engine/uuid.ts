import type { Environment } from './environment.ts'

/** A random uuid (version 4), made from the engine's own random source. */
export function uuid(environment: Environment): string {
  let digits = ''
  for (let part = 0; part < 4; part++) {
    digits += Math.floor(environment.random() * 4_294_967_296)
      .toString(16)
      .padStart(8, '0')
  }
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    variant + digits.slice(17, 20),
    digits.slice(20),
  ].join('-')
}
