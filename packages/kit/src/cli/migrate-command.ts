import { setTimeout } from 'node:timers/promises'
import { type Item, keyAttributes, systemEnvironment, versionAttributeOf } from 'singletable/tools'
import { type ClassPrices, pricesOf } from '../cost/prices.ts'
import { Branches } from '../migrate/branches.ts'
import { diffSchemas } from '../migrate/diff-schemas.ts'
import { dryRun } from '../migrate/dry-run.ts'
import { findConflicts } from '../migrate/find-conflicts.ts'
import { appliedIds, UNFINISHED, workOf } from '../migrate/find-work.ts'
import { findWrongGuards } from '../migrate/find-wrong-guards.ts'
import { schemaOf } from '../migrate/folders.ts'
import { createVersionCounter, type VersionCounts, VersionGraph } from '../migrate/item-versions.ts'
import { type Journal, type JournalState, LOCK_MS } from '../migrate/journal.ts'
import { MigrationError } from '../migrate/migration-error.ts'
import { lastSnapshot, lintProject, planMigrations, projectNotes } from '../migrate/project.ts'
import { segmentsOf, stagesOf } from '../migrate/run-migration.ts'
import { appliedLastFirst, type StatusRow, statusExitCode, statusOf } from '../migrate/status.ts'
import { removeUndoLog } from '../migrate/undo-log.ts'
import { writeMigration } from '../migrate/write-migration.ts'
import { countOf, formatCount } from '../text/counts.ts'
import { listNames } from '../text/list-names.ts'
import { sendPatiently } from '../transfer/send-patiently.ts'
import type { CommandOutput } from './command.ts'
import { dollarsText } from './cost-text.ts'
import type { CommandSpecification, Parameters } from './help.ts'
import {
  ABORT,
  DOWN,
  FORGET,
  GENERATE,
  LINT,
  MIGRATE_COMMAND,
  PAUSE,
  PLAN,
  RESOLVE,
  RESUME,
  STATUS,
  UNLOCK,
  UP,
  VERIFY,
} from './migrate-options.ts'
import { type OpenMigrations, openProject, withMigrations } from './migrate-project.ts'
import { migrateDown, migrateUp, moreLines, report, withWork } from './migrate-run.ts'
import { createProgress, formatDuration } from './progress.ts'
import { rateOf } from './rate-option.ts'
import { runCommand, runSubcommand } from './run-command.ts'
import { interruptible, processStops } from './stops.ts'
import { printText } from './terminal.ts'
import { EXIT_DONE, EXIT_FAILED, FailureError, UsageError } from './usage-error.ts'

/** Between two looks at whether a process has stopped. */
const WAIT_MS = 200

const GUARDS_FIX =
  'when no older program runs, repair them with verifyCopies(table, { repair: true }) of singletable/streams'

type Action = (given: Parameters, output: CommandOutput) => Promise<number>

const ACTIONS: readonly (readonly [CommandSpecification, Action])[] = [
  [GENERATE, generate],
  [LINT, lint],
  [PLAN, plan],
  [UP, (given, output) => migrateUp(given, output, false)],
  [RESUME, (given, output) => migrateUp(given, output, true)],
  [DOWN, migrateDown],
  [STATUS, status],
  [VERIFY, verify],
  [PAUSE, (given, output) => ask(given, output, 'pause')],
  [ABORT, (given, output) => ask(given, output, 'abort')],
  [RESOLVE, resolve],
  [FORGET, forget],
  [UNLOCK, unlock],
]

export function runMigrate(parameters: readonly string[], output: CommandOutput): Promise<number> {
  return runSubcommand(
    MIGRATE_COMMAND,
    parameters,
    output,
    new Map(
      ACTIONS.map(([specification, action]) => [
        specification.name.split(' ').at(-1) ?? '',
        (rest: readonly string[]) =>
          runCommand(specification, rest, output, (given) => action(given, output)),
      ]),
    ),
  )
}

