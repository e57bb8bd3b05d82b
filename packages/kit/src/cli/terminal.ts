import { styleText } from 'node:util'
import type { Colors } from '../text/terminal-text.ts'
import { wrapLines } from '../text/wrap-text.ts'
import type { CommandOutput } from './command.ts'
import type { Parameters } from './help.ts'

const STYLES = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const
type Style = (typeof STYLES)[number]

/**
 * Colours on a terminal alone; NO_COLOR and --no-color take them away, FORCE_COLOR gives them to
 * pipes as well.
 */
export function colorsFor(output: CommandOutput, given?: Parameters): Colors {
  const { NO_COLOR, FORCE_COLOR, TERM } = output.environment ?? {}
  const isForced = FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0'
  const isRefused = given?.flag('no-color') || (NO_COLOR !== undefined && NO_COLOR !== '')
  const isColored = !isRefused && (isForced || (output.isTerminal === true && TERM !== 'dumb'))
  const paint = (style: Style) => (text: string) =>
    // Whether there are colours was decided above, for the output that was given.
    isColored ? styleText(style, text, { validateStream: false }) : text
  // Each style is in the list.
  return Object.fromEntries(STYLES.map((style) => [style, paint(style)])) as Colors
}

/**
 * How wide a table of text may be: as wide as the terminal, or as it needs with `--wide` and where
 * there is no terminal.
 */
export function widthOf(output: CommandOutput, given: Parameters): { readonly width?: number } {
  if (!output.isTerminal || output.columns === undefined || given.flag('wide')) return {}
  return { width: output.columns }
}

/** Prints text for people: lines break between words at the width of the terminal. */
export function printText(output: CommandOutput, text: string): void {
  const { isTerminal, columns } = output
  output.print(isTerminal && columns !== undefined ? wrapLines(text, columns) : text)
}
