import { type Cell, type Column, NONE, type TableBlock } from './document.ts'
import { escapeHtml } from './escape-html.ts'
import { cellHtml, type HtmlPlace } from './html-inline.ts'

/**
 * A table whose secondary columns are below the previous ones. Each cell also has the title of its
 * column, which is shown if the window is too narrow for columns. Empty columns are left out.
 */
export function tableHtml({ columns, rows }: TableBlock, place: HtmlPlace): string {
  if (rows.length === 0) return ''
  const isEmpty = (cell: Cell | undefined): boolean =>
    cell === undefined || cell === NONE || cell.length === 0
  const groups = groupColumns(columns)
    .map((group) => group.filter((at) => rows.some(({ cells }) => !isEmpty(cells[at]))))
    .filter((group) => group.length > 0)
  const head = groups.map(
    (group) =>
      `<th scope="col"${alignment(columns[group[0] ?? 0])}>${group
        .map((at, position) => titleHtml(columns[at]?.title ?? '', position))
        .join('')}</th>`,
  )
  const body = rows.map(({ id, cells }) => {
    const bodyCells = groups.map((group) => {
      const parts = group.map((at, position) => {
        const cell = cells[at] ?? []
        const label = `data-label="${escapeHtml(columns[at]?.title ?? '')}"`
        if (position > 0 && isEmpty(cell)) return ''
        return `<div${position === 0 ? '' : ' class="below"'} ${label}>${cellHtml(cell, place)}</div>`
      })
      const [first = 0] = group
      const none = group.every((at) => isEmpty(cells[at])) ? ' none' : ''
      const classes = `${columns[first]?.align ?? ''}${none}`.trim()
      return `<td${classes && ` class="${classes}"`}>${parts.join('')}</td>`
    })
    return `<tr${id === undefined ? '' : ` id="${id}"`}>${bodyCells.join('')}</tr>`
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

/** Positions of the columns that are shown together. */
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
