import type { AttributeDefinition, AttributeValue } from 'singletable/tools'
import { typeOf } from 'singletable/tools'

/** The definition that all these values of one attribute fit. */
export function inferAttribute(values: readonly AttributeValue[]): AttributeDefinition {
  const kinds = new Set(values.map(typeOf))
  const nulls = kinds.delete('NULL') && { nulls: true }
  const [kind, ...others] = kinds
  if (others.length > 0) return { type: 'any', ...nulls }
  switch (kind) {
    case 'S':
      return { type: String, ...nulls }
    case 'N':
      return { type: isPlain(values) ? Number : 'decimal', ...nulls }
    case 'BOOL':
      return { type: Boolean, ...nulls }
    case 'B':
      return { type: Uint8Array, ...nulls }
    case 'SS':
      return { type: Set, items: { type: String }, ...nulls }
    case 'NS':
      return { type: Set, items: { type: Number }, ...nulls }
    default:
      return { type: 'any', ...nulls }
  }
}

/** Numbers that JavaScript represents exactly. */
function isPlain(values: readonly AttributeValue[]): boolean {
  return values.every(({ N }) => N === undefined || String(Number(N)) === N)
}
