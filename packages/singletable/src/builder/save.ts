import { startCall } from '../execute/call.ts'
import type { CallOptions } from '../execute/table-context.ts'
import type { UpdateState } from '../plan/state.ts'
import { omitsHidden } from '../plan/write/keep-unseen.ts'
import type { UpdatePlan } from '../plan/write/staged-plan.ts'
import { isPlainObject } from '../schema/codecs/map-codec.ts'
import { ownValue } from '../schema/index-keys.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { Attribute, Codec, Model } from '../schema/model.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { setOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import { Update } from './update.ts'

interface SaveState extends UpdateState {
  /** What was read. */
  readonly original: object
}

/** An update that is made of a difference, and sends nothing where there is none. */
export class Save extends Update {
  /** A transaction can't read first: what it needs to know is in the item that was read. */
  override toPlan(verb: string): UpdatePlan {
    const { original, model, given = {} } = this.state as SaveState
    const plan = this.plan()
    const needed = plan.kind === 'read-first' && !plan.assumed ? plan.attributes : []
    const known = needed.flatMap((name) =>
      Object.hasOwn(given, name) || model.attributes.get(name)!.definition.hidden
        ? []
        : [[name, ownValue(original, name)]],
    )
    return known.length > 0
      ? this.given(Object.fromEntries(known)).toPlan(verb)
      : super.toPlan(verb)
  }

  override async execute(options?: CallOptions): Promise<unknown> {
    // It is started with this state.
    const { assignments, original, model } = this.state as SaveState
    if (assignments.length > 0) return super.execute(options)
    startCall(this.context, 'save', model.name, options)
    return original
  }
}

/**
 * The update that makes one item of another. It holds only for the item as it was read. Objects of
 * which reading leaves out members are changed member by member, so that these stay.
 */
export function changeTo(
  save: Save,
  model: Model,
  { changed, original, hasUndeclared, place }: Difference,
): Save {
  const given: Record<string, unknown> = {}
  const set: Record<string, unknown> = {}
  const removed: string[] = []
  let update = save
  for (const attribute of model.attributes.values()) {
    const { name, codec, definition } = attribute
    const before: unknown = ownValue(original, name)
    const after: unknown = ownValue(changed, name)
    if (attribute === model.version || attribute === model.updatedAt) continue
    if (isSame(attribute, before, after)) continue
    if (model.structured.includes(attribute) && before !== undefined) {
      if (hasUndeclared || codec.hasReadonly || omitsHidden(codec, codec.encode(before, []))) {
        update = changeInside(update, { codec, path: [name], before, after, place })
        continue
      }
    }
    if (after === undefined) removed.push(name)
    else setOwn(set, name, after)
    // Of a hidden attribute nobody knows what it was.
    const isKnown = !definition.hidden || before !== undefined
    if (isKnown && !model.primary.names.includes(name)) setOwn(given, name, before)
  }
  if (update === save && Object.keys(set).length + removed.length === 0) return save
  update = update
    .set(set)
    .remove(...removed)
    .given(given)
  const version = model.version && ownValue(original, model.version.name)
  return typeof version === 'number' ? update.ifVersion(version) : update
}

export interface Difference {
  readonly changed: object
  readonly original: object
  /** Items have members of objects that the schema does not declare. */
  readonly hasUndeclared: boolean
  /** For messages. */
  readonly place: string
}

/** A value inside an attribute, as it was and as it is to be. */
interface Inside {
  readonly path: readonly string[]
  readonly codec: Codec
  readonly before: unknown
  readonly after: unknown
  readonly place: string
}

/** Changes the members that differ, on condition that these are as they were seen. */
function changeInside(save: Save, inside: Inside): Save {
  const { codec, path, before, after } = inside
  if (isSame(inside, before, after)) return save
  if (isPlainObject(before) && isPlainObject(after) && codec.members && !codec.union) {
    let update = save.where((attr, op) => (op as Operators).exists(reach(attr, path)))
    for (const [name, member] of codec.members) {
      const [was, is] = [ownValue(before, name), ownValue(after, name)]
      const to = [...path, name]
      if (member.hidden) {
        if (is !== undefined) update = update.set((attr: object) => reach(attr, to), is)
        continue
      }
      const next = { ...inside, codec: member.codec, path: to, before: was, after: is }
      update = changeInside(update, next)
    }
    return update
  }
  const target = (attr: object): unknown => reach(attr, path)
  const update = after === undefined ? save.remove(target) : save.set(target, after)
  return update.where((attr, op) => asSeen(inside, attr, op as Operators))
}

/** The condition that a value is still what was seen of it. */
function asSeen(inside: Inside, attr: object, op: Operators): unknown {
  const { codec, path, before, place } = inside
  const reference = reach(attr, path)
  if (before === undefined) return op.notExists(reference)
  if (isPlainObject(before) && codec.members && !codec.union) {
    const seen = [...codec.members].filter(([, { hidden }]) => !hidden)
    const members = seen.map(([name, { codec }]) =>
      asSeen({ ...inside, codec, path: [...path, name], before: ownValue(before, name) }, attr, op),
    )
    return op.and(op.exists(reference), ...members)
  }
  if (omitsHidden(codec, codec.encode(before, []))) {
    refuseInput(
      `"${path.join('.')}" has elements with hidden members, which save() can't compare`,
      place,
      'change it with update(), which also takes conditions',
    )
  }
  return op.eq(reference, before)
}

/**
 * The operators of `where` that are used here; the compiler knows nothing of a schema that it does
 * not have.
 */
interface Operators {
  and(...conditions: readonly unknown[]): unknown
  eq(reference: unknown, value: unknown): unknown
  exists(reference: unknown): unknown
  notExists(reference: unknown): unknown
}

/** The place inside an attribute, of those that callbacks get. */
function reach(attr: object, path: readonly string[]): unknown {
  // Each step gives an object with members of its own.
  return path.reduce<unknown>((at, step) => (at as { [name: string]: unknown })[step], attr)
}

/** Values are compared as they are stored: dates, sets and bytes have no equality of their own. */
function isSame({ codec }: Pick<Attribute, 'codec'>, before: unknown, after: unknown): boolean {
  if (before === after) return true
  if (before === undefined || after === undefined) return false
  const encode = (value: unknown): AttributeValue | undefined => {
    const issues: never[] = []
    const encoded = codec.encode(value, issues)
    return issues.length > 0 ? undefined : encoded
  }
  const stored = encode(after)
  // What can't be stored is refused where it is set.
  return stored !== undefined && sameValue(encode(before), stored)
}

/** Refuses anything but an item. */
export function requireItem(item: object, place: string): object {
  if (typeof item === 'object' && item !== null) return item
  return refuseInput(
    'save() needs two items',
    place,
    'give the changed item and the one that was read',
  )
}
