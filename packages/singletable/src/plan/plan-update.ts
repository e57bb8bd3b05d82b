import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import type { Change } from './encode-changes.ts'
import { planIndexKeys } from './index-keys.ts'
import { planMove } from './move-item.ts'
import type { UpdatePlan, WritePlan } from './plan.ts'
import type { PlanContext } from './plan-context.ts'
import { planWrite, type Write } from './plan-write.ts'
import { stageUpdate } from './stage-update.ts'
import { assertItem } from './stage-write.ts'
import type { UpdateState } from './state.ts'
import { type Creation, draftUpdate } from './update-draft.ts'
import { knownValues } from './write-condition.ts'

/**
 * Plans an update or an upsert. Key attributes of indexes follow the attributes they are made of: where the call alone does not tell them,
 * the plan reads the item first; where the primary key changes, it moves the item.
 */
export function planUpdate(state: UpdateState, context: PlanContext): UpdatePlan {
  const draft = draftUpdate(state, context)
  const { model, place, key, moves, creates, changes, given, creation } = draft
  const { verb, version } = state
  const { companions } = model
  if (
    companions &&
    !moves &&
    ((creates && companions.touching.size > 0) ||
      changes.some(({ path: [stored] }) => companions.touching.has(stored)))
  ) {
    return stageUpdate(draft, companions)
  }
  const write = (all: readonly Change[], options: Partial<Write>): WritePlan =>
    planWrite(state, context, {
      action: 'Update',
      verb,
      place,
      key,
      changes: all,
      exists: !creates,
      version,
      ...options,
    })
  /** The write of an item that is there, with the values that its index keys depend on. */
  const writeExisting = (item: Item): WritePlan => {
    const { missing } = planIndexKeys({ ...draft, creates: false }, given)
    const names = [...missing].map((name) => model.attributes.get(name)!.stored)
    const known = new Map([...given, ...knownValues(names, item)])
    const keys = planIndexKeys({ ...draft, creates: false }, known)
    return write([...changes, ...keys.changes], { exists: true, known })
  }
  const writeNew = ({ changes: created }: Creation): WritePlan => {
    const all = [...model.attributes.values()].map(({ stored }) => stored)
    const values = new Map([...given, ...knownValues(all, undefined)])
    const keys = planIndexKeys({ ...draft, changes: created }, values)
    const known = new Map([...given, ...assertItem(model, undefined, [])])
    return write([...created, ...keys.changes], { known })
  }
  if (creation && !creation.either) {
    return { ...writeNew(creation), existing: writeExisting }
  }
  const blind = creation?.either ? { ...draft, changes: creation.either } : draft
  const keys = planIndexKeys(blind, given)
  if (!moves && keys.missing.size === 0) {
    const { complete = [] } = creation ?? {}
    const plan = write([...blind.changes, ...keys.changes], { known: given, complete })
    const isComplete = (item: Item): boolean => complete.every((name) => getOwn(item, name))
    return complete.length === 0
      ? plan
      : { ...plan, existing: (item) => (isComplete(item) ? undefined : writeExisting(item)) }
  }
  const attributes = moves ? moves.names : [...keys.missing]
  const reads = attributes.map((name) => model.attributes.get(name)!.stored)
  return {
    kind: moves ? 'move' : 'read-first',
    verb,
    model,
    tableName: context.tableName,
    key,
    expects: { exists: !creates, absent: false, version: undefined },
    attributes,
    reads: moves ? undefined : reads,
    finish(current) {
      if (moves) return planMove(draft, moves.target, current ?? {})
      return [creation && !current ? writeNew(creation) : writeExisting(current ?? {})]
    },
  }
}
