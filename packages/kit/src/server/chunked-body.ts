import { isInName, isInValue } from './parse-head.ts'

/** What is to come next. */
type Expected =
  | 'first digit'
  | 'digits'
  | 'extension'
  | 'LF of the size'
  | 'data'
  | 'CR of the data'
  | 'LF of the data'
  | 'trailer'
  | 'name'
  | 'value'
  | 'LF of the trailer'
  | 'last LF'
  | 'nothing'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const COLON = 0x3a
const SEMICOLON = 0x3b
/** More than any body may have, and still an exact number. */
const SIZE_MAX_DIGITS = 12

/**
 * Takes a body in chunks apart, as its bytes come. Extensions and trailers are read, within a limit
 * on all of them together, and dropped. Line ends are CRLF and sizes are digits: nothing else is
 * guessed at.
 */
export class ChunkedBody {
  readonly #besidesMaxBytes: number
  #expected: Expected = 'first digit'
  /** Of the size of the chunk that have come. */
  #digits = 0
  /** What is missing of the chunk. */
  #left = 0
  /** What extensions and trailers may have. */
  #overheadBytes = 0

  constructor(besidesMaxBytes: number) {
    this.#besidesMaxBytes = besidesMaxBytes
  }

  get isComplete(): boolean {
    return this.#expected === 'nothing'
  }

  /** Reads on from a place in the input, gives the data to `take`, and says where it stopped;
   * `undefined` when these are not chunks. */
  read(
    input: Buffer,
    start: number,
    take: (input: Buffer, start: number, end: number) => void,
  ): number | undefined {
    const { length } = input
    let at = start
    while (at < length && this.#expected !== 'nothing') {
      if (this.#expected === 'data') {
        const end = Math.min(length, at + this.#left)
        this.#left -= end - at
        take(input, at, end)
        at = end
        if (this.#left === 0) this.#expected = 'CR of the data'
      } else {
        const next = this.#after(input[at] ?? 0)
        if (next === undefined || this.#overheadBytes > this.#besidesMaxBytes) return undefined
        this.#expected = next
        at++
      }
    }
    return at
  }

  #after(code: number): Expected | undefined {
    switch (this.#expected) {
      case 'first digit':
        this.#digits = 0
        this.#left = 0
        return this.#isDigit(code) ? 'digits' : undefined
      case 'digits':
        if (code === CARRIAGE_RETURN) return 'LF of the size'
        if (code === SEMICOLON) return this.#overhead('extension')
        return this.#isDigit(code) ? 'digits' : undefined
      case 'extension':
        if (code === CARRIAGE_RETURN) return 'LF of the size'
        return isInValue(code) ? this.#overhead('extension') : undefined
      case 'LF of the size':
        if (code !== LINE_FEED) return undefined
        return this.#left === 0 ? 'trailer' : 'data'
      case 'CR of the data':
        return code === CARRIAGE_RETURN ? 'LF of the data' : undefined
      case 'LF of the data':
        return code === LINE_FEED ? 'first digit' : undefined
      case 'trailer':
        if (code === CARRIAGE_RETURN) return 'last LF'
        return isInName(code) ? this.#overhead('name') : undefined
      case 'name':
        if (code === COLON) return this.#overhead('value')
        return isInName(code) ? this.#overhead('name') : undefined
      case 'value':
        if (code === CARRIAGE_RETURN) return 'LF of the trailer'
        return isInValue(code) ? this.#overhead('value') : undefined
      case 'LF of the trailer':
        return code === LINE_FEED ? 'trailer' : undefined
      case 'last LF':
        return code === LINE_FEED ? 'nothing' : undefined
      default:
        return undefined
    }
  }

  #isDigit(code: number): boolean {
    const digit =
      code >= 0x30 && code <= 0x39
        ? code - 0x30
        : code >= 0x41 && code <= 0x46
          ? code - 0x37
          : code >= 0x61 && code <= 0x66
            ? code - 0x57
            : -1
    if (digit < 0 || ++this.#digits > SIZE_MAX_DIGITS) return false
    this.#left = this.#left * 16 + digit
    return true
  }

  #overhead(expected: Expected): Expected {
    this.#overheadBytes++
    return expected
  }
}
