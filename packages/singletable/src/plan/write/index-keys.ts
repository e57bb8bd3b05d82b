import type { InputIssue } from '../../errors/input-error.ts'
import { computeValue } from '../../schema/computed.ts'
import { refuseInput } from '../../schema/input-issues.ts'
import { isInEachKey, isLasting } from '../../schema/is-lasting.ts'
import { checkKey } from '../../schema/key-text.ts'
import type { Attribute, Model } from '../../schema/model.ts'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { getOwn } from '../../values/own.ts'
import { keyValues } from '../key-values.ts'
import { applyChanges } from './apply-changes.ts'
import { type AttributeChange, attributeAt, isChanged, sourcesOf } from './encode-changes.ts'
import type { KnownValues } from './write-condition.ts'

/**
 * Stands for a value that only the stored item has. It is not `undefined`: an attribute that is
 * known to be missing takes the item out of an index, an unknown one has to be read.
 */
const UNKNOWN: unique symbol = Symbol('unknown')

/** A write as far as index keys depend on it. */
export interface KeyedWrite {
  readonly model: Model
  readonly place: string
  /** The primary key after the write. */
  readonly key: Item
  readonly changes: readonly AttributeChange[]
  /** The write may make the item, so that keys which nothing in it changes may be missing, too. */
  readonly creates: boolean
}

/** What a write does to the rendered key attributes outside the primary key. */
export interface IndexKeys {
  readonly changes: readonly AttributeChange[]
  /** The attributes whose current values must be known before the keys can be. */
  readonly missing: ReadonlySet<string>
}

/**
 * Decides about each rendered key attribute: it is there just while at least one of its indexes
 * holds the item. An index holds an item that has all attributes of its keys and meets its `when`;
 * one false condition suffices to leave it, whatever else is unknown.
 */
