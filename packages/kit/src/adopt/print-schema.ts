import type { SchemaDefinition } from 'singletable/tools'

const WIDTH_MAX = 100

/** A schema as the text of a TypeScript file. */
export function printSchema(definition: SchemaDefinition, notes: readonly string[]): string {
  const comments = notes.map((note) => `// ${note}\n`).join('')
  return `import { defineSchema } from 'singletable'

${comments}export const schema = defineSchema(${printValue(definition, 0)})
`
}

function printValue(value: unknown, depth: number): string {
  if (typeof value === 'string') return printText(value)
  if (typeof value === 'function') return value.name
  if (value instanceof Set) return `new Set(${printValue([...value], depth)})`
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return String(value)
  const isList = Array.isArray(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) =>
      isList
        ? printValue(member, depth + 1)
        : `${printName(name)}: ${printValue(member, depth + 1)}`,
    )
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }']
  if (members.length === 0) return isList ? '[]' : '{}'
  const line = `${open}${members.join(', ')}${close}`
  const indent = '  '.repeat(depth + 1)
  if (!line.includes('\n') && line.length + indent.length < WIDTH_MAX && depth > 0) return line
  return `${open.trim()}\n${members.map((each) => `${indent}${each},\n`).join('')}${'  '.repeat(depth)}${close.trim()}`
}

/** In single quotes, where `${` is text. */
function printText(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function printName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : printText(name)
}
