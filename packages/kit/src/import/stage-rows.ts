import type { ImportDefinition } from './define-import.ts'
import { joinedSources } from './map-rows.ts'
import { type RowContext, readRows } from './read-rows.ts'
import type { Row } from './row.ts'
import type { Staging } from './staging.ts'

const CHUNK_ROWS = 500

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
  for await (const row of rows) {
    chunk.push(row)
    if (chunk.length < CHUNK_ROWS) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
