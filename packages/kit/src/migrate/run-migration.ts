import type { IndexStep, ItemStep, Migration } from 'singletable/migrations'
import {
  type Environment,
  type ItemVersions,
  isIndexStep,
  isLossy,
  type Schema,
  TRANSACTION_ACTIONS_MAX,
  type Transport,
} from 'singletable/tools'
import { readLiveTable } from '../infra/live-shape.ts'
import { updateCalls } from '../infra/sdk.ts'
import { planSteps } from '../infra/steps.ts'
import { tableShape, withGlobalIndexes } from '../infra/table-shape.ts'
import { countOf, formatCount } from '../text/counts.ts'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { countByScan } from './count-by-scan.ts'
import { createItemCounter } from './count-items.ts'
import type { Counts } from './counts.ts'
import { type FailureLog, unlisted } from './failures.ts'
import { fenced } from './fence.ts'
import { findViolations } from './find-violations.ts'
import type { Journal, MigrationRecord } from './journal.ts'
import { MigrationError } from './migration-error.ts'
import { RateLimit } from './rate-limit.ts'
import { type PassOptions, runPass } from './run-pass.ts'
import { Segments } from './segments.ts'
import { removeUndoLog, UndoLog } from './undo-log.ts'

export interface RunOptions {
  readonly transport: Transport
  readonly tableName: string
  readonly environment: Environment
  readonly journal: Journal
  readonly id: string
  readonly checksum: string
  readonly before: Schema
  readonly after: Schema
  readonly migration: Migration
  /** How the version of each item is kept; without it, no item has one. */
  readonly version?: ItemVersions | undefined
  /** The other way: from the newer schema to the older one. */
  readonly isDown?: boolean
  readonly segments: number
  readonly unitsPerSecond?: number | undefined
  /** Keep what steps take away, for `migrate down`. */
  readonly keepsUndoLog?: boolean
  /** What `migrate down` does with an item that was replaced after the migration. */
  readonly replaced?: 'keep' | 'restore' | undefined
  /** Every write checks the lock. */
  readonly isFenced?: boolean
  /** Other things that the journal should know of this run. */
  readonly notes?: Partial<MigrationRecord>
  /** Takes all items that can't be migrated. */
  readonly failures?: FailureLog | undefined
  readonly signal: AbortSignal
  /** `units` are the capacity units that this process has consumed. */
  onProgress(counts: Counts, units: number): void
  /** Somebody asks this process to stop. */
  onRequest(request: 'pause' | 'abort'): void
}

/** Old code that still runs writes items in the old form; after this many passes it is an error. */
const PASSES_MAX = 5
const POLL_MS = 250

/** What is carried out at once: the steps on items are one pass over the table. */
export type Stage = readonly ItemStep[] | IndexStep

/** The steps in their order, with those on items that follow each other taken together. */
export function stagesOf({ steps }: Migration): readonly Stage[] {
  const stages: Stage[] = []
  let group: ItemStep[] = []
  const close = (): void => {
    if (group.length > 0) stages.push(group)
    group = []
  }
  for (const step of steps) {
    if (isIndexStep(step)) {
      close()
      stages.push(step)
    } else group.push(step)
  }
  close()
  return stages
}

/** Carries a migration out, or continues it. False if it was interrupted. */
export async function runMigration(options: RunOptions): Promise<boolean> {
  const { journal, id, environment, migration } = options
  let record = await start(options)
  const stages = stagesOf(migration)
  while (record.step < stages.length) {
    const stage = stages[record.step]!
    const isDone = Array.isArray(stage)
      ? await runItemStage(options, record, stage)
      : await runIndexStep(options, stage as IndexStep)
    if (isDone === undefined) {
      await journal.record(id, { state: 'paused' })
      return false
    }
    if (isDone) {
      // Nobody joins a pass that is over, so that its segments can go.
      const { pass } = record
      record = await journal.record(id, { step: record.step + 1, pass: 0 })
      if (Array.isArray(stage))
        await removePasses(options, { ...record, step: record.step - 1, pass })
    } else if (record.pass + 1 >= PASSES_MAX) {
      throw await failed(
        options,
        record,
        'Items in the old form keep coming: the code that writes them is still running.',
        'deploy code with the new schema everywhere, and continue with migrate resume',
      )
    } else record = await journal.record(id, { pass: record.pass + 1 })
  }
  if (options.isDown && record.hasUndoLog)
    await removeUndoLog({ ...options, schema: options.after })
  await journal.record(id, {
    state: options.isDown ? 'reverted' : 'applied',
    ...(options.isDown && { hasUndoLog: false }),
    endedAt: new Date(environment.now()).toISOString(),
  })
  return true
}

