import { CursorError } from '../errors/cursor-error.ts'
import type { ReadPlan } from '../plan/read/read-plan.ts'
import { fingerprintOf } from '../request/compile-read.ts'
import type { Item } from '../values/attribute-value.ts'
import { base64UrlBytes, base64UrlOf, base64UrlText } from '../values/base64.ts'
import { getOwn } from '../values/own.ts'
import { cursorCiphers } from './cursor-cipher.ts'
import type { TableContext } from './table-context.ts'

/**
 * Where a query resumes, as text that is safe in a URL: a version, and the values of the key's
 * attributes. A cursor belongs to its query and scope. With a secret it is encrypted. Without one,
 * everybody could do that: a checksum finds damage and mistakes.
 */

/** What a cursor begins with. Those of older versions, which began with A or B, are refused. */
const PLAIN_VERSION = '5'
const SEALED_VERSION = '6'

/**
 * The longest keys that DynamoDB allows, of a table and an index with several key attributes in
 * every shard, make less than this.
 */
const CURSOR_CHARACTERS_MAX = 8_388_608

/** Where a query of several partitions resumes. */
export class FanPosition {
  /** The number of the bucket of time. */
  readonly bucket: number
  /**
   * By shard of that bucket the key to resume after; from its beginning if undefined, not at all if
   * null.
   */
  readonly starts: readonly (Item | undefined | null)[]

  constructor(bucket: number, starts: FanPosition['starts']) {
    this.bucket = bucket
    this.starts = starts
  }
}

/** Where a query resumes: after a key, or after several; at the beginning if undefined. */
export type Position = Item | FanPosition | undefined

/** Where a query resumes in the other direction: before a key, or before the end. */
export class Before {
  readonly position: Position

  constructor(position: Position) {
    this.position = position
  }
}

/** Waits for what cursors need to be made; undefined if nothing is missing. */
export function prepareCursors({
  cursorSecrets,
  environment,
}: TableContext): Promise<void> | undefined {
  return cursorSecrets.length > 0 ? cursorCiphers(cursorSecrets, environment)[0]!.ready : undefined
}

export function encodeCursor(
  context: TableContext,
  plan: ReadPlan,
  position: Position | Before,
): string {
  const json = JSON.stringify(
    position instanceof Before
      ? { before: placeOf(plan, position.position) }
      : placeOf(plan, position),
  )
  const bound = boundTo(context, plan)
  const { cursorSecrets, environment } = context
  if (cursorSecrets.length === 0) return plainCursor(json, bound)
  return SEALED_VERSION + cursorCiphers(cursorSecrets, environment)[0]!.seal(json, bound)
}

function placeOf(plan: ReadPlan, position: Position): unknown[] {
  if (!(position instanceof FanPosition)) return valuesOf(plan, position)
  const { bucket, starts } = position
  return [bucket, starts.map((key) => (key ? valuesOf(plan, key) : key === null))]
}

/** Most are strings, and are written as such. */
function valuesOf({ index }: ReadPlan, key: Item | undefined): unknown[] {
  if (key === undefined) return []
  return index.keyNames.map((name) => {
    const value = getOwn(key, name)
    return value?.S ?? value
  })
}

function plainCursor(json: string, bound: string): string {
  const checksum = sum(json, sum(bound, json.length)) >>> 0
  return PLAIN_VERSION + base64UrlOf(checksum.toString(36) + json)
}

/** The position in a cursor. Whatever is wrong with it is a `CursorError`. */
export function decodeCursor(
  context: TableContext,
  plan: ReadPlan,
  cursor: unknown,
  place: string,
): Promise<Position | Before> {
  return open(context, plan, cursor, place, (values) => {
    if (Array.isArray(values)) return positionOf(plan, values)
    return new Before(positionOf(plan, (values as { readonly before: unknown[] }).before))
  })
}

function positionOf(plan: ReadPlan, values: readonly unknown[]): Position {
  if (plan.fan === undefined) return keyOf(plan, values)
  // Without a secret anybody can have made it: it must not lead outside of the partitions that
  // the query reads anyway.
  const [bucket, starts] = values as [number, unknown[]]
  const { first, last, shards } = plan.fan
  if (!Number.isSafeInteger(bucket) || bucket < first || bucket > last)
    throw new TypeError('no bucket')
  if (starts.length !== 0 && starts.length !== shards) throw new TypeError('no shards')
  return new FanPosition(
    bucket,
    starts.map((start) => (start === true ? null : start ? keyOf(plan, start) : undefined)),
  )
}

/** Undefined where there are no values: that is the beginning. */
function keyOf({ index }: ReadPlan, values: unknown): Item | undefined {
  if ((values as unknown[]).length === 0) return undefined
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
    const json = await jsonIn(context, boundTo(context, plan), cursor)
    if (json !== undefined) return read(JSON.parse(json))
  } catch {
    // Not made by us, although it looks like it.
  }
  throw new CursorError({
    what: "The cursor can't be used: it was changed, belongs to another query, or is of another version.",
    where: place,
    fix: 'use it unchanged, for the same entity, index, values, conditions and order, or start without a cursor',
  })
}

async function jsonIn(
  { cursorSecrets, environment }: TableContext,
  bound: string,
  cursor: unknown,
): Promise<string | undefined> {
  if (typeof cursor !== 'string' || cursor.length > CURSOR_CHARACTERS_MAX) return undefined
  const bytes = base64UrlBytes(cursor.slice(1))
  // Only one text is right for given bytes; any other is refused.
  if (cursorSecrets.length > 0) {
    if (cursor !== SEALED_VERSION + base64UrlText(bytes)) return undefined
    for (const cipher of cursorCiphers(cursorSecrets, environment)) {
      const json = await cipher.open(bytes, bound)
      if (json !== undefined) return json
    }
    return undefined
  }
  const text = new TextDecoder().decode(bytes)
  const json = text.slice(text.search(/[[{]/))
  return cursor === plainCursor(json, bound) ? json : undefined
}

/** What a cursor belongs to: its query, and the scope around it. */
function boundTo({ scope }: TableContext, plan: ReadPlan): string {
  const fingerprint = fingerprintOf(plan)
  if (scope === undefined) return fingerprint
  const values = [...scope.values].map(([name, value]) => [name, String(value)])
  return fingerprint + JSON.stringify(values)
}

/** Each step is a bijection of the sum before, so a change of one character always changes it. */
function sum(text: string, start: number): number {
  let all = start
  for (let at = 0; at < text.length; at++) {
    all = Math.imul(((all << 13) | (all >>> 19)) ^ text.charCodeAt(at), 0x85ebca6b)
  }
  return all
}
