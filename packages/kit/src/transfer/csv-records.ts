import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { stringify } from 'csv-stringify/sync'
import { RECORD_MAX_CHARACTERS } from './item-format.ts'
import { TransferError } from './transfer-error.ts'

export interface CsvRecord {
  readonly cells: readonly string[]
  /** The line it begins on, from 1 on. */
  readonly line: number
}

/** White space at the ends is quoted, so that no reader drops it. */
const QUOTED = /^\s|\s$|^\ufeff/

/** A record as a line of the file. */
export function printCsvRecord(cells: readonly (string | undefined)[]): string {
  return stringify([cells], { quoted_match: QUOTED })
}

/** What to change in the file, by the parser's code for what is wrong. */
const FAULTS: Readonly<Record<string, readonly [message: string, fix: string]>> = {
  CSV_MAX_RECORD_SIZE: [
    'The record is longer than any item.',
    'look for a quote that is not closed',
  ],
  CSV_INVALID_CLOSING_QUOTE: ['Text follows a closed quote.', 'double the quotes inside a cell'],
  CSV_QUOTE_NOT_CLOSED: ['A quote is not closed.', 'close it'],
  INVALID_OPENING_QUOTE: [
    'A quote is inside a cell that does not begin with one.',
    'put the whole cell into quotes, and double those inside',
  ],
}

/** The records of a CSV text that comes in pieces: quotes may hold commas, line ends and doubled
 * quotes. `linesBefore` are lines of the file that the text does not have. */
export async function* readCsvRecords(
  chunks: AsyncIterable<string>,
  file: string,
  linesBefore = 0,
): AsyncGenerator<CsvRecord, void, undefined> {
  // The parser counts the line ends inside quotes in another way, so lines are counted here: as it
  // reads, because it reads ahead.
  let lines = linesBefore
  const parser = parse({
    bom: true,
    max_record_size: RECORD_MAX_CHARACTERS,
    on_record: (cells, { empty_lines }) => {
      const line = lines + empty_lines + 1
      lines += 1 + cells.reduce((sum, text) => sum + lineEnds(text), 0)
      // The parser gives on what it gets; its types know arrays alone.
      return { cells, line } as never
    },
    record_delimiter: ['\r\n', '\n'],
    // A record of another length is refused by the caller, who knows the names of the columns.
    relax_column_count: true,
    skip_empty_lines: true,
  })
  // A failing source ends the parser, whose error is thrown below.
  pipeline(chunks, parser, () => {})
  try {
    yield* parser as AsyncIterable<CsvRecord>
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const [message, fix] = FAULTS[error.code] ?? [error.message, 'correct it']
    throw new TransferError(message, {
      where: `${file}:${lines + parser.info.empty_lines + 1}`,
      fix,
      cause: error,
    })
  }
}

function lineEnds(text: string): number {
  return text.split('\n').length - 1
}
