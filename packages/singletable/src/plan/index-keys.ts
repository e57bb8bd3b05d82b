import type { InputIssue } from '../errors/input-error.ts'
import { checkKeySize as addKeySize, keyBytesMax } from '../schema/key-text.ts'
import type { DerivedKey, Model, ModelIndex } from '../schema/model.ts'
import { rulesOf } from './model-rules.ts'
import { refuseInput } from './refuse-input.ts'

/** Stands for a value that only the stored item can tell. */
export const UNKNOWN: unique symbol = Symbol('unknown')

/** What is known of an item after a write. */
export interface ItemAfter {
  /** Whether the write may change the attribute. */
  changes(name: string): boolean
  /** The attribute's value after the write, `undefined` if it has none then, or `UNKNOWN`. */
  valueOf(name: string): unknown
  /** The write may make the item, so that keys which nothing in it changes may be missing, too. */
  readonly creates: boolean
}

/** What a write does to the rendered key attributes outside the primary key. */
export interface IndexKeys {
  readonly set: readonly { readonly name: string; readonly text: string }[]
  readonly remove: readonly string[]
  /** The attributes whose current values must be known before the keys can be. */
  readonly missing: ReadonlySet<string>
}

/**
 * Decides about each rendered key attribute: it is there just while at least one of its indexes holds the item. An index holds an item that
 * has all attributes of its keys and meets its `when`; one false condition suffices to leave it, whatever else is unknown.
 */
export function planIndexKeys(model: Model, after: ItemAfter, place: string): IndexKeys {
  const set: { name: string; text: string }[] = []
  const remove: string[] = []
  const missing = new Set<string>()
  const values: { [name: string]: unknown } = {}
  for (const derived of model.derived) {
    const touched = isTouched(derived, after)
    if (!touched && !after.creates) continue
    let unknown = false
    let held = false
    for (const use of derived.uses) {
      const holds = indexHolds(model, use, after, values)
      unknown ||= holds === undefined
      held ||= holds === true
    }
    if (held) set.push({ name: derived.name, text: renderKey(model, derived, values, place) })
    else if (touched && !unknown) remove.push(derived.name)
    else if (touched) {
      for (const use of derived.uses) addUnknown(model, use, after, missing)
    }
  }
  return { set, remove, missing }
}

function isTouched({ uses }: DerivedKey, after: ItemAfter): boolean {
  for (const { names } of uses) {
    for (const name of names) if (after.changes(name)) return true
  }
  return false
}

/** `undefined` if it can't be known. Values that are known are collected for rendering. */
function indexHolds(
  model: Model,
  use: ModelIndex,
  after: ItemAfter,
  values: { [name: string]: unknown },
): boolean | undefined {
  let unknown = false
  for (const name of use.names) {
    // An attribute is often in both keys of an index.
    let value = Object.hasOwn(values, name) ? values[name] : UNKNOWN
    if (value === UNKNOWN) {
      value = after.valueOf(name)
      if (value === UNKNOWN) {
        unknown ||= isNeeded(model, name)
        continue
      }
      if (value === undefined || value === null) return false
      values[name] = value
    }
    if (use.when?.get(name)?.includes(value) === false) return false
  }
  return unknown ? undefined : true
}

/** Of an attribute that every item has and no template or condition looks at, nothing need be known. */
function isNeeded(model: Model, name: string): boolean {
  const { lasting, valued } = rulesOf(model)
  return valued.has(name) || !lasting.has(name)
}

function addUnknown(model: Model, use: ModelIndex, after: ItemAfter, missing: Set<string>): void {
  // What leaves an index for certain is no reason to read.
  if (indexHolds(model, use, after, {}) !== undefined) return
  for (const name of use.names) {
    if (after.valueOf(name) === UNKNOWN && isNeeded(model, name)) missing.add(name)
  }
}

function renderKey(model: Model, derived: DerivedKey, values: object, place: string): string {
  const { name, template } = derived
  // An index that holds the item has all its values.
  const text = template.render(values) ?? ''
  checkKeySize(text, keyBytesMax(model.schema, name), name, place)
  return text
}

/** DynamoDB refuses longer keys; the error here names the attribute. */
export function checkKeySize(text: string, bytesMax: number, name: string, place: string): void {
  const issues: InputIssue[] = []
  addKeySize({ S: text }, name, bytesMax, issues)
  if (issues.length > 0) refuseInput(issues, place, 'give shorter values for its template')
}
