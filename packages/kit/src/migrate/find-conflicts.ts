import { listNames } from '../text/list-names.ts'
import type { Branches } from './branches.ts'
import { loadMigration, type MigrationFolder, schemaOf } from './folders.ts'
import { pathOf, sameData, type UnitPath, unitsOf } from './merge-snapshots.ts'
import { sharedParts, type TouchedParts, touchedParts } from './touched-parts.ts'

/** Two migrations of different branches whose result would depend on their order. */
export interface MigrationConflict {
  readonly ids: readonly [string, string]
  /** What both change, or why the schemas don't fit together: a sentence. */
  readonly what: string
}

const FIX =
  'keep the one that a table has already, remove the folder of the other one, and run migrate generate again'

/**
 * Finds migrations of different branches that don't commute. Those that do can be applied in any
 * order, with the same items and the same schema as the result.
 */
export async function findConflicts(branches: Branches): Promise<readonly MigrationConflict[]> {
  const touched = new Map<string, Promise<TouchedParts>>()
  const partsOf = (folder: MigrationFolder): Promise<TouchedParts> => {
    const found = touched.get(folder.id) ?? load(branches, folder)
    touched.set(folder.id, found)
    return found
  }
  const conflicts: MigrationConflict[] = []
  for (const [a, b] of branches.concurrentPairs()) {
    const shared = new Set([
      ...differentUnits(branches, a, b),
      ...sharedParts(await partsOf(a), await partsOf(b)),
    ])
    const ids = [a.id, b.id] as const
    if (shared.size > 0) {
      conflicts.push({
        ids,
        what: `${ids.join(' and ')} both change ${listNames([...shared].sort())}: ${FIX}.`,
      })
      continue
    }
    const reason = problemOf(branches, ids)
    if (reason) {
      conflicts.push({
        ids,
        what: `${ids.join(' and ')} don't fit together: ${reason} To fix it, ${FIX}.`,
      })
    }
  }
  return conflicts
}

async function load(branches: Branches, folder: MigrationFolder): Promise<TouchedParts> {
  const before = unitsOf(branches.snapshotOf(folder.parents) ?? {})
  return touchedParts(await loadMigration(folder), branches.changesOf(folder), before)
}

/** Parts of the schema that the two give different definitions. */
function differentUnits(
  branches: Branches,
  a: MigrationFolder,
  b: MigrationFolder,
): readonly string[] {
  const theirs = branches.changesOf(b)
  return [...branches.changesOf(a)]
    .filter(([unit, value]) => theirs.has(unit) && !sameData(value, theirs.get(unit)))
    .map(([unit]) => nameOf(pathOf(unit)))
}

/** A part of the schema as people call it: `User.plan`, `User (key)`, `the index "byDate"`. */
function nameOf([root = '', first = '', member = '', attribute]: UnitPath): string {
  if (root === 'models')
    return attribute === undefined ? `${first} (${member})` : `${first}.${attribute}`
  if (root === 'indexes') return `the index "${first}"`
  if (root === 'patterns') return `the pattern "${first}"`
  return `"${root}" of the schema`
}

/** Why the schema that has both changes is not one. */
function problemOf(branches: Branches, ids: readonly string[]): string | undefined {
  try {
    schemaOf({ snapshot: branches.snapshotOf(ids)! })
    return undefined
  } catch (error) {
    const { what, message } = Object(error) as { readonly what?: string; readonly message?: string }
    return (what ?? message ?? String(error)).split('\n')[0]
  }
}
