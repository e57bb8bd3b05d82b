import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { applyChanges } from './apply-changes.ts'
import { planIndexKeys } from './index-keys.ts'
import type { StagedPlan } from './plan.ts'
import { planWrite } from './plan-write.ts'
import type { UpdateDraft } from './update-draft.ts'
import { knownValues } from './write-condition.ts'

/** Plans an update that gives the item another primary key. */
export function planMove(
  draft: UpdateDraft,
  { names, target }: NonNullable<UpdateDraft['moves']>,
): StagedPlan {
  const { state, context, model, place, key, given } = draft
  const { verb } = state
  return {
    kind: 'move',
    verb,
    model,
    key,
    expects: { exists: true, absent: false, version: undefined },
    attributes: names,
    reads: undefined,
    finish(current) {
      const before = current ?? {}
      const stored = [...model.attributes.values()].map((attribute) => attribute.stored)
      const item = movedItem(draft, before, target, stored)
      const output = movedOutput(draft, before, item)
      const common = { verb, model, place }
      // The old item goes only if it is still the one that was read: its version tells, or all its attributes.
      const version = model.version?.stored
      const telling =
        version !== undefined && Object.hasOwn(before, version)
          ? [version]
          : [...new Set([...stored, ...Object.keys(before)])]
      const read = knownValues(
        telling.filter((name) => !Object.hasOwn(key, name)),
        before,
      )
      const known = new Map([...read, ...given])
      return [
        planWrite(context, { ...common, action: 'Put', key: target, item, absent: true, output }),
        planWrite(context, { ...state, ...common, action: 'Delete', key, exists: true, known }),
      ]
    },
  }
}

function movedItem(
  { model, place, changes }: UpdateDraft,
  before: Item,
  target: Item,
  stored: readonly string[],
): Item {
  const type = { [model.schema.params.typeField]: { S: model.name } }
  const item = { ...applyChanges(before, changes, place), ...target, ...type }
  for (const { name } of model.derived) delete item[name]
  const known = knownValues(stored, item)
  const keys = planIndexKeys({ model, place, key: target, changes: [], creates: true }, known)
  return applyChanges(item, keys.changes, place)
}

/** What the update gives, as one that does not move the item would. */
function movedOutput(
  { state, model, changes }: UpdateDraft,
  before: Item,
  after: Item,
): Record<string, unknown> | undefined {
  const { returning } = state
  if (returning === 'NONE') return undefined
  const item = returning.endsWith('OLD') ? before : after
  if (returning.startsWith('ALL')) return model.decode(item, false)
  const updated = changes.flatMap(({ path: [name] }) => {
    const value = getOwn(item, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return model.decode(Object.fromEntries(updated), true)
}
