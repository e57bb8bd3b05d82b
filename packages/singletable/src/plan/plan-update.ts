import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { equalItems } from '../values/compare.ts'
import { getOwn } from '../values/own.ts'
import { applyChanges } from './apply-changes.ts'
import type { Change } from './encode-changes.ts'
import { type ItemAfter, planIndexKeys, UNKNOWN } from './index-keys.ts'
import { renderPrimaryKey } from './key-values.ts'
import { planMove } from './move-item.ts'
import type { UpdatePlan } from './plan.ts'
import type { PlanContext } from './plan-context.ts'
import { refuseInput } from './refuse-input.ts'
import type { UpdateState } from './state.ts'
import { draftUpdate, type KnownValues, NOTHING_KNOWN, type UpdateDraft } from './update-draft.ts'
import { writeUpdate } from './write-update.ts'

/**
 * Plans an update or an upsert. Key attributes of indexes follow the attributes they are made of: where the call alone does not tell them,
 * the plan reads the item first; where the primary key changes, it moves the item.
 */
export function planUpdate(state: UpdateState, context: PlanContext): UpdatePlan {
  const draft = draftUpdate(state, context)
  const { changes, rules, place, key } = draft
  const target = newKey(draft)
  if (target === undefined) return planInPlace(draft)
  if (equalItems(target, key)) {
    // Values that leave the key as it is are the ones it has, unless it can't tell them apart.
    const isDone = ({ kind, attribute }: Change): boolean =>
      kind === 'set' && rules.primary.has(attribute.name) && !rules.lossy.has(attribute.name)
    return planInPlace({ ...draft, changes: changes.filter((change) => !isDone(change)) })
  }
  if (state.verb === 'update') return planMove(draft, target)
  return refuseInput(
    [{ path: [], message: 'the values set belong to another primary key than the one given' }],
    place,
    'give the same values in both, or change the key of an item by update()',
  )
}

function planInPlace(draft: UpdateDraft): UpdatePlan {
  const { key, rules, given, place } = draft
  const { model } = draft.state
  const keys = planIndexKeys(model, itemAfter(draft, given), place)
  if (keys.missing.size === 0) return writeUpdate(draft, keys, NOTHING_KNOWN)
  const attributes = [...keys.missing]
  return {
    kind: 'read-first',
    model,
    key,
    attributes,
    finish(current) {
      const read = new Map<string, AttributeValue | undefined>()
      for (const name of attributes) {
        read.set(name, current && getOwn(current, rules.byName.get(name)!.stored))
      }
      const after = itemAfter(draft, new Map([...given, ...read]))
      return writeUpdate(draft, planIndexKeys(model, after, place), read)
    },
  }
}

function itemAfter(draft: UpdateDraft, known: KnownValues): ItemAfter {
  const { rules, changes, keyValues, place } = draft
  const isFixed = (name: string): boolean => rules.primary.has(name) && !rules.lossy.has(name)
  return {
    creates: draft.state.verb === 'upsert',
    changes(name) {
      for (const { attribute } of changes) if (attribute.name === name) return !isFixed(name)
      return false
    },
    valueOf(name) {
      if (isFixed(name)) return keyValues[name]
      const own = changes.filter(({ attribute }) => attribute.name === name)
      let value: AttributeValue | undefined
      if (own[0] !== undefined && isPlain(own[0])) value = own[0].value
      else if (known.has(name)) value = applyChanges(known.get(name), own, place)
      else return UNKNOWN
      return value && rules.byName.get(name)!.codec.decode(value)
    },
  }
}

/** Whether the value after the change does not depend on the one before. */
function isPlain({ kind, path }: Change): boolean {
  return path.length === 1 && (kind === 'set' || kind === 'remove')
}

/** The primary key after the changes; `undefined` if they set none of its attributes. */
function newKey({ changes, rules, keyValues, state, place }: UpdateDraft): Item | undefined {
  let values: Record<string, unknown> | undefined
  for (const { kind, attribute, value } of changes) {
    if (kind !== 'set' || value === undefined || !rules.primary.has(attribute.name)) continue
    values ??= { ...keyValues }
    values[attribute.name] = attribute.codec.decode(value)
  }
  return values && renderPrimaryKey(state.model, values, place)
}
