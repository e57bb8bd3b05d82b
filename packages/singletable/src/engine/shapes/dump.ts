import type { Shape } from './shape.ts'

/** Long values are cut in error messages, so that a bad request of megabytes doesn't come back in
 * megabytes. */
const DUMP_LENGTH_MAX = 4096

/** A value as AWS prints it inside constraint errors: Java's `toString` of lists, maps and
 * structures. */
export function dump(shape: Shape, value: unknown): string {
  const text = print(shape, value, 0)
  return text.length > DUMP_LENGTH_MAX ? `${text.slice(0, DUMP_LENGTH_MAX)}…` : text
}

function print(shape: Shape, value: unknown, depth: number): string {
  if (depth > 8) return '…'
  switch (shape.kind) {
    case 'list':
      return `[${join(value as unknown[], (element) => print(shape.member, element, depth + 1))}]`
    case 'map':
      return `{${join(
        Object.entries(value as object),
        ([name, element]) => `${name}=${print(shape.value, element, depth + 1)}`,
      )}}`
    case 'structure': {
      const members = value as Record<string, unknown>
      const parts: string[] = []
      for (const [name, member] of shape.members) {
        const content = members[name]
        if (content !== undefined) {
          parts.push(`${member.label}=${print(member.shape, content, depth + 1)}`)
        }
      }
      return `{${parts.join(', ')}}`
    }
    case 'attributeValue':
      return dumpAttributeValue(value)
    default:
      return String(value)
  }
}

/** What is beyond the length of a dump is not printed. */
function join<T>(elements: readonly T[], printed: (element: T) => string): string {
  let text = ''
  for (const [position, element] of elements.entries()) {
    if (text.length > DUMP_LENGTH_MAX) break
    text += position === 0 ? printed(element) : `, ${printed(element)}`
  }
  return text
}

/** `AttributeValue: {S:abc}`, the form AWS prints in its messages. */
function dumpAttributeValue(value: unknown): string {
  return `AttributeValue: ${dumpContents(value, 0)}`
}

function dumpContents(value: unknown, depth: number): string {
  if (depth > 8 || typeof value !== 'object' || value === null) return '{}'
  for (const [tag, content] of Object.entries(value)) {
    if (content === null || content === undefined) continue
    if (Array.isArray(content)) {
      const elements = join(content, (element) =>
        typeof element === 'string' ? element : dumpContents(element, depth + 1),
      )
      return `{${tag}:[${elements}]}`
    }
    if (tag === 'M') {
      const members = join(
        Object.entries(content as object),
        ([name, member]) => `${name}=${dumpContents(member, depth + 1)}`,
      )
      return `{M:{${members}}}`
    }
    return `{${tag}:${String(content)}}`
  }
  return '{}'
}
