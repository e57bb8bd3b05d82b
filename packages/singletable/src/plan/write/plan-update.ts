import type { PlanContext } from '../plan-context.ts'
import type { UpdateState } from '../state.ts'
import { planIndexKeys } from './index-keys.ts'
import { stageUpdate } from './stage-update.ts'
import type { UpdatePlan } from './staged-plan.ts'
import { draftUpdate } from './update-draft.ts'
import { writeDraft, writeNew } from './write-draft.ts'

/**
 * Plans an update or an upsert. Key attributes of indexes follow the attributes they are made of:
 * where the call alone does not give them, the plan reads the item first; where the primary key
 * changes, it moves the item.
 */
export function planUpdate(state: UpdateState, context: PlanContext): UpdatePlan {
  const draft = draftUpdate(state, context)
  const { model, key, moves, creates, changes, given, creation } = draft
  const { derivedItems } = model
  if (
    derivedItems &&
    !moves &&
    ((creates && derivedItems.dependsOn.size > 0) ||
      changes.some(({ path: [stored] }) => derivedItems.dependsOn.has(stored)))
  ) {
    return stageUpdate(draft)
  }
  // No expression fits both a new and an existing item, so the item is taken for new. If it exists,
  // the condition fails, and `planExisting` plans another write.
  if (creation && !creation.either) return writeNew(draft, creation)
  const unread = creation?.either ? { ...draft, changes: creation.either } : draft
  const keys = planIndexKeys(unread, given)
  if (!moves && keys.missing.size === 0) {
    const { complete = [] } = creation ?? {}
    const all = [...unread.changes, ...keys.changes]
    const rest = complete.length === 0 ? undefined : draft
    return writeDraft(draft, all, { known: given, complete, draft: rest })
  }
  const attributes = moves ? moves.names : [...keys.missing]
  const reads = attributes.map((name) => model.attributes.get(name)!.stored)
  return Object.freeze<UpdatePlan>({
    kind: moves ? 'move' : 'read-first',
    verb: state.verb,
    model,
    tableName: context.tableName,
    key,
    expects: { exists: !creates, absent: false, version: undefined },
    attributes,
    reads: moves ? undefined : reads,
    draft,
  })
}
