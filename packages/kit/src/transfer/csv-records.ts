import { RECORD_MAX_CHARACTERS } from './item-format.ts'
import { TransferError } from './transfer-error.ts'

/** A cell; an empty one in quotes is an empty text, one without them is nothing. */
export interface Cell {
  readonly text: string
  readonly quoted: boolean
}

export interface CsvRecord {
  readonly cells: readonly Cell[]
  /** The line it begins on, from 1 on. */
  readonly line: number
}

/** A cell as it stands in the file. */
export function printCsvCell(text: string | undefined): string {
  if (text === undefined) return ''
  if (text !== '' && !/[",\r\n]|^\s|\s$|^\ufeff/.test(text)) return text
  return `"${text.replaceAll('"', '""')}"`
}

/** The records of a CSV text that comes in pieces: quotes may hold commas, line ends and doubled quotes. */
export async function* readCsvRecords(
  chunks: AsyncIterable<string>,
  file: string,
): AsyncGenerator<CsvRecord, void, undefined> {
  let cells: Cell[] = []
  let text = ''
  let quoted = false
  // Inside quotes, and after a quote that may end them or be the first of two.
  let state: 'plain' | 'inside' | 'ended' = 'plain'
  let line = 1
  let begun = 1
  let length = 0
  let isFirst = true
  const endCell = (): void => {
    cells.push({ text, quoted })
    text = ''
    quoted = false
    state = 'plain'
  }
  const refuse = (message: string, fix: string): never => {
    throw new TransferError(message, { where: `${file}:${begun}`, fix })
  }
  for await (const chunk of chunks) {
    for (const character of isFirst ? chunk.replace(/^\ufeff/, '') : chunk) {
      if (++length > RECORD_MAX_CHARACTERS) {
        refuse('The record is longer than any item.', 'look for a quote that is not closed')
      }
      if (state === 'inside') {
        if (character === '"') state = 'ended'
        else {
          if (character === '\n') line++
          text += character
        }
      } else if (state === 'ended' && character === '"') {
        text += '"'
        state = 'inside'
      } else if (character === ',') endCell()
      else if (character === '\n') {
        line++
        if (text.endsWith('\r') && !quoted) text = text.slice(0, -1)
        endCell()
        if (cells.length > 1 || cells[0]?.text !== '' || cells[0].quoted)
          yield { cells, line: begun }
        cells = []
        begun = line
        length = 0
      } else if (character === '"' && text === '' && !quoted) {
        quoted = true
        state = 'inside'
      } else if (state === 'ended') {
        if (character !== '\r')
          refuse('Text follows a closed quote.', 'double the quotes inside a cell')
      } else text += character
    }
    isFirst = false
  }
  // What was read last may have changed it.
  if ((state as string) === 'inside') refuse('A quote is not closed.', 'close it')
  if (text !== '' || quoted || cells.length > 0) {
    endCell()
    yield { cells, line: begun }
  }
}
