import type { Block, Line } from './document.ts'
import { drawRelations } from './draw-relations.ts'
import { escapeHtml } from './escape-html.ts'
import { callHtml } from './html-call.ts'
import { collectionHtml } from './html-collection.ts'
import { cellHtml, type HtmlPlace, lineHtml } from './html-inline.ts'
import { tableHtml } from './html-table.ts'

export function blockHtml(block: Block, place: HtmlPlace): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${lineHtml(block.line, place)}</p>`
    case 'list':
      return `<ul>${block.items.map((line) => `<li>${lineHtml(line, place)}</li>`).join('\n')}</ul>`
    case 'heading':
      return `<h3 id="${block.id}"><a href="#${block.id}">${lineHtml(withoutLinks(block.line), place)}</a></h3>`
    case 'facts':
      return `<dl class="facts">${block.rows
        .map(
          ([label, value]) =>
            `<div><dt>${escapeHtml(label)}</dt><dd>${cellHtml(value, place)}</dd></div>`,
        )
        .join('\n')}</dl>`
    case 'table':
      return tableHtml(block, place)
    case 'collection':
      return collectionHtml(block, place)
    case 'call':
      return callHtml(block, place)
    case 'relations':
      return `<figure class="scroll" tabindex="0" aria-label="Diagram of entities and relations">${drawRelations(block, place.colors)}</figure>`
  }
}

/** A heading is a link to itself, and a link can't contain other links. */
function withoutLinks(line: Line): Line {
  return line.map((inline) =>
    typeof inline === 'object' && inline.kind === 'entity' ? inline.name : inline,
  )
}
