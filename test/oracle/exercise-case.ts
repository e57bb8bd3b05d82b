import type { Pattern, PatternPlan } from 'singletable/tools'
import type { ItemMaker } from '../../packages/kit/src/check/exercise/item-maker.ts'
import type { ExerciseLog } from './exercise-log.ts'
import type { ExerciseTable } from './exercise-table.ts'

/** What the exercise of a pattern works with. */
export interface ExerciseCase {
  readonly pattern: Pattern
  readonly plan: PatternPlan
  readonly maker: ItemMaker
  readonly log: ExerciseLog
  /** Opens an empty table; its clock shows the given time. */
  openTable(nowMs?: number): Promise<ExerciseTable>
}
