import type { ItemStep, Migration } from 'singletable/migrations'
import {
  CONTROL_TYPE,
  type Item,
  type ItemVersions,
  idsOf,
  isIndexStep,
  joinedVersion,
  MOVING,
  modelOf,
  modelsOfSteps,
  type Schema,
  systemEnvironment,
  type UpgradeLink,
  upgradeItem,
  versionAttributeOf,
  versionOf,
} from 'singletable/tools'
import { Branches } from './branches.ts'
import { loadMigration, type MigrationFolder } from './folders.ts'
import { type MigrateProject, versionsOf } from './project.ts'

/** A migration and its schemas. */
export interface VersionedMigration {
  readonly id: string
  readonly before: Schema
  readonly after: Schema
  readonly migration: Migration
}

/** The migrations of a project, and the models whose items each of them changes. */
export class VersionGraph {
  readonly branches: Branches
  readonly #links: ReadonlyMap<string, UpgradeLink>

  constructor(folders: readonly MigrationFolder[], migrations: readonly VersionedMigration[]) {
    this.branches = new Branches(folders)
    this.#links = new Map(
      migrations.map(({ id, before, after, migration }) => {
        const steps = migration.steps.filter((step): step is ItemStep => !isIndexStep(step))
        const later = folders.filter((each) => this.branches.ancestors(each.id).has(id))
        const link: UpgradeLink = {
          id,
          before,
          after,
          steps,
          models: modelsOfSteps(steps),
          followers: new Set([id, ...later.map((each) => each.id)]),
          environment: systemEnvironment,
        }
        return [id, link]
      }),
    )
  }

  static async load(project: Pick<MigrateProject, 'folders' | 'loaded'>): Promise<VersionGraph> {
    const migrations = await Promise.all(
      project.folders.map(async (folder) => ({
        id: folder.id,
        ...versionsOf(project, folder),
        migration: await loadMigration(folder),
      })),
    )
    return new VersionGraph(project.folders, migrations)
  }

  /** Whether an item of this version has had a migration, and a later one. */
  isLater(version: string, id: string): boolean {
    return idsOf(version).some((each) =>
      // The name of a migration that is not in this project begins with its time, too.
      this.#isKnown(each) ? this.branches.ancestors(each).has(id) : each > id,
    )
  }

  /** Whether an item of this version is certain to have had all of these migrations. */
  hasHad(version: string | undefined, ids: readonly string[]): boolean {
    return ids.every(
      (id) => idsOf(version).includes(id) || (version !== undefined && this.isLater(version, id)),
    )
  }

  #isKnown(id: string): boolean {
    return this.branches.folders.some((folder) => folder.id === id)
  }

  /** Of some migrations, those that change the model and that none of the others follows. */
  lastOf(ids: Iterable<string>, model: string): readonly string[] {
    const own = [...ids].filter((id) => this.#links.get(id)?.models.has(model))
    return own.filter((id) => !own.some((other) => this.branches.ancestors(other).has(id)))
  }

  /** How a run of a migration, or its way back, keeps the versions of items. */
  versionsOf(id: string, before: Schema, isDown: boolean): ItemVersions {
    const earlier = this.branches.ancestors(id)
    const { models } = this.#links.get(id) ?? {}
    const attribute = versionAttributeOf(this.#links.get(id)?.after ?? before)
    const links = [...this.#links.values()].filter((link) => earlier.has(link.id))
    const chain = { attribute, links, after: before }
    return {
      attribute,
      catchUp: (item) => {
        const version = versionOf(item, attribute)
        if (isDown || version === undefined) return undefined
        if (!idsOf(version).every((each) => earlier.has(each))) return undefined
        const name = modelOf({ schema: before }, item)?.name
        const isMoving = links.some(({ steps }) =>
          steps.some((step) => step.model === name && MOVING.includes(step.kind)),
        )
        return isMoving ? undefined : upgradeItem(chain, item)
      },
      isHad: (version) => !isDown && idsOf(version).includes(id),
      isNewer: (version) => !isDown && this.isLater(version, id),
      next: (model, version) => {
        if (!models?.has(model)) return version
        const before = this.lastOf(earlier, model)
        const ids = idsOf(version)
        if (isDown) {
          if (!ids.includes(id)) return version
          const left = ids.filter((each) => each !== id)
          return joinedVersion(this.lastOf([...left, ...before], model))
        }
        // What has not had all that comes before can't be said to have had it.
        if (!this.hasHad(version, before)) return version
        const others = ids.filter((each) => this.#isKnown(each))
        return joinedVersion(this.lastOf([...others, id], model))
      },
    }
  }
}

/** How many items have which version, and how many may have an older form than the table. */
export interface VersionCounts {
  /** By version; `none` for items without one. Only of models that a migration changes. */
  readonly versions: Readonly<Record<string, number>>
  /** Items that are not certain to have had all that was applied. */
  readonly uncertain: number
}

/** Counts the items of each version. */
export function createVersionCounter(
  graph: VersionGraph,
  applied: ReadonlySet<string>,
  schema: Schema,
): { add(item: Item): void; counts(): VersionCounts } {
  const attribute = versionAttributeOf(schema)
  const versions = new Map<string, number>()
  let uncertain = 0
  return {
    add(item) {
      if (item[schema.params.typeField]?.S === CONTROL_TYPE) return
      const model = modelOf({ schema }, item)
      if (model === undefined || model.source) return
      const wanted = graph.lastOf(applied, model.name)
      if (wanted.length === 0) return
      const version = versionOf(item, attribute)
      const text = version ?? 'none'
      versions.set(text, (versions.get(text) ?? 0) + 1)
      if (!graph.hasHad(version, wanted)) uncertain++
    },
    counts: () => ({ versions: Object.fromEntries([...versions].sort()), uncertain }),
  }
}
