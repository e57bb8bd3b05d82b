/** TypeScript that stands for itself, such as `dynamodb.AttributeType.STRING`. */
export class Code {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What can be printed as a literal; a Map has names that users chose. Members that are undefined
 * are left out. */
export type Literal =
  | string
  | number
  | boolean
  | null
  | undefined
  | Code
  | readonly Literal[]
  | ReadonlyMap<string, Literal>
  | { readonly [name: string]: Literal }

const LINE_MAX = 96
const IDENTIFIER = /^[a-zA-Z_$][\w$]*$/

/** Prints a TypeScript literal: on one line where there is room, and otherwise one member a
 * line. */
export function printCode(value: Literal, indent = ''): string {
  const short = printShort(value)
  if (indent.length + short.length <= LINE_MAX) return short
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const items = value.map((item: Literal) => `${inner}${printCode(item, inner)},\n`)
    return `[\n${items.join('')}${indent}]`
  }
  const members = membersOf(value)
  if (members === undefined) return short
  const lines = members.map(
    ([name, member]) => `${inner}${printName(name)}: ${printCode(member, inner)},\n`,
  )
  return `{\n${lines.join('')}${indent}}`
}

/** A text in single quotes, as code. */
export function printText(text: string): string {
  // JSON escapes all that a literal must not have; only the quotes differ.
  const inside = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inside.replace(/[\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`)}'`
}

function printShort(value: Literal): string {
  if (typeof value === 'string') return printText(value)
  if (value instanceof Code) return value.text
  if (Array.isArray(value)) return `[${value.map((item: Literal) => printShort(item)).join(', ')}]`
  const members = membersOf(value)
  if (members === undefined) return String(value)
  const printed = members.map(([name, member]) => `${printName(name)}: ${printShort(member)}`)
  return printed.length === 0 ? '{}' : `{ ${printed.join(', ')} }`
}

function membersOf(value: Literal): readonly (readonly [string, Literal])[] | undefined {
  if (typeof value !== 'object' || value === null || value instanceof Code) return undefined
  const members: readonly (readonly [string, Literal])[] =
    value instanceof Map ? [...value] : Object.entries(value)
  return members.filter(([, member]) => member !== undefined)
}

function printName(name: string): string {
  // Written plainly, this one would set the prototype.
  if (name === '__proto__') return "['__proto__']"
  return IDENTIFIER.test(name) ? name : printText(name)
}
