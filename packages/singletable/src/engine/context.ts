import type { Item } from '../values/attribute-value.ts'
import type { Environment } from '../values/environment.ts'
import type { Catalog } from './catalog/catalog.ts'
import type { FaultPlan } from './faults/fault-plan.ts'
import type { LaggingIndexes } from './indexes/lagging-indexes.ts'
import type { EngineSettings } from './settings.ts'
import type { Remains } from './storage/remains.ts'
import type { Storage } from './storage/storage.ts'
import type { StoredItem } from './storage/stored-item.ts'
import type { ExpressionCaches } from './validation/expression-caches.ts'

/** What every operation works with; made once per engine. */
export interface EngineContext {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly environment: Environment
  readonly faults: FaultPlan
  readonly expressions: ExpressionCaches
  readonly settings: EngineSettings
  /** Idempotency tokens of transactions that are running now. */
  readonly runningTokens: Set<string>
  readonly laggingIndexes: LaggingIndexes
  readonly remains: Remains
  /** Where long work lets others have a turn; undefined if it runs to its end at once. */
  readonly nextTurn?: () => Promise<void>
  /** Makes an item of the answer from a stored one. */
  handOut(stored: StoredItem): Item
}
