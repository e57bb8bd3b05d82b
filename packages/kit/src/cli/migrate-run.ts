import { type Item, systemEnvironment } from 'singletable/tools'
import type { Counts } from '../migrate/counts.ts'
import { dryRun } from '../migrate/dry-run.ts'
import { describeStep, type FailureLog, unlisted } from '../migrate/failures.ts'
import {
  findUndoable,
  findWork,
  isRecoverable,
  type MigrationWork,
  optionsFor,
} from '../migrate/find-work.ts'
import { joinMigration } from '../migrate/join-migration.ts'
import { type RunOptions, runMigration, stagesOf } from '../migrate/run-migration.ts'
import { statusOf } from '../migrate/status.ts'
import { countOf, formatCount } from '../text/counts.ts'
import { cutText } from '../text/text-columns.ts'
import type { CommandOutput } from './command.ts'
import { isOnAws } from './connect-options.ts'
import { withFailures } from './failure-file.ts'
import { type Parameters, wholeNumber } from './help.ts'
import { type OpenMigrations, withMigrations } from './migrate-project.ts'
import { createProgress } from './progress.ts'
import { rateOf } from './rate-option.ts'
import { type Interruption, interruptible, processStops } from './stops.ts'
import { EXIT_DONE, EXIT_FAILED, FailureError, UsageError } from './usage-error.ts'

const SEGMENTS_MAX = 1_000
const STEPS_MAX = 1_000
const SAMPLE_ITEMS = 100
/** Where the width of the terminal is not known. */
const COLUMNS = 200
/** Before an item: `  - `. */
const MARGIN = 4
/** More are better read with `--dry-run full`, which also checks them against each other. */
const SAMPLE_ITEMS_MAX = 100_000

/** `migrate up` and `migrate resume`. */
export function migrateUp(
  given: Parameters,
  output: CommandOutput,
  isResume: boolean,
): Promise<number> {
  const sample = wholeNumber(given, 'sample', { min: 1, max: SAMPLE_ITEMS_MAX })
  if (sample !== undefined && given.text('dry-run') !== 'sample') {
    throw new UsageError('--sample is only for --dry-run sample.', 'pass both, or neither')
  }
  if (given.text('failures') !== undefined && given.text('dry-run') === 'plan') {
    throw new UsageError(
      '--dry-run plan reads no items, so that --failures finds none.',
      'pass --dry-run full to try all items',
    )
  }
  return withWork(given, output, async (open, failures) => {
    const { folders, journal } = open
    const state = await journal.read()
    const to = given.text('to')
    if (to !== undefined && !folders.some(({ id }) => id === to)) {
      throw new UsageError(`There is no migration "${to}".`, 'use one that migrate status shows')
    }
    const works = await findWork(open, state, open.tableName, { isResume, to })
    if (works.length === 0) {
      const pending = statusOf(folders, state).filter(({ status }) => status === 'pending')
      if (isResume && pending.length > 0) {
        throw new FailureError(
          `No migration has started, and ${countOf(pending.length, 'is', 'are')} pending.`,
          `table "${open.tableName}"`,
          'run migrate up',
        )
      }
      report(given, output, { applied: [] }, 'nothing to do')
      return EXIT_DONE
    }
    const level = given.text('dry-run')
    if (level !== undefined) return tryOut(given, output, open, works, level, { sample, failures })
    return runWorks(given, output, open, works, failures)
  })
}

/** `migrate down` */
export function migrateDown(given: Parameters, output: CommandOutput): Promise<number> {
  return withWork(given, output, async (open, failures) => {
    const count = wholeNumber(given, 'steps', { min: 1, max: STEPS_MAX }) ?? 1
    const undoable = await findUndoable(open, await open.journal.read(), open.tableName)
    if (undoable.length === 0) {
      report(given, output, { reverted: [] }, 'nothing to undo')
      return EXIT_DONE
    }
    if (count > undoable.length) {
      const most = countOf(undoable.length, 'migration')
      throw new UsageError(
        `--steps is ${count}, and the table has ${most}.`,
        `pass --steps ${undoable.length} to undo all of them`,
      )
    }
    const works: MigrationWork[] = []
    for (const workOf of undoable.slice(0, count)) works.push(await workOf())
    return runWorks(given, output, open, works, failures)
  })
}