export function planIndexKeys(write: KeyedWrite, known: KnownValues): IndexKeys {
  const { model, place, key, changes, creates } = write
  const { attributes, schema } = model
  const keyChanges: AttributeChange[] = []
  const issues: InputIssue[] = []
  const missing = new Set<string>()
  const { recoverable, all, suffices } = keyValues(model, key)
  // An attribute is often in several keys.
  const found = new Map<string, unknown>()

  const afterwards = (name: string): unknown => {
    if (!found.has(name))
      found.set(name, Object.hasOwn(recoverable, name) ? recoverable[name] : find(name))
    return found.get(name)
  }
  // Of an upsert that has not read the item, what only a new one gets changes nothing in one that
  // is there.
  const computed = [...attributes.values()].filter(({ from }) =>
    from?.some((source) => {
      const { stored } = attributes.get(source)!
      return changes.some(
        ({ kind, path }) =>
          path[0] === stored && (!creates || kind !== 'default' || known.has(stored)),
      )
    }),
  )
  /** The stored names of what decides the value of an attribute afterwards. */
  const neededFor = (name: string): readonly string[] => {
    const { stored } = attributes.get(name)!
    const own = changes.filter(({ path }) => path[0] === stored)
    const sources = own.flatMap(sourcesOf)
    return sources.length > 0 && own[0]!.path.length === 1 ? sources : [stored, ...sources]
  }
  const addMissing = (name: string): void => {
    for (const stored of neededFor(name)) {
      if (!known.has(stored)) missing.add(attributeAt(model, stored)?.name ?? name)
    }
  }
  const find = (name: string): unknown => {
    const attribute = attributes.get(name)!
    const { stored, codec } = attribute
    if (codec.unstored) {
      const value = compute(attribute)
      return value === UNKNOWN ? value : value && codec.decode(value)
    }
    const own = changes.filter(({ path }) => path[0] === stored)
    const first = own[0]
    const isReplaced = first?.path.length === 1 && (first.kind === 'set' || first.kind === 'remove')
    const needs = neededFor(name)
    if (!isReplaced && !needs.every((each) => known.has(each))) return UNKNOWN
    const before = needs.flatMap((each) => {
      const value = known.get(each)
      return value ? [[each, value] as const] : []
    })
    const value = isReplaced
      ? first.value
      : getOwn(applyChanges(Object.fromEntries(before), own, place), stored)
    try {
      return value && codec.decode(value)
    } catch (problem) {
      // The error of the model names the item.
      model.decode({ ...key, [stored]: value! }, true)
      throw problem
    }
  }

  /** The value of a computed attribute afterwards. */
  const compute = (attribute: Attribute): AttributeValue | undefined | typeof UNKNOWN => {
    const values: { [name: string]: unknown } = {}
    for (const source of attribute.from!) values[source] = afterwards(source)
    if (Object.values(values).includes(UNKNOWN)) return UNKNOWN
    const value = computeValue(attribute, values, issues, true)
    if (issues.length > 0) refuseInput(issues, place, 'correct what is set')
    return value
  }

  for (const attribute of computed) {
    const { name, stored, codec } = attribute
    // It matters only to the keys that name it.
    if (codec.unstored) continue
    const value = compute(attribute)
    if (value === UNKNOWN) {
      for (const source of attribute.from!) if (afterwards(source) === UNKNOWN) addMissing(source)
      found.set(name, UNKNOWN)
      continue
    }
    found.set(name, value && codec.decode(value))
    keyChanges.push({ kind: value ? 'set' : 'remove', name, path: [stored], value })
  }
  const isAlwaysThere = (name: string): boolean => isInEachKey(model, name)
  const isTouched = (name: string): boolean =>
    isChanged(changes, attributes.get(name)!) ||
    computed.some((attribute) => attribute.name === name)
  for (const { name, template, uses } of model.derived) {
    const touched = uses.some(
      ({ names, isShort }) =>
        // A new item has a short key where one that is there may have a longer one.
        (creates && isShort) ||
        // Where every item is in the index, only what its own template names changes a short key.
        (isShort && names.some(isAlwaysThere) ? template.names : names).some(
          (each) => isTouched(each) && !Object.hasOwn(recoverable, each),
        ),
    )
    // Keys that the write does not affect stay as they are; to know their values would cost a read.
    if (!touched && !creates) continue
    const values: { [name: string]: unknown } = {}
    let isHeld = false
    const unknown: string[] = []
    for (const { names, when, isShort } of uses) {
      const open: string[] = []
      let isAny = !isShort || names.length === 0 || names.some(isAlwaysThere)
      const leaves = names.some((each) => {
        const value = afterwards(each)
        const allowed = when?.get(each)
        if (value !== UNKNOWN) {
          values[each] = value
          const isMissing = value === undefined || value === null
          isAny ||= !isMissing
          return (isMissing && !isShort) || allowed?.includes(value) === false
        }
        // The primary key has it in the form that the template asks for.
        if (!allowed && Object.hasOwn(all, each) && suffices(each, template)) {
          values[each] = all[each]
          return false
        }
        // Of an attribute that every item has and neither the template nor the condition looks at,
        // nothing need be known.
        if (allowed || template.names.includes(each) || !isLasting(model, attributes.get(each)!)) {
          open.push(each)
        }
        return false
      })
      if (leaves || (!isAny && open.length === 0)) continue
      isHeld ||= open.length === 0
      unknown.push(...open)
    }
    if (isHeld) {
      // An index that holds the item has all values of its keys.
      const value = { S: template.render(values)! }
      checkKey(schema, name, value, issues)
      if (issues.length > 0) refuseInput(issues, place, 'give shorter values for its template')
      keyChanges.push({ kind: 'set', name, path: [name], value })
    } else if (touched) {
      if (unknown.length === 0)
        keyChanges.push({ kind: 'remove', name, path: [name], value: undefined })
      for (const each of unknown) {
        for (const source of attributes.get(each)!.from ?? [each]) addMissing(source)
      }
    }
  }
  return { changes: keyChanges, missing }
}
