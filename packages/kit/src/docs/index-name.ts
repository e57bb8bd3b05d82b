/** The usual name of an index; the primary index is the table. */
export function indexName(index: string | null): string {
  return index === null ? '–' : index === 'primary' ? 'base table' : index
}
