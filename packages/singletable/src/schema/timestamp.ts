import type { AttributeValue } from '../values/attribute-value.ts'
import type { Attribute } from './model.ts'

/** A time as the attribute stores it: a Date, an ISO string or epoch milliseconds. */
export function timestampValue({ codec, definition }: Attribute, nowMs: number): AttributeValue {
  const { type } = definition
  const date = new Date(nowMs)
  return codec.encode(
    type === Number ? date.getTime() : type === String ? date.toISOString() : date,
    [],
  )
}
