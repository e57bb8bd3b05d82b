import { type Colors, oneLine } from '../text/terminal-text.ts'
import { cutText, padText, textColumns } from '../text/text-columns.ts'

/** A column's title and, if its cells are figures, that they are aligned on the right. */
export interface Column {
  readonly title: string
  readonly align?: 'right'
}

const GAP = '  '

/**
 * A table of text: titles, then rows. Cells that are too wide for the terminal are cut, with a sign
 * of it.
 */
export function printTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  {
    colors,
    width = Number.POSITIVE_INFINITY,
  }: { readonly colors?: Colors; readonly width?: number } = {},
): string {
  const cells = rows.map((row) => columns.map((_, at) => oneLine(row[at] ?? '')))
  const widths = columns.map(({ title }, at) =>
    Math.max(textColumns(title), ...cells.map((row) => textColumns(row[at] ?? ''))),
  )
  // The widest columns give way first.
  const room = (): number => widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length)
  const limits = widths.map((each, at) =>
    Math.min(each, Math.max(8, textColumns(columns[at]?.title ?? ''))),
  )
  while (Number.isFinite(width) && room() > width) {
    const excess = widths.map((each, at) => each - (limits[at] ?? 0))
    const at = excess.indexOf(Math.max(...excess))
    if ((excess[at] ?? 0) <= 0) break
    widths[at] = (widths[at] ?? 0) - 1
  }
  const line = (cells: readonly string[]): string =>
    cells
      .map((text, at) =>
        padText(cutText(text, widths[at] ?? 0), widths[at] ?? 0, columns[at]?.align),
      )
      .join(GAP)
      .trimEnd()
  const head = line(columns.map(({ title }) => title))
  return [colors ? colors.bold(head) : head, ...cells.map(line)].join('\n')
}