async function generate(given: Parameters, output: CommandOutput): Promise<number> {
  const project = await openProject(given, output)
  const { directory, folders, loaded } = project
  const branches = new Branches(folders)
  const [conflict] = await findConflicts(branches)
  if (conflict) throw new MigrationError(conflict.what, directory, 'see migrate lint')
  const last = lastSnapshot(folders)
  const parents = branches.heads.map(({ id }) => id)
  const changes = last
    ? diffSchemas(schemaOf(last), loaded.schema, {
        renames: new Map(pairsOf(given, 'rename', 'User.mail=email')),
        removals: new Set(given.values('remove')),
        splits: pairsOf(given, 'split', 'User=Address'),
        merges: pairsOf(given, 'merge', 'Address=User'),
      })
    : []
  if (last && changes.length === 0) {
    report(
      given,
      output,
      { id: null, changes },
      `nothing that is stored has changed since ${listNames(parents)}`,
    )
    return EXIT_DONE
  }
  const id = writeMigration({
    directory,
    name: given.positionals.join(' ') || (last ? 'change' : 'first'),
    nowMs: (output.now ?? Date.now)(),
    parents,
    definition: loaded.definition,
    changes,
  })
  if (given.flag('json')) output.print(JSON.stringify({ id, directory, changes }))
  else {
    output.print(`wrote ${id}`)
    for (const { class: kind, what } of changes) printText(output, `  ${kind.padEnd(9)}${what}`)
    if (!last) output.print('  the schema as it is; later migrations start from it')
  }
  return EXIT_DONE
}

function pairsOf(
  given: Parameters,
  option: string,
  example: string,
): readonly (readonly [from: string, to: string])[] {
  return given.values(option).map((text) => {
    const [from = '', to = '', ...more] = text.split('=')
    if (from === '' || to === '' || more.length > 0) {
      throw new UsageError(`--${option} is "${text}".`, `pass --${option} ${example}`)
    }
    return [from, to]
  })
}

async function lint(given: Parameters, output: CommandOutput): Promise<number> {
  const project = await openProject(given, output)
  const problems = await lintProject(project)
  // Of folders that are wrong, the schemas may be, too.
  const byId: Awaited<ReturnType<typeof projectNotes>> =
    problems.length > 0 ? new Map() : await projectNotes(project)
  // What earlier migrations were like is known by now.
  const notes = new Branches(project.folders).heads.flatMap(({ id }) =>
    (byId.get(id) ?? []).map((note) => `${id}: ${note}`),
  )
  if (given.flag('json')) output.print(JSON.stringify({ problems, notes }))
  else for (const text of [...problems, ...notes]) printText(output, text)
  if (problems.length > 0) return EXIT_FAILED
  if (!given.flag('json')) output.print(`${project.folders.length} migrations are in order`)
  return EXIT_DONE
}

async function status(given: Parameters, output: CommandOutput): Promise<number> {
  return withMigrations(
    given,
    output,
    async ({ folders, journal, transport, tableName, loaded }) => {
      const state = await journal.read()
      const rows = statusOf(folders, state)
      const { schema: after } = loaded
      const place = { transport, tableName, environment: systemEnvironment, journal, after }
      const progress = new Map<string, string>()
      for (const { id, status: text, record } of rows) {
        if (!record || !['running', 'paused', 'reverting'].includes(text)) continue
        const { read, changed } = await segmentsOf({ ...place, id }, record).counts()
        progress.set(
          id,
          `pass ${record.pass + 1}: read ${formatCount(read)} items, changed ${formatCount(changed)}`,
        )
      }
      const counts = given.flag('items')
        ? await countVersions({ folders, loaded, transport, tableName }, appliedIds(rows))
        : undefined
      if (given.flag('json')) {
        output.print(JSON.stringify({ migrations: rows, lock: state.lock ?? null, ...counts }))
      } else {
        for (const { id, status: text, record } of rows) {
          const when = record?.endedAt ?? record?.startedAt ?? ''
          output.print(`${text.padEnd(13)}${id}${when ? `  ${when}` : ''}`)
          const done = progress.get(id)
          if (done) output.print(`             ${done}`)
          if (record?.note) output.print(`             ${record.note.split('\n')[0]}`)
        }
        if (state.lock) output.print(`locked by ${state.lock.owner}`)
        if (rows.length === 0) output.print('no migrations')
        for (const line of counts ? versionLines(counts) : []) output.print(line)
      }
      return given.flag('exit-code') ? statusExitCode(rows) : EXIT_DONE
    },
  )
}

