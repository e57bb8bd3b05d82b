import type { InputIssue } from '../errors/input-error.ts'
import { addUnknown } from '../schema/encode-attribute.ts'
import { encodePart, refuseInput } from '../schema/input-issues.ts'
import type { Model } from '../schema/model.ts'
import { timestampValue } from '../schema/timestamp.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import { type Change, encodeChanges, isChanged, membersOf } from './encode-changes.ts'
import { givenKeyValues, keyValues } from './key-values.ts'
import { type PlanContext, placeOf } from './plan-context.ts'
import type { UpdateState } from './state.ts'
import { type KnownValues, NOTHING_KNOWN } from './write-condition.ts'

/** An update as far as the call alone decides it. */
export interface UpdateDraft {
  readonly state: UpdateState
  readonly context: PlanContext
  readonly model: Model
  readonly place: string
  readonly key: Item
  /** The attributes that give the item another primary key, and that key; none if it stays where it is. */
  readonly moves: { readonly names: readonly string[]; readonly target: Item } | undefined
  /** It may make the item. */
  readonly creates: boolean
  /** What the caller asked for, and what every write does: defaults of a new item, timestamps, version. */
  readonly changes: readonly Change[]
  /** Current values that the caller asserts. */
  readonly given: KnownValues
}

export function draftUpdate(state: UpdateState, context: PlanContext): UpdateDraft {
  const { model, verb } = state
  const { attributes, primary } = model
  const place = placeOf(context, model, verb)
  const key = model.encodeKey(state.key, place)
  const creates = verb === 'upsert'
  let changes = encodeChanges(state, key, place)
  if (changes.length === 0 && !creates) {
    refuseInput([{ path: [], message: 'nothing is changed' }], place, 'give what to set or remove')
  }
  let moves: UpdateDraft['moves']
  const keyChanges = changes.filter(
    ({ name, path }) => path.length === 1 && primary.names.includes(name),
  )
  if (keyChanges.length > 0) {
    const { told, all } = keyValues(model, key)
    for (const { name, value } of keyChanges) {
      all[name] = attributes.get(name)!.codec.decode(value!)
    }
    const target = model.encodeKey(all, place)
    if (sameValue(target, key)) {
      // Values that leave the key as it is are the ones the item has, unless the key does not tell.
      changes = changes.filter(
        (change) => !keyChanges.includes(change) || !Object.hasOwn(told, change.name),
      )
    } else if (creates) {
      refuseInput(
        [{ path: [], message: 'what is set belongs to another primary key' }],
        place,
        'give the same values in both, or use update()',
      )
    } else moves = { names: keyChanges.map(({ name }) => name), target }
  }
  const given = state.given === undefined ? NOTHING_KNOWN : encodeGiven(state.given, model, place)
  const draft = { state, context, model, place, key, moves, creates, changes, given }
  addStanding(draft)
  return draft
}

/** Adds what every write changes, and what only a new item gets. */
function addStanding(draft: UpdateDraft & { readonly changes: Change[] }): void {
  const { context, model, creates, changes } = draft
  const item = creates ? newItemOf(draft) : {}
  for (const attribute of model.attributes.values()) {
    const { name, stored } = attribute
    const made = getOwn(item, stored)
    const add = (kind: Change['kind'], value: AttributeValue): void => {
      changes.push({ kind, name, path: [stored], value })
    }
    if (attribute === model.version) add('add', { N: '1' })
    else if (attribute === model.updatedAt) {
      add('set', made ?? timestampValue(attribute, context.environment.now()))
    } else if (made && !isChanged(changes, attribute)) add('default', made)
  }
  if (creates) {
    const name = model.schema.params.typeField
    changes.push({ kind: 'default', name, path: [name], value: { S: model.name } })
  }
}

/** The item that an upsert makes if there is none: checked as any new item is. */
function newItemOf({ state, context, model, place, key }: UpdateDraft): Item {
  const input = givenKeyValues(model, key, state.key)
  for (const { kind, target, value } of state.assignments) {
    if (kind === 'remove' || kind === 'delete') delete input[target.name]
    else if (value !== undefined) {
      input[target.name] = kind === 'add' ? membersOf(target.codec, value) : value
    }
  }
  return model.encodeNew(input, context.environment, place).item
}

/** Current values that the caller tells, by stored name. */
export function encodeGiven(given: object, model: Model, place: string): KnownValues {
  const issues: InputIssue[] = []
  const known = new Map<string, AttributeValue | undefined>()
  for (const [name, value] of Object.entries(given)) {
    const attribute = model.attributes.get(name)
    if (attribute === undefined) addUnknown(issues, name, model)
    else {
      const { stored, codec } = attribute
      known.set(stored, value === undefined ? value : encodePart(codec.encode, value, name, issues))
    }
  }
  if (issues.length > 0) refuseInput(issues, place, 'give attributes as reading gives them')
  return known
}
