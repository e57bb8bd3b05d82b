/** An index as people call it; the primary one is the table. */
export function indexName(index: string | null): string {
  return index === null ? '–' : index === 'primary' ? 'base table' : index
}