/** The table, and where items that can't be migrated are written. */
export function withWork(
  given: Parameters,
  output: CommandOutput,
  work: (open: OpenMigrations, failures: FailureLog | undefined) => Promise<number>,
): Promise<number> {
  return withFailures(given, output, (failures) =>
    withMigrations(given, output, (open) => work(open, failures)),
  )
}

async function runWorks(
  given: Parameters,
  output: CommandOutput,
  open: OpenMigrations,
  works: readonly MigrationWork[],
  failures: FailureLog | undefined,
): Promise<number> {
  const { journal, transport, tableName } = open
  const isJoining = given.flag('join')
  const restorableTo = isOnAws(given) ? await requireRecovery(given, open) : undefined
  const unitsPerSecond = await rateOf(given, open)
  const segments = wholeNumber(given, 'segments', { min: 1, max: SEGMENTS_MAX })
  const { Table: table } = await transport.send('DescribeTable', { TableName: tableName })
  const interruption = interruptible(output.stops ?? processStops, () =>
    output.printError('finishing the current items; press Ctrl-C again to stop at once'),
  )
  const asked = new AbortController()
  const keys = output.keys && (isJoining ? '[q quit] ' : '[p pause, q quit] ')
  const endKeys = output.keys?.onKey((key) => {
    if (key === 'q') interruption.interrupt()
    if (key !== 'p' || isJoining || asked.signal.aborted) return
    output.printError('pausing after the current items')
    asked.abort()
  })
  let isAborted = false
  const done: string[] = []
  try {
    if (!isJoining) await journal.acquire()
    for (const work of works) {
      const { folder } = work
      // Before all else: the line ends where the terminal does.
      const title = `${keys ?? ''}${folder.id}`
      const progress = createProgress({ output, title, unit: 'items' })
      if (keys) progress.update(0, table?.ItemCount)
      const options: RunOptions = {
        ...optionsFor(work, { transport, tableName, journal }),
        ...(segments !== undefined && { segments }),
        unitsPerSecond,
        keepsUndoLog: !given.flag('no-undo'),
        // One of the choices of the option.
        replaced: given.text('replaced') as RunOptions['replaced'],
        isFenced: given.flag('strict-fencing'),
        ...(restorableTo && { notes: { restorableTo } }),
        failures,
        signal: AbortSignal.any([interruption.signal, asked.signal]),
        onProgress: ({ read, conflicts }, units) =>
          progress.update(read, table?.ItemCount, [
            `${formatCount(conflicts)} conflicts`,
            `${formatCount(Math.ceil(units))} units`,
          ]),
        onRequest: (request) => {
          isAborted = request === 'abort'
          asked.abort()
        },
      }
      const isDone = await (isJoining ? joinMigration(options) : runMigration(options))
      progress.end()
      if (!isDone && isAborted) {
        await journal.record(folder.id, { state: 'failed', note: 'aborted' })
        report(given, output, { aborted: folder.id }, `${folder.id} is aborted`)
        return EXIT_FAILED
      }
      if (!isDone) return stopped(given, output, folder.id, interruption)
      done.push(folder.id)
    }
  } finally {
    endKeys?.()
    interruption.end()
    if (!isJoining) await journal.release().catch(() => undefined)
  }
  const isDown = works[0]?.isDown === true
  report(
    given,
    output,
    { [isDown ? 'reverted' : 'applied']: done },
    `${isDown ? 'undone' : 'applied'}: ${done.join(', ')}`,
  )
  return EXIT_DONE
}

