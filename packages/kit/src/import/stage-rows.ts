import type { ImportDefinition } from './define-import.ts'
import { joinedSources } from './map-rows.ts'
import { type RowContext, readRows } from './read-rows.ts'
import type { Row } from './row.ts'
import type { Staging } from './staging.ts'

const CHUNK_ROWS_MAX = 500
/** Rows may be as large as items: five hundred of those would be two hundred megabytes. */
const CHUNK_CHARACTERS_MAX = 4 * 1024 * 1024

/** Keeps the rows of a source that others join on disk; false if it was interrupted. */
export async function stageRows(
  definition: ImportDefinition,
  source: string,
  context: RowContext & { readonly staging: Staging; readonly signal: AbortSignal },
): Promise<boolean> {
  const { staging, signal } = context
  const key = joinedSources(definition).get(source) ?? ''
  for await (const chunk of chunksOf(readRows(definition.sources[source]!, context))) {
    if (signal.aborted) return false
    staging.transaction(() => {
      for (const { cells } of chunk) {
        const value = cells[key] ?? null
        if (value !== null) staging.putRow(source, String(value), cells)
      }
    })
    await staging.release()
  }
  return !signal.aborted
}

/** Rows in groups that are worked on together. */
export async function* chunksOf(
  rows: AsyncIterable<Row>,
): AsyncGenerator<readonly Row[], void, undefined> {
  let chunk: Row[] = []
  let characters = 0
  for await (const row of rows) {
    chunk.push(row)
    characters += charactersOf(row.cells)
    if (chunk.length < CHUNK_ROWS_MAX && characters < CHUNK_CHARACTERS_MAX) continue
    yield chunk
    chunk = []
    characters = 0
  }
  if (chunk.length > 0) yield chunk
}

/** About how large a cell is, or everything inside it. */
function charactersOf(cell: unknown): number {
  if (typeof cell === 'string' || cell instanceof Uint8Array) return cell.length
  if (typeof cell !== 'object' || cell === null) return 0
  return Object.values(cell).reduce<number>((sum, each) => sum + charactersOf(each), 0)
}
