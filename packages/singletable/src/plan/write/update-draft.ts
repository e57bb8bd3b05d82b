import type { InputIssue } from '../../errors/input-error.ts'
import { addUnknown } from '../../schema/encode-attribute.ts'
import { ownValue } from '../../schema/index-keys.ts'
import { addIssue, encodePart, refuseInput } from '../../schema/input-issues.ts'
import { isCounted } from '../../schema/is-counted.ts'
import { isLasting } from '../../schema/is-lasting.ts'
import type { Attribute, Model } from '../../schema/model.ts'
import { timestampValue } from '../../schema/timestamp.ts'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { getOwn } from '../../values/own.ts'
import { sameValue } from '../../values/same-value.ts'
import { givenKeyValues, keyValues } from '../key-values.ts'
import { type PlanContext, placeOf, siteOf, type WriteSite } from '../plan-context.ts'
import type { UpdateState } from '../state.ts'
import { applyChanges } from './apply-changes.ts'
import { type AttributeChange, encodeChanges, isChanged, membersOf } from './encode-changes.ts'
import { type KnownValues, NOTHING_KNOWN } from './write-condition.ts'

/** An update as far as the call alone decides it. */
export interface UpdateDraft {
  readonly state: UpdateState
  readonly site: WriteSite
  readonly model: Model
  readonly place: string
  readonly key: Item
  /**
   * The attributes that give the item another primary key, and that key; none if it stays where it
   * is.
   */
  readonly moves: { readonly names: readonly string[]; readonly target: Item } | undefined
  /** It may make the item. */
  readonly creates: boolean
  /**
   * What the caller asked for, and what every write does: timestamps, version. Of an upsert, for an
   * item that is there.
   */
  readonly changes: readonly AttributeChange[]
  /** Of an upsert. */
  readonly creation: Creation | undefined
  /** Current values that the caller asserts. */
  readonly given: KnownValues
}

/** What an upsert writes where there is no item: the defaults, changed as the caller asked. */
export interface Creation {
  /** For a new item alone. */
  readonly changes: readonly AttributeChange[]
  /**
   * For a new item, and for one that has all of `complete`, the stored names of what only a new one
   * gets; undefined if no update does both.
   */
  readonly either: readonly AttributeChange[] | undefined
  readonly complete: readonly string[]
}

export function draftUpdate(state: UpdateState, context: PlanContext): UpdateDraft {
  const { model, verb } = state
  const { attributes, primary } = model
  const place = placeOf(context, model, verb)
  const key = model.encodeKey(state.key, place)
  const creates = verb === 'upsert'
  let changes = encodeChanges(state, key, place, context.environment)
  if (changes.length === 0 && !creates) {
    refuseInput(
      'nothing is changed: attributes given as undefined stay as they are',
      place,
      'give what to set, or name what to remove in remove()',
    )
  }
  let moves: UpdateDraft['moves']
  const keyChanges = changes.filter(
    ({ name, path }) => path.length === 1 && primary.names.includes(name),
  )
  if (keyChanges.length > 0) {
    const { recoverable, all } = keyValues(model, key)
    for (const { name, value } of keyChanges) {
      all[name] = attributes.get(name)!.codec.decode(value!)
    }
    const target = model.encodeKey(all, place)
    if (sameValue(target, key)) {
      // Values that leave the key as it is are the ones the item has, unless they can't be
      // recovered from the key.
      changes = changes.filter(
        (change) => !keyChanges.includes(change) || !Object.hasOwn(recoverable, change.name),
      )
    } else if (creates) {
      refuseInput(
        'what is set belongs to another primary key',
        place,
        'give the same values in both, or use update()',
      )
    } else moves = { names: keyChanges.map(({ name }) => name), target }
  }
  const given = state.given === undefined ? NOTHING_KNOWN : encodeGiven(state.given, model, place)
  const creation = undefined
  const site = siteOf(context)
  const draft = { state, site, model, place, key, moves, creates, changes, given, creation }
  const made = creates ? newItemOf(draft, context) : undefined
  addAutomatic(draft, context, made?.item)
  return made ? { ...draft, creation: planCreation(draft, made) } : draft
}

/** Its changes are still being gathered. */
type Draft = Omit<UpdateDraft, 'changes' | 'creation'> & { readonly changes: AttributeChange[] }

/** Adds what every write changes; the times of a new item are equal. */
function addAutomatic(
  { site, model, place, changes }: Draft,
  { environment }: PlanContext,
  made: Item = {},
): void {
  const { version, updatedAt } = model
  const add = (
    kind: AttributeChange['kind'],
    { name, stored }: Attribute,
    value: AttributeValue,
  ): void => {
    changes.push({ kind, name, path: [stored], value })
  }
  for (const attribute of model.attributes.values()) {
    const { definition, stored, name, codec } = attribute
    if (!definition.onUpdate || isChanged(changes, attribute)) continue
    const issues: InputIssue[] = []
    const value = encodePart(codec.encode, definition.onUpdate(), name, issues, environment)
    if (issues.length > 0) refuseInput(issues, place, 'correct onUpdate of the attribute')
    add('set', attribute, getOwn(made, stored) ?? value)
  }
  if (version) add('add', version, { N: '1' })
  if (updatedAt) {
    const now = timestampValue(updatedAt, site.now)
    add('set', updatedAt, getOwn(made, updatedAt.stored) ?? now)
  }
}

