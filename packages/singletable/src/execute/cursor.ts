import { CursorError } from '../errors/cursor-error.ts'
import type { ReadPlan } from '../plan/read/read-plan.ts'
import { fingerprintOf } from '../request/compile-read.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { cursorCiphers } from './cursor-cipher.ts'
import type { TableContext } from './table-context.ts'

/**
 * Where a query goes on, as text that is safe in a URL: a version, and the values of the key's attributes. A cursor belongs to its query and scope.
 * With a secret it is encrypted. Without one, everybody could do that: a checksum finds damage and mistakes.
 */

/** Versions 1 and 2 were encrypted without a secret too; they are refused. */
const PLAIN_VERSION = '\x03'
const SEALED_VERSION = '\x04'
const CHECKSUM_CHARACTERS = 8

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

export function encodeCursor(
  context: TableContext,
  plan: ReadPlan,
  position: Position,
): string | Promise<string> {
  const { keyNames } = plan.index
  // Most are strings, and are written as such: what is shorter is encrypted sooner.
  const valuesOf = (key: Item): unknown =>
    keyNames.map((name) => {
      const value = getOwn(key, name)
      return value?.S ?? value
    })
  const values =
    position instanceof FanPosition
      ? [position.bucket, position.starts.map((key) => (key ? valuesOf(key) : key === null))]
      : valuesOf(position)
  const bound = boundTo(context, plan)
  const json = ascii(JSON.stringify(values))
  const [cipher] = cursorCiphers(context.cursorSecrets)
  if (cipher === undefined) return toText(PLAIN_VERSION + checksum(bound, json) + json)
  const sealed = cipher.seal(json, bound)
  return typeof sealed === 'string'
    ? toText(SEALED_VERSION + sealed)
    : sealed.then((bytes) => toText(SEALED_VERSION + bytes))
}

/** The key in a cursor. Whatever is wrong with it is a `CursorError`. */
export function decodeCursor(
  context: TableContext,
  plan: ReadPlan,
  cursor: unknown,
  place: string,
): Promise<Item> {
  return open(context, plan, cursor, place, (values) => keyOf(plan, values))
}

/** As `decodeCursor`, of a query of several partitions. */
export function decodePosition(
  context: TableContext,
  plan: ReadPlan,
  cursor: unknown,
  place: string,
): Promise<FanPosition> {
  return open(context, plan, cursor, place, (values) => {
    // Without a secret anybody can have made it: it must not lead outside of the partitions that the query reads anyway.
    const [bucket, starts] = values as [number, unknown[]]
    const { first, last, shards } = plan.fan!
    if (!Number.isSafeInteger(bucket) || bucket < first || bucket > last)
      throw new TypeError('no bucket')
    if (starts.length !== 0 && starts.length !== shards) throw new TypeError('no shards')
    return new FanPosition(
      bucket,
      starts.map((start) => (start === true ? null : start ? keyOf(plan, start) : undefined)),
    )
  })
}

function keyOf({ index }: ReadPlan, values: unknown): Item {
  return Object.fromEntries(
    index.keyNames.map((name, at) => {
      const value = (values as (string | Item[string])[])[at]!
      return [name, typeof value === 'string' ? { S: value } : value]
    }),
  )
}

async function open<T>(
  context: TableContext,
  plan: ReadPlan,
  cursor: unknown,
  place: string,
  read: (values: unknown) => T,
): Promise<T> {
  try {
    const json = await jsonIn(context, boundTo(context, plan), toBytes(cursor))
    if (json !== undefined) return read(JSON.parse(json))
  } catch {
    // Not made by us, although it looks like it.
  }
  throw new CursorError({
    what: "The cursor can't be used: it was changed, belongs to another query, or is of another version.",
    where: place,
    fix: 'use it as it was given, with the same query in the same direction, or start without one',
  })
}

async function jsonIn(
  { cursorSecrets }: TableContext,
  bound: string,
  bytes: string,
): Promise<string | undefined> {
  const version = bytes[0]
  if (cursorSecrets.length > 0) {
    if (version !== SEALED_VERSION) return undefined
    for (const cipher of cursorCiphers(cursorSecrets)) {
      const json = await cipher.open(bytes.slice(1), bound)
      if (json !== undefined) return json
    }
    return undefined
  }
  const json = bytes.slice(1 + CHECKSUM_CHARACTERS)
  return bytes === PLAIN_VERSION + checksum(bound, json) + json ? json : undefined
}

/** What a cursor belongs to: its query, and the scope around it. */
function boundTo({ scope }: TableContext, plan: ReadPlan): string {
  const fingerprint = fingerprintOf(plan)
  if (scope === undefined) return fingerprint
  const values = [...scope.values].map(([name, value]) => [name, String(value)])
  return fingerprint + JSON.stringify(values)
}

/** Two sums of 32 bits. Each step is a bijection of the sum before, so a change of one character always changes them. */
function checksum(bound: string, json: string): string {
  let one = 0x51ed270b
  let other = 0x2545f491
  for (let at = -bound.length; at < json.length; at++) {
    const code = at < 0 ? bound.charCodeAt(at + bound.length) : json.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(((other << 13) | (other >>> 19)) ^ code, 0x85ebca6b)
  }
  one ^= json.length
  return fourBytes(one) + fourBytes(other)
}

function fourBytes(sum: number): string {
  return String.fromCharCode(sum >>> 24, (sum >>> 16) & 255, (sum >>> 8) & 255, sum & 255)
}

/** The same JSON with a byte for each character. */
function ascii(json: string): string {
  return json.replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Bytes as base64 that is safe in a URL. */
function toText(bytes: string): string {
  // Node's way takes half the time.
  if (globalThis.Buffer) return Buffer.from(bytes, 'latin1').toString('base64url')
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** None for what can't be a cursor. Only one text is right for given bytes; any other is refused. */
function toBytes(cursor: unknown): string {
  if (
    typeof cursor === 'string' &&
    cursor.length <= CURSOR_CHARACTERS_MAX &&
    /^[\w-]+$/.test(cursor) &&
    cursor.length % 4 !== 1
  ) {
    const bytes = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
    if (toText(bytes) === cursor) return bytes
  }
  return ''
}
