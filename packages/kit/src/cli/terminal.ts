import type { CommandOutput } from './command.ts'
import type { Parameters } from './help.ts'

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
} as const

/** Texts in colours, or as they are where nobody sees colours. */
export type Colors = Readonly<Record<keyof typeof CODES | 'cyan', (text: string) => string>>

/** Colours on a terminal alone; NO_COLOR and --no-color take them away, FORCE_COLOR gives them to pipes as well. */
export function colorsFor(output: CommandOutput, given?: Parameters): Colors {
  const { NO_COLOR, FORCE_COLOR, TERM } = output.environment ?? {}
  const isForced = FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0'
  const isRefused = given?.flag('no-color') || (NO_COLOR !== undefined && NO_COLOR !== '')
  const isColored = !isRefused && (isForced || (output.isTerminal === true && TERM !== 'dumb'))
  const paint = (open: number, close: number) => (text: string) =>
    isColored ? `\u001b[${open}m${text}\u001b[${close}m` : text
  return {
    bold: paint(...CODES.bold),
    dim: paint(...CODES.dim),
    red: paint(...CODES.red),
    green: paint(...CODES.green),
    yellow: paint(...CODES.yellow),
    cyan: paint(36, 39),
  }
}

/** A column's title and, if its cells are figures, that they stand on the right. */
export interface Column {
  readonly title: string
  readonly align?: 'right'
}

const CELL_COLUMNS_MAX = 60
const GAP = '  '

/** A table of text: titles, then rows. Cells that are too wide for the terminal are cut, with a sign of it. */
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
    Math.max(textWidth(title), ...cells.map((row) => textWidth(row[at] ?? ''))),
  )
  // The widest columns give way first.
  const room = (): number => widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length)
  const limits = widths.map((each, at) =>
    Math.min(each, Math.max(8, textWidth(columns[at]?.title ?? ''))),
  )
  while (Number.isFinite(width) && room() > width) {
    const excess = widths.map((each, at) => each - (limits[at] ?? 0))
    const at = excess.indexOf(Math.max(...excess))
    if ((excess[at] ?? 0) <= 0) break
    widths[at] = (widths[at] ?? 0) - 1
  }
  if (Number.isFinite(width)) {
    for (const [at, each] of widths.entries())
      widths[at] = Math.min(each, Math.max(CELL_COLUMNS_MAX, limits[at] ?? 0))
  }
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, at) => fit(text, widths[at] ?? 0, columns[at]?.align === 'right'))
      .join(GAP)
      .trimEnd()
  const head = line(columns.map(({ title }) => title))
  return [colors ? colors.bold(head) : head, ...cells.map(line)].join('\n')
}

function fit(text: string, width: number, isRight: boolean): string {
  const own = textWidth(text)
  if (own > width) return `${[...text].slice(0, Math.max(0, width - 1)).join('')}…`
  const pad = ' '.repeat(width - own)
  return isRight ? pad + text : text + pad
}

/** By characters, not by units: close enough without a table of wide ones. */
function textWidth(text: string): number {
  return [...text].length
}

/** What data says must not move the cursor or change the terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    if (character === '\n') return '↵'
    if (character === '\t') return ' '
    return '\ufffd'
  })
}