function stopped(
  given: Parameters,
  output: CommandOutput,
  id: string,
  interruption: Interruption,
): number {
  report(given, output, { paused: id }, `${id} is paused; continue with migrate resume`)
  return interruption.exitCode ?? EXIT_FAILED
}

/**
 * A mistake in a migration can be undone only if the table can be restored. Gives the time that it
 * can be restored to.
 */
async function requireRecovery(
  given: Parameters,
  { transport, tableName }: OpenMigrations,
): Promise<string | undefined> {
  if (given.flag('no-pitr')) return undefined
  if (await isRecoverable(transport, tableName))
    return new Date(systemEnvironment.now()).toISOString()
  throw new FailureError(
    "The table can't be restored to an earlier time: point-in-time recovery is off.",
    `table "${tableName}"`,
    'turn it on with singletable table apply, or pass --no-pitr',
  )
}

async function tryOut(
  given: Parameters,
  output: CommandOutput,
  open: OpenMigrations,
  works: readonly MigrationWork[],
  level: string,
  {
    sample = SAMPLE_ITEMS,
    failures,
  }: { readonly sample: number | undefined; readonly failures: FailureLog | undefined },
): Promise<number> {
  const { transport, tableName } = open
  const shown = (item: Item): string => {
    const text = JSON.stringify(item)
    return given.flag('wide') ? text : cutText(text, (output.columns ?? COLUMNS) - MARGIN)
  }
  const interruption = interruptible(output.stops ?? processStops, () => undefined)
  const reports: object[] = []
  let problems = 0
  try {
    for (const { folder, isDown, before, after, migration, version } of works) {
      const stages = stagesOf(migration)
      const steps = stages.flatMap((stage) => (Array.isArray(stage) ? stage : []))
      if (!given.flag('json')) {
        output.print(folder.id)
        for (const step of migration.steps) output.print(`  ${describeStep(step)}`)
      }
      if (level === 'plan' || steps.length === 0) {
        reports.push({ id: folder.id, steps: migration.steps.map(describeStep) })
        continue
      }
      const progress = createProgress({ output, title: folder.id, unit: 'items' })
      const { counts, examples, isWhole } = await dryRun({
        transport,
        tableName,
        versions: { before, after, steps, environment: systemEnvironment, version },
        undoLogOf: isDown || given.flag('no-undo') ? undefined : folder.id,
        itemsMax: level === 'sample' ? sample : undefined,
        failures,
        signal: interruption.signal,
        onProgress: ({ read }) => progress.update(read),
      })
      progress.end()
      problems += counts.problems
      reports.push({ id: folder.id, ...counts, examples, isWhole })
      if (given.flag('json')) continue
      output.print(
        `  would change ${formatCount(counts.changed)} of ${countOf(counts.read, 'item')}${isWhole ? '' : counts.read === 1 ? ' that was read' : ' that were read'}`,
      )
      for (const { key, before: old, after: now } of examples) {
        output.print(`  ${key}`)
        output.print(`  - ${shown(old)}`)
        for (const item of now) output.print(`  + ${shown(item)}`)
      }
      for (const each of counts.examples) output.print(`  ! ${each}`)
      for (const each of moreLines(counts.problems, counts, failures)) output.print(`  ! ${each}`)
      // What follows would read items that this one has not written.
      break
    }
  } finally {
    interruption.end()
  }
  if (given.flag('json')) output.print(JSON.stringify({ dryRun: level, migrations: reports }))
  return problems > 0 ? EXIT_FAILED : (interruption.exitCode ?? EXIT_DONE)
}

/** What follows the examples, if they are not all. */
export function moreLines(
  count: number,
  counts: Counts,
  failures: FailureLog | undefined,
): readonly string[] {
  const more = unlisted(counts, count)
  if (more === 0) return []
  const how = failures ? '' : ': pass --failures <file> to list all of them'
  return [`and ${formatCount(more)} more${how}`]
}

export function report(given: Parameters, output: CommandOutput, data: object, text: string): void {
  output.print(given.flag('json') ? JSON.stringify(data) : text)
}
