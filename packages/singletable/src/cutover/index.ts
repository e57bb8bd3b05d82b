/** Moves from another store into the table while the application runs. */
export type { ContentSum, Convergence, CopyReport } from './copy-report.ts'
export {
  type AdvanceOptions,
  Cutover,
  type CutoverState,
  type CutoverStatus,
  knownAt,
  PHASES,
  type Phase,
  type ReadComparison,
} from './cutover.ts'
export {
  type DualWrite,
  type DualWriteOptions,
  type DualWriteProblem,
  dualWrite,
  type RepairReport,
  type WriteKeys,
} from './dual-write.ts'
export type { MissedWrite, Side } from './marks.ts'
