import { type Column, NONE, type TableBlock } from './document.ts'
import { escapeHtml } from './escape-html.ts'
import { cellHtml, type HtmlPlace } from './html-inline.ts'

/** A table whose secondary columns stand below the ones before them. */
export function tableHtml({ columns, rows }: TableBlock, place: HtmlPlace): string {
  if (rows.length === 0) return ''
  const groups = groupColumns(columns)
  const head = groups.map(
    (group) =>
      `<th scope="col"${alignment(columns[group[0] ?? 0])}>${group
        .map((at, position) => titleHtml(columns[at]?.title ?? '', position))
        .join('')}</th>`,
  )
  const body = rows.map(({ id, cells }) => {
    const texts = groups.map(
      (group) =>
        `<td${alignment(columns[group[0] ?? 0])}>${group
          .map((at, position) => {
            const cell = cells[at] ?? []
            if (position > 0 && (cell === NONE || cell.length === 0)) return ''
            const text = cellHtml(cell, place)
            return position === 0 ? text : `<div class="below">${text}</div>`
          })
          .join('')}</td>`,
    )
    return `<tr${id === undefined ? '' : ` id="${id}"`}>${texts.join('')}</tr>`
  })
  const label = columns.map(({ title }) => title).find((title) => title.length > 1) ?? 'Table'
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><table><thead><tr>${head.join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody></table></div>`
}

function titleHtml(title: string, position: number): string {
  const text = title === '' ? '<span class="unseen">Verdict</span>' : escapeHtml(title)
  return position === 0 ? text : `<div class="below">${text}</div>`
}

/** Positions of the columns that stand together. */
function groupColumns(columns: readonly Column[]): readonly (readonly number[])[] {
  const groups: number[][] = []
  for (const [at, { below }] of columns.entries()) {
    const last = groups.at(-1)
    if (below && last) last.push(at)
    else groups.push([at])
  }
  return groups
}

function alignment(column: Column | undefined): string {
  return column?.align === undefined ? '' : ` class="${column.align}"`
}
