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

const VERSION = 2
const NONCE_BYTES = 12

/** The longest keys that DynamoDB allows, of a table and an index with several key attributes in every shard, make less than this. */
const CURSOR_CHARACTERS_MAX = 8_388_608

/** Where a query of several partitions goes on. */
export class FanPosition {
  /** The number of the bucket of time. */
  readonly bucket: number
  /** By shard of that bucket the key to go on behind; from its beginning if undefined, not at all if null. */
  readonly starts: readonly (Item | undefined | null)[]

  constructor(bucket: number, starts: FanPosition['starts']) {
    this.bucket = bucket
    this.starts = starts
  }
}

/** Where a query goes on: behind a key, or behind several. */
export type Position = Item | FanPosition

export async function encodeCursor(
  context: TableContext,
  plan: QueryPlan,
  position: Position,
): Promise<string> {
  const names = keyNamesOf(plan.model, plan.index)
  const valuesOf = (key: Item): unknown => names.map((name) => getOwn(key, name))
  const values =
    position instanceof FanPosition
      ? [position.bucket, position.starts.map((key) => (key ? valuesOf(key) : key === null))]
      : valuesOf(position)
  const nonce = context.environment.randomBytes(NONCE_BYTES)
  const data = utf8(JSON.stringify(values))
  const encrypted = await cipher('encrypt', plan, context.cursorSecrets[0], nonce, data)
  return toText(new Uint8Array([VERSION, ...nonce, ...encrypted]))
}

/** The key in a cursor. Whatever is wrong with it is a `CursorError`. */
export function decodeCursor(
  context: TableContext,
  plan: QueryPlan,
  cursor: unknown,
  place: string,
): Promise<Item> {
  return open(context, plan, cursor, place, (values) => keyOf(plan, values))
}

/** As `decodeCursor`, of a query of several partitions. */
export function decodePosition(
  context: TableContext,
  plan: QueryPlan,
  cursor: unknown,
  place: string,
): Promise<FanPosition> {
  return open(context, plan, cursor, place, (values) => {
    // Only who has the secret can have made it; what is no such list ends in the error of what can't be read.
    const [bucket, starts] = values as [number, unknown[]]
    if (!Number.isSafeInteger(bucket)) throw new TypeError('no bucket')
    return new FanPosition(
      bucket,
      starts.map((start) => (start === true ? null : start ? keyOf(plan, start) : undefined)),
    )
  })
}

function keyOf({ model, index }: QueryPlan, values: unknown): Item {
  const names = keyNamesOf(model, index)
  return Object.fromEntries(names.map((name, at) => [name, (values as Item[string][])[at]!]))
}

async function open<T>(
  { cursorSecrets }: TableContext,
  plan: QueryPlan,
  cursor: unknown,
  place: string,
  read: (values: unknown) => T,
): Promise<T> {
  const bytes = toBytes(cursor)
  for (const secret of cursorSecrets.length === 0 ? [''] : cursorSecrets) {
    try {
      const nonce = bytes.slice(1, 1 + NONCE_BYTES)
      const data = await cipher('decrypt', plan, secret, nonce, bytes.slice(1 + NONCE_BYTES))
      return read(JSON.parse(new TextDecoder().decode(data)))
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
