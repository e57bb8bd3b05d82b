import type { Migration } from 'singletable/migrations'
import { isLossy, type Schema, type Transport } from 'singletable/tools'
import type { LoadedSchema } from '../schema-file/load-schema.ts'
import { listNames } from '../text/list-names.ts'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { Branches } from './branches.ts'
import { deployNotes } from './deploy-notes.ts'
import { diffSchemas } from './diff-schemas.ts'
import { describeStep } from './failures.ts'
import { findConflicts } from './find-conflicts.ts'
import { loadMigration, type MigrationFolder, schemaOf } from './folders.ts'
import { type JournalState, journalBytes } from './journal.ts'
import { MigrationError } from './migration-error.ts'
import { stagesOf } from './run-migration.ts'
import { type MigrationStatus, statusOf } from './status.ts'

/** The migrations of a project, and its schema. */
export interface MigrateProject {
  readonly directory: string
  readonly folders: readonly MigrationFolder[]
  readonly loaded: LoadedSchema
}

/**
 * The schemas of a table before and after a migration. `applied` are the migrations that the table
 * has: those of other branches are part of both schemas.
 */
export function versionsOf(
  { folders, loaded }: Pick<MigrateProject, 'folders' | 'loaded'>,
  folder: MigrationFolder,
  applied: Iterable<string> = [],
): { readonly before: Schema; readonly after: Schema } {
  const { definition } = loaded.schema
  const branches = new Branches(folders)
  const others = [...applied].filter(
    (id) => id !== folder.id && !branches.ancestors(id).has(folder.id),
  )
  const after = branches.snapshotOf([...others, folder.id]) ?? folder.snapshot
  const before = branches.snapshotOf([...others, ...folder.parents]) ?? after
  return {
    before: schemaOf({ snapshot: before }, definition),
    after: schemaOf({ snapshot: after }, definition),
  }
}

/** The schema after all migrations; undefined if there are none. */
export function lastSnapshot(
  folders: readonly MigrationFolder[],
): Pick<MigrationFolder, 'snapshot'> | undefined {
  const snapshot = new Branches(folders).snapshotOf(folders.map(({ id }) => id))
  return snapshot && { snapshot }
}

type Step = Migration['steps'][number]

/** What is wrong with the migrations as they are in the project, each in a sentence. */
export async function lintProject(project: MigrateProject): Promise<readonly string[]> {
  const problems = [...(await lintFolders(project))]
  for (const folder of project.folders) {
    const { before, after } = versionsOf(project, folder)
    for (const text of folder.asked) problems.push(`${folder.id}: its code is unfinished: ${text}.`)
    for (const step of (await loadMigration(folder)).steps) {
      const model = 'model' in step ? step.model : undefined
      if (model !== undefined && !before.models.has(model) && !after.models.has(model)) {
        problems.push(`${folder.id}: ${describeStep(step)} names a model that does not exist.`)
      }
    }
  }
  return problems
}

/** What to know of each migration before it is deployed, by its id. */
export async function projectNotes(
  project: Pick<MigrateProject, 'folders' | 'loaded'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const notes = new Map<string, readonly string[]>()
  for (const folder of project.folders) {
    const versions = versionsOf(project, folder)
    notes.set(folder.id, deployNotes(folder.id, versions, await loadMigration(folder)))
  }
  return notes
}

/** What a migration that is not applied would do, and at most cost. */
export interface PlannedMigration {
  readonly id: string
  readonly status: MigrationStatus
  readonly steps: readonly string[]
  readonly readUnits: number
  readonly writeUnits: number
}

const READ_UNIT_BYTES = 4_096
const WRITE_UNIT_BYTES = 1_024
const SAMPLE_ITEMS = 1_000

/** The kinds of steps that put an item, and delete another one. */
const MOVES: readonly string[] = ['rekey', 'renameModel', 'splitModel', 'mergeModel']

