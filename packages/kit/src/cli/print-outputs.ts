import type { Colors } from '../text/terminal-text.ts'
import { printCell } from '../text/typed-values.ts'
import type { CommandOutput } from './command.ts'
import type { Parameters } from './help.ts'
import { printTable } from './print-table.ts'
import { widthOf } from './terminal.ts'

/** Items as a table of text, a column for each attribute that one of them has. */
export function printOutputs(
  items: readonly unknown[],
  output: CommandOutput,
  {
    given,
    colors,
    title,
  }: { readonly given: Parameters; readonly colors: Colors; readonly title?: string },
): string {
  const rows = items.map((item) => new Map(Object.entries(Object(item ?? {}))))
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  if (names.length === 0) return '(nothing)'
  const columns = names.map((name) => {
    const isNumber = rows.every((row) => /^(number|undefined)$/.test(typeof row.get(name)))
    return { title: name, ...(isNumber && { align: 'right' as const }) }
  })
  const text = printTable(
    columns,
    rows.map((row) => names.map((name) => printCell(row.get(name)))),
    { colors, ...widthOf(output, given) },
  )
  return title === undefined ? text : `${colors.cyan(title)}\n${text}`
}
