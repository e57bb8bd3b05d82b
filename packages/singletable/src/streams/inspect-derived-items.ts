import { compare } from '../expression/build.ts'
import type { WritePlan } from '../plan/plan.ts'
import type { Model } from '../schema/model.ts'
import { OWNER } from '../schema/reserved-items.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import { modelOf } from './model-of.ts'
import { keyOf } from './propagation.ts'
import type { Problem, Repair } from './repair.ts'

/** Copies and guards that an item should have, and has not. */
export async function inspectItem(
  repair: Repair,
  model: Model,
  item: Item,
  key: Item,
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  for (const plan of repair.expected(model, item, key)) {
    const { role, item: expected } = plan
    const stored = await repair.read(plan.key)
    if (sameValue(stored, expected)) continue
    const check = repair.unchanged(model, key, item)
    if (role?.kind === 'copy') {
      problems.push({
        kind: stored ? 'copy-stale' : 'copy-missing',
        message: `its copy "${role.name}" ${stored ? 'differs from it' : 'is missing'}`,
        writes: [check, plan],
      })
      continue
    }
    const isOwn = !stored || sameValue(getOwn(stored, OWNER), getOwn(expected!, OWNER))
    const isTaken = !isOwn && (await isHeld(repair, stored, plan.key))
    problems.push({
      kind: isTaken ? 'unique-taken' : 'unique-missing',
      message: isTaken
        ? `its unique "${role?.name}" is held by another item, which has the same value`
        : stored && isOwn
          ? `the guard of its unique "${role?.name}" is wrong, or has an older format`
          : `nothing guards its unique "${role?.name}"`,
      // Which of two items is to change is not ours to decide.
      writes: isTaken ? [] : [check, isOwn ? plan : takeOver(plan, stored)],
    })
  }
  return problems
}

/** Whether a copy is one that its item has. */
export async function inspectCopy(
  repair: Repair,
  model: Model,
  item: Item,
  key: Item,
): Promise<readonly Problem[]> {
  const source = model.source!
  const sourceKey = source.encodeKey(keyOf(source, model.decode(item, false)), repair.place)
  const owner = await repair.read(sourceKey)
  if (owner && expects(repair, source, owner, { owner: sourceKey, key })) return []
  return [
    {
      kind: 'copy-orphaned',
      message: owner ? `its ${source.name} has no such copy` : `its ${source.name} is gone`,
      writes: [repair.unchanged(source, sourceKey, owner), repair.remove(model, key)],
    },
  ]
}

/** Whether a guard is one of the item that it names. */
export async function inspectGuard(
  repair: Repair,
  item: Item,
  key: Item,
): Promise<readonly Problem[]> {
  const named = getOwn(item, OWNER)
  if (named?.M === undefined || (await isHeld(repair, item, key))) return []
  const { schema } = repair.context
  const owner = await repair.read(named.M)
  const found = owner && modelOf(schema, owner)
  // Of an item that is gone, or of none of the models, only the key matters.
  const [any] = schema.models.values() as Iterable<Model> as [Model]
  const model = typeof found === 'object' ? found : any
  return [
    {
      kind: 'unique-orphaned',
      message: `the item that it names ${owner ? 'has another value' : 'is gone'}`,
      writes: [
        repair.unchanged(model, named.M, owner),
        repair.remove(any, key, new Map([[OWNER, named]])),
      ],
    },
  ]
}

/** Whether the item that a guard names is there and has the guard. */
async function isHeld(repair: Repair, guard: Item, key: Item): Promise<boolean> {
  const ownerKey = getOwn(guard, OWNER)?.M
  const owner = ownerKey && (await repair.read(ownerKey))
  const model = owner && modelOf(repair.context.schema, owner)
  return typeof model === 'object' && expects(repair, model, owner!, { owner: ownerKey!, key })
}

function expects(
  repair: Repair,
  model: Model,
  item: Item,
  keys: { readonly owner: Item; readonly key: Item },
): boolean {
  return repair.expected(model, item, keys.owner).some((plan) => sameValue(plan.key, keys.key))
}

/** Claims a guard that names an item without that value, on the condition that it still does. */
function takeOver(plan: WritePlan, stored: Item): WritePlan {
  return { ...plan, condition: compare(OWNER, '=', getOwn(stored, OWNER)!) }
}