async function plan(given: Parameters, output: CommandOutput): Promise<number> {
  return withMigrations(given, output, async (open) => {
    const { folders, journal, transport, tableName } = open
    const planned = await planMigrations(transport, tableName, folders, await journal.read(), {
      isFenced: given.flag('strict-fencing'),
    })
    const unitsPerSecond = await rateOf(given, open)
    const prices = pricesOf(given.text('region') ?? process.env.AWS_REGION)
    const allNotes = await projectNotes(open)
    const migrations = planned.migrations.map((each) => ({
      ...each,
      notes: allNotes.get(each.id) ?? [],
      dollars: prices && onDemandDollars(each, prices.standard),
      minutes: unitsPerSecond && (each.readUnits + each.writeUnits) / unitsPerSecond / 60,
    }))
    const { items, models } = planned
    if (given.flag('json')) {
      output.print(JSON.stringify({ table: tableName, ...planned, migrations }))
      return EXIT_DONE
    }
    const shares = Object.entries(models).map(([name, count]) => `${name} ${formatCount(count)}`)
    output.print(
      `table "${tableName}": about ${countOf(items, 'item')}${shares.length > 0 ? `: ${shares.join(', ')}` : ''}`,
    )
    for (const { id, steps, notes, readUnits, writeUnits, dollars, minutes } of migrations) {
      output.print(id)
      for (const step of steps) output.print(`  ${step}`)
      for (const note of notes) printText(output, `  ${note}`)
      output.print(
        [
          `  about ${countOf(readUnits, 'read unit')} and ${countOf(writeUnits, 'write unit')}`,
          ...(dollars === undefined
            ? []
            : [`$${dollarsText(dollars)} on demand in ${prices?.region}`]),
          ...(minutes === undefined ? [] : [`${formatDuration(minutes * 60_000)} at this rate`]),
        ].join(', '),
      )
    }
    if (migrations.length === 0) output.print('nothing to do')
    return EXIT_DONE
  })
}

function onDemandDollars(
  { readUnits, writeUnits }: { readonly readUnits: number; readonly writeUnits: number },
  { onDemand }: ClassPrices,
): number {
  return (readUnits * onDemand.readMillion + writeUnits * onDemand.writeMillion) / 1e6
}

async function verify(given: Parameters, output: CommandOutput): Promise<number> {
  return withWork(given, output, async (open, failures) => {
    const { folders, journal, transport, tableName } = open
    const rows = statusOf(folders, await journal.read())
    const [last] = appliedLastFirst(
      folders,
      rows.filter(({ status: text }) => text === 'applied'),
    )
    const unfinished = rows.find(({ status: text }) => UNFINISHED.includes(text))
    if (unfinished && (given.positionals[0] ?? unfinished.id) === unfinished.id) {
      throw new FailureError(
        `The migration "${unfinished.id}" is not finished: it is ${unfinished.status}.`,
        `table "${tableName}"`,
        'continue it with migrate resume, undo it with migrate down, or verify another one by its id',
      )
    }
    const id = given.positionals[0] ?? last?.id
    const folder = folders.find((each) => each.id === id)
    if (folder === undefined) {
      throw new UsageError(
        id === undefined ? 'No migration has been applied.' : `There is no migration "${id}".`,
        'use one that migrate status shows',
      )
    }
    const applied = appliedIds(rows)
    const work = await workOf(open, folder, { isDown: false, applied })
    const { before, after, migration, version } = work
    const branches = new Branches(folders)
    const isLast = ![...applied].some((each) => branches.ancestors(each).has(folder.id))
    const versions = createVersionCounter(
      await VersionGraph.load(open),
      applied,
      open.loaded.schema,
    )
    const steps = stagesOf(migration).flatMap((stage) => (Array.isArray(stage) ? stage : []))
    const interruption = interruptible(output.stops ?? processStops, () => undefined)
    const progress = createProgress({ output, title: `verify ${folder.id}`, unit: 'items' })
    try {
      const read = {
        transport,
        tableName,
        versions: { before, after, steps, environment: systemEnvironment, version },
        failures,
      }
      const { counts, isWhole } = await dryRun({
        ...read,
        onItem: (item) => versions.add(item),
        isVerification: true,
        signal: interruption.signal,
        onProgress: ({ read }) => progress.update(read),
      })
      progress.end()
      const left = counts.changed + counts.problems
      // Of an item that is not migrated, the guards are those of the older schema.
      const isChecked = left === 0 && isWhole && isLast
      const guards = isChecked
        ? await findWrongGuards({ ...read, signal: interruption.signal })
        : undefined
      const wrong = guards?.problems ?? 0
      report(
        given,
        output,
        { id: folder.id, ...counts, isWhole, ...(guards && { guards }), ...versions.counts() },
        [
          left === 0
            ? `${countOf(counts.read, 'item is', 'items are')} as ${folder.id} leaves them`
            : `${formatCount(left)} of ${countOf(counts.read, 'item')} ${left === 1 ? 'is' : 'are'} not as ${folder.id} leaves them:\n  ${[...counts.examples, ...moreLines(left, counts, failures)].join('\n  ')}`,
          ...(guards && wrong > 0
            ? [
                `${countOf(wrong, 'guard')} of unique values ${wrong === 1 ? 'is' : 'are'} not as ${wrong === 1 ? 'it' : 'they'} should be:`,
                ...[...guards.examples, ...moreLines(wrong, guards, failures)].map(
                  (line) => `  ${line}`,
                ),
                GUARDS_FIX,
              ]
            : []),
          ...versionLines(versions.counts()),
        ].join('\n'),
      )
      return left + wrong > 0 ? EXIT_FAILED : (interruption.exitCode ?? EXIT_DONE)
    } finally {
      interruption.end()
    }
  })
}

