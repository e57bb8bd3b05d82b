import type { AttributeDefinition } from 'singletable/tools'

type Typed = Pick<AttributeDefinition, 'type' | 'items' | 'schema' | 'enum'>

const LEVELS_MAX = 4

/** The type of an attribute in words: `String`, `Array of Number`, `Object { street, city }`. */
export function typeWords({ type, items, schema }: Typed, level = 0): string {
  const word = typeof type === 'function' ? type.name : String(type)
  if (level >= LEVELS_MAX) return word
  if (items) return `${word} of ${typeWords(items, level + 1)}`
  if (schema) return `${word} { ${Object.keys(schema).join(', ')} }`
  return word
}
