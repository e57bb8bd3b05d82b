import { cell, code, elementId, listed, NONE, paragraph, type Section } from '../document.ts'
import type { DocumentSources } from '../document-sources.ts'

/** The findings that were accepted in the schema, with the reason and the date until when. */
export function decisions({ design, report }: DocumentSources): Section {
  const entries = Object.entries(design.definition.lint ?? {})
  const blocks =
    entries.length === 0
      ? [paragraph('No rule of the check is switched off.')]
      : [
          {
            kind: 'table' as const,
            columns: [
              { title: 'Rule' },
              { title: 'About' },
              { title: 'Accepted because' },
              { title: 'Until' },
              { title: 'Suppresses', align: 'right' as const },
            ],
            rows: entries.map(([rule, { off, until, at }]) => ({
              id: elementId('decision', rule),
              cells: [
                cell(code(rule)),
                at === undefined ? cell('everything') : cell(...listed([at].flat().map(code))),
                cell(off),
                until === undefined ? NONE : cell(until),
                cell(String(report.suppressed.filter((each) => each.code === rule).length)),
              ],
            })),
          },
        ]
  return { id: 'decisions', title: 'Decisions', blocks }
}
