import type { AttributeValue, Item } from 'singletable/tools'
import { isItem } from '../transfer/json-lines.ts'
import { TransferError } from '../transfer/transfer-error.ts'
import type { Cell } from './row.ts'

/** Strings come first, so that digits inside them are not taken for numbers. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * The members of a JSON object. Numbers are their text: what JavaScript would make of them may have
 * other digits. DynamoDB JSON, with or without `Item` around it, is read as such.
 */
export function readJsonObject(text: string, where: string): Record<string, Cell> {
  let parsed: unknown
  try {
    JSON.parse(text)
    parsed = JSON.parse(
      text.replaceAll(TOKENS, (token) => (token.startsWith('"') ? token : `"${token}"`)),
    )
  } catch (cause) {
    throw new TransferError('The line is not valid JSON.', {
      where,
      fix: 'write an object on each line',
      cause,
    })
  }
  const { Item: item } = Object(parsed) as { Item?: unknown }
  if (isItem(item)) return cellsOf(item)
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
    const isTagged = Object.keys(parsed).length > 0 && isItem(parsed)
    // Checked above: members of objects are cells.
    return isTagged ? cellsOf(parsed as Item) : (parsed as Record<string, Cell>)
  }
  throw new TransferError('The line is not a JSON object.', {
    where,
    fix: 'write an object on each line',
  })
}

/** The values of an item as cells. */
export function cellsOf(item: Item): Record<string, Cell> {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, cellOf(value)]))
}

function cellOf(value: AttributeValue): Cell {
  if (value.S !== undefined) return value.S
  if (value.N !== undefined) return value.N
  if (value.BOOL !== undefined) return value.BOOL
  if (value.B !== undefined) return Buffer.from(String(value.B), 'base64')
  if (value.L) return value.L.map(cellOf)
  if (value.M) return cellsOf(value.M)
  return (value.SS ?? value.NS ?? value.BS ?? null) as Cell
}
