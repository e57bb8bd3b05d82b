import type { Pattern, PatternPlan } from 'singletable/tools'
import type { ExerciseLog } from './exercise-log.ts'
import type { ExerciseTable } from './exercise-table.ts'
import type { ItemMaker } from './item-maker.ts'

/** What running a pattern needs. */
export interface ExerciseCase {
  readonly pattern: Pattern
  readonly plan: PatternPlan
  readonly maker: ItemMaker
  readonly log: ExerciseLog
  /** Opens an empty table; its clock shows the given time. */
  openTable(nowMs?: number): Promise<ExerciseTable>
}
