import type { Change } from './encode-changes.ts'
import { planIndexKeys } from './index-keys.ts'
import { planMove } from './move-item.ts'
import type { UpdatePlan, WritePlan } from './plan.ts'
import type { PlanContext } from './plan-context.ts'
import { planWrite } from './plan-write.ts'
import { stageUpdate } from './stage-update.ts'
import type { UpdateState } from './state.ts'
import { draftUpdate } from './update-draft.ts'
import { type KnownValues, knownValues } from './write-condition.ts'

/**
 * Plans an update or an upsert. Key attributes of indexes follow the attributes they are made of: where the call alone does not tell them,
 * the plan reads the item first; where the primary key changes, it moves the item.
 */
export function planUpdate(state: UpdateState, context: PlanContext): UpdatePlan {
  const draft = draftUpdate(state, context)
  const { model, place, key, moves, creates, changes, given } = draft
  const { verb, version } = state
  const exists = !creates
  const write = (keyChanges: readonly Change[], known: KnownValues): WritePlan =>
    planWrite(state, context, {
      action: 'Update',
      verb,
      place,
      key,
      changes: [...changes, ...keyChanges],
      exists,
      version,
      known,
    })
  const keys = planIndexKeys(draft, given)
  const { companions } = model
  if (
    companions &&
    !moves &&
    ((creates && companions.touching.size > 0) ||
      changes.some(({ path: [stored] }) => companions.touching.has(stored)))
  ) {
    return stageUpdate(draft, companions)
  }
  if (!moves && keys.missing.size === 0) return write(keys.changes, given)
  const attributes = moves ? moves.names : [...keys.missing]
  const reads = attributes.map((name) => model.attributes.get(name)!.stored)
  return {
    kind: moves ? 'move' : 'read-first',
    verb,
    model,
    tableName: context.tableName,
    key,
    expects: { exists, absent: false, version: undefined },
    attributes,
    reads: moves ? undefined : reads,
    finish(current) {
      if (moves) return planMove(draft, moves.target, current ?? {})
      const known = new Map([...given, ...knownValues(reads, current)])
      return [write(planIndexKeys(draft, known).changes, known)]
    },
  }
}
