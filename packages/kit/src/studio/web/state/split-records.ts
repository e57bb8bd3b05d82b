/** A part of a file that ends where a record ends. */
export interface FilePart {
  readonly text: string
  /** Lines of the file before it. */
  readonly line: number
}

/** Characters of a part: as JSON, in which quotes take two, it is below the limit of a request. */
const PART_CHARACTERS = 250_000

/** Cuts a file into parts of whole records. Every part of a CSV file begins with its header. */
export async function* splitRecords(
  chunks: AsyncIterable<string>,
  isCsv: boolean,
): AsyncGenerator<FilePart, void, undefined> {
  let rest = ''
  let line = 0
  let header: string | undefined
  const part = (text: string): FilePart => {
    const before = line
    line += linesIn(text)
    if (!isCsv) return { text, line: before }
    if (header !== undefined) return { text: header + text, line: before - linesIn(header) }
    header = text.slice(0, recordEnd(text, 0, isCsv) || text.length)
    return { text, line: before }
  }
  for await (const chunk of chunks) {
    rest += chunk
    while (rest.length >= PART_CHARACTERS) {
      const end = recordEnd(rest, PART_CHARACTERS / 2, isCsv)
      // The record continues in the next chunk.
      if (end === 0) break
      yield part(rest.slice(0, end))
      rest = rest.slice(end)
    }
  }
  if (rest.trim() !== '') yield part(rest)
}

/**
 * Where the first record ends that reaches so far; 0 if none does. A quoted cell can have lines.
 */
function recordEnd(text: string, from: number, isCsv: boolean): number {
  if (!isCsv) return text.indexOf('\n', from) + 1
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted
    else if (text[at] === '\n' && !isQuoted && at >= from) return at + 1
  }
  return 0
}

function linesIn(text: string): number {
  return text.split('\n').length - 1
}
