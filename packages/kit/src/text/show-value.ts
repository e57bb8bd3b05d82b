/** How a value is laid out: in one line unless that is wider than this. */
export interface ShowOptions {
  readonly width?: number
  /** What is before it in its line. */
  readonly start?: number
  readonly indent?: string
}

/** A value as it could be written in code. */
export function showValue(value: unknown, options: ShowOptions = {}): string {
  if (value instanceof Date) return `new Date(${quote(value.toISOString())})`
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Set) return `new Set(${showValue([...value], options)})`
  if (value instanceof Uint8Array) return `Uint8Array.of(${[...value].join(', ')})`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const { width = Number.POSITIVE_INFINITY, start = 0, indent = '' } = options
  const isList = Array.isArray(value)
  const members = Object.entries(value).map(([name, each]) => {
    const before = isList ? '' : `${memberName(name)}: `
    const inner = `${indent}  `
    return before + showValue(each, { width, indent: inner, start: inner.length + before.length })
  })
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (members.length === 0) return open + close
  const line = isList ? `[${members.join(', ')}]` : `{ ${members.join(', ')} }`
  if (start + line.length < width && !line.includes('\n')) return line
  return `${open}\n${members.map((each) => `${indent}  ${each},\n`).join('')}${indent}${close}`
}

function quote(text: string): string {
  const quoted = JSON.stringify(text)
  return text.includes("'") ? quoted : `'${quoted.slice(1, -1).replaceAll('\\"', '"')}'`
}

function memberName(name: string): string {
  return /^[\p{L}_$][\p{L}\d_$]*$/u.test(name) ? name : quote(name)
}
