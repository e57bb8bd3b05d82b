import type { DefinitionData } from '../check/evidence/definition-data.ts'
import type { MigrationFolder } from './folders.ts'
import { changedUnits, definitionOf, type Units, unitsOf, withChanges } from './merge-snapshots.ts'

/**
 * The migrations of a project as a graph. Two branches of the code can each add a migration to the
 * same parent; after the merge both are there, and the next one has both as parents.
 */
export class Branches {
  readonly folders: readonly MigrationFolder[]
  readonly #byId: ReadonlyMap<string, MigrationFolder>
  readonly #ancestors = new Map<string, ReadonlySet<string>>()
  readonly #snapshots = new Map<string, DefinitionData>()

  constructor(folders: readonly MigrationFolder[]) {
    this.folders = folders
    this.#byId = new Map(folders.map((folder) => [folder.id, folder]))
  }

  /** The migrations that no other one follows. */
  get heads(): readonly MigrationFolder[] {
    return this.folders.filter(
      ({ id }) => !this.folders.some(({ parents }) => parents.includes(id)),
    )
  }

  /** All migrations that come before one, on every way to it. */
  ancestors(id: string): ReadonlySet<string> {
    const known = this.#ancestors.get(id)
    if (known) return known
    const found = new Set<string>()
    const waiting = [...(this.#byId.get(id)?.parents ?? [])]
    for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
      const folder = this.#byId.get(parent)
      if (folder === undefined || found.has(parent)) continue
      found.add(parent)
      waiting.push(...folder.parents)
    }
    this.#ancestors.set(id, found)
    return found
  }

  /** Migrations of different branches: neither comes before the other. */
  concurrentPairs(): readonly (readonly [MigrationFolder, MigrationFolder])[] {
    return this.folders.flatMap((a, at) =>
      this.folders
        .slice(at + 1)
        .filter((b) => !this.ancestors(b.id).has(a.id) && !this.ancestors(a.id).has(b.id))
        .map((b) => [a, b] as const),
    )
  }

  /**
   * The schema of a table that has these migrations and all that come before them, in whatever
   * order they were applied. Undefined if there are none.
   */
  snapshotOf(ids: Iterable<string>): DefinitionData | undefined {
    const all = new Set<string>()
    for (const id of ids) {
      if (!this.#byId.has(id)) continue
      all.add(id)
      for (const each of this.ancestors(id)) all.add(each)
    }
    // Whatever comes before a migration has fewer migrations before it.
    const depth = ({ id }: MigrationFolder): number => this.ancestors(id).size
    const sorted = this.folders
      .filter(({ id }) => all.has(id))
      .sort((a, b) => depth(a) - depth(b) || (a.id < b.id ? -1 : 1))
    const last = sorted.find(({ id }) => this.ancestors(id).size === all.size - 1)
    if (sorted.length === 0 || last) return last?.snapshot
    const text = JSON.stringify(sorted.map(({ id }) => id))
    const known = this.#snapshots.get(text)
    if (known) return known
    const merged = definitionOf(this.#merged(sorted))
    this.#snapshots.set(text, merged)
    return merged
  }

  /** What a migration changes of the schema that it started from. */
  changesOf({ snapshot, parents }: MigrationFolder): ReadonlyMap<string, unknown> {
    return changedUnits(unitsOf(this.snapshotOf(parents) ?? {}), unitsOf(snapshot))
  }

  /** The changes of all of them, always in the same order, so that the result is the same. */
  #merged(sorted: readonly MigrationFolder[]): Units {
    let units: Units = new Map()
    for (const [at, folder] of sorted.entries()) {
      units =
        this.ancestors(folder.id).size === at
          ? unitsOf(folder.snapshot)
          : withChanges(units, this.changesOf(folder))
    }
    return units
  }
}
