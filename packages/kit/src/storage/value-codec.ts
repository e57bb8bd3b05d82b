import { type StorageKey, type StorageValue, StoredItem } from 'singletable/engine'

/**
 * A stored value is 5 bytes of header and the value as JSON. The header is a checksum over key,
 * flag and JSON, least significant byte first, and a flag: 0 if every character is one byte wide
 * (written as Latin-1, the faster way), 1 if the JSON is written as UTF-8.
 */
export const HEADER_BYTES = 5
const LATIN1 = 0
const UTF8 = 1

/** Encodes values one after the other into slabs of memory, so that a group of writes needs few
 * allocations. */
export class ValueEncoder {
  readonly #slabBytes: number
  #slab: Buffer
  #position = 0

  constructor(slabBytes: number = 65_536) {
    this.#slabBytes = slabBytes
    this.#slab = Buffer.allocUnsafeSlow(slabBytes)
  }

  /** The bytes stay as they are for as long as somebody holds them. */
  encode(key: StorageKey, value: StorageValue): Buffer {
    const json = storedJson(value)
    const wide = WIDE.test(json)
    const bytes = this.#take(HEADER_BYTES + (wide ? Buffer.byteLength(json) : json.length))
    bytes[4] = wide ? UTF8 : LATIN1
    bytes.write(json, HEADER_BYTES, wide ? 'utf8' : 'latin1')
    bytes.writeInt32LE(checksum(key, bytes, bytes.length), 0)
    return bytes
  }

  #take(length: number): Buffer {
    if (length > this.#slabBytes / 4) return Buffer.allocUnsafeSlow(length)
    if (this.#position + length > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(this.#slabBytes)
      this.#position = 0
    }
    const bytes = this.#slab.subarray(this.#position, this.#position + length)
    // Aligned, so that the checksum can be taken by words.
    this.#position = (this.#position + length + 3) & ~3
    return bytes
  }
}

/** An item's JSON may have been made before. */
function storedJson(value: StorageValue): string {
  if (!(value instanceof StoredItem)) return JSON.stringify(value)
  return `${ITEM_START}${value.json()}${ITEM_END}${value.sizeBytes}}`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all that Latin-1 can write.
const WIDE = /[^\x00-\xff]/

/** The value, or undefined if the bytes are not what was written under this key. */
export function decodeValue(key: StorageKey, stored: Buffer): StorageValue | undefined {
  const { length } = stored
  const bytes = stored.byteOffset % 4 === 0 ? stored : Buffer.from(stored)
  if (length < HEADER_BYTES || bytes.readInt32LE(0) !== checksum(key, bytes, length)) {
    return undefined
  }
  const flag = bytes[4]
  if (flag !== LATIN1 && flag !== UTF8) return undefined
  const encoding = flag === UTF8 ? 'utf8' : 'latin1'
  try {
    return (
      storedItem(bytes, length, encoding) ??
      JSON.parse(bytes.toString(encoding, HEADER_BYTES, length))
    )
  } catch {
    return undefined
  }
}

const ITEM_START = '{"item":'
const ITEM_END = ',"sizeBytes":'
const ITEM_START_BYTES: Buffer = Buffer.from(ITEM_START)
const ITEM_END_BYTES: Buffer = Buffer.from(ITEM_END)
const ZERO = 0x30

/** An item whose JSON is not parsed before somebody looks at it; most are only sent on. The sum has
 * shown that it is what was written. */
function storedItem(
  bytes: Buffer,
  length: number,
  encoding: 'latin1' | 'utf8',
): StoredItem | undefined {
  if (!has(bytes, HEADER_BYTES, ITEM_START_BYTES)) return undefined
  // The size is the last member, so its digits are read from their end.
  let at = length - 2
  let sizeBytes = 0
  for (let unit = 1; isDigit(bytes[at]!); unit *= 10) sizeBytes += (bytes[at--]! - ZERO) * unit
  const end = at + 1 - ITEM_END_BYTES.length
  if (!has(bytes, end, ITEM_END_BYTES)) return undefined
  const json = bytes.toString(encoding, HEADER_BYTES + ITEM_START_BYTES.length, end)
  return StoredItem.fromJson(json, sizeBytes)
}

function has(bytes: Buffer, at: number, wanted: Buffer): boolean {
  for (let index = 0; index < wanted.length; index++) {
    if (bytes[at + index] !== wanted[index]) return false
  }
  return true
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9
}

const MULTIPLIER = 0x9e3779b1

/**
 * Every step is a bijection of the sum before, and of the word that is mixed in, so a change of any
 * one word, and with it every flipped bit, changes the sum. The key is part of it: a value that has
 * got under another key is found out. A CRC would say no more, and in JavaScript takes six times as
 * long.
 */
function checksum(key: StorageKey, bytes: Buffer, length: number): number {
  let sum = length | 0
  for (let index = 0; index < key.length; index++) {
    sum = Math.imul(sum ^ key.charCodeAt(index), MULTIPLIER)
    sum = (sum << 13) | (sum >>> 19)
  }
  const words = wordsOf(bytes)
  const first = bytes.byteOffset >> 2
  const end = length >> 2
  for (let index = 1; index < end; index++) {
    sum = Math.imul(sum ^ words[first + index]!, MULTIPLIER)
    sum = (sum << 13) | (sum >>> 19)
  }
  for (let index = end << 2; index < length; index++) {
    sum = Math.imul(sum ^ bytes[index]!, MULTIPLIER)
    sum = (sum << 13) | (sum >>> 19)
  }
  return sum
}

let lastBuffer: ArrayBufferLike | undefined
let lastWords: Int32Array = new Int32Array(0)

/** All memory around the bytes as words. The same memory comes again and again, from LMDB as from
 * the slabs. */
function wordsOf(bytes: Buffer): Int32Array {
  const { buffer } = bytes
  if (buffer !== lastBuffer) {
    lastBuffer = buffer
    lastWords = new Int32Array(buffer, 0, buffer.byteLength >> 2)
  }
  return lastWords
}
