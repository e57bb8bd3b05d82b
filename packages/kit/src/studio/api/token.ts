import { randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** What nobody can guess, in characters of an address. */
export function createToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}
