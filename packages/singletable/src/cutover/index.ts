/** Moves from another store into the table while the application runs. */
export {
  type AdvanceOptions,
  Cutover,
  type CutoverState,
  type CutoverStatus,
  type MissedWrite,
  PHASES,
  type Phase,
  type ReadComparison,
} from './cutover.ts'
export {
  type DualWrite,
  type DualWriteOptions,
  type DualWriteProblem,
  dualWrite,
} from './dual-write.ts'
