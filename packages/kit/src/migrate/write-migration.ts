import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { SchemaDefinition } from 'singletable/tools'
import { definitionData } from '../check/evidence/definition-data.ts'
import { SNAPSHOT_FORMAT } from './folders.ts'
import { printMigration } from './print-migration.ts'
import type { SchemaChange } from './schema-change.ts'

export interface NewMigration {
  /** Of all migrations. */
  readonly directory: string
  readonly name: string
  readonly nowMs: number
  /** The migrations that it follows. */
  readonly parents: readonly string[]
  readonly definition: SchemaDefinition
  readonly changes: readonly SchemaChange[]
}

/** Writes the folder of a new migration; gives its id. */
export function writeMigration(migration: NewMigration): string {
  const { directory, parents, definition, changes } = migration
  const stamp = new Date(migration.nowMs).toISOString().replace(/[-:]|\.\d+/g, '')
  const words = migration.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  const id = `${stamp}_${words || 'migration'}`
  const folder = path.join(directory, id)
  mkdirSync(folder, { recursive: true })
  const snapshot = {
    format: SNAPSHOT_FORMAT,
    parent: parents.length > 1 ? parents : (parents[0] ?? null),
    schema: definitionData(definition),
  }
  writeFileSync(path.join(folder, 'snapshot.json'), `${JSON.stringify(snapshot, null, 2)}\n`, {
    flag: 'wx',
  })
  writeFileSync(path.join(folder, 'migration.ts'), printMigration(changes), { flag: 'wx' })
  return id
}
