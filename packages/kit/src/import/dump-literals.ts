import { TransferError } from '../transfer/transfer-error.ts'
import type { Cell } from './row.ts'

/** What rows of `INSERT` statements consist of. */
const QUOTED = /(?:_binary\s+|N)?'([^']*(?:''[^']*)*)'/iy
const ESCAPED = /(?:_binary\s+|N|E)?'([^'\\]*(?:(?:\\[\s\S]|'')[^'\\]*)*)'/iy
const HEX = /0x([\da-f]+)|x'([\da-f]*)'/iy
const BITS = /b'([01]*)'/iy
const PLAIN = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|null|true|false/iy
const SPACE = /[\s,]*/y
const CAST = /::[\w "[\]().]+/y

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
/** Those of MySQL; before any other character a backslash means nothing. */
const MYSQL_ESCAPES: Readonly<Record<string, string>> = {
  0: '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\x1a',
  // They are for patterns, and keep the backslash elsewhere.
  '%': '\\%',
  _: '\\_',
}

/** The rows after `VALUES`. */
export function* readTuples(
  text: string,
  options: { readonly escapes: boolean; readonly where: string },
): Generator<readonly Cell[], void, undefined> {
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }
  const literal = (): Cell => {
    const hex = match(HEX)
    if (hex) return Buffer.from(hex[1] ?? hex[2] ?? '', 'hex')
    const bits = match(BITS)
    if (bits) return String(BigInt(`0b${bits[1] || '0'}`))
    const isEscaped = options.escapes || /e/i.test(text[at] ?? '')
    const quoted = match(isEscaped ? ESCAPED : QUOTED)
    if (quoted) {
      const content = (quoted[1] ?? '').replaceAll("''", "'")
      match(CAST)
      if (!isEscaped) return content
      return options.escapes ? unescapeMysql(content) : unescapeText(content)
    }
    const plain = match(PLAIN)?.[0].toLowerCase()
    if (plain === undefined) throw unreadable(text, at, options.where)
    match(CAST)
    if (plain === 'null') return null
    return plain === 'true' || plain === 'false' ? plain === 'true' : plain
  }
  for (;;) {
    match(SPACE)
    if (at >= text.length) return
    if (text[at] !== '(') throw unreadable(text, at, options.where)
    at++
    const cells: Cell[] = []
    for (match(SPACE); text[at] !== ')'; match(SPACE)) cells.push(literal())
    at++
    yield cells
  }
}

/** A line of a `COPY` block; `\N` means that there is no value. */
export function readCopyLine(line: string): readonly Cell[] {
  return line.split('\t').map((cell) => (cell === '\\N' ? null : unescapeText(cell)))
}

function unescapeText(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(
    /\\(?:x([\da-f]{1,2})|u([\da-f]{4})|([0-7]{3})|([\s\S]))/gi,
    (_, hex?: string, unicode?: string, octal?: string, other = '') => {
      const code = hex ?? unicode
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
      return ESCAPES[other] ?? other
    },
  )
}

/** What a string of MySQL means by its backslashes. */
export function unescapeMysql(text: string): string {
  return text.replaceAll(/\\([\s\S])/g, (_, escaped: string) => MYSQL_ESCAPES[escaped] ?? escaped)
}

function unreadable(text: string, at: number, where: string): TransferError {
  return new TransferError(`The row can't be read at "${text.slice(at, at + 30)}".`, {
    where,
    fix: 'dump plain data: values must be strings, numbers, hexadecimal strings, true, false or NULL',
  })
}
