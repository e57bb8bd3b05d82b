import { type AttributeDefinition, parseDecimal } from 'singletable/tools'
import type { Cell } from './row.ts'

/** Why a cell is not a value of its attribute. */
export class CellProblem extends Error {}

/** The value of an attribute in a cell, by the attribute's type; undefined if there is none. */
export function readCell(cell: Cell, definition: AttributeDefinition): unknown {
  if (cell === null) return undefined
  const { type } = definition
  switch (type) {
    case String:
      return typeof cell === 'string' || typeof cell === 'boolean'
        ? String(cell)
        : refuse(cell, 'text')
    case Number:
      return readNumber(cell)
    case BigInt:
      return typeof cell === 'string' && /^[+-]?\d+$/.test(cell)
        ? BigInt(cell)
        : refuse(cell, 'a whole number')
    case 'decimal':
      return typeof cell === 'string' && parseDecimal(cell).text !== undefined
        ? cell
        : refuse(cell, 'a number of up to 38 digits')
    case Boolean:
      return readBoolean(cell)
    case Date:
      return readTime(cell)
    case Uint8Array:
      return readBytes(cell)
    case Array:
    case Set: {
      const element = definition.items ?? { type: 'any' }
      const values = readList(cell).map((each) => readCell(each as Cell, element))
      return type === Set ? new Set(values) : values
    }
    default:
      return typeof cell === 'string' ? readJson(cell) : plainOf(cell)
  }
}

/** A number that JavaScript has with all its digits. */
function readNumber(cell: Cell): number {
  const text = typeof cell === 'string' ? cell.trim() : ''
  const canonical = parseDecimal(text).text
  if (canonical === undefined) return refuse(cell, 'a number')
  const number = Number(text)
  if (parseDecimal(String(number)).text === canonical) return number
  throw new CellProblem(
    `${text} has more digits than a Number holds: declare the attribute as 'decimal' or BigInt`,
  )
}

function readBoolean(cell: Cell): boolean {
  if (typeof cell === 'boolean') return cell
  if (typeof cell === 'string' && /^(t|true|1|y|yes)$/i.test(cell)) return true
  if (typeof cell === 'string' && /^(f|false|0|n|no)$/i.test(cell)) return false
  // A bit of MySQL, dumped with --hex-blob.
  if (cell instanceof Uint8Array && cell.length === 1 && cell[0]! <= 1) return cell[0] === 1
  return refuse(cell, 'true or false')
}

/** `2024-01-15 10:00:00.123+02`; without a zone it is UTC. */
function readTime(cell: Cell): Date {
  const text = typeof cell === 'string' ? cell : ''
  const parts =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(
      text,
    )
  const zone = parts?.[3] ?? 'Z'
  const date = parts
    ? new Date(
        `${parts[1]}T${parts[2] ?? '00:00:00'}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`,
      )
    : new Date(Number.NaN)
  return Number.isNaN(date.getTime()) ? refuse(cell, 'a time such as 2024-01-15 10:00:00+00') : date
}

function readBytes(cell: Cell): Uint8Array {
  if (cell instanceof Uint8Array) return new Uint8Array(cell)
  if (typeof cell !== 'string') return refuse(cell, 'bytes')
  const hex = /^\\x((?:[\da-f]{2})*)$/i.exec(cell)?.[1]
  return new Uint8Array(Buffer.from(hex ?? cell, hex === undefined ? 'base64' : 'hex'))
}

/** A JSON array, or an array as PostgreSQL prints it: `{a,"b c",NULL}`. */
function readList(cell: Cell): readonly unknown[] {
  if (Array.isArray(cell)) return cell
  if (typeof cell !== 'string') return refuse(cell, 'a list')
  if (!/^\{.*\}$/s.test(cell)) {
    const parsed = readJson(cell, true)
    return Array.isArray(parsed) ? parsed : refuse(cell, 'a list')
  }
  if (cell === '{}') return []
  const elements = cell.slice(1, -1).match(/"(?:[^"\\]|\\.)*"|[^",]+/g) ?? []
  return elements.map((text) => {
    if (text.startsWith('"')) return text.slice(1, -1).replaceAll(/\\(.)/g, '$1')
    return text === 'NULL' ? null : text
  })
}

function readJson(text: string, asText = false): unknown {
  try {
    const parsed: unknown = JSON.parse(text)
    return asText && Array.isArray(parsed)
      ? parsed.map((each) => (typeof each === 'number' ? String(each) : each))
      : exact(parsed, text)
  } catch (error) {
    if (error instanceof CellProblem) throw error
    return refuse(text, 'JSON')
  }
}

/** Numbers inside JSON must be ones that JavaScript has with all their digits. */
function exact(parsed: unknown, text: string): unknown {
  for (const token of text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/-?\d[\d.eE+-]*/g) ?? []) {
    readNumber(token)
  }
  return parsed
}

/** What a source has as structure, with its numbers as numbers. */
function plainOf(cell: unknown): unknown {
  if (Array.isArray(cell)) return cell.map(plainOf)
  if (typeof cell !== 'object' || cell === null || cell instanceof Uint8Array) return cell
  return Object.fromEntries(Object.entries(cell).map(([name, value]) => [name, plainOf(value)]))
}

function refuse(cell: Cell, expected: string): never {
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell)
  throw new CellProblem(`"${text.length > 60 ? `${text.slice(0, 60)}…` : text}" is not ${expected}`)
}
