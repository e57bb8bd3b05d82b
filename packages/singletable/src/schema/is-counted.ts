import type { AttributeDefinition } from './schema-definition.ts'

/**
 * Whether the writes of other items change the attribute: it counts them, or adds up one of their
 * attributes.
 */
export function isCounted({ counts, sums }: AttributeDefinition): boolean {
  return counts !== undefined || sums !== undefined
}
