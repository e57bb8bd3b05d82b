import { type PrintedPlaceholders, printCondition } from '../expression/print.ts'
import type { Model } from '../schema/model.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { compileWhere } from './compile-where.ts'
import type { Where } from './where.ts'

/** The text of a write's condition, from its parts; all parts must hold. Empty text is no condition. */

export function andAlso(condition: string, other: string): string {
  return condition === '' ? other : other === '' ? condition : `${condition} AND ${other}`
}

/** There is an item under the key, and its time to live is not over. */
export function printExists(
  model: Model,
  placeholders: PrintedPlaceholders,
  nowMs: number,
): string {
  const exists = `attribute_exists(${placeholders.name(model.schema.primary.hash[0]!)})`
  if (model.ttl === undefined) return exists
  const ttl = placeholders.name(model.ttl.stored)
  return `${exists} AND (attribute_not_exists(${ttl}) OR ${ttl} > ${printSeconds(placeholders, nowMs)})`
}

/** There is no item under the key, or one that DynamoDB has yet to delete because its time to live is over. */
export function printAbsent(
  model: Model,
  placeholders: PrintedPlaceholders,
  nowMs: number,
): string {
  const absent = `attribute_not_exists(${placeholders.name(model.schema.primary.hash[0]!)})`
  if (model.ttl === undefined) return absent
  const ttl = placeholders.name(model.ttl.stored)
  return `(${absent} OR ${ttl} <= ${printSeconds(placeholders, nowMs)})`
}

/** The attribute has this value, or none. */
export function printIs(
  stored: string,
  value: AttributeValue | undefined,
  placeholders: PrintedPlaceholders,
): string {
  const name = placeholders.name(stored)
  return value === undefined
    ? `attribute_not_exists(${name})`
    : `${name} = ${placeholders.value(value)}`
}

/** The caller's condition, ready to stand beside others. */
export function printWhere(
  where: Where | undefined,
  model: Model,
  place: string,
  placeholders: PrintedPlaceholders,
): string {
  if (where === undefined) return ''
  const condition = compileWhere(where, model, place)
  const text = printCondition(condition, placeholders)
  return condition.kind === 'or' ? `(${text})` : text
}

function printSeconds(placeholders: PrintedPlaceholders, nowMs: number): string {
  return placeholders.value({ N: String(Math.floor(nowMs / 1000)) })
}
