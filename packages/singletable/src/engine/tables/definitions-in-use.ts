import type { AttributeDefinition, KeySchemaElement } from '../catalog/table-record.ts'

/** Those of the definitions that a key of the table or of one of its indexes uses: a definition
 * lives no longer than that. */
export function definitionsInUse(
  definitions: readonly AttributeDefinition[],
  keys: readonly { readonly keySchema: readonly KeySchemaElement[] }[],
): AttributeDefinition[] {
  const used = new Set<string>()
  for (const { keySchema } of keys) {
    for (const element of keySchema) used.add(element.AttributeName)
  }
  return definitions.filter((definition) => used.has(definition.AttributeName))
}
