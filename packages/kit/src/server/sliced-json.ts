import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  JSON_DEPTH_MAX,
  JSON_ELEMENTS_MAX,
  JSON_MEMBERS_MAX,
  JSON_PLACEHOLDERS_MAX,
  JSON_STRING_MAX_CHARACTERS,
} from './limits.ts'

/** What `JSON.parse` takes a millisecond or so for. */
const SLICE_CHARACTERS = 16_384
/** What takes as long to decode. */
const DECODED_BYTES = 131_072
/** How long others wait at most before they have a turn. */
const TURN_MS = 5

/** Work in hand; several at a time would make all others wait for each of them. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Parses JSON as `JSON.parse` does, and lets others have a turn every few milliseconds. Rejects
 * what is not JSON, or is deeper than it may be. One text is parsed at a time. Of a list, object or
 * string that is longer than in any valid request, only that much is kept: the engine refuses it
 * all the same.
 */
export function parseInSlices(
  text: string,
  sliceCharacters: number = SLICE_CHARACTERS,
): Promise<unknown> {
  return inTurn(new SlicedParser(text, sliceCharacters).whole())
}

/** The text of UTF-8; rejects what is not. */
export function decodeInSlices(bytes: Uint8Array): Promise<string> {
  return inTurn(decodeSteps(bytes))
}

/** The bytes of a text in UTF-8, piece by piece, each given to `take`. */
export function encodeInSlices(text: string, take: (bytes: Buffer) => void): Promise<void> {
  return inTurn(encodeSteps(text, take))
}

function* encodeSteps(text: string, take: (bytes: Buffer) => void): Generator<void, void> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + DECODED_BYTES, text.length)
    // The halves of a pair are one character of UTF-8.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++
    take(Buffer.from(text.slice(start, end)))
    start = end
    yield
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function* decodeSteps(bytes: Uint8Array): Generator<void, string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let text = ''
  for (let start = 0; start < bytes.length; start += DECODED_BYTES) {
    text += decoder.decode(bytes.subarray(start, start + DECODED_BYTES), { stream: true })
    yield
  }
  return text + decoder.decode()
}

function inTurn<T>(work: Generator<void, T>): Promise<T> {
  const done = last.then(() => run(work))
  last = done.catch(() => {})
  return done
}

async function run<T>(work: Generator<void, T>): Promise<T> {
  let since = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() - since < TURN_MS) continue
    await nextTurn()
    since = performance.now()
  }
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const LIST_START = 0x5b
const BACKSLASH = 0x5c
const LIST_END = 0x5d
const OBJECT_START = 0x7b
const OBJECT_END = 0x7d

/** Finds where members of long lists and objects end, and gives those that make up a slice to
 * `JSON.parse`, which judges them. */
class SlicedParser {
  readonly #text: string
  readonly #slice: number
  #at = 0
  /** Of the lists and objects around `#at` that are longer than a slice. */
  #depth = 0

  constructor(text: string, slice: number) {
    this.#text = text
    this.#slice = slice
  }

  *whole(): Generator<void, unknown> {
    const value = yield* this.#value()
    yield* this.#skipBlanks()
    if (this.#at < this.#text.length) throw new SyntaxError('text after the value')
    return value
  }

  *#value(membersMax = JSON_MEMBERS_MAX): Generator<void, unknown> {
    yield* this.#skipBlanks()
    const start = this.#at
    const end = this.#endOfValue(start, start + this.#slice)
    if (end !== undefined) {
      this.#at = end
      return JSON.parse(this.#text.slice(start, end))
    }
    yield
    const first = this.#text.charCodeAt(start)
    if (first === QUOTE) return yield* this.#string()
    this.#depth++
    const isObject = first === OBJECT_START
    const value = yield* this.#members(isObject, membersMax)
    this.#depth--
    return value
  }

  /** A list or object that is longer than a slice. */
  *#members(isObject: boolean, membersMax: number): Generator<void, unknown> {
    const list: unknown[] = []
    const object: Record<string, unknown> = {}
    let room = membersMax
    const close = isObject ? OBJECT_END : LIST_END
    this.#at++
    // Empty, but with more blanks between the brackets than a slice has characters.
    yield* this.#skipBlanks()
    if (this.#text.charCodeAt(this.#at) === close) {
      this.#at++
      return isObject ? object : list
    }
    for (let isOpen = true; isOpen; ) {
      const start = this.#at
      let end = start
      // As many members as a slice holds.
      while (isOpen && this.#at - start < this.#slice) {
        const next = this.#endOfMember(isObject, start + this.#slice)
        if (next === undefined) break
        end = next
        isOpen = yield* this.#goBehind(end, close)
      }
      if (end > start) {
        const slice = this.#text.slice(start, end)
        if (isObject) room -= copyMembers(JSON.parse(`{${slice}}`), object, room)
        else for (const element of JSON.parse(`[${slice}]`)) addElement(list, element)
      } else {
        const key = isObject ? yield* this.#key() : ''
        const value = yield* this.#value(PLACEHOLDERS.has(key) ? JSON_PLACEHOLDERS_MAX : undefined)
        if (isObject) room -= copyMembers({ [key]: value }, object, room)
        else addElement(list, value)
        isOpen = yield* this.#goBehind(this.#at, close)
      }
      yield
    }
    return isObject ? object : list
  }

