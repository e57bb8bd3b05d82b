import { setOwn } from 'singletable/tools'
import { InfraError } from './infra-error.ts'

interface Line {
  readonly number: number
  readonly indent: number
  readonly text: string
}

/** Where the reader is. */
interface Reader {
  readonly lines: Line[]
  position: number
}

const DEPTH_MAX = 64

/**
 * Reads the YAML that `printYaml` prints: blocks of members and elements, plain and double-quoted texts, numbers and booleans. It is no reader
 * for all of YAML; what it does not know, it refuses.
 */
export function parseYaml(text: string): unknown {
  const lines: Line[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const content = line.trimStart()
    if (content === '' || content.startsWith('#') || content.startsWith('---')) continue
    const indent = line.length - content.length
    lines.push({ number: index + 1, indent, text: content.trimEnd() })
  }
  const reader: Reader = { lines, position: 0 }
  const value = readBlock(reader, 0)
  const rest = reader.lines[reader.position]
  if (rest) refuse(rest)
  return value
}

function readBlock(reader: Reader, depth: number): unknown {
  const first = reader.lines[reader.position]
  if (first === undefined) return undefined
  if (depth > DEPTH_MAX) refuse(first)
  return isElement(first) ? readElements(reader, first, depth) : readMembers(reader, first, depth)
}

function readElements(reader: Reader, first: Line, depth: number): unknown[] {
  const elements: unknown[] = []
  for (let line: Line | undefined = first; line; line = reader.lines[reader.position]) {
    if (line.indent < first.indent) break
    if (line.indent > first.indent || !isElement(line)) refuse(line)
    const text = line.text.slice(1).trimStart()
    if (text === '') {
      reader.position++
      elements.push(readBlock(reader, depth + 1))
    } else if (/^-(\s|$)|^("(?:[^"\\]|\\.)*"|[^"\s:]+(?:::\w+)*):(\s|$)/.test(text)) {
      // The element is a block whose first line stands beside the dash.
      const indent = line.indent + line.text.length - text.length
      reader.lines[reader.position] = { number: line.number, indent, text }
      elements.push(readBlock(reader, depth + 1))
    } else {
      reader.position++
      elements.push(readScalar(text, line))
    }
  }
  return elements
}

function readMembers(reader: Reader, first: Line, depth: number): object {
  const members: Record<string, unknown> = {}
  for (let line: Line | undefined = first; line; line = reader.lines[reader.position]) {
    if (line.indent < first.indent) break
    const [, name, text = ''] =
      /^("(?:[^"\\]|\\.)*"|[^"\s]+?):(?:\s+(.*))?$/.exec(line.text) ?? refuse(line)
    if (line.indent > first.indent || isElement(line)) refuse(line)
    reader.position++
    const key = String(readScalar(name ?? '', line))
    if (Object.hasOwn(members, key)) refuse(line)
    setOwn(members, key, text === '' ? readNested(reader, line, depth) : readScalar(text, line))
  }
  return members
}

/** What belongs to a member: lines further in, or elements at the same place. */
function readNested(reader: Reader, { indent }: Line, depth: number): unknown {
  const next = reader.lines[reader.position]
  if (next === undefined || next.indent < indent) return ''
  if (next.indent === indent && !isElement(next)) return ''
  return readBlock(reader, depth + 1)
}

function isElement({ text }: Line): boolean {
  return text === '-' || text.startsWith('- ')
}

function readScalar(text: string, line: Line): unknown {
  if (text === '[]') return []
  if (text === '{}') return {}
  if (text.startsWith('"')) {
    try {
      return JSON.parse(text)
    } catch {
      return refuse(line)
    }
  }
  if (text.startsWith("'") && text.endsWith("'") && text.length > 1) {
    return text.slice(1, -1).replaceAll("''", "'")
  }
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^-?\d{1,15}$/.test(text)) return Number(text)
  // Tags, anchors, texts of several lines and short forms in braces mean more than they say.
  if (/^[!&*|>{[@`%]/.test(text) || text.includes(' #')) refuse(line)
  return text
}

function refuse({ number, text }: Line): never {
  throw new InfraError(
    `Line ${number} can't be read: ${text.slice(0, 80)}`,
    'give a template that this command wrote, or one in JSON (aws cloudformation get-template prints it)',
  )
}
