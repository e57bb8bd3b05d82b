import { wrapLines } from '../text/wrap-text.ts'
import type { CommandOutput } from './command.ts'
import { processStops } from './stops.ts'
import { terminalKeys } from './terminal-keys.ts'

const WIPE_LINE = '\r\u001b[2K'
const COLUMNS_UNKNOWN = 80

/** The environment of a command that runs as this process. */
export function processOutput(): CommandOutput {
  const { stdin, stdout, stderr } = process
  let isDrawn = false
  const wipe = (): string => {
    if (!isDrawn) return ''
    isDrawn = false
    return WIPE_LINE
  }
  /** Errors for people break between words; those for programs stay as they are. */
  const fit = (text: string): string =>
    stderr.isTTY && stderr.columns && !text.startsWith('{') ? wrapLines(text, stderr.columns) : text
  return {
    print: (text) => void stdout.write(`${text}\n`),
    printError: (text) => void stderr.write(`${wipe()}${fit(text)}\n`),
    ...(stderr.isTTY && {
      progress: (text: string) => {
        const cut = [...text]
          .slice(0, Math.max(1, (stderr.columns || COLUMNS_UNKNOWN) - 1))
          .join('')
        stderr.write(`${wipe()}${cut}`)
        isDrawn = cut !== ''
      },
    }),
    isTerminal: stdout.isTTY === true,
    // A terminal of unknown size reports 0.
    columns: stdout.columns || undefined,
    environment: process.env,
    directory: process.cwd(),
    standardOutput: stdout,
    standardInput: stdin,
    ...(stdin.isTTY && stderr.isTTY && { keys: terminalKeys(stdin) }),
    stops: processStops,
    now: Date.now,
  }
}
