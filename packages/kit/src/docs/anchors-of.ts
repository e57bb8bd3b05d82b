import type { Section } from './document.ts'

/** The names of the places in a section that links can lead to; its own is not among them. */
export function anchorsOf({ blocks }: Section): readonly string[] {
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
