import type { Migration } from 'singletable/migrations'
import type { Schema, Transport } from 'singletable/tools'
import type { LoadedSchema } from '../schema-file/load-schema.ts'
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

/** The migrations that are not applied, with the table as it is. */
export async function planMigrations(
  transport: Transport,
  tableName: string,
  folders: readonly MigrationFolder[],
  state: JournalState,
): Promise<{
  readonly items: number
  readonly bytes: number
  readonly migrations: readonly PlannedMigration[]
}> {
  const { Table: table } = await transport.send('DescribeTable', { TableName: tableName })
  const items = table?.ItemCount ?? 0
  const bytes = table?.TableSizeBytes ?? 0
  const migrations: PlannedMigration[] = []
  for (const { id, status } of statusOf(folders, state)) {
    const folder = folders.find((each) => each.id === id)
    if (status === 'applied' || folder === undefined) continue
    const migration = await loadMigration(folder)
    const passes = stagesOf(migration).filter(Array.isArray).length
    migrations.push({
      id,
      status,
      steps: migration.steps.map(describeStep),
      // Every pass reads the whole table twice: the second time to see that nothing is left.
      readUnits: Math.ceil((passes * 2 * bytes) / READ_UNIT_BYTES),
      writeUnits: passes * items * Math.ceil(bytes / Math.max(items, 1) / WRITE_UNIT_BYTES),
    })
  }
  return { items, bytes, migrations }
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
