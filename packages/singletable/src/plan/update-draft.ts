import type { InputIssue } from '../errors/input-error.ts'
import { addUnknown } from '../schema/encode-attribute.ts'
import { placeIssues } from '../schema/input-issues.ts'
import type { Attribute } from '../schema/model.ts'
import { timestampValue } from '../schema/timestamp.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { type Change, encodeChanges } from './encode-changes.ts'
import { keyValuesOf } from './key-values.ts'
import { type ModelRules, rulesOf } from './model-rules.ts'
import { type PlanContext, placeOf } from './plan-context.ts'
import { refuseInput } from './refuse-input.ts'
import type { UpdateState } from './state.ts'

/** Current values by attribute name; `undefined` is no attribute. */
export type KnownValues = ReadonlyMap<string, AttributeValue | undefined>

/** An update as far as the call alone decides it. */
export interface UpdateDraft {
  readonly state: UpdateState
  readonly context: PlanContext
  readonly place: string
  readonly rules: ModelRules
  readonly key: Item
  /** What the caller asked for, and what every write does: defaults of a new item, timestamps, version. */
  readonly changes: readonly Change[]
  readonly given: KnownValues
}

export const NOTHING_KNOWN: KnownValues = new Map()

export function draftUpdate(state: UpdateState, context: PlanContext): UpdateDraft {
  const { model, verb } = state
  const place = placeOf(context, model, verb)
  const rules = rulesOf(model)
  const key = model.encodeKey(state.key, place, context.warn)
  const changes = encodeChanges(state, rules, place)
  if (changes.length === 0 && verb === 'update') {
    refuseInput([{ path: [], message: 'nothing is changed' }], place, 'give what to set or remove')
  }
  const given = state.given === undefined ? NOTHING_KNOWN : encodeGiven(state.given, rules, place)
  const draft = { state, context, place, rules, key, changes, given }
  addStandingChanges(draft)
  return draft
}

function addStandingChanges(draft: UpdateDraft & { readonly changes: Change[] }): void {
  const { state, context, changes, key } = draft
  const { updatedAt, version } = state.model
  const asked = changes.length
  const add = (kind: Change['kind'], attribute: Attribute, value: AttributeValue): void => {
    const { stored } = attribute
    for (let index = 0; index < asked; index++) if (changes[index]!.path[0] === stored) return
    changes.push({ kind, attribute, path: [stored], value })
  }
  if (state.verb === 'upsert') {
    const item = newItemOf(draft)
    for (const stored of Object.keys(item)) {
      const attribute = draft.rules.byStored.get(stored)
      // Neither the primary key nor rendered keys and the type are attributes to set, and the version is counted.
      if (attribute === undefined || attribute === version || Object.hasOwn(key, stored)) continue
      add(attribute === updatedAt ? 'set' : 'default', attribute, item[stored]!)
    }
  } else if (updatedAt !== undefined) {
    add('set', updatedAt, timestampValue(updatedAt, context.environment.now()))
  }
  if (version !== undefined) add('add', version, { N: '1' })
}

/** The item that an upsert makes if there is none: checked as any new item is. */
function newItemOf({ state, context, place, key }: UpdateDraft): Item {
  const input = keyValuesOf(state.model, state.key, key)
  for (const assignment of state.assignments) {
    const { kind, target } = assignment
    if (kind === 'append' || kind === 'prepend') input[target.name] = assignment.values
    else if (kind === 'add' || kind === 'set' || kind === 'default') {
      const { value } = assignment
      const isMember = kind === 'add' && target.codec.element !== undefined
      if (value !== undefined) input[target.name] = isMember ? toSet(value) : value
    } else delete input[target.name]
  }
  return state.model.encodeNew(input, context.environment, place).item
}

function toSet(value: unknown): Set<unknown> {
  return value instanceof Set ? value : new Set(Array.isArray(value) ? value : [value])
}

function encodeGiven(given: object, rules: ModelRules, place: string): KnownValues {
  const issues: InputIssue[] = []
  const known = new Map<string, AttributeValue | undefined>()
  for (const [name, value] of Object.entries(given)) {
    const attribute = rules.byName.get(name)
    if (attribute === undefined) {
      addUnknown(issues, name, { attributes: rules.byName })
      continue
    }
    const before = issues.length
    known.set(name, value === undefined ? undefined : attribute.codec.encode(value, issues))
    placeIssues(issues, before, name)
  }
  if (issues.length > 0) refuseInput(issues, place, 'give attributes as reading gives them')
  return known
}
