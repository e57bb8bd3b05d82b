import { getOwn, type IndexDefinition, type SchemaDefinition } from 'singletable/tools'

/** An index as the schema says it. */
export function writtenIndex(
  { indexes }: SchemaDefinition,
  name: string,
): IndexDefinition | undefined {
  // The primary index is one, with fewer options.
  const all: { readonly [index: string]: IndexDefinition } = indexes ?? {}
  return getOwn(all, name)
}

/** Whether reads of it are behind the writes. */
export function isGlobal(schema: SchemaDefinition, name: string): boolean {
  const index = writtenIndex(schema, name)
  return name !== 'primary' && index !== undefined && index.type !== 'local'
}
