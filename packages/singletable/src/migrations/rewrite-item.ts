import type { InputIssue } from '../errors/input-error.ts'
import { SingletableError } from '../errors/singletable-error.ts'
import { modelOf } from '../execute/collect-items.ts'
import { describeIssues } from '../schema/input-issues.ts'
import type { Attribute, Model, Schema } from '../schema/model.ts'
import { StoredValueProblem } from '../schema/stored-value-problem.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import type { Environment } from '../values/environment.ts'
import { getOwn, setOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import { isLossy } from './reverse-steps.ts'
import { RewriteProblem } from './rewrite-problem.ts'
import { SealedValues } from './sealed-values.ts'
import type { ItemStep, MergeModel, Restore, RetypeAttribute, Values } from './step.ts'
import { withKeys } from './with-keys.ts'

/** Two versions of a schema, and the steps from one to the other that change items. */
export interface Versions {
  readonly before: Schema
  readonly after: Schema
  readonly steps: readonly ItemStep[]
  readonly environment: Environment
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
  /** Nothing of it changes. */
  readonly isSame: boolean
  /** Something of it is lost, so that `migrate down` needs it as it was. */
  readonly isLossy: boolean
  /** It is deleted, and its values become part of another item. */
  readonly merge?: Merge | undefined
  /** It was not in the table: counters have to count it. */
  readonly isNew?: boolean
}

/** An item that becomes part of another one. */
export interface Merge {
  readonly step: MergeModel
  readonly part: Values
}

interface Draft {
  /** The item as the undo log has it. */
  readonly logged: Item | undefined
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
  const draft = draftOf(versions, item, logged)
  if (draft === undefined) return undefined
  const { from, sealed, split, isLossy, merge } = draft
  const common = { before: item, from, isLossy, merge }
  if (draft.isDeleted) return { ...common, after: [], isSame: false }
  const model = versions.after.models.get(draft.name)
  // A model that the newer schema leaves out, and that no step deletes, is left alone.
  if (model === undefined) return undefined
  const own = withKeys(model, draft.item, from, sealed)
  return {
    ...common,
    after: [{ model, item: own }, ...split],
    isSame: split.length === 0 && sameValue(own, item),
  }
}

/** An item after the steps, with the keys that it had. */
function draftOf(versions: Versions, item: Item, logged?: Item): Draft | undefined {
  const { before, after, steps } = versions
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
    logged,
  }
  for (const step of steps) {
    if (step.model !== draft.name || draft.isDeleted) continue
    const was = isLossy(step) && { ...draft.item }
    takeStep(versions, step, draft)
    if (was) draft.isLossy ||= draft.isDeleted || !sameValue(was, draft.item)
  }
  return draft
}

function takeStep(versions: Versions, step: ItemStep, draft: Draft): void {
  const { before, after, environment } = versions
  const old = draft.from ?? before.models.get(draft.name)
  const model = after.models.get(draft.name)
  const { item, sealed } = draft
  switch (step.kind) {
    case 'addAttribute':
    case 'deriveAttribute': {
      const attribute = requireAttribute(model, step.attribute)
      if (step.kind === 'addAttribute' && getOwn(item, attribute.stored)) return
      // A value that is a function is code of the migration: attributes hold no functions.
      const value =
        typeof step.value === 'function'
          ? call(step.value as (values: Values) => unknown, values())
          : step.value
      store(attribute, value)
      return
    }
    case 'renameAttribute': {
      const from = storedName(old, step.from)
      const to = storedName(model, step.to)
      const value = getOwn(item, from)
      if (value === undefined || from === to) return
      const present = getOwn(item, to)
      if (present === undefined) setOwn(item, to, sealed.open(from, value))
      else if (old?.attributes.has(step.to) && !sameValue(present, value)) {
        // Both are of the older schema, so that neither of them is the newer value.
        throw new RewriteProblem(`has both "${step.from}" and "${step.to}", which differ`)
      }
      delete item[from]
      return
    }
    case 'retypeAttribute': {
      retype(step)
      return
    }
    case 'removeAttribute': {
      delete item[storedName(old, step.attribute)]
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
      const result = call(step.change, given)
      if (result === undefined) return
      if (result === null) {
        draft.isDeleted = true
        return
      }
      for (const name of Object.keys(given)) {
        if (!Object.hasOwn(result, name)) delete item[storedName(model ?? old, name)]
      }
      for (const [name, value] of Object.entries(result)) {
        if (value !== getOwn(given, name)) store(requireAttribute(model, name), value)
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

  function store(attribute: Attribute, value: unknown): void {
    if (value === undefined) {
      delete item[attribute.stored]
      return
    }
    const issues: InputIssue[] = []
    const encoded = attribute.codec.encode(value, issues, environment)
    if (issues.length > 0) {
      throw new RewriteProblem(`"${attribute.name}": ${describeIssues(issues)}`)
    }
    setOwn(item, attribute.stored, encoded)
  }

  function retype({ attribute: name, convert, isConverted }: RetypeAttribute): void {
    const was = requireAttribute(old, name)
    const now = requireAttribute(model, name)
    const value = getOwn(item, was.stored)
    if (value === undefined) return
    const tag = Object.keys(value)[0]
    const isNew = was.stored === now.stored && tag === now.codec.tag && tag !== was.codec.tag
    if (isNew) return
    const plain = decode(was, value)
    if (isConverted?.(plain)) return
    store(
      now,
      call(() => convert(plain, values()), plain),
    )
    if (was.stored !== now.stored) delete item[was.stored]
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
      return codec.decode(sealed.open(stored, value))
    } catch (error) {
      if (!(error instanceof StoredValueProblem)) throw error
      throw new RewriteProblem(`"${name}" ${error.message}`)
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

/** Calls a function of the migration; what it throws is a problem of the item. */
function call<TInput, TResult>(code: (input: TInput) => TResult, input: TInput): TResult {
  try {
    return code(input)
  } catch (error) {
    throw new RewriteProblem(error instanceof Error ? error.message : String(error))
  }
}

function storedName(model: Model | undefined, name: string): string {
  return model?.attributes.get(name)?.stored ?? name
}

function requireAttribute(model: Model | undefined, name: string): Attribute {
  const attribute = model?.attributes.get(name)
  if (attribute) return attribute
  throw new RewriteProblem(`"${name}" is not an attribute of its model`)
}
