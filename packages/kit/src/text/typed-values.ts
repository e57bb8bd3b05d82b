import { type AttributeDefinition, getOwn } from 'singletable/tools'

/** What is known of a value that is typed or read from JSON. */
export type ValueDefinition = Pick<
  AttributeDefinition,
  'type' | 'nulls' | 'items' | 'schema' | 'values' | 'elements' | 'discriminator' | 'variants'
>

/**
 * A text or a JSON value can't stand for a value of its attribute; the message completes "… is …".
 */
export class ValueProblem extends Error {}

/**
 * The value that a typed text stands for, by what the schema says of its attribute: `null` where
 * the attribute may be null.
 *
 * @example
 * parseValue('2', { type: Number }) // => 2
 */
export function parseValue(text: string, definition: ValueDefinition): unknown {
  if (definition.nulls && text === 'null') return null
  switch (definition.type) {
    case String:
    case Date:
    case Uint8Array:
    case BigInt:
    case 'decimal':
      return readJsonValue(text, definition)
    case Number:
      if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) throw new ValueProblem('not a number')
      return Number(text)
    case Boolean:
      if (text === 'true' || text === 'false') return text === 'true'
      throw new ValueProblem('neither true nor false')
    case 'any':
      try {
        return JSON.parse(text) as unknown
      } catch {
        // Anything that is not JSON can only be a string.
        return text
      }
    default:
      return readJsonValue(parseJson(text), definition)
  }
}

/**
 * The value that a value of JSON stands for: dates, bytes, sets and large numbers have no form of
 * their own there.
 */
export function readJsonValue(value: unknown, definition: ValueDefinition): unknown {
  const { type, items, schema } = definition
  if (value === null || value === undefined) return value
  switch (type) {
    case Date: {
      const date = typeof value === 'string' || typeof value === 'number' ? new Date(value) : value
      if (date instanceof Date && !Number.isNaN(date.getTime())) return date
      throw new ValueProblem('not a date; write it as 2026-11-16T12:00:00Z')
    }
    case Uint8Array:
      if (value instanceof Uint8Array) return value
      if (typeof value === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(value)) {
        return new Uint8Array(Buffer.from(value, 'base64'))
      }
      throw new ValueProblem('not base64')
    case BigInt:
      if (typeof value === 'bigint') return value
      if (/^-?\d+$/.test(String(value))) return BigInt(String(value))
      throw new ValueProblem('not a whole number')
    case Array:
      if (!Array.isArray(value)) throw new ValueProblem('not a list; write JSON such as ["a","b"]')
      return items ? value.map((each) => readJsonValue(each, items)) : value
    case Set:
      if (value instanceof Set) return value
      if (!Array.isArray(value)) throw new ValueProblem('not a list; write JSON such as ["a","b"]')
      return new Set(items ? value.map((each) => readJsonValue(each, items)) : value)
    case 'tuple':
      if (!Array.isArray(value)) throw new ValueProblem('not a list; write JSON such as ["a",1]')
      return value.map((each, index) => {
        const element = definition.elements?.[index]
        return element ? readJsonValue(each, element) : each
      })
    case Object:
    case 'record':
    case 'union': {
      if (typeof value !== 'object' || Array.isArray(value)) {
        throw new ValueProblem('not an object; write JSON such as {"a":1}')
      }
      const { values, discriminator = '', variants = {} } = definition
      const variant = getOwn(variants, String(getOwn(value, discriminator)))
      const members = new Map(Object.entries(schema ?? variant ?? {}))
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => {
          const known = members.get(name) ?? values
          return [name, known ? readJsonValue(member, known) : member]
        }),
      )
    }
    default:
      return value
  }
}

/**
 * JSON in which every value of the library has a form: sets as lists, bytes as base64, large whole
 * numbers as text.
 */
export function printJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, replaceValue, indent) ?? 'null'
}

/** A value in one cell of a table. */
export function printCell(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (typeof value === 'object') return printJson(value)
  return String(value)
}

function replaceValue(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Set) return [...value]
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ValueProblem('not valid JSON')
  }
}
