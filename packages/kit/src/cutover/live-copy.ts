import { setTimeout as pause } from 'node:timers/promises'
import {
  type CopyReport,
  type Cutover,
  type CutoverState,
  knownAt,
  PHASES,
} from 'singletable/cutover'
import type { Schema, Transport } from 'singletable/tools'
import type { ImportDefinition } from '../import/define-import.ts'
import { keyNamesOf } from '../import/read-rows.ts'
import { RateLimit } from '../migrate/rate-limit.ts'
import { TransferError } from '../transfer/transfer-error.ts'
import { compareTables } from './compare-tables.ts'
import { CopyLock } from './copy-lock.ts'
import { CopyNotes } from './copy-notes.ts'
import { backfill, backfillNotes, type RowCopier } from './copy-rows.ts'
import { CopyTarget } from './copy-target.ts'
import { StreamFollower, StreamGapError, streamNote, streamsOf } from './follow-streams.ts'
import { type CopiedTable, copiedTables, RowItems } from './row-items.ts'

export interface LiveCopyOptions {
  readonly transport: Transport
  readonly tableName: string
  readonly definition: ImportDefinition
  readonly schema: Schema
  /** Of the mapping: a changed one can't continue a copy. */
  readonly checksum: string
  readonly cutover: Cutover
  readonly name: string
  readonly now: () => number
  readonly signal: AbortSignal
  /** Who copies, for the messages of others: `ada@laptop, process 4711`. */
  readonly owner: string
  /** Takes the lock of a process that is known to be dead. */
  readonly isTakingOver?: boolean
  /** Consumes at most this many capacity units a second, of all tables together. */
  readonly unitsPerSecond?: number | undefined
  /** Begins again from the start. */
  readonly isRestart?: boolean
  /** Ends when what the phase asks for is done. */
  readonly isOnce?: boolean
  /** Called when there is something new to say. */
  onReport?(report: CopyReport): void
  /** Called with the units that were consumed so far. */
  onUnits?(units: number): void
}

/** How often the phase is looked at, and how often the report is kept. */
const LOOK_MS = 1_000
const REPORT_MS = 5_000
const COMPARE_AGAIN_MS = 30_000
/** Clocks of processes differ a little when they change from one store to the other. */
const DRAIN_MARGIN_MS = 2_000

/**
 * Copies DynamoDB tables into the new one while the application writes them, as the phase of the
 * move asks: follows their streams, copies all rows, compares everything, and at the end brings
 * over the last writes. It may be killed at any time: the next run continues from its notes in the
 * table.
 */
export async function runLiveCopy(options: LiveCopyOptions): Promise<CopyReport> {
  const state = await requireLiveCopy(options)
  const lock = new CopyLock({ ...options, notes: new CopyNotes(options) })
  await lock.acquire(options.isTakingOver ?? false)
  try {
    return await copyTables(options, state, lock)
  } finally {
    await lock.release()
  }
}

