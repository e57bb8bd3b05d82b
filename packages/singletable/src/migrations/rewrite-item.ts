import type { InputIssue } from '../errors/input-error.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import { modelOf } from '../execute/collect-items.ts'
import type { CountChange } from '../plan/plan.ts'
import { computeValue } from '../schema/computed.ts'
import { describeIssues, printPath } from '../schema/input-issues.ts'
import type { Attribute, Model, Schema } from '../schema/model.ts'
import { StoredValueProblem } from '../schema/stored-value-problem.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import type { Environment } from '../values/environment.ts'
import { getOwn, setOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import { versionOf, withVersion } from './item-versions.ts'
import { isLossy } from './reverse-steps.ts'
import { RewriteProblem } from './rewrite-problem.ts'
import { SealedValues } from './sealed-values.ts'
import type { ItemStep, MergeModel, Restore, RetypeAttribute, Values } from './step.ts'
import { withKeys } from './with-keys.ts'

/**
 * How the version of each item is kept: an attribute has the migration that it was last brought to.
 * A version says which steps are certain to have been taken. An item can be newer than its version,
 * never older, so that everything that writes a version has to be sure of it.
 */
export interface ItemVersions {
  /** The stored attribute. */
  readonly attribute: string
  /** Whether an item of this version has had the steps, and none of later migrations. */
  isHad(version: string): boolean
  /** Whether an item of this version has had later migrations, too. */
  isNewer(version: string): boolean
  /**
   * What becomes of an item by the migrations before this one, if its version says which of them it
   * has had, and older programs have written since; undefined if nothing does.
   */
  catchUp?(item: Item): Rewrite | undefined
  /** The version of an item after the steps; undefined for none. */
  next(model: string, version: string | undefined): string | undefined
}

/** Two versions of a schema, and the steps from one to the other that change items. */
export interface Versions {
  readonly before: Schema
  readonly after: Schema
  readonly steps: readonly ItemStep[]
  readonly environment: Environment
  /** How the version of each item is kept; without it, no item has one. */
  readonly version?: ItemVersions | undefined
}

/** What becomes of an item. */
export interface Rewrite {
  readonly before: Item
  /** The model of the older schema that it is of; undefined if only the newer one has it. */
  readonly from: Model | undefined
  /**
   * What takes its place: itself in its new form, and what was split off; nothing if it is deleted.
   */
  readonly after: readonly { readonly model: Model; readonly item: Item }[]
  /** Nothing of it changes but its version. */
  readonly isSame: boolean
  /** It gets another version. */
  readonly isVersioned: boolean
  /** Other models whose programs may have written the item, and what follows from it. */
  readonly writers: readonly Model[]
  /** Something of it is lost, so that `migrate down` needs it as it was. */
  readonly isLossy: boolean
  /** It is deleted, and its values become part of another item. */
  readonly merge?: Merge | undefined
  /** It was not in the table: counters have to count it. */
  readonly isNew?: boolean
  /** Whether a counter changes with the item; default: all do. */
  readonly isCounted?: (change: CountChange) => boolean
}

/** An item that becomes part of another one. */
export interface Merge {
  readonly step: MergeModel
  readonly part: Values
}

/**
 * Steps that an item has had, and that are taken again because of what older programs have written
 * since.
 */
export interface Replay {
  /**
   * Stored attributes that only an older program can have written: the steps change nothing else.
   * Undefined if the item can be compared with the schema after the steps.
   */
  readonly names?: Set<string> | undefined
}

/** An item while the steps are taken. */
export interface Draft {
  /** The item as the undo log has it. */
  readonly logged: Item | undefined
  readonly replay: Replay | undefined
  /** The model of the older schema that wrote the item, whatever it is called now. */
  readonly from: Model | undefined
  readonly sealed: SealedValues
  name: string
  item: { [name: string]: AttributeValue }
  isDeleted: boolean
  isLossy: boolean
  merge?: Merge
  readonly split: { readonly model: Model; readonly item: Item }[]
}

/**
 * What becomes of a stored item; undefined for one that the migration does not know. `logged` is
 * the item as the undo log has it, for steps that give something back.
 */
export function rewriteItem(versions: Versions, item: Item, logged?: Item): Rewrite | undefined {
  const { version } = versions
  const was = version && versionOf(item, version.attribute)
  // A program with a newer schema wrote it, and these steps know nothing of its form.
  if (was !== undefined && version?.isNewer(was)) return undefined
  const replay: Replay | undefined = was !== undefined && version?.isHad(was) ? {} : undefined
  const caughtUp = version?.catchUp?.(item)
  const draft = draftOf(versions, caughtUp?.after[0]?.item ?? item, { logged, replay })
  if (draft === undefined) return undefined
  const { from, sealed, split, isLossy, merge, name } = draft
  const model = versions.after.models.get(name)
  const writers = [...(caughtUp?.writers ?? []), ...(replay && model ? [model] : [])]
  const isCounted = (change: CountChange): boolean => isInBoth(versions, change)
  const common = { before: item, from, isLossy, merge, writers, isCounted }
  if (draft.isDeleted) return { ...common, after: [], isSame: false, isVersioned: false }
  // A model that the newer schema leaves out, and that no step deletes, is left alone.
  if (model === undefined) return undefined
  const own = withKeys(model, draft.item, from, sealed)
  const isSame =
    split.length === 0 &&
    sameValue(own, withVersion(item, version?.attribute, versionOf(own, version?.attribute)))
  const now = version?.next(name, versionOf(draft.item, version.attribute))
  return {
    ...common,
    after: [
      { model, item: withVersion(own, version?.attribute, now) },
      ...split.map((each) => ({
        ...each,
        item: withVersion(each.item, version?.attribute, now),
      })),
    ],
    isSame,
    isVersioned: now !== was,
  }
}

/**
 * Whether a counter is in both versions of the schema. One that comes is counted by a step of its
 * own, and one that goes is kept in the undo log as it was: items that go with it, or come back,
 * must not change it.
 */
export function isInBoth(
  { before, after, steps }: Versions,
  { parent, attribute }: CountChange,
): boolean {
  const renamed = steps.find(
    (step) => step.kind === 'renameModel' && [step.model, step.to].includes(parent.name),
  )
  const [was, is] =
    renamed?.kind === 'renameModel' ? [renamed.model, renamed.to] : [parent.name, parent.name]
  return [before.models.get(was), after.models.get(is)].every((model) =>
    model?.derivedItems?.counted.some(({ stored }) => stored === attribute.stored),
  )
}

/** An item after the steps, with the keys that it had. */
function draftOf(
  versions: Versions,
  item: Item,
  given: { readonly logged?: Item | undefined; readonly replay?: Replay | undefined } = {},
): Draft | undefined {
  const { before, after } = versions
  const from = modelOf({ schema: before }, item)
  const name = from?.name ?? modelOf({ schema: after }, item)?.name
  // Copies are written with what they repeat.
  if (name === undefined || (from ?? after.models.get(name))?.source) return undefined
  const draft: Draft = {
    from,
    sealed: new SealedValues(item, [from, after.models.get(name)]),
    name,
    item: { ...item },
    isDeleted: false,
    isLossy: false,
    split: [],
    logged: given.logged,
    replay: given.replay,
  }
  takeSteps(versions, draft)
  return draft
}

/** Takes all steps on a draft. */
export function takeSteps(versions: Versions, draft: Draft): void {
  for (const step of versions.steps) {
    if (step.model !== draft.name || draft.isDeleted) continue
    const was = isLossy(step, versions) && { ...draft.item }
    try {
      takeStep(versions, step, draft)
    } catch (error) {
      if (error instanceof RewriteProblem) error.step ??= step
      throw error
    }
    if (was) draft.isLossy ||= draft.isDeleted || !sameValue(was, draft.item)
  }
}

function takeStep(versions: Versions, step: ItemStep, draft: Draft): void {
  const { before, after, environment } = versions
  const old = draft.from ?? before.models.get(draft.name)
  const model = after.models.get(draft.name)
  const { item, sealed, replay } = draft
  const names = replay?.names
  switch (step.kind) {
    case 'addAttribute': {
      const attribute = requireAttribute(model, step.attribute)
      // An item that has had it and lacks it now has lost it since, on purpose.
      if (replay || getOwn(item, attribute.stored)) return
      // A value that is a function is code of the migration: attributes hold no functions.
      const { value = attribute.supply?.(environment) } = step
      store(
        attribute,
        typeof value === 'function' ? call(value as (values: Values) => unknown, values()) : value,
      )
      return
    }
    case 'deriveAttribute': {
      const attribute = requireAttribute(model, step.attribute)
      if (step.value === undefined) {
        compute(attribute)
        return
      }
      const derived = replayed(step.value)
      if (derived) store(attribute, derived.result)
      return
    }
    case 'renameAttribute': {
      const from = storedName(old, step.from)
      const to = storedName(model, step.to)
      const value = getOwn(item, from)
      if (value === undefined || from === to || names?.has(from) === false) return
      const present = getOwn(item, to)
      // The steps have removed the old name: what it holds now was written after that.
      const isNewer = replay && !isStored(model, from)
      if (present === undefined || isNewer) set(to, sealed.open(from, value))
      else if (old?.attributes.has(step.to) && !sameValue(present, value)) {
        // Both are of the older schema, so that neither of them is the newer value.
        throw new RewriteProblem(`has both "${step.from}" and "${step.to}", which differ`)
      }
      remove(from)
      return
    }
    case 'retypeAttribute': {
      retype(step)
      return
    }
    case 'checkAttribute': {
      const attribute = requireAttribute(model, step.attribute)
      const value = getOwn(item, attribute.stored)
      if (value) encoded(attribute, decode(attribute, value))
      return
    }
    case 'removeAttribute': {
      const name = storedName(old, step.attribute)
      if (names?.has(name) !== false) remove(name)
      return
    }
    case 'renameModel': {
      draft.name = step.to
      return
    }
    case 'deleteModel': {
      draft.isDeleted = true
      return
    }
    case 'splitModel': {
      const stored = step.remove.map((name) => storedName(old, name))
      if (!stored.some((name) => getOwn(item, name))) return
      // What can't be decoded must not be removed unseen.
      for (const name of stored) {
        const value = getOwn(item, name)
        if (value) sealed.open(name, value)
      }
      for (const made of call(step.make, values())) {
        const target = after.models.get(made.model)
        if (target === undefined)
          throw new RewriteProblem(`makes a "${made.model}", which is not a model`)
        draft.split.push({ model: target, item: encode(target, made.values) })
      }
      for (const name of stored) delete item[name]
      return
    }
    case 'mergeModel': {
      draft.merge = { step, part: values() }
      draft.isDeleted = true
      return
    }
    case 'restore': {
      if (draft.logged) restore(versions, step, draft, draft.logged)
      else if (step.step.kind === 'retypeAttribute') requireOldForm(step.step)
      return
    }
    case 'custom': {
      const given = values()
      const forms = Object.entries(given).map(
        ([name, value]) => [name, formOf(name, value)] as const,
      )
      const known = new Map(forms)
      const changed = replayed(step.change, given)
      if (changed?.result === undefined) return
      const { result } = changed
      if (result === null) {
        draft.isDeleted = true
        return
      }
      const kept = new Set(Object.keys(result).map((name) => storedName(model, name)))
      for (const name of Object.keys(given)) {
        if (Object.hasOwn(result, name)) continue
        for (const each of [old, model]) {
          const stored = each?.attributes.get(name)?.stored
          if (stored !== undefined && !kept.has(stored)) remove(stored)
        }
      }
      for (const [name, value] of Object.entries(result)) {
        const isSame =
          value === getOwn(given, name) && sameValue(known.get(name), formOf(name, value))
        if (!isSame) store(requireAttribute(model, name), value)
      }
      return
    }
    // The keys of all items are made by the newer schema, whatever else happens to them.
    case 'rekey':
    case 'indexKeys':
    case 'derivedItems':
    // Counting needs other items; whoever runs the migration does it.
    case 'countItems':
      return
  }

  function set(name: string, value: AttributeValue): void {
    setOwn(item, name, value)
    names?.add(name)
  }

  function remove(name: string): void {
    delete item[name]
    names?.delete(name)
  }

  /**
   * What code of the migration gives. Undefined if it is replayed and reads nothing that an older
   * program has written: its result is in the item already, or in one of a later version.
   */
  function replayed<T>(
    code: (values: Values) => T,
    given = values(),
  ): { readonly result: T } | undefined {
    if (names === undefined) return { result: call(code, given) }
    const attributes = [old, model].flatMap((each) => [...(each?.attributes.values() ?? [])])
    const written = new Set(
      attributes.filter(({ stored }) => names.has(stored)).map(({ name }) => name),
    )
    const read = readsOf(given)
    try {
      const result = call(code, read.values)
      return read.isAll() || read.names.some((name) => written.has(name)) ? { result } : undefined
    } catch (error) {
      if (!read.names.some((name) => written.has(name))) return undefined
      throw error
    }
  }

  function store(attribute: Attribute, value: unknown): void {
    if (value === undefined) {
      remove(attribute.stored)
      return
    }
    set(attribute.stored, encoded(attribute, value))
  }

  function encoded({ name, codec }: Attribute, value: unknown): AttributeValue {
    const issues: InputIssue[] = []
    const result = codec.encode(value, issues, environment)
    if (issues.length > 0) throw new RewriteProblem(`"${name}": ${describeIssues(issues)}`)
    return result
  }

  /** Gives an attribute the value that its model computes. */
  function compute(attribute: Attribute): void {
    const { name, stored, from } = attribute
    if (!from) throw new RewriteProblem(`"${name}" is not computed by its model: give a function`)
    // What no older program has written is computed already.
    if (names && !from.some((each) => names.has(storedName(model, each)))) return
    const issues: InputIssue[] = []
    const value = computeValue(attribute, values(), issues, environment)
    if (issues.length > 0) throw new RewriteProblem(describeIssues(issues))
    if (value) set(stored, value)
    else remove(stored)
  }

  /**
   * An object as it would be stored, to see whether code changes it in place; undefined for what
   * can't be changed or stored.
   */
  function formOf(name: string, value: unknown): AttributeValue | undefined {
    const attribute = typeof value === 'object' ? model?.attributes.get(name) : undefined
    const issues: InputIssue[] = []
    const form = attribute?.codec.encode(value, issues, true)
    return issues.length > 0 ? undefined : form
  }

  function retype(step: RetypeAttribute): void {
    const { attribute: name, convert, back, isConverted, isLossless } = step
    const was = requireAttribute(old, name)
    const now = requireAttribute(model, name)
    const value = getOwn(item, was.stored)
    if (value === undefined) return
    const tag = Object.keys(value)[0]
    const isNew = was.stored === now.stored && tag === now.codec.tag && tag !== was.codec.tag
    if (isNew || names?.has(was.stored) === false) return
    const plain = decode(was, value)
    if (isConverted?.(plain)) return
    store(
      now,
      call(() => convert(plain, values()), plain),
    )
    if (isLossless && back) {
      const made = getOwn(item, now.stored)
      const returned = call((each) => back(each, values()), made && decode(now, made))
      if (!sameValue(encoded(was, returned), encoded(was, plain))) {
        throw new RewriteProblem(
          `"${name}" can't be converted without loss: { back } gives another value`,
        )
      }
    }
    if (was.stored !== now.stored) remove(was.stored)
  }

  /**
   * An item that was written after the migration is not in the log, and nobody knows the way back.
   */
  function requireOldForm({ attribute: name, isConverted }: RetypeAttribute): void {
    const was = requireAttribute(old, name)
    const now = requireAttribute(model, name)
    const value = getOwn(item, was.stored)
    if (value === undefined) return
    const isOld = was.stored === now.stored && Object.keys(value)[0] === now.codec.tag
    if (isOld && !isConverted?.(decode(now, value))) return
    throw new RewriteProblem(`is not in the undo log, so that "${name}" can't be converted back`)
  }

  /**
   * What both versions of the model know of the item; a value that only one of them can read is
   * that one's.
   */
  function values(): Values {
    const result: Record<string, unknown> = {}
    for (const each of [old, model]) {
      for (const attribute of each?.attributes.values() ?? []) {
        const value = getOwn(item, attribute.stored)
        if (value === undefined) continue
        try {
          setOwn(result, attribute.name, decode(attribute, value))
        } catch (error) {
          if (!(error instanceof RewriteProblem)) throw error
        }
      }
    }
    return Object.freeze(result)
  }

  function decode({ name, stored, codec }: Attribute, value: AttributeValue): unknown {
    try {
      // Hidden members are lost if code gives an object without them.
      return codec.decode(sealed.open(stored, value), false, true)
    } catch (error) {
      if (!(error instanceof StoredValueProblem)) throw error
      throw new RewriteProblem(`"${printPath([name, ...error.path])}" ${error.message}`)
    }
  }

  function encode(target: Model, input: Values): Item {
    try {
      return target.encodeNew(input, environment, `migration, model "${target.name}"`).item
    } catch (error) {
      if (!SingletableError.is(error)) throw error
      throw new RewriteProblem(`can't be split: ${error.what}`)
    }
  }
}

/**
 * Gives an item back what a step took away or changed. What the application has changed since then
 * is reported: the log does not have it.
 */
function restore(
  { before, after, environment }: Versions,
  { step, earlier }: Restore,
  { item, sealed }: Draft,
  logged: Item,
): void {
  const forward = { before: after, after: before, environment, steps: earlier }
  const made = draftOf(forward, logged)
  if (made === undefined) return
  const old = { ...made.item }
  takeStep(forward, step, made)
  for (const name of new Set([...Object.keys(old), ...Object.keys(made.item)])) {
    const opened = (values: Item, by: SealedValues): AttributeValue | undefined => {
      const value = getOwn(values, name)
      return value && by.open(name, value)
    }
    const given = opened(made.item, made.sealed)
    const lost = opened(old, made.sealed)
    if (sameValue(lost, given)) continue
    if (!sameValue(opened(item, sealed), given)) {
      throw new RewriteProblem(`"${name}" was changed after the migration, and can't be restored`)
    }
    if (lost) setOwn(item, name, lost)
    else delete item[name]
  }
}

/** The same values, with a record of those that are read. */
function readsOf(values: Values): {
  readonly values: Values
  readonly names: readonly string[]
  isAll(): boolean
} {
  const names: string[] = []
  let isAll = false
  return {
    names,
    isAll: () => isAll,
    values: new Proxy(values, {
      get(target, name) {
        if (typeof name === 'string') names.push(name)
        return Reflect.get(target, name)
      },
      ownKeys(target) {
        isAll = true
        return Reflect.ownKeys(target)
      },
    }),
  }
}

/** Calls a function of the migration; what it throws is a problem of the item. */
function call<TInput, TResult>(code: (input: TInput) => TResult, input: TInput): TResult {
  try {
    return code(input)
  } catch (error) {
    throw new RewriteProblem(error instanceof Error ? error.message : String(error))
  }
}

function isStored(model: Model | undefined, name: string): boolean {
  return [...(model?.attributes.values() ?? [])].some(({ stored }) => stored === name)
}

function storedName(model: Model | undefined, name: string): string {
  return model?.attributes.get(name)?.stored ?? name
}

function requireAttribute(model: Model | undefined, name: string): Attribute {
  const attribute = model?.attributes.get(name)
  if (attribute) return attribute
  throw new RewriteProblem(`"${name}" is not an attribute of its model`)
}
