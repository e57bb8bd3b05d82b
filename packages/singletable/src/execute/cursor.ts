import { CursorError } from '../errors/cursor-error.ts'
import type { QueryPlan } from '../plan/plan.ts'
import { keyNamesOf } from '../plan/projection.ts'
import type { Item } from '../values/attribute-value.ts'
import { base64Bytes, base64Text } from '../values/base64.ts'
import { getOwn } from '../values/own.ts'
import type { TableContext } from './table-context.ts'

/**
 * Where a query goes on, as text that says nothing to those who carry it: a version, a nonce, and the key's attribute values, encrypted
 * together with the query's fingerprint, so that a cursor fits no other query. Without a secret everyone can do that, and it finds only damage
 * and mistakes.
 */

const VERSION = 1
const NONCE_BYTES = 12

/** The longest keys that DynamoDB allows, of a table and an index with several key attributes, make less than this. */
const CURSOR_CHARACTERS_MAX = 32_768

export async function encodeCursor(
  context: TableContext,
  plan: QueryPlan,
  key: Item,
): Promise<string> {
  const values = keyNamesOf(plan.model, plan.index).map((name) => getOwn(key, name))
  const nonce = context.environment.randomBytes(NONCE_BYTES)
  const data = utf8(JSON.stringify(values))
  const encrypted = await cipher('encrypt', plan, context.cursorSecrets[0], nonce, data)
  return toText(new Uint8Array([VERSION, ...nonce, ...encrypted]))
}

/** The key in a cursor. Whatever is wrong with it is a `CursorError`. */
export async function decodeCursor(
  { cursorSecrets }: TableContext,
  plan: QueryPlan,
  cursor: unknown,
  place: string,
): Promise<Item> {
  const bytes = toBytes(cursor)
  for (const secret of cursorSecrets.length === 0 ? [''] : cursorSecrets) {
    try {
      const nonce = bytes.slice(1, 1 + NONCE_BYTES)
      const data = await cipher('decrypt', plan, secret, nonce, bytes.slice(1 + NONCE_BYTES))
      const values = JSON.parse(new TextDecoder().decode(data))
      const names = keyNamesOf(plan.model, plan.index)
      return Object.fromEntries(names.map((name, index) => [name, values[index]]))
    } catch {
      // Made with another secret, or not by us at all.
    }
  }
  throw new CursorError({
    what: "The cursor can't be used: it was changed, belongs to another query, or is of another version.",
    where: place,
    fix: 'use it as it was given, with the same query in the same direction, or start without one',
  })
}

async function cipher(
  direction: 'encrypt' | 'decrypt',
  { fingerprint }: QueryPlan,
  secret = '',
  iv: Uint8Array,
  data: Uint8Array,
): Promise<Uint8Array> {
  const digest = await crypto.subtle.digest('SHA-256', utf8(secret))
  const key = await crypto.subtle.importKey('raw', digest, 'AES-GCM', false, [direction])
  const algorithm = { name: 'AES-GCM', iv, additionalData: utf8(fingerprint) }
  return new Uint8Array(await crypto.subtle[direction](algorithm, key, data))
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function toText(bytes: Uint8Array): string {
  return base64Text(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** None for what is no cursor of this version. Only one text stands for given bytes; any other is refused. */
function toBytes(text: unknown): Uint8Array {
  if (typeof text === 'string' && text.length <= CURSOR_CHARACTERS_MAX && /^[\w-]+$/.test(text)) {
    const padding = '='.repeat(-text.length & 3)
    const bytes = base64Bytes(text.replaceAll('-', '+').replaceAll('_', '/') + padding)
    if (bytes[0] === VERSION && toText(bytes) === text) return bytes
  }
  return new Uint8Array()
}
