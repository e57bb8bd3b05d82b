import { sourcesOf } from './encode-changes.ts'
import { itemFromKey, namesOf, withValues } from './stage-write.ts'
import type { StagedPlan } from './staged-plan.ts'
import type { UpdateDraft } from './update-draft.ts'
import { neededForKeys } from './write-draft.ts'

/**
 * An update of an item that others follow from: what is written in addition depends on the whole
 * item, which is read before. With the attributes that decide given, a transaction takes it
 * without.
 */
export function stageUpdate(draft: UpdateDraft): StagedPlan {
  const { state, site, model, key, creates, changes, given } = draft
  const { affected, inKeys } = dependencies(draft)
  const fromKey = itemFromKey(model, key)
  // A value that is replaced need not be known, unless it decides about what is there now.
  const isReplaced = (name: string): boolean =>
    !model.derivedItems!.determinedBy.has(name) &&
    changes.some(
      ({ kind, path }) =>
        path.length === 1 && path[0] === name && (kind === 'set' || kind === 'remove'),
    )
  const missing = new Set(
    [...affected, ...inKeys, ...changes.flatMap(sourcesOf)].filter(
      (name) => !Object.hasOwn(fromKey, name) && !given.has(name) && !isReplaced(name),
    ),
  )
  return Object.freeze<StagedPlan>({
    kind: 'read-first',
    verb: state.verb,
    model,
    tableName: site.tableName,
    key,
    expects: { exists: !creates, absent: false, version: undefined },
    attributes: namesOf(model, missing),
    reads: undefined,
    assumed: creates || missing.size > 0 ? undefined : { item: withValues(fromKey, given) },
    draft,
  })
}

/** The stored names of what derived items, and of what index keys depend on. */
export function dependencies(draft: UpdateDraft): {
  readonly affected: ReadonlySet<string>
  readonly inKeys: readonly string[]
} {
  const { model, creates, changes } = draft
  const { dependsOn, affectedBy } = model.derivedItems!
  return {
    affected: creates ? dependsOn : affectedBy(new Set(changes.map(({ path }) => path[0]))),
    inKeys: neededForKeys(draft),
  }
}
