/** A part of a Terraform file: a block with a body, an argument, or an empty line. */
export type Hcl = HclBlock | HclArgument
export interface HclBlock {
  readonly block: string
  readonly labels?: readonly string[]
  readonly body: readonly Hcl[]
}
export interface HclArgument {
  readonly argument: string
  readonly value: HclValue
}
export type HclValue =
  | string
  | number
  | boolean
  | readonly HclValue[]
  | ReadonlyMap<string, HclValue>

/** Prints the parts as `terraform fmt` does: equals signs of neighbours in one column, an empty
 * line around blocks. */
export function printHcl(parts: readonly Hcl[], indent = ''): string {
  let text = ''
  let run: HclArgument[] = []
  const flush = (): void => {
    text += printArguments(run, indent)
    run = []
  }
  let previous: Hcl | undefined
  for (const part of parts) {
    // A value of several lines stands for itself, as a block does: nothing is aligned with it.
    const isBlock = 'block' in part
    const isApart = isBlock || isLong(part) || (previous !== undefined && isLong(previous))
    // Repetitions of a block, such as the parts of one key, stay together.
    const isSame = isBlock && previous && 'block' in previous && previous.block === part.block
    const isTight = isSame && indent.length > 2
    if (isApart) flush()
    if (previous && (isApart || 'block' in previous) && !isTight) text += '\n'
    if (isBlock) text += printBlock(part, indent)
    else run.push(part)
    previous = part
  }
  flush()
  return text
}

function isLong(part: Hcl): boolean {
  return 'argument' in part && part.value instanceof Map
}

/** A text in quotes, in which nothing is a template. */
export function printHclText(text: string): string {
  const escaped = text.replace(/[\\"\p{Cc}]|[$%]\{/gu, (sign) => {
    if (sign === '\n') return '\\n'
    if (sign === '\\' || sign === '"') return `\\${sign}`
    if (sign.length > 1) return `${sign.slice(0, 1)}${sign}`
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `"${escaped}"`
}

function printName(name: string): string {
  // In braces the word `for` would begin a loop.
  return /^(?!(?:for|true|false|null)$)[a-zA-Z_]\w*$/.test(name) ? name : printHclText(name)
}

function printBlock({ block, labels = [], body }: HclBlock, indent: string): string {
  const head = [block, ...labels.map(printHclText)].join(' ')
  return `${indent}${head} {\n${printHcl(body, `${indent}  `)}${indent}}\n`
}

function printArguments(run: readonly HclArgument[], indent: string): string {
  const width = Math.max(...run.map(({ argument }) => argument.length))
  return run
    .map(({ argument, value }) => {
      return `${indent}${argument.padEnd(width)} = ${printValue(value, indent)}\n`
    })
    .join('')
}

function printValue(value: HclValue, indent: string): string {
  if (typeof value === 'string') return printHclText(value)
  if (Array.isArray(value)) {
    return `[${value.map((item: HclValue) => printValue(item, indent)).join(', ')}]`
  }
  if (!(value instanceof Map)) return String(value)
  const inner = `${indent}  `
  const entries: readonly (readonly [string, HclValue])[] = [...value]
  const named = entries.map(([name, item]) => [printName(name), item] as const)
  const width = Math.max(0, ...named.map(([name]) => name.length))
  const lines = named.map(
    ([name, item]) => `${inner}${name.padEnd(width)} = ${printValue(item, inner)}\n`,
  )
  return `{\n${lines.join('')}${indent}}`
}
