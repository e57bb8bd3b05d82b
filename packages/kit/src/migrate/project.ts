import type { Migration } from 'singletable/migrations'
import { isLossy, type Schema, type Transport } from 'singletable/tools'
import type { LoadedSchema } from '../schema-file/load-schema.ts'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { diffSchemas } from './diff-schemas.ts'
import { loadMigration, type MigrationFolder, schemaOf } from './folders.ts'
import type { JournalState } from './journal.ts'
import { MigrationError } from './migration-error.ts'
import { stagesOf } from './run-migration.ts'
import { type MigrationStatus, statusOf } from './status.ts'

/** The migrations of a project, and its schema. */
export interface MigrateProject {
  readonly directory: string
  readonly folders: readonly MigrationFolder[]
  readonly loaded: LoadedSchema
}

/** The schemas before and after a migration. */
export function versionsOf(
  { folders, loaded }: Pick<MigrateProject, 'folders' | 'loaded'>,
  folder: MigrationFolder,
): { readonly before: Schema; readonly after: Schema } {
  const { definition } = loaded.schema
  const after = schemaOf(folder, definition)
  const parent = folders.find(({ id }) => id === folder.parent)
  return { before: parent ? schemaOf(parent, definition) : after, after }
}

/** What is wrong with the migrations as they are in the project, each in a sentence. */
export async function lintProject(project: MigrateProject): Promise<readonly string[]> {
  const problems = [...lintFolders(project)]
  for (const folder of project.folders) {
    const { before, after } = versionsOf(project, folder)
    for (const step of (await loadMigration(folder)).steps) {
      const model = 'model' in step ? step.model : undefined
      if (model !== undefined && !before.models.has(model) && !after.models.has(model)) {
        problems.push(`${folder.id}: ${describeStep(step)} names a model that does not exist.`)
      }
    }
  }
  return problems
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
  const models = await sampleModels(transport, tableName, items, folders.at(-1))
  const indexes = table?.GlobalSecondaryIndexes?.length ?? 0
  const itemUnits = Math.ceil(bytes / Math.max(items, 1) / WRITE_UNIT_BYTES)
  const migrations: PlannedMigration[] = []
  for (const { id, status } of statusOf(folders, state)) {
    const folder = folders.find((each) => each.id === id)
    if (status === 'applied' || folder === undefined) continue
    const migration = await loadMigration(folder)
    const stages = stagesOf(migration).filter((stage) => Array.isArray(stage))
    const passes = stages.length
    migrations.push({
      id,
      status,
      steps: migration.steps.map(describeStep),
      // Every pass reads the whole table twice: the second time to see that nothing is left.
      readUnits: Math.ceil((passes * 2 * bytes) / READ_UNIT_BYTES),
      writeUnits: stages.reduce((sum, steps) => sum + stageUnits(steps), 0),
    })
  }
  return { items, bytes, models, migrations }

  /** What a pass writes at most: each item of its models, and its entries in all indexes. */
  function stageUnits(steps: readonly Migration['steps'][number][]): number {
    const named = new Set(steps.flatMap((step) => ('model' in step ? [step.model] : [])))
    const touched = [...named].reduce((sum, name) => sum + (models[name] ?? 0), 0)
    const isMove = steps.some(({ kind }) => MOVES.includes(kind))
    // Transactions cost twice as much, and what is lost is written to the undo log.
    const isTransaction =
      isMove || steps.some((step) => step.kind === 'derivedItems' || isLossy(step))
    const hasGuards = steps.some(({ kind }) => kind === 'derivedItems')
    const writes = (isMove ? 2 : 1) + (steps.some(isLossy) ? 1 : 0) + (hasGuards ? 1 : 0)
    return touched * itemUnits * (writes * (isTransaction ? 2 : 1) + 2 * indexes)
  }
}

/** About how many items each model has. */
async function sampleModels(
  transport: Transport,
  tableName: string,
  items: number,
  last: MigrationFolder | undefined,
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

function lintFolders({ folders, loaded }: MigrateProject): readonly string[] {
  const problems: string[] = []
  for (const [at, { id, parent }] of folders.entries()) {
    const expected = folders[at - 1]?.id
    if (parent === expected) continue
    const siblings = folders.filter((each) => each.parent === parent && each.id !== id)
    problems.push(
      siblings.length > 0
        ? `${id} and ${siblings.map((each) => each.id).join(', ')} both follow ${parent ?? 'nothing'}: remove the later one and generate it again.`
        : `${id} follows ${parent ?? 'nothing'}, and comes after ${expected ?? 'nothing'}: restore what is missing, or generate it again.`,
    )
  }
  const last = folders.at(-1)
  if (last === undefined) return [...problems, 'There is no migration: run migrate generate.']
  try {
    const changes = diffSchemas(schemaOf(last), loaded.schema, {
      renames: new Map(),
      removals: new Set(),
    }).filter(({ steps }) => steps.length > 0)
    for (const { what } of changes)
      problems.push(`The schema has changed since ${last.id}: ${what}`)
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    problems.push(`The schema has changed since ${last.id}: ${error.message}`)
  }
  return problems
}

/** A step as it is written, without its code. */
export function describeStep(step: Migration['steps'][number]): string {
  const { kind, ...members } = step
  const words = Object.values(members).filter(
    (member) => typeof member === 'string' || typeof member === 'number',
  )
  return `${kind}(${words.join(', ')})`
}