async function copyTables(
  options: LiveCopyOptions,
  state: CutoverState,
  lock: CopyLock,
): Promise<CopyReport> {
  const { cutover, now, isOnce = false } = options
  const tables = await describeTables(options)
  const rate = new RateLimit(options.unitsPerSecond, now, options.signal)
  const transport = rate.around(options.transport)
  const metered = { ...options, transport }
  const notes = new CopyNotes(metered)
  const target = new CopyTarget({ ...metered, requireLock: () => lock.require() })
  let report = await beginOrContinue(options, state)
  const { epoch, startedAt } = report
  const copier: RowCopier = {
    transport,
    items: new RowItems({ ...options, startedAt }),
    target,
    notes,
    epoch,
  }
  const isDrained = state.phase === 'write-new+old' && (report.drainedAt ?? -1) >= state.changedAt
  const follower = new StreamFollower({
    ...copier,
    source: options.transport,
    // What the streams have after the last writes were copied is the new table's already.
    tables: isDrained ? [] : tables,
    streams: report.streams,
    startedAt,
  })
  const stop = (): void => follower.stop()
  options.signal.addEventListener('abort', stop)
  if (options.signal.aborted) stop()
  const { signal } = follower
  // One after the other, so that an older report never replaces a newer one.
  let saving: Promise<void> = Promise.resolve()
  const save = (change: Partial<CopyReport> = {}): Promise<void> => {
    saving = saving.then(async () => {
      const ageMs = follower.ageMs()
      const caughtUpAt = ageMs === undefined ? report.caughtUpAt : now() - ageMs
      report = { ...report, at: now(), ...(caughtUpAt !== undefined && { caughtUpAt }), ...change }
      options.onReport?.(report)
      options.onUnits?.(rate.units)
      if (await cutover.saveCopyReport(report)) return
      refuse('Another process has started the copy again.', 'stop one of the two')
    })
    return saving
  }
  let failure: { readonly error: unknown } | undefined
  const hearts = setInterval(() => {
    Promise.all([lock.beat(), save()]).catch((error: unknown) => {
      failure ??= { error }
      stop()
    })
  }, REPORT_MS).unref()
  /** When the phase began that was reported last: nobody waits for the next report to continue. */
  let reportedFor: number | undefined
  try {
    for (;;) {
      const { phase, changedAt, backfilledAt, verifiedAt } = await cutover.state()
      if (signal.aborted || phase === 'off' || phase === 'retired') break
      if (phase === 'write-new+old') {
        if (await drain(changedAt)) break
      } else if (isAtLeast(phase, 'backfill') && !report.isBackfilled) {
        await copyAll()
      } else if (phase === 'backfill') {
        if (backfilledAt === undefined) await cutover.note('backfill')
      } else if (isAtLeast(phase, 'verify'))
        await compare(phase === 'verify' && verifiedAt === undefined)
      if (signal.aborted) break
      if (isOnce || reportedFor !== changedAt) {
        await follower.untilCaughtUp()
        await save()
        reportedFor = changedAt
        const after = await cutover.state()
        if (isOnce && phase === after.phase && isDone(after, report)) break
      }
      if (!isOnce) await pause(LOOK_MS, undefined, { signal }).catch(() => {})
    }
    if (failure) throw failure.error
    await save()
  } finally {
    clearInterval(hearts)
    options.signal.removeEventListener('abort', stop)
    follower.stop()
    await follower.ended().catch(async (error: unknown) => {
      if (error instanceof StreamGapError) await save({ gap: error.gap })
      throw error
    })
  }
  return report

  async function copyAll(): Promise<void> {
    let rows = 0
    for (const table of tables) {
      await backfill(copier, table, signal, (count) => {
        rows += count
        options.onReport?.({ ...report, rows })
        options.onUnits?.(rate.units)
      })
    }
    if (epoch > 1) await target.sweep(epoch, signal)
    if (signal.aborted) return
    await save({ rows, isBackfilled: true })
    await cutover.note('backfill')
  }

  async function compare(isAsked: boolean): Promise<void> {
    const last = report.convergence
    if (!isAsked && last?.different === 0) return
    if (!isOnce && last !== undefined && last.different > 0 && now() - last.at < COMPARE_AGAIN_MS)
      return
    const convergence = await compareTables(copier, {
      ...metered,
      tables,
      signal,
      untilCaughtUp: () => follower.untilCaughtUp(),
    })
    if (convergence === undefined) return
    await save({ convergence })
    if (convergence.different === 0) await cutover.note('verify')
  }

  /**
   * Brings over the last writes, when all processes write the new table; true when it has ended.
   */
  async function drain(changedAt: number): Promise<boolean> {
    const waitMs = knownAt({ changedAt }) + DRAIN_MARGIN_MS - now()
    if (waitMs > 0) {
      if (isOnce) {
        refuse('Applications may not know of the phase yet.', `wait ${Math.ceil(waitMs / 1000)} s`)
      }
      return false
    }
    if (!isDrained) {
      await follower.untilCaughtUp()
      if (signal.aborted) return false
      // Stopped before anybody knows: from then on the application's own writes come back as
      // records.
      follower.stop()
      await follower.ended()
      await save({ drainedAt: now() })
    }
    await target.removeVersions(options.signal)
    for (let each = 1; each <= epoch; each++) {
      await notes.remove(
        tables.flatMap((table) => [...backfillNotes(table, each), streamNote(table, each)]),
      )
    }
    if (!options.signal.aborted) await save({ isEnded: true })
    return true
  }
}

function isAtLeast(phase: CutoverState['phase'], other: CutoverState['phase']): boolean {
  return PHASES.indexOf(phase) >= PHASES.indexOf(other)
}

function isDone({ phase, backfilledAt }: CutoverState, report: CopyReport): boolean {
  if (phase === 'dual-write') return true
  if (phase === 'backfill') return backfilledAt !== undefined
  return report.convergence !== undefined
}

async function describeTables({
  definition,
  transport,
}: LiveCopyOptions): Promise<readonly CopiedTable[]> {
  return Promise.all(
    copiedTables(definition).map(async (each) => ({
      ...each,
      keyNames: await keyNamesOf(transport, each.table),
    })),
  )
}

async function requireLiveCopy({ cutover }: LiveCopyOptions): Promise<CutoverState> {
  const state = await cutover.state()
  if (state.phase === 'off') {
    refuse('The move has not started.', 'begin it with singletable cutover advance --live-copy')
  }
  if (state.phase === 'retired') refuse('The move is complete.', 'there is nothing to copy')
  if (!state.isLiveCopy) {
    refuse(
      'The move began without a live copy.',
      'go back with singletable cutover back, and begin with cutover advance --live-copy',
    )
  }
  return state
}

/** The report of a copy that continues, or of one that begins. */
async function beginOrContinue(
  options: LiveCopyOptions,
  { phase }: CutoverState,
): Promise<CopyReport> {
  const { cutover, checksum, now } = options
  const known = await cutover.copyReport()
  const streams = await streamsOf(options.transport, copiedTables(options.definition))
  const hasEnded = known?.drainedAt !== undefined && phase !== 'write-new+old'
  if (known && !options.isRestart && !hasEnded) {
    const changed = Object.entries(streams).find(([source, arn]) => known.streams[source] !== arn)
    const gap =
      known.gap ?? (changed && `the table of "${changed[0]}" has another stream than before`)
    if (gap !== undefined) {
      await cutover.saveCopyReport({ ...known, gap })
      refuse(`The copy can't continue: ${gap}.`, 'begin again with --restart')
    }
    if (known.checksum === checksum) return known
    refuse('The mapping was changed since the copy began.', 'begin again with --restart')
  }
  const at = now()
  return {
    epoch: (known?.epoch ?? 0) + 1,
    startedAt: at,
    checksum,
    streams,
    at,
    rows: 0,
    isBackfilled: false,
  }
}

function refuse(what: string, fix: string): never {
  throw new TransferError(what, { where: 'live copy', fix })
}
