import type { Model } from 'singletable/tools'
import { UnseedableError } from '../../seed/make-value.ts'
import type { ExerciseTable } from './exercise-table.ts'
import type { ItemMaker } from './item-maker.ts'
import type { Values } from './item-values.ts'

const EXPIRED_MS = 3_600_000

/** Writes items of all models. Those that a pattern is not about are left out where no values are
 * found for them. */
export async function fillAll(
  table: ExerciseTable,
  maker: ItemMaker,
  number: number,
  needed: readonly Model[],
  without: readonly Model[] = [],
): Promise<void> {
  for (const model of table.schema.models.values()) {
    if (model.source || without.includes(model)) continue
    const write = async (): Promise<void> => {
      for (let at = 0; at < number; at++) await table.write(model, maker.make(model, new Map()))
    }
    const isNeeded = needed.some((each) => (each.source ?? each) === model)
    await (isNeeded ? write() : unlessUnseedable(write))
  }
}

/** Does without items for which no values are found. */
export async function unlessUnseedable(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!(error instanceof UnseedableError)) throw error
  }
}

/** Writes an item whose time to live is over and that is not deleted yet, if the model has a time
 * to live. */
export async function writeExpired(
  model: Model,
  table: ExerciseTable,
  maker: ItemMaker,
  fixed: Values = new Map(),
): Promise<void> {
  const { ttl } = model.source ?? model
  if (ttl === undefined) return
  const past = table.nowMs - EXPIRED_MS
  const value = ttl.definition.type === Date ? new Date(past) : Math.floor(past / 1000)
  await table.write(model, maker.make(model, new Map([...fixed, [ttl.name, value]])))
}
