import type { Collection } from './collections.ts'
import { cell, code, entity, type TableBlock } from './document.ts'

/** The example items of a collection as a table; undefined if there are none. */
export function sampleTable({ rows, hash, sort }: Collection): TableBlock | undefined {
  if (rows.length === 0) return undefined
  return {
    kind: 'table',
    columns: [
      { title: hash.join(' · ') },
      ...(sort.length > 0 ? [{ title: sort.join(' · ') }] : []),
      { title: 'Entity' },
      { title: 'Example attributes' },
    ],
    rows: rows.map((row, at) => ({
      cells: [
        // The partition key is the same in all of them.
        at === 0 ? cell(code(row.hash)) : cell('″'),
        ...(sort.length > 0 ? [cell(code(row.sort ?? ''))] : []),
        cell(entity(row.entity)),
        cell(
          row.attributes.length === 0
            ? '–'
            : row.attributes.map(([name, value]) => `${name}: ${value}`).join(' · '),
        ),
      ],
    })),
  }
}
