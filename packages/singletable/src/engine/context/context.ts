import type { Item } from '../../values/attribute-value.ts'
import type { Environment } from '../../values/environment.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { ExpressionCaches } from '../expressions/expression-caches.ts'
import type { applyIndexChange } from '../indexes/apply-index-change.ts'
import type { PendingDeletes } from '../storage/pending-deletes.ts'
import type { Storage } from '../storage/storage.ts'
import type { StoredItem } from '../storage/stored-item.ts'
import type { EngineSettings } from './settings.ts'

/** What every operation works with; made once per engine. */
export interface EngineContext {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly environment: Environment
  readonly expressions: ExpressionCaches
  readonly settings: EngineSettings
  /** Idempotency tokens of transactions that are running now. */
  readonly runningTokens: Set<string>
  readonly pendingDeletes: PendingDeletes
  readonly delays: ServiceDelays
  /** Puts a change of a global index into it, now or later. */
  readonly applyIndexChange: typeof applyIndexChange
  /** Where long work lets others have a turn; undefined if it runs to its end at once. */
  readonly nextTurn?: () => Promise<void>
  /** Whether the request is a large one, so that all work on it takes turns. */
  readonly isLarge?: boolean
  /** Gets the `eventID` of each stream record that the request makes. */
  readonly onStreamRecord?: (eventId: string) => void
  /** Makes an item of the answer from a stored one. */
  copyForCaller(stored: StoredItem): Item
}

/** What the service may put off, table by table. */
export interface ServiceDelays {
  /** How long the table, its indexes and their Contributor Insights stay in a state that ends by
   * itself. */
  transitionMs(table: string): number
  /** How much longer expired items stay. */
  expiryMs(table: string): number
  /** Which members of a batch are left for another call; the list is empty where none is. */
  unprocessed(operation: string, members: () => readonly BatchMember[]): readonly boolean[]
}

/** One key or item of a batch. */
export interface BatchMember {
  readonly table: string
  readonly item: Item
}
