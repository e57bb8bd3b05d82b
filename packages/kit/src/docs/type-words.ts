import type { AttributeDefinition } from 'singletable/tools'

type Typed = Pick<
  AttributeDefinition,
  'type' | 'items' | 'schema' | 'const' | 'values' | 'elements' | 'discriminator' | 'variants'
>

const LEVELS_MAX = 4

/**
 * The type of an attribute in words: `String`, `Array of Number`, `Object { street, city }`, `union
 * by kind { circle, square }`.
 */
export function typeWords(definition: Typed, level = 0): string {
  const {
    type,
    items,
    schema,
    const: constant,
    values,
    elements,
    discriminator,
    variants,
  } = definition
  const word = typeof type === 'function' ? type.name : String(type)
  if (level >= LEVELS_MAX) return word
  const inner = (each: Typed): string => typeWords(each, level + 1)
  if (constant !== undefined) return `${word} ${JSON.stringify(constant)}`
  if (values) return `${word} of ${inner(values)}`
  if (elements) return `${word} of ${elements.map(inner).join(', ')}`
  if (variants) return `${word} by ${discriminator} { ${Object.keys(variants).join(', ')} }`
  if (items) return `${word} of ${inner(items)}`
  if (schema) return `${word} { ${Object.keys(schema).join(', ')} }`
  return word
}
