import { PLACEHOLDER_MAX_BYTES } from './limits.ts'

/**
 * `name`, `#`, `:` and `number` are what they say; keywords have their upper-case text as kind, all
 * else the characters themselves. Characters that begin nothing are tokens too, so that the parser
 * can report them.
 */
export interface Token {
  readonly kind: string
  readonly start: number
  readonly end: number
}

const KEYWORDS: ReadonlySet<string> = new Set([
  'AND',
  'OR',
  'NOT',
  'BETWEEN',
  'IN',
  'SET',
  'REMOVE',
  'ADD',
  'DELETE',
])
const KEYWORD_LENGTH_MAX = 7

/** All tokens of the text, and at last one of the kind `end`. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  const length = text.length
  let position = 0
  while (position < length) {
    const code = text.charCodeAt(position)
    if (isBlank(code)) {
      position++
      continue
    }
    const start = position
    position = tokenEnd(text, start, code)
    tokens.push({ kind: tokenKind(text, start, position, code), start, end: position })
  }
  tokens.push({ kind: 'end', start: length, end: length })
  return tokens
}

/** True for a well-formed `#name` (or `:value`) of a legal length, as a key of
 * ExpressionAttributeNames (or -Values). */
export function isPlaceholder(text: string, sigil: '#' | ':'): boolean {
  const length = text.length
  return (
    length > 1 &&
    length <= PLACEHOLDER_MAX_BYTES &&
    text.startsWith(sigil) &&
    wordEnd(text, 1) === length
  )
}

function tokenEnd(text: string, start: number, code: number): number {
  if (isLetter(code)) return wordEnd(text, start + 1)
  if (isDigit(code)) return code === 0x30 ? start + 1 : digitsEnd(text, start + 1)
  if (code === 0x23 || code === 0x3a) return wordEnd(text, start + 1)
  if (code === 0x3c || code === 0x3e) {
    const next = text.charCodeAt(start + 1)
    if (next === 0x3d || (code === 0x3c && next === 0x3e)) return start + 2
  }
  return start + 1
}

function tokenKind(text: string, start: number, end: number, code: number): string {
  if (isLetter(code)) {
    if (end - start > KEYWORD_LENGTH_MAX) return 'name'
    const upper = text.slice(start, end).toUpperCase()
    return KEYWORDS.has(upper) ? upper : 'name'
  }
  if (isDigit(code)) return 'number'
  // A sigil with nothing behind it begins no placeholder.
  if ((code === 0x23 || code === 0x3a) && end === start + 1) return 'unknown'
  if (code === 0x23) return '#'
  if (code === 0x3a) return ':'
  return text.slice(start, end)
}

function wordEnd(text: string, from: number): number {
  let position = from
  for (; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (!isLetter(code) && !isDigit(code) && code !== 0x5f) break
  }
  return position
}

function digitsEnd(text: string, from: number): number {
  let position = from
  while (position < text.length && isDigit(text.charCodeAt(position))) position++
  return position
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
