import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { equalItems } from '../values/compare.ts'
import { getOwn } from '../values/own.ts'
import { applyChanges } from './apply-changes.ts'
import { decodeAttribute } from './decode-attribute.ts'
import type { Change } from './encode-changes.ts'
import { type ItemAfter, planIndexKeys, UNKNOWN } from './index-keys.ts'
import { keyValueOf, keyValuesOf, renderPrimaryKey } from './key-values.ts'
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
  const { place, key } = draft
  const target = newKey(draft)
  if (target === undefined) return planInPlace(draft)
  if (equalItems(target, key)) return planInPlace({ ...draft, changes: withoutKey(draft) })
  if (state.verb === 'update') return planMove(draft, target)
  return refuseInput(
    [{ path: [], message: 'the values set belong to another primary key than the one given' }],
    place,
    'give the same values in both, or change the key of an item by update()',
  )
}

/** Values that leave the key as it is are the ones it has, unless it can't tell them apart; a new item still needs them. */
function withoutKey({ changes, rules, state }: UpdateDraft): Change[] {
  const kept: Change[] = []
  for (const change of changes) {
    const { name } = change.attribute
    if (change.kind !== 'set' || !rules.primary.has(name) || rules.lossy.has(name)) {
      kept.push(change)
    } else if (state.verb === 'upsert') kept.push({ ...change, kind: 'default' })
  }
  return kept
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
  const { state, key, rules, changes, place } = draft
  const isFixed = (name: string): boolean => rules.primary.has(name) && !rules.lossy.has(name)
  return {
    creates: state.verb === 'upsert',
    changes(name) {
      for (const { attribute } of changes) if (attribute.name === name) return !isFixed(name)
      return false
    },
    valueOf(name) {
      if (isFixed(name)) return keyValueOf(state.model, state.key, key, name)
      const own = changes.filter(({ attribute }) => attribute.name === name)
      let value: AttributeValue | undefined
      if (own[0] !== undefined && isPlain(own[0])) value = own[0].value
      else if (known.has(name)) value = applyChanges(known.get(name), own, place)
      else return UNKNOWN
      return value && decodeAttribute(state.model, rules.byName.get(name)!, value, key)
    },
  }
}

/** Whether the value after the change does not depend on the one before. */
function isPlain({ kind, path }: Change): boolean {
  return path.length === 1 && (kind === 'set' || kind === 'remove')
}

/** The primary key after the changes; `undefined` if they set none of its attributes. */
function newKey({ changes, rules, key, state, place }: UpdateDraft): Item | undefined {
  let values: Record<string, unknown> | undefined
  for (const { kind, attribute, value } of changes) {
    if (kind !== 'set' || value === undefined || !rules.primary.has(attribute.name)) continue
    values ??= keyValuesOf(state.model, state.key, key)
    values[attribute.name] = attribute.codec.decode(value)
  }
  return values && renderPrimaryKey(state.model, values, place)
}