/** Reads the whole table, but only types, keys and versions. */
async function countVersions(
  table: Pick<OpenMigrations, 'folders' | 'loaded' | 'transport' | 'tableName'>,
  applied: ReadonlySet<string>,
): Promise<VersionCounts> {
  const { loaded, transport, tableName } = table
  const { schema: after } = loaded
  const counter = createVersionCounter(await VersionGraph.load(table), applied, after)
  const names = [
    ...keyAttributes(after.primary),
    after.params.typeField,
    versionAttributeOf(after),
  ].map((name, at) => [`#a${at}`, name] as const)
  let cursor: Item | undefined
  do {
    const page = await sendPatiently(transport, 'Scan', {
      TableName: tableName,
      ProjectionExpression: names.map(([placeholder]) => placeholder).join(', '),
      ExpressionAttributeNames: Object.fromEntries(names),
      ...(cursor && { ExclusiveStartKey: cursor }),
    })
    for (const item of page.Items ?? []) counter.add(item)
    cursor = page.LastEvaluatedKey
  } while (cursor)
  return counter.counts()
}

/** `no version  12 items`, … */
function versionLines({ versions, uncertain }: VersionCounts): readonly string[] {
  const entries = Object.entries(versions)
  if (entries.length === 0) return []
  return [
    'versions:',
    ...entries.map(([version, count]) => `  ${formatCount(count)} ${version}`),
    `${formatCount(uncertain)} may have an older form: programs without upgradeOnRead wrote them, or they are from before items had versions`,
  ]
}

/** Asks whoever works; if that process is dead, the journal is set right at once. */
async function ask(
  given: Parameters,
  output: CommandOutput,
  request: 'pause' | 'abort',
): Promise<number> {
  return withMigrations(given, output, async ({ folders, journal }) => {
    const state = await journal.read()
    const open = statusOf(folders, state).filter(({ status: text }) =>
      ['running', 'paused', 'reverting'].includes(text),
    )
    if (state.lock && systemEnvironment.now() - state.lock.heartbeatAt < LOCK_MS) {
      await journal.ask(request)
      const asked = `asked ${state.lock.owner} to stop`
      if (given.flag('no-wait')) {
        report(given, output, { asked: state.lock.owner }, asked)
        return EXIT_DONE
      }
      if (!given.flag('json')) output.printError(`${asked}; waiting for it`)
      const ended = await untilReleased(journal, state.lock.epoch, output)
      return reportStopped(given, output, ended && statusOf(folders, ended), open)
    }
    if (request === 'abort' && open.length > 0) {
      await journal.acquire()
      for (const { id } of open) await journal.record(id, { state: 'failed', note: 'aborted' })
      await journal.release()
    }
    const ids = open.map(({ id }) => id)
    report(given, output, { stopped: ids }, ids.length > 0 ? ids.join(', ') : 'nothing runs')
    return EXIT_DONE
  })
}

