import type { Catalog } from './catalog/catalog.ts'
import type { Environment } from './environment.ts'
import type { FaultPlan } from './faults/fault-plan.ts'
import type { LaggingIndexes } from './indexes/lagging-indexes.ts'
import type { EngineSettings } from './settings.ts'
import type { Remains } from './storage/remains.ts'
import type { Storage } from './storage/storage.ts'
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
}
