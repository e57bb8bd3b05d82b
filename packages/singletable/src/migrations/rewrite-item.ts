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
import { RewriteProblem } from './rewrite-problem.ts'
import { SealedValues } from './sealed-values.ts'
import type { ItemStep, RetypeAttribute, Values } from './step.ts'
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
  /** What takes its place: itself in its new form, and what was split off; nothing if it is deleted. */
  readonly after: readonly { readonly model: Model; readonly item: Item }[]
  /** Nothing of it changes. */
  readonly isSame: boolean
}

interface Draft {
  /** The model of the older schema that wrote the item, whatever it is called now. */
  readonly from: Model | undefined
  readonly sealed: SealedValues
  name: string
  item: { [name: string]: AttributeValue }
  isDeleted: boolean
  readonly split: { readonly model: Model; readonly item: Item }[]
}

/** What becomes of a stored item; undefined for one that the migration does not know. */
export function rewriteItem(versions: Versions, item: Item): Rewrite | undefined {
  const { before, after, steps } = versions
  const from = modelOf({ schema: before }, item)
  const name = from?.name ?? modelOf({ schema: after }, item)?.name
  // Copies are written with what they repeat.
  if (name === undefined || (from ?? after.models.get(name))?.source) return undefined
  const sealed = new SealedValues(item, [from, after.models.get(name)])
  const draft: Draft = { from, sealed, name, item: { ...item }, isDeleted: false, split: [] }
  for (const step of steps) {
    if (step.model === draft.name && !draft.isDeleted) takeStep(versions, step, draft)
  }
  if (draft.isDeleted) return { before: item, from, after: [], isSame: false }
  const model = after.models.get(draft.name)
  // A model that the newer schema leaves out, and that no step deletes, is left alone.
  if (model === undefined) return undefined
  const own = withKeys(model, draft.item, from, sealed)
  return {
    before: item,
    from,
    after: [{ model, item: own }, ...draft.split],
    isSame: draft.split.length === 0 && sameValue(own, item),
  }
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

  /** What both versions of the model know of the item; a value that only one of them can read is that one's. */
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
