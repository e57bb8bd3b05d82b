import type { Pattern, PatternDefinition } from 'singletable/tools'
import { type Cell, cell, code, elementId, type Line, link, wordsOf } from './document.ts'
import { type DocumentSources, isTested } from './document-sources.ts'

/** Number, title and function. */
export function patternCells(
  { schema, calls }: DocumentSources,
  pattern: Pattern,
): readonly Cell[] {
  const { name, definition } = pattern
  const number = [...schema.patterns.keys()].indexOf(name) + 1
  return [
    cell(String(number)),
    cell({ kind: 'strong', text: titleOf(name, definition) }),
    [
      [code(name)],
      ...(calls.has(name) ? [[link(elementId('call', name), 'call and request')]] : []),
    ],
  ]
}

export function titleOf(name: string, { title }: { readonly title?: string | undefined }): string {
  return title ?? wordsOf(name)
}

export function testCell(sources: DocumentSources, pattern: string): Cell {
  return cell(isTested(sources, pattern) ? '✓' : '✗ not run')
}

/** Notes that the schema declares. */
export function commonNotes({
  note,
  owner,
  afterWrite,
}: Pick<PatternDefinition, 'note' | 'owner' | 'afterWrite'>): Line[] {
  return [
    ...(note === undefined ? [] : [[note]]),
    ...(owner === undefined ? [] : [['owner: ', owner]]),
    ...(afterWrite ? [['called right after a write']] : []),
  ]
}
