import { CursorError } from '../errors/cursor-error.ts'
import type { QueryPlan } from '../plan/plan.ts'
import { keyNamesOf } from '../plan/projection.ts'
import { type AttributeValue, type Item, typeOf } from '../values/attribute-value.ts'
import { base64Bytes, base64Problem } from '../values/base64.ts'
import type { TableContext } from './table-context.ts'

/**
 * Where a query goes on, as text that says nothing to those who carry it. Its bytes are a version, then a checksum or a nonce, then the key as
 * a JSON list of tagged texts, plain or encrypted. Checksum and encryption cover the query's fingerprint, so a cursor fits no other query.
 */

const PLAIN = 1
const ENCRYPTED = 2

/** The longest keys that DynamoDB allows, of a table and an index with several key attributes, make less than this. */
const CURSOR_CHARACTERS_MAX = 32_768
const CHECKSUM_BYTES = 8
const NONCE_BYTES = 12

export async function encodeCursor(
  context: TableContext,
  plan: QueryPlan,
  key: Item,
): Promise<string> {
  const list = keyNamesOf(plan.model, plan.index).map((name) => {
    const value = key[name]
    return value === undefined ? '' : `${typeOf(value)}${value.S ?? value.N ?? value.B}`
  })
  const payload = JSON.stringify(list)
  const [secret] = context.cursorSecrets
  if (secret === undefined) {
    const checksum = checksumOf(plan.fingerprint, payload)
    return toText([PLAIN, ...checksum, ...utf8(payload)])
  }
  const nonce = context.environment.randomBytes(NONCE_BYTES)
  const encrypted = await crypto.subtle.encrypt(
    algorithm(plan, nonce),
    await secretKey(secret),
    utf8(payload),
  )
  return toText([ENCRYPTED, ...nonce, ...new Uint8Array(encrypted)])
}

/** The key in a cursor. Whatever is wrong with it is a `CursorError`. */
export async function decodeCursor(
  context: TableContext,
  plan: QueryPlan,
  cursor: unknown,
  place: string,
): Promise<Item> {
  const payload = await readPayload(context, plan, cursor)
  const key = payload === undefined ? undefined : readKey(plan, payload)
  if (key !== undefined) return key
  throw new CursorError({
    what: "The cursor can't be used: it was changed, belongs to another query, or is of another version.",
    where: place,
    fix: 'use a cursor as it was given, with the same query in the same direction; else start without one',
  })
}

async function readPayload(
  context: TableContext,
  plan: QueryPlan,
  cursor: unknown,
): Promise<string | undefined> {
  const bytes = toBytes(cursor)
  const version = bytes?.[0]
  const secrets = context.cursorSecrets
  if (bytes === undefined) return undefined
  if (version === PLAIN && secrets.length === 0) {
    const payload = new TextDecoder().decode(bytes.subarray(1 + CHECKSUM_BYTES))
    const checksum = checksumOf(plan.fingerprint, payload)
    return checksum.every((byte, index) => byte === bytes[1 + index]) ? payload : undefined
  }
  if (version !== ENCRYPTED) return undefined
  const nonce = bytes.slice(1, 1 + NONCE_BYTES)
  for (const secret of secrets) {
    try {
      const payload = await crypto.subtle.decrypt(
        algorithm(plan, nonce),
        await secretKey(secret),
        bytes.slice(1 + NONCE_BYTES),
      )
      return new TextDecoder().decode(payload)
    } catch {
      // Made with another secret, or not by us at all.
    }
  }
  return undefined
}

function readKey(plan: QueryPlan, payload: string): Item | undefined {
  const names = keyNamesOf(plan.model, plan.index)
  const key: Record<string, AttributeValue> = {}
  try {
    const list: unknown = JSON.parse(payload)
    if (!Array.isArray(list) || list.length !== names.length) return undefined
    for (const [index, name] of names.entries()) {
      const text = String(list[index])
      const rest = text.slice(1)
      if (text.startsWith('S')) key[name] = { S: rest }
      else if (text.startsWith('N')) key[name] = { N: rest }
      else if (text.startsWith('B')) key[name] = { B: rest }
      else return undefined
    }
  } catch {
    return undefined
  }
  return key
}

function algorithm(plan: QueryPlan, nonce: Uint8Array): AesGcm {
  return { name: 'AES-GCM', iv: nonce, additionalData: utf8(plan.fingerprint) }
}

interface AesGcm {
  readonly name: 'AES-GCM'
  readonly iv: Uint8Array
  readonly additionalData: Uint8Array
}

type SecretKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

async function secretKey(secret: string): Promise<SecretKey> {
  const digest = await crypto.subtle.digest('SHA-256', utf8(secret))
  return crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/**
 * Two sums of 32 bits. Each step can be undone, so texts of one length that differ in one place never have the same sum. It finds damage and
 * mistakes; against forgery there are secrets.
 */
function checksumOf(fingerprint: string, payload: string): Uint8Array {
  const text = `${fingerprint}\n${payload}`
  let a = 0x811c9dc5
  let b = 0x9e3779b9
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x5bd1e995)
    b ^= b >>> 15
  }
  const bytes = new Uint8Array(CHECKSUM_BYTES)
  const view = new DataView(bytes.buffer)
  view.setInt32(0, a)
  view.setInt32(4, b)
  return bytes
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function toText(bytes: readonly number[]): string {
  let units = ''
  for (const byte of bytes) units += String.fromCharCode(byte)
  return btoa(units).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Only one text stands for given bytes; any other is refused. */
function toBytes(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || text.length > CURSOR_CHARACTERS_MAX) return undefined
  if (!/^[\w-]+$/.test(text)) return undefined
  const padding = '='.repeat((4 - (text.length % 4)) % 4)
  const standard = text.replaceAll('-', '+').replaceAll('_', '/') + padding
  return base64Problem(standard) === undefined ? base64Bytes(standard) : undefined
}