/** Removes the segments of all passes of a step. */
async function removePasses(options: RunOptions, record: MigrationRecord): Promise<void> {
  for (let pass = 0; pass <= record.pass; pass++) {
    await segmentsOf(options, { ...record, pass }).remove()
  }
}

/**
 * Notes that the migration runs. It continues where the last run stopped, unless that one went the
 * other way or had other code: then it begins at the first step.
 */
async function start(options: RunOptions): Promise<MigrationRecord> {
  const { journal, id, checksum, environment, before, isDown = false } = options
  const { steps } = options.migration
  const state = isDown ? 'reverting' : 'running'
  const startedAt = new Date(environment.now()).toISOString()
  const known = (await journal.read()).records.get(id)
  const isUnfinished = known && known.state !== 'applied' && known.state !== 'reverted'
  if (isUnfinished && (known.isDown ?? false) === isDown && known.checksum === checksum) {
    // What was wrong with an item is corrected by now, or not: all of them are read again.
    const restart = { pass: 0, startedAt }
    return journal.record(id, {
      state,
      ...(known.state === 'failed' && restart),
      // What the log has so far stays, but it is not all that is needed to undo the migration.
      ...(!isDown && !options.keepsUndoLog && { hasUndoLog: false }),
    })
  }
  if (isUnfinished) await removePasses(options, known)
  return journal.record(id, {
    state,
    checksum,
    isDown,
    startedAt,
    segments: options.segments,
    step: 0,
    pass: 0,
    checkedStep: -1,
    ...options.notes,
    ...(!isDown && {
      hasUndoLog:
        options.keepsUndoLog === true && steps.some((step) => isLossy(step, { before, steps })),
    }),
  })
}

/** One pass over the table. True if it found nothing to change, undefined if it was interrupted. */
async function runItemStage(
  options: RunOptions,
  record: MigrationRecord,
  steps: readonly ItemStep[],
): Promise<boolean | undefined> {
  const { journal } = options
  const pass = passOptions(options, record, steps)
  const { segments } = pass
  const stopBeats = beatWhile(options)
  let counts: Counts
  try {
    if (record.pass === 0 && record.checkedStep !== record.step) {
      const violations = await findViolations(pass)
      if (violations === undefined) return undefined
      if (violations.problems > 0) throw await refused(options, record, violations)
      await journal.record(options.id, { checkedStep: record.step })
    }
    const requireLock = () => journal.requireLock()
    const isDone = await runPass({ ...pass, requireLock })
    if (!isDone) return undefined
    counts = await segments.counts()
    // Only items in their last form are counted.
    if (counts.problems === 0 && counts.changed === 0) {
      const counted = await countByScan({ ...pass, requireLock })
      if (counted === undefined) return undefined
      counts = { ...counted, changed: 0 }
    }
  } finally {
    await stopBeats()
  }
  if (counts.problems > 0) {
    throw await failed(
      options,
      record,
      `${countOf(counts.problems, 'item')} can't be migrated:${listed(counts)}`,
      `correct these items or the migration, and continue with migrate resume${whereAll(options, counts)}`,
    )
  }
  return counts.changed === 0
}

/**
 * What a pass over the table needs, the same for who leads the migration and for those who join.
 */
export function passOptions(
  options: RunOptions,
  record: MigrationRecord,
  steps: readonly ItemStep[],
  epoch: number | undefined = options.journal.epoch,
): Omit<PassOptions, 'requireLock'> {
  const { tableName, environment, before, after, signal, isDown = false } = options
  const rate = new RateLimit(options.unitsPerSecond, () => environment.now(), signal)
  const metered = rate.around(options.transport)
  const fence = options.isFenced && epoch !== undefined ? options.journal.fence(epoch) : undefined
  const transport = fence ? fenced(metered, fence) : metered
  const stages = stagesOf(options.migration)
  const earlier = stages.slice(0, record.step)
  const isLast = !stages.slice(record.step + 1).some((each) => Array.isArray(each))
  const stage = isDown
    ? steps.find((step) => step.kind === 'restore')?.stage
    : earlier.filter((each) => !Array.isArray(each)).length
  // An item has had the migration only after its last pass.
  const version =
    options.version && !isLast
      ? { ...options.version, next: (_: string, was: string | undefined) => was }
      : options.version
  const undo = { transport, tableName, schema: after, id: options.id, replaced: options.replaced }
  return {
    transport,
    tableName,
    versions: { before, after, steps, environment, version },
    count: createItemCounter({ transport, tableName, after, steps }),
    undo: record.hasUndoLog && stage !== undefined ? new UndoLog(undo, stage, isDown) : undefined,
    isDry: false,
    ...(fence && { actionsMax: TRANSACTION_ACTIONS_MAX - 1 }),
    segments: segmentsOf(options, record),
    total: record.segments,
    signal,
    failures: options.failures,
    onProgress: (counts) => options.onProgress(counts, rate.units),
  }
}

