import type { AttributeValue, Item } from 'singletable/tools'
import { type FileRecord, type ItemFormat, RECORD_MAX_CHARACTERS } from './item-format.ts'
import { TransferError } from './transfer-error.ts'

const TAGS = ['S', 'N', 'B', 'BOOL', 'NULL', 'SS', 'NS', 'BS', 'L', 'M']

/** DynamoDB JSON, a line for each item, as exports to S3 have it:
 * `{"Item":{"pk":{"S":"USER#alice"}}}`. */
export const jsonLines: ItemFormat = {
  name: 'json',
  header: '',
  print: (item) => `${JSON.stringify({ Item: item })}\n`,
  notes: () => [],
  async *read(chunks, file, linesBefore = 0): AsyncGenerator<FileRecord, void, undefined> {
    let line = linesBefore
    for await (const text of splitLines(chunks, file, { linesBefore })) {
      line++
      if (text.trim() !== '') yield { item: parseLine(text, `${file}:${line}`), line }
    }
  },
}

/** The lines of a text that comes in pieces. */
export async function* splitLines(
  chunks: AsyncIterable<string>,
  file: string,
  options: { readonly charactersMax?: number; readonly linesBefore?: number } = {},
): AsyncGenerator<string, void, undefined> {
  const { charactersMax = RECORD_MAX_CHARACTERS, linesBefore = 0 } = options
  let rest = ''
  let count = linesBefore
  for await (const chunk of chunks) {
    const pieces = chunk.split('\n')
    rest += pieces[0]
    for (const piece of pieces.slice(1)) {
      count++
      yield rest
      rest = piece
    }
    if (rest.length > charactersMax) {
      throw new TransferError('The line is longer than any item.', {
        where: `${file}:${count + 1}`,
        fix: 'give a file with an item on each line',
      })
    }
  }
  if (rest !== '') yield rest
}

function parseLine(text: string, where: string): Item {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw notAnItem('The line is not valid JSON.', where, cause)
  }
  const { Item: item } = Object(parsed) as { Item?: unknown }
  if (!isItem(item)) throw notAnItem('The line is not an item in DynamoDB JSON.', where)
  return item
}

/** Whether it looks like attribute values; what is inside them is for the service to judge. */
export function isItem(value: unknown): value is Item {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every(isAttributeValue)
}

export function isAttributeValue(value: unknown): value is AttributeValue {
  if (typeof value !== 'object' || value === null) return false
  const names = Object.keys(value)
  return names.length === 1 && TAGS.includes(names[0] ?? '')
}

function notAnItem(message: string, where: string, cause?: unknown): TransferError {
  return new TransferError(message, {
    where,
    fix: 'write each item as {"Item":{"pk":{"S":"…"}}} on a line of its own',
    cause,
  })
}