/** The migrations that are not applied, with the table as it is. */
export async function planMigrations(
  transport: Transport,
  tableName: string,
  folders: readonly MigrationFolder[],
  state: JournalState,
  { isFenced = false }: { readonly isFenced?: boolean } = {},
): Promise<{
  readonly items: number
  readonly bytes: number
  /** About how many items each model has, from a sample. */
  readonly models: Readonly<Record<string, number>>
  readonly migrations: readonly PlannedMigration[]
}> {
  const { Table: table } = await transport.send('DescribeTable', { TableName: tableName })
  const items = table?.ItemCount ?? 0
  const bytes = table?.TableSizeBytes ?? 0
  const models = await sampleModels(transport, tableName, items, lastSnapshot(folders))
  const indexes = table?.GlobalSecondaryIndexes?.length ?? 0
  const itemUnits = Math.ceil(bytes / Math.max(items, 1) / WRITE_UNIT_BYTES)
  // A check in a transaction takes as much as a write of the item that it reads.
  const checkUnits = isFenced ? 2 * Math.ceil(journalBytes(state) / WRITE_UNIT_BYTES) : 0
  const migrations: PlannedMigration[] = []
  const branches = new Branches(folders)
  for (const { id, status } of statusOf(folders, state)) {
    const folder = folders.find((each) => each.id === id)
    if (status === 'applied' || folder === undefined) continue
    const migration = await loadMigration(folder)
    const stages = stagesOf(migration).filter((stage) => Array.isArray(stage))
    const passes = stages.length
    const snapshot = branches.snapshotOf(folder.parents) ?? folder.snapshot
    const before = schemaOf({ snapshot })
    const isLost = (step: Step): boolean => isLossy(step, { before, steps: migration.steps })
    migrations.push({
      id,
      status,
      steps: migration.steps.map(describeStep),
      // Every pass reads the whole table twice: the second time to see that nothing is left.
      readUnits: Math.ceil((passes * 2 * bytes) / READ_UNIT_BYTES),
      writeUnits: stages.reduce((sum, steps) => sum + stageUnits(steps, isLost), 0),
    })
  }
  return { items, bytes, models, migrations }

  /** What a pass writes at most: each item of its models, and its entries in all indexes. */
  function stageUnits(steps: readonly Step[], isLost: (step: Step) => boolean): number {
    const named = new Set(steps.flatMap((step) => ('model' in step ? [step.model] : [])))
    const touched = [...named].reduce((sum, name) => sum + (models[name] ?? 0), 0)
    const isMove = steps.some(({ kind }) => MOVES.includes(kind))
    // Transactions cost twice as much, and what is lost is written to the undo log.
    const isTransaction =
      isFenced || isMove || steps.some((step) => step.kind === 'derivedItems' || isLost(step))
    const hasGuards = steps.some(({ kind }) => kind === 'derivedItems')
    const writes = (isMove ? 2 : 1) + (steps.some(isLost) ? 1 : 0) + (hasGuards ? 1 : 0)
    const units = itemUnits * (writes * (isTransaction ? 2 : 1) + 2 * indexes)
    return touched * (units + checkUnits)
  }
}

/** About how many items each model has. */
async function sampleModels(
  transport: Transport,
  tableName: string,
  items: number,
  last: Pick<MigrationFolder, 'snapshot'> | undefined,
): Promise<Readonly<Record<string, number>>> {
  if (last === undefined) return {}
  const { typeField } = schemaOf(last).params
  const { Items = [] } = await sendPatiently(transport, 'Scan', {
    TableName: tableName,
    Limit: SAMPLE_ITEMS,
    ProjectionExpression: '#type',
    ExpressionAttributeNames: { '#type': typeField },
  })
  const counts = new Map<string, number>()
  for (const item of Items) {
    const type = item[typeField]?.S
    if (type !== undefined && !type.startsWith('_')) counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return Object.fromEntries(
    [...counts].sort().map(([type, count]) => [type, Math.ceil((items * count) / Items.length)]),
  )
}

async function lintFolders({ folders, loaded }: MigrateProject): Promise<readonly string[]> {
  const branches = new Branches(folders)
  const problems: string[] = []
  for (const { id, parents } of folders) {
    for (const parent of parents) {
      const isThere = folders.some((each) => each.id === parent)
      if (isThere && parent < id) continue
      problems.push(
        isThere
          ? `${id} follows ${parent}, whose name has a later time: generate it again.`
          : `${id} follows ${parent}, which is not there: restore it, or generate ${id} again.`,
      )
    }
  }
  const conflicts = await findConflicts(branches)
  problems.push(...conflicts.map(({ what }) => what))
  const last = lastSnapshot(folders)
  if (last === undefined) return [...problems, 'There is no migration: run migrate generate.']
  // The schema after two that don't fit together is not known.
  if (conflicts.length > 0) return problems
  const since = `The schema has changed since ${listNames(branches.heads.map(({ id }) => id))}`
  try {
    const changes = diffSchemas(schemaOf(last), loaded.schema, {
      renames: new Map(),
      removals: new Set(),
    }).filter(({ steps }) => steps.length > 0)
    for (const { what } of changes) problems.push(`${since}: ${what}`)
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    problems.push(`${since}: ${error.message}`)
  }
  return problems
}
