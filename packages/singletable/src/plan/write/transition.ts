import type { Model } from '../../schema/model.ts'
import type { Item } from '../../values/attribute-value.ts'
import type { WriteSite } from '../plan-context.ts'

/** What a write makes of an item. */
export interface Transition {
  readonly site: WriteSite
  readonly model: Model
  /** For messages. */
  readonly place: string
  /** The item's key before and after; they differ if it moves. */
  readonly keys: readonly [before: Item, after: Item]
  readonly before: Item | undefined
  readonly after: Item | undefined
  /** The item is written as a whole, so that everything that follows from it is written as well. */
  readonly whole: boolean
}
