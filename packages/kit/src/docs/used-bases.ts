import type { Basis } from '../cost/figure.ts'
import type { Block, Line, Section } from './document.ts'

const ORDER: readonly Basis[] = ['declared', 'sampled', 'default']

/** Where the figures of a section are from, for the legend below it. */
export function usedBases(section: Section): readonly Basis[] {
  const used = new Set<Basis>()
  for (const line of section.blocks.flatMap(linesOf)) {
    for (const inline of line) {
      if (typeof inline === 'object' && inline.kind === 'figure') used.add(inline.basis)
    }
  }
  return ORDER.filter((basis) => used.has(basis))
}

function linesOf(block: Block): readonly Line[] {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return [block.line]
    case 'list':
      return block.items
    case 'facts':
      return block.rows.flatMap(([, value]) => value)
    case 'table':
      return block.rows.flatMap(({ cells }) => cells.flat())
    default:
      return []
  }
}