  /** Goes behind the comma after a member, or behind the end of all, and says whether there are
   * more. */
  *#goBehind(end: number, close: number): Generator<void, boolean> {
    this.#at = end
    yield* this.#skipBlanks()
    const code = this.#text.charCodeAt(this.#at++)
    if (code !== COMMA && code !== close) throw new SyntaxError('no end of a member')
    return code === COMMA
  }

  *#key(): Generator<void, string> {
    yield* this.#skipBlanks()
    const key = yield* this.#string()
    yield* this.#skipBlanks()
    if (this.#text.charCodeAt(this.#at++) !== COLON) throw new SyntaxError('no colon')
    return key
  }

  /** A string of any length. What is beyond that of any in a valid request is left out. */
  *#string(): Generator<void, string> {
    const text = this.#text
    const start = this.#at
    if (text.charCodeAt(start) !== QUOTE) throw new SyntaxError('no string')
    let cut: number | undefined
    let at = start + 1
    let quote = text.indexOf('"', at)
    let backslash = text.indexOf('\\', at)
    for (let steps = 1; ; steps++) {
      if (quote < at && quote >= 0) quote = text.indexOf('"', at)
      if (backslash < at && backslash >= 0) backslash = text.indexOf('\\', at)
      if (quote < 0) throw new SyntaxError('no end of a string')
      if (backslash < 0 || backslash > quote) break
      if (backslash - start > JSON_STRING_MAX_CHARACTERS) cut ??= backslash
      at = backslash + 2
      if (steps % ESCAPES_PER_STEP === 0) yield
    }
    this.#at = quote + 1
    // Not within the last escape, which is six characters at most.
    cut ??= Math.max(at + 4, start + 1 + JSON_STRING_MAX_CHARACTERS)
    const end = Math.min(quote, cut)
    return JSON.parse(`${text.slice(start, end)}"`)
  }

  /** Where the next member ends; undefined if that is beyond the limit. */
  #endOfMember(isObject: boolean, limit: number): number | undefined {
    let at = this.#blanksEnd(this.#at, limit)
    if (isObject && at !== undefined) {
      at = this.#endOfString(at, limit)
      at = at && this.#blanksEnd(at, limit)
      if (at === undefined) return undefined
      if (this.#text.charCodeAt(at++) !== COLON) throw new SyntaxError('no colon')
      at = this.#blanksEnd(at, limit)
    }
    return at && this.#endOfValue(at, limit)
  }

  #endOfValue(start: number, limit: number): number | undefined {
    const text = this.#text
    const first = text.charCodeAt(start)
    if (first === QUOTE) return this.#endOfString(start, limit)
    let at = start
    if (first !== OBJECT_START && first !== LIST_START) {
      // A number or a word; whether it is one is not looked at here.
      while (at < text.length && !ENDS.has(text.charCodeAt(at))) {
        if (at++ - start > WORD_CHARACTERS_MAX) throw new SyntaxError('too long')
      }
      if (at === start) throw new SyntaxError('no value')
      return at
    }
    let depth = 0
    for (; at < text.length; at++) {
      if (at > limit) return undefined
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        const end = this.#endOfString(at, limit)
        if (end === undefined) return undefined
        at = end - 1
      } else if (code === OBJECT_START || code === LIST_START) {
        if (++depth + this.#depth > JSON_DEPTH_MAX) throw new SyntaxError('too deep')
      } else if ((code === OBJECT_END || code === LIST_END) && --depth === 0) return at + 1
    }
    throw new SyntaxError('no end')
  }

  /** Undefined if it is beyond the limit. */
  #endOfString(start: number, limit: number): number | undefined {
    const text = this.#text
    if (text.charCodeAt(start) !== QUOTE) throw new SyntaxError('no string')
    for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
      if (at > limit) return undefined
      let slashes = at
      while (text.charCodeAt(slashes - 1) === BACKSLASH) slashes--
      if ((at - slashes) % 2 === 0) return at + 1
    }
    throw new SyntaxError('no end of a string')
  }

  *#skipBlanks(): Generator<void, void> {
    for (;;) {
      const limit = this.#at + this.#slice
      const end = this.#blanksEnd(this.#at, limit)
      this.#at = end ?? limit
      if (end !== undefined) return
      yield
    }
  }

  /** Undefined if that is beyond the limit. */
  #blanksEnd(start: number, limit: number): number | undefined {
    for (let at = start; at < limit; at++) {
      const code = this.#text.charCodeAt(at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
    }
    return undefined
  }
}

/** Members of these names have many members of their own only if they are the placeholders of an
 * expression, or conditions and updates from before expressions: an attribute has one, its type. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  ...['AttributeUpdates', 'Expected', 'KeyConditions', 'QueryFilter', 'ScanFilter'],
])

const ENDS: ReadonlySet<number> = new Set([
  ...[0x20, 0x09, 0x0a, 0x0d],
  ...[COMMA, COLON, LIST_END, OBJECT_END],
])
/** How many escapes of a string are passed over before others have their turn. */
const ESCAPES_PER_STEP = 16_384
/** DynamoDB's numbers are strings; a number of JSON that is longer than this is none of its. */
const WORD_CHARACTERS_MAX = 10_000

function addElement(list: unknown[], element: unknown): void {
  if (list.length < JSON_ELEMENTS_MAX) list.push(element)
}

/** Copies members, new ones as long as there is room for them; returns how many were new. Also one
 * `__proto__`, which assignment would take for something else. */
function copyMembers(
  from: Record<string, unknown>,
  to: Record<string, unknown>,
  room: number,
): number {
  let added = 0
  for (const [name, value] of Object.entries(from)) {
    if (!Object.hasOwn(to, name) && ++added > room) continue
    if (name !== '__proto__') to[name] = value
    else
      Object.defineProperty(to, name, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      })
  }
  return Math.min(added, room)
}