/** The journal once the process with this lock has given it up or died; undefined on Ctrl-C. */
async function untilReleased(
  journal: Journal,
  epoch: number,
  output: CommandOutput,
): Promise<JournalState | undefined> {
  const interruption = interruptible(output.stops ?? processStops, () => undefined)
  try {
    while (!interruption.signal.aborted) {
      const state = await journal.read()
      const { lock } = state
      const isGone = lock?.epoch !== epoch
      if (isGone || systemEnvironment.now() - lock.heartbeatAt >= LOCK_MS) return state
      await setTimeout(WAIT_MS, undefined, { signal: interruption.signal }).catch(() => undefined)
    }
    return undefined
  } finally {
    interruption.end()
  }
}

/** Says what became of the migrations that were to stop: one may have ended before it was asked. */
function reportStopped(
  given: Parameters,
  output: CommandOutput,
  after: readonly StatusRow[] | undefined,
  before: readonly StatusRow[],
): number {
  if (after === undefined) {
    report(given, output, { stopped: null }, 'it still works; it was asked to stop')
    return EXIT_FAILED
  }
  const ids = new Set(before.map(({ id }) => id))
  const now = after.filter(({ id }) => ids.has(id))
  const isTooLate = now.some(({ status: text }) => text === 'applied' || text === 'reverted')
  const outcomes = Object.fromEntries(now.map(({ id, status: text }) => [id, text]))
  const lines = now.map(({ id, status: text }) => `${id} is ${text}`)
  report(
    given,
    output,
    { stopped: outcomes, isTooLate },
    lines.join('\n') || 'nothing runs any more',
  )
  return isTooLate ? EXIT_FAILED : EXIT_DONE
}

async function resolve(given: Parameters, output: CommandOutput): Promise<number> {
  const [id] = given.positionals
  const reason = given.text('reason')
  const isApplied = given.flag('applied')
  if (id === undefined || isApplied === given.flag('rolled-back') || reason === undefined) {
    throw new UsageError(
      'A migration, its outcome and a reason are needed.',
      'use migrate resolve <id> --applied --reason "…", or --rolled-back',
    )
  }
  return withMigrations(given, output, async ({ folders, journal }) => {
    const folder = folders.find((each) => each.id === id)
    const { records } = await journal.read()
    if (folder === undefined && !records.has(id)) {
      throw new UsageError(`There is no migration "${id}".`, 'use one that migrate status shows')
    }
    const now = new Date((output.now ?? Date.now)()).toISOString()
    await journal.acquire()
    try {
      await journal.record(id, {
        startedAt: now,
        segments: 1,
        step: 0,
        pass: 0,
        ...records.get(id),
        ...(folder && { checksum: folder.checksum }),
        state: isApplied ? 'applied' : 'reverted',
        endedAt: now,
        note: reason,
      })
    } finally {
      await journal.release()
    }
    const word = isApplied ? 'applied' : 'rolled back'
    report(given, output, { id, state: word }, `${id} is noted as ${word}`)
    return EXIT_DONE
  })
}

async function forget(given: Parameters, output: CommandOutput): Promise<number> {
  return withMigrations(given, output, async ({ journal, transport, tableName, loaded }) => {
    const [id = ''] = given.positionals
    if (!(await journal.read()).records.has(id)) {
      throw new UsageError(
        id === '' ? 'A migration is needed.' : `The table has no migration "${id}".`,
        'use migrate forget <id> with one that migrate status shows',
      )
    }
    await journal.acquire()
    try {
      await journal.record(id, { hasUndoLog: false })
      const { schema } = loaded
      const records = await removeUndoLog({ transport, tableName, schema, id })
      report(given, output, { id, records }, `deleted ${countOf(records, 'record')} of ${id}`)
    } finally {
      await journal.release()
    }
    return EXIT_DONE
  })
}

async function unlock(given: Parameters, output: CommandOutput): Promise<number> {
  return withMigrations(given, output, async ({ journal }) => {
    const lock = await journal.unlock(given.flag('force'))
    report(
      given,
      output,
      { removed: lock ?? null },
      lock ? `removed the lock of ${lock.owner}` : 'there is no lock',
    )
    return EXIT_DONE
  })
}
