import { keyAttributes, type Model, type ModelIndex, unitsToWrite } from 'singletable/tools'
import type { CostDesign } from './cost-design.ts'
import type { Figure } from './figure.ts'
import { itemBytes, projectedBytes, projectedNames } from './item-bytes.ts'

/** What a write costs in one index. */
export interface IndexWrite {
  readonly index: string
  /** Entries that are written: none, one, or two where an entry moves. */
  readonly writes: 0 | 1 | 2
  readonly entryBytes: Figure
  readonly units: number
}

/** What changes an item: all of it appears or goes, or some attributes are changed, by stored
 * name. */
export type WrittenPart = 'whole' | ReadonlySet<string>

/** What a change of an item costs in the indexes its model is in. */
export function indexWrites(
  design: CostDesign,
  model: Model,
  change: WrittenPart,
): readonly IndexWrite[] {
  return model.indexes.slice(1).map((use) => {
    const writes = change === 'whole' ? 1 : entriesWritten(model, use, change)
    // It is in the index, or it would have no use of it.
    const entryBytes = projectedBytes(design, model, use.index)!
    return {
      index: use.index.name,
      writes,
      entryBytes,
      units: writes * unitsToWrite(entryBytes.value),
    }
  })
}

/** An entry whose key changes is deleted and put; one that holds nothing of what changes stays as
 * it is. */
export function entriesWritten(
  model: Model,
  use: ModelIndex,
  changed: ReadonlySet<string>,
): 0 | 1 | 2 {
  if (changed.size === 0) return 0
  const isChanged = (name: string): boolean => changed.has(model.attributes.get(name)?.stored ?? '')
  const inKeys = [...use.hash, ...use.sort].flatMap((part) =>
    part.template ? part.template.names : [part.attribute.name],
  )
  if (inKeys.some(isChanged)) return 2
  // It enters the index or leaves it.
  if ([...(use.when?.keys() ?? [])].some(isChanged)) return 1
  if (use.index.project === 'all') return 1
  const held = projectedNames(model, use.index)
  return [...changed].some((name) => held.has(name)) ? 1 : 0
}

/** What putting a new item of a model costs in the table and its indexes. */
export interface WriteAmplification {
  readonly itemBytes: Figure
  /** In the table itself. */
  readonly tableUnits: number
  readonly indexes: readonly IndexWrite[]
  /** In the table and all indexes. */
  readonly totalUnits: number
  /** How many times what it would be without indexes. */
  readonly factor: number
}

export function writeAmplification(design: CostDesign, model: Model): WriteAmplification {
  const bytes = itemBytes(design, model)
  const tableUnits = unitsToWrite(bytes.value)
  const indexes = indexWrites(design, model, 'whole')
  const totalUnits = indexes.reduce((sum, { units }) => sum + units, tableUnits)
  return { itemBytes: bytes, tableUnits, indexes, totalUnits, factor: totalUnits / tableUnits }
}

/** Indexes that hold items of no model too, because their keys are those of the table. */
export function indexesOfAll(model: Model): readonly string[] {
  const { schema } = model
  const primary = keyAttributes(schema.primary)
  return [...schema.indexes.values()]
    .filter((index) => index.type !== 'primary')
    .filter((index) => keyAttributes(index).every((name) => primary.includes(name)))
    .map(({ name }) => name)
}
