import type { Pattern, PatternPlan } from 'singletable/tools'
import type { ItemMaker } from '../../packages/kit/src/check/exercise/item-maker.ts'
import type { ProofLog } from './proof-log.ts'
import type { ProofTable } from './proof-table.ts'

/** What the proof of a pattern works with. */
export interface ProofCase {
  readonly pattern: Pattern
  readonly plan: PatternPlan
  readonly maker: ItemMaker
  readonly log: ProofLog
  /** Opens an empty table; its clock stands at the given time. */
  openTable(nowMs?: number): Promise<ProofTable>
}
