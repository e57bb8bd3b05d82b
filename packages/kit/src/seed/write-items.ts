import type { SchemaDefinition, Table } from 'singletable'
import { getOwn } from 'singletable/tools'
import type { SeedItem } from './make-items.ts'

const CHUNK_ITEMS = 100

/** Puts items through their entities, and gives how many of each there were. */
export async function writeItems(
  table: Table<SchemaDefinition>,
  items: Iterable<SeedItem>,
  onProgress: (count: number) => void = () => {},
): Promise<ReadonlyMap<string, number>> {
  // The types of a schema that is loaded at run time say nothing; the entity itself checks what it is given.
  const entities = table.entities as unknown as Readonly<
    Record<string, { put(input: object): { execute(): Promise<unknown> } } | undefined>
  >
  const written = new Map<string, number>()
  let chunk: SeedItem[] = []
  let count = 0
  const flush = async (): Promise<void> => {
    const single = chunk.filter(({ entity }) => isVersioned(table.schema, entity))
    for (const { entity, input } of single) await entities[entity]?.put(input).execute()
    const builders = chunk
      .filter((item) => !single.includes(item))
      .map(({ entity, input }) => entities[entity]?.put(input))
    // They are put builders of this table, which the types of a schema loaded at run time can't tell.
    if (builders.length > 0) await table.batchWrite(builders as never).execute()
    count += chunk.length
    chunk = []
    onProgress(count)
  }
  for (const item of items) {
    written.set(item.entity, (written.get(item.entity) ?? 0) + 1)
    if (chunk.push(item) === CHUNK_ITEMS) await flush()
  }
  if (chunk.length > 0) await flush()
  return written
}

/** A put of what has versions depends on a condition, which batches don't have. */
function isVersioned({ models }: SchemaDefinition, entity: string): boolean {
  const attributes = getOwn(models, entity)?.attributes ?? {}
  return Object.values(attributes).some(({ version }) => version === true)
}
