import type { Section } from './document.ts'

/** The ids of the link targets in a section, without its own id. */
export function idsOf({ blocks }: Section): readonly string[] {
  return blocks.flatMap((block): readonly string[] => {
    switch (block.kind) {
      case 'heading':
      case 'call':
        return [block.id]
      case 'table':
        return block.rows.flatMap(({ id }) => id ?? [])
      case 'collection':
        return [block.collection.id]
      default:
        return []
    }
  })
}