/** The segments of the pass that a migration is in, the same for all who work on it. */
export function segmentsOf(
  options: Pick<RunOptions, 'transport' | 'tableName' | 'environment' | 'after' | 'id' | 'journal'>,
  { startedAt, step, pass, segments }: MigrationRecord,
): Segments {
  const { transport, tableName, environment, after, id, journal } = options
  return new Segments({
    transport,
    tableName,
    schema: after,
    environment,
    // What another run left of its segments says nothing about this one.
    pass: `${id}#${startedAt}#${step}#${pass}`,
    total: segments,
    epoch: journal.epoch,
  })
}

/** Gives signs of life until it is stopped. */
function beatWhile({ journal, environment, onRequest }: RunOptions): () => Promise<void> {
  let isStopped = false
  let cancel: (() => void) | undefined
  let beating: Promise<void> = Promise.resolve()
  const schedule = (): void => {
    cancel = environment.schedule(() => {
      beating = journal
        .beat()
        // Whoever works looks at the lock before the next page.
        .catch(() => undefined)
        .then((request) => {
          if (request) onRequest(request)
          if (!isStopped) schedule()
        })
    }, BEAT_MS)
  }
  schedule()
  return async () => {
    isStopped = true
    cancel?.()
    await beating
  }
}

const BEAT_MS = 5_000

function refused(
  options: RunOptions,
  record: MigrationRecord,
  violations: Counts,
): Promise<MigrationError> {
  return failed(
    options,
    record,
    `The items do not fit the new schema, and nothing was written:${listed(violations)}`,
    `correct these items or the schema, and continue with migrate resume${whereAll(options, violations)}`,
  )
}

function listed(counts: Counts): string {
  const more = unlisted(counts, counts.problems)
  const lines = [...counts.examples, ...(more > 0 ? [`and ${formatCount(more)} more`] : [])]
  return lines.map((line) => `\n  ${line}`).join('')
}

/** Where all items are that can't be migrated, if not in the message. */
function whereAll({ failures }: RunOptions, counts: Counts): string {
  // Others found them: processes that joined, or this migration before it was paused.
  const isIncomplete = failures !== undefined && failures.count < counts.problems
  const isShort = failures === undefined && unlisted(counts, counts.problems) > 0
  return isIncomplete || isShort ? '; migrate resume --failures <file> lists all of them' : ''
}

/** The error of a migration that stops, after the journal says so. */
async function failed(
  options: RunOptions,
  record: MigrationRecord,
  what: string,
  fix: string,
): Promise<MigrationError> {
  const { journal, id, tableName } = options
  await journal.record(id, { state: 'failed', note: what })
  await removePasses(options, record)
  return new MigrationError(what, `migration "${id}", table "${tableName}"`, fix)
}

/** Makes or removes an index, and waits for it. What is there already is left as it is. */
async function runIndexStep(
  options: RunOptions,
  { kind, index }: IndexStep,
): Promise<true | undefined> {
  const { transport, tableName, after, signal, journal } = options
  const { shape: live } = await readLiveTable(transport, tableName)
  const asked = tableShape(after, tableName)
  const isThere = live.global.some(({ name }) => name === index)
  if (isThere !== (kind === 'createIndex')) {
    const wanted = asked.global.find(({ name }) => name === index)
    if (kind === 'createIndex' && wanted === undefined) {
      throw new MigrationError(
        `The schema has no global index "${index}".`,
        `migration "${options.id}", createIndex`,
        'declare it in the schema, or remove the step',
      )
    }
    const others = live.global.filter(({ name }) => name !== index)
    const target = withGlobalIndexes(live, wanted ? [...others, wanted] : others, [
      ...live.keys,
      ...asked.keys,
    ])
    for (const step of planSteps(live, target)) {
      for (const { operation, request } of updateCalls(step)) {
        await transport.send(operation, request)
      }
    }
  }
  for (;;) {
    const { Table } = await sendPatiently(transport, 'DescribeTable', { TableName: tableName })
    const found = Table?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index)
    const isReady =
      Table?.TableStatus === 'ACTIVE' &&
      (kind === 'createIndex' ? found?.IndexStatus === 'ACTIVE' : found === undefined)
    if (isReady) return true
    if (signal.aborted) return undefined
    await journal.beat()
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
