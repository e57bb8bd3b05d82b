/** How many items of one kind a store has, and a sum over their content. */
export interface ContentSum {
  readonly items: number
  /** The same for the same items in any order. */
  readonly checksum: string
}

/** What a comparison of all items of both stores found. */
export interface Convergence {
  readonly at: number
  /** By model; `_unique` are the guards of unique values. */
  readonly models: Readonly<
    Record<string, { readonly source: ContentSum; readonly table: ContentSum }>
  >
  readonly different: number
  /** The first of what differs. */
  readonly examples: readonly string[]
}

/** What `singletable cutover copy` says about the live copy between two tables. */
export interface CopyReport {
  /** Grows whenever the copy begins again from the start. */
  readonly epoch: number
  /** The time that the mapping sees, the same for all runs of an epoch. */
  readonly startedAt: number
  /** Of the mapping. */
  readonly checksum: string
  /** The streams that are read, by source. */
  readonly streams: Readonly<Record<string, string>>
  /** When this was written. */
  readonly at: number
  /** All changes made before this time are in the new table. */
  readonly caughtUpAt?: number | undefined
  /** Rows that the backfill has read. */
  readonly rows: number
  readonly isBackfilled: boolean
  readonly convergence?: Convergence | undefined
  /** Why the copy must begin again: records of a stream were deleted before they were read. */
  readonly gap?: string | undefined
  /** When the last write to the old store was copied. */
  readonly drainedAt?: number | undefined
  /** Versions and tombstones are removed. */
  readonly isEnded?: boolean | undefined
}

/** A copy that is further behind does not count as complete. */
const AGE_ALLOWED_MS = 60_000

/** Why the phase of a live copy can't be left; empty if it can. */
export function copyObstacles(
  { phase, changedAt }: { readonly phase: string; readonly changedAt: number },
  report: CopyReport | undefined,
  now: number,
): readonly string[] {
  if (phase === 'off' || phase === 'retired') return []
  if (report?.gap !== undefined) return [`${report.gap}, run cutover copy --restart`]
  if (phase === 'write-new+old') {
    const isDrained = report?.drainedAt !== undefined && report.drainedAt >= changedAt
    if (!isDrained) return ['the last writes to the old tables are not copied, run cutover copy']
    return report.isEnded ? [] : ['the live copy has not removed its tombstones, run cutover copy']
  }
  if (report === undefined || report.at < changedAt) {
    return ['the live copy has not run in this phase, run cutover copy']
  }
  const { caughtUpAt, isBackfilled, convergence } = report
  // A copy that began again in a later phase has to do the work of the earlier ones.
  if (/^(verify|shadow-read|read-new)$/.test(phase) && !isBackfilled) {
    return ['the backfill has not ended, run cutover copy']
  }
  if (/^(shadow-read|read-new)$/.test(phase) && convergence?.different !== 0) {
    return ['not all items of the tables agree, run cutover copy']
  }
  if (caughtUpAt === undefined) return ['the live copy has not caught up with the streams']
  const ageMs = now - caughtUpAt
  return ageMs <= AGE_ALLOWED_MS
    ? []
    : [
        `the live copy is ${Math.ceil(ageMs / 1000)} s behind, ${AGE_ALLOWED_MS / 1000} s are allowed`,
      ]
}