interface NewItem {
  readonly item: Item
  /** The defaults that changes start from, by stored name. */
  readonly starts: ReadonlyMap<string, AttributeValue>
}

/**
 * The item that an upsert makes if there is none: the defaults, changed as the caller asks. It is
 * checked as any new item is.
 */
function newItemOf(
  { state, model, place, key, changes }: Draft,
  { environment }: PlanContext,
): NewItem {
  const input = givenKeyValues(model, key, state.key)
  const starts = new Map<string, AttributeValue>()
  const removed: string[] = []
  for (const { kind, target, value } of state.assignments) {
    const { name, path, codec } = target
    const [stored] = path
    const change = changes.find((each) => each.path[0] === stored)
    if (kind === 'remove') {
      delete input[name]
      removed.push(stored)
      continue
    }
    if (value === undefined) continue
    const isStarted = change && kind !== 'set' && kind !== 'default'
    const supplied = isStarted ? model.attributes.get(name)?.supply?.(environment) : undefined
    if (supplied === undefined) {
      if (kind !== 'delete') input[name] = kind === 'add' ? membersOf(codec, value) : value
      continue
    }
    const start = codec.encode(supplied, [], environment)
    starts.set(stored, start)
    const after = getOwn(applyChanges({ [stored]: start }, [change!], place), stored)
    if (after) input[name] = codec.decode(after, false, true)
    else if (change!.required) {
      const message = 'is required and would lose its last members'
      refuseInput([{ path: [name], message }], place, 'set the members that a new item has')
    } else removed.push(stored)
  }
  const item = { ...model.encodeNew(input, environment, place).item }
  for (const stored of removed) delete item[stored]
  return { item, starts }
}

/**
 * What an upsert writes for a new item. To its changes is added what every item has: one that was
 * made by other means may lack it.
 */
function planCreation({ model, key, changes }: Draft, { item, starts }: NewItem): Creation {
  const complete: string[] = []
  const created: AttributeChange[] = []
  const merged: AttributeChange[] = changes.map((change) => {
    const start = starts.get(change.path[0])
    if (start) complete.push(change.path[0])
    return start ? { start, ...change } : change
  })
  // No expression changes the members of a set that is there, or else of a default.
  const isMerged = merged.every(({ start }) => !start || start.N || start.L)
  const type = model.schema.params.typeField
  for (const attribute of [...model.attributes.values(), { name: type, stored: type }]) {
    const { name, stored } = attribute
    const value = getOwn(item, stored)
    // An update never names attributes of the primary key.
    if (value === undefined || Object.hasOwn(key, stored)) continue
    const path = [stored] as const
    const from = 'from' in attribute ? attribute.from : undefined
    const change = { kind: 'default', name, path, value } as const
    if (from) {
      // It is computed with the index keys, where what it follows from is set.
      const sources = from.map((source) => model.attributes.get(source)!.stored)
      const isSet = changes.some(
        (each) => each.kind !== 'default' && sources.includes(each.path[0]),
      )
      if (isSet) continue
      merged.push(change)
      complete.push(stored)
      continue
    }
    created.push({ kind: 'set', name, path, value })
    if (changes.some((change) => change.path[0] === stored)) continue
    merged.push(change)
    const isEverywhere = !('codec' in attribute) || isLasting(model, attribute)
    if (isEverywhere && attribute !== model.createdAt) changes.push(change)
    else complete.push(stored)
  }
  return { changes: created, either: isMerged ? merged : undefined, complete }
}

/**
 * Current values that the caller gives, by stored name. A whole item, as it was read, also says
 * which attributes are absent.
 */
export function encodeGiven(given: object, model: Model, place: string): KnownValues {
  const issues: InputIssue[] = []
  const known = new Map<string, AttributeValue | undefined>()
  const isWhole = isWholeItem(model, given)
  const isSeen = ({ codec, definition: { hidden } }: Attribute): boolean =>
    !codec.unstored && !codec.opaque && !hidden
  for (const attribute of isWhole ? model.attributes.values() : []) {
    if (isSeen(attribute)) known.set(attribute.stored, undefined)
  }
  for (const [name, value] of Object.entries(given)) {
    const attribute = model.attributes.get(name)
    // An item that was read may have attributes that can't be compared.
    if (isWhole && attribute && !isSeen(attribute)) continue
    if (attribute === undefined) addUnknown(issues, name, model)
    else if (attribute.codec.unstored) {
      addIssue(issues, `is not stored: give ${attribute.from!.join(' and ')}`, name)
    } else {
      const { stored, codec } = attribute
      known.set(stored, value === undefined ? value : encodePart(codec.encode, value, name, issues))
    }
  }
  if (issues.length > 0) refuseInput(issues, place, 'give attributes as reads return them')
  return known
}

/**
 * Whether an object has all that every item of the model has, so that it is one. Where items need
 * have nothing, nobody can say.
 */
function isWholeItem(model: Model, given: object): boolean {
  const needed = [...model.attributes.values()].filter(
    (attribute) =>
      !attribute.definition.hidden &&
      (isLasting(model, attribute) || isCounted(attribute.definition)),
  )
  return needed.length > 0 && needed.every(({ name }) => ownValue(given, name) !== undefined)
}
