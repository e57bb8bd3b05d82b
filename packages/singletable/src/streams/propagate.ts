import { BoundEntity } from '../builder/bound-entity.ts'
import { contextOf, type TableLike } from '../builder/context-of.ts'
import { CursorError } from '../errors/cursor-error.ts'
import { DefinitionError } from '../errors/definition-error.ts'
import { didYouMean } from '../errors/did-you-mean.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import { eachLimited } from './each-limited.ts'
import { keyOf, Propagation } from './propagation.ts'

/** How far a job is. */
export interface PropagationProgress {
  /** Items that were looked at: those that others have copies of. */
  readonly sources: number
  /** Items whose copies were brought in line. */
  readonly updated: number
  /** Where to continue after a failure or a stop; `undefined` at the end. */
  readonly cursor: string | undefined
}

export interface PropagateOptions {
  /** The model whose items are the sources: `'User'`; all that have copies unless said. */
  readonly from?: string | undefined
  /** Of the progress of a run that did not come to its end. */
  readonly cursor?: string | undefined
  readonly onProgress?: ((progress: PropagationProgress) => unknown) | undefined
  readonly signal?: AbortSignal | undefined
  /** Sources that are read at a time; 100 unless said. */
  readonly pageSize?: number | undefined
}

const PLACE = 'propagate()'
const PAGE_SIZE = 100
const CONCURRENCY = 4

/**
 * Goes through all items that others have copies of, and updates the copies that differ: after
 * `copyOf` was added to a schema, or after a time without a stream handler. Reads the whole table.
 * Can be repeated, stopped and resumed.
 */
export async function propagate(
  table: TableLike<SchemaDefinition>,
  options: PropagateOptions = {},
): Promise<PropagationProgress> {
  const context = contextOf(table, PLACE)
  const propagation = new Propagation(context, PLACE)
  const { groups } = propagation
  const { from, onProgress, signal, pageSize = PAGE_SIZE } = options
  const names = [...new Set(groups.map(({ source }) => source.name))]
  if (from !== undefined && !names.includes(from)) {
    throw new DefinitionError('OPTION_INVALID', {
      what: `Nothing is a copy of "${from}"${didYouMean(from, names)}.`,
      where: PLACE,
      fix: names.length === 0 ? 'declare copyOf in the schema' : `use ${names.join(', ')}`,
    })
  }
  const wanted = from === undefined ? names : [from]
  const start = options.cursor === undefined ? undefined : parseCursor(options.cursor, wanted)
  let sources = 0
  let updated = 0
  for (const name of start ? wanted.slice(wanted.indexOf(start.model)) : wanted) {
    const model = context.schema.models.get(name)!
    const own = groups.filter(({ source }) => source === model)
    let cursor = start?.model === name ? start.cursor : undefined
    do {
      const scan = new BoundEntity(context, model).scan().consistentRead().pageSize(pageSize)
      const page = await scan.startFrom(cursor).page({ signal })
      const items = page.items as Record<string, unknown>[]
      await eachLimited(fromList(items), CONCURRENCY, async (item) => {
        const count = await propagation.updateCopies(own, keyOf(model, item), { signal })
        updated += count
        sources++
      })
      cursor = page.cursor
      const next = cursor === undefined ? nextModel(wanted, name) : { model: name, cursor }
      await onProgress?.({ sources, updated, cursor: next && JSON.stringify(next) })
    } while (cursor !== undefined)
  }
  return { sources, updated, cursor: undefined }
}

async function* fromList<T>(list: readonly T[]): AsyncGenerator<T> {
  yield* list
}

interface JobCursor {
  readonly model: string
  /** Within the scan; at its beginning if undefined. */
  readonly cursor?: string
}

function nextModel(names: readonly string[], name: string): JobCursor | undefined {
  const model = names[names.indexOf(name) + 1]
  return model === undefined ? undefined : { model }
}

function parseCursor(text: string, names: readonly string[]): JobCursor {
  try {
    const cursor = JSON.parse(text) as JobCursor
    if (names.includes(cursor.model)) return cursor
  } catch {
    // Falls through to the error below.
  }
  throw new CursorError({
    what: 'The cursor does not come from a run with the same models.',
    where: PLACE,
    fix: 'give the last cursor that onProgress() got, with the same option "from"',
  })
}
