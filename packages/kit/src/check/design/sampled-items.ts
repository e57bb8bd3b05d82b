import {
  type Attribute,
  type AttributeValue,
  CONTROL_TYPE,
  GUARD,
  getOwn,
  InputError,
  type InputIssue,
  type Item,
  isInIndex,
  type KeyTemplate,
  type Model,
  matchPart,
  modelOf,
  primaryTemplates,
  recoverableNames,
  type Schema,
  SEQUENCE,
  StoredValueProblem,
  setOwn,
  valueIn,
} from 'singletable/tools'
import type { Design } from './design.ts'

/** An item of a sample, as far as the schema explains it. */
export interface SampledItem {
  readonly item: Item
  /** What its type or its keys say; undefined for one of no model. */
  readonly model: Model | undefined
  /** Why its model could not have written this item. */
  readonly problems: readonly InputIssue[]
  /** What its attributes make of the key attributes with templates. */
  readonly keys: readonly ComputedKey[]
}

export interface ComputedKey {
  readonly name: string
  /** Undefined where the item is in none of the indexes that the attribute is for. */
  readonly text: string | undefined
  /** It is part of the primary key. */
  readonly isPrimary: boolean
}

const samples = new WeakMap<Design, readonly SampledItem[]>()

/** The sampled items; those that the library and the command keep for themselves are left out.
 * Several rules ask for the same ones. */
export function sampledItems(design: Design): readonly SampledItem[] {
  const known = samples.get(design)
  if (known) return known
  const { schema, sample } = design
  const items = schema && sample ? sample.items.flatMap((item) => readItem(schema, item)) : []
  samples.set(design, items)
  return items
}

function readItem(schema: Schema, item: Item): readonly SampledItem[] {
  const type = getOwn(item, schema.params.typeField)?.S
  if (type === GUARD.type || type === SEQUENCE.type || type === CONTROL_TYPE) return []
  const model = modelOf({ schema }, item)
  if (model === undefined) return [{ item, model, problems: [], keys: [] }]
  const problems: InputIssue[] = []
  const known = readValues(model, item, problems)
  return [{ item, model, problems, keys: computeKeys(model, known, problems) }]
}

interface Known {
  readonly values: { readonly [name: string]: unknown }
  /** Those that are there, though nobody knows with which value. */
  readonly unclear: ReadonlySet<string>
}

/** The attributes by name. Those that are not as declared are missing, and reported as problems. */
function readValues(model: Model, item: Item, problems: InputIssue[]): Known {
  const inKeys = keyValues(model, item)
  const unclear = new Set<string>()
  const values: { [name: string]: unknown } = {}
  for (const attribute of model.attributes.values()) {
    const { name, codec, definition } = attribute
    const value = soundValue(model, attribute, item)
    const isNeeded = definition.required === true || model.primary.names.includes(name)
    if (value === undefined) {
      // Tables made by other means often leave an attribute to the key.
      if (inKeys.recoverable.has(name)) setOwn(values, name, inKeys.recoverable.get(name))
      else if (inKeys.hinted.has(name)) unclear.add(name)
      else if (isNeeded) problems.push({ path: [name], message: 'is missing' })
      continue
    }
    unclear.add(name)
    // What a codec of the attribute's own has made of it can't be read without its keys.
    if (codec.opaque) continue
    try {
      const decoded = codec.decode(value)
      const issues: InputIssue[] = []
      codec.encode(decoded, issues, true)
      problems.push(...issues.slice(0, 1).map((each) => ({ ...each, path: [name, ...each.path] })))
      setOwn(values, name, decoded)
      unclear.delete(name)
    } catch (error) {
      if (!(error instanceof StoredValueProblem)) throw error
      problems.push({ path: [name, ...error.path], message: error.message })
    }
  }
  return { values, unclear }
}

/**
 * The value of an attribute; none of one that is computed from values which are reported
 * themselves.
 */
function soundValue(model: Model, attribute: Attribute, item: Item): AttributeValue | undefined {
  try {
    return valueIn(model, attribute, item)
  } catch (error) {
    if (!(error instanceof StoredValueProblem)) throw error
    return undefined
  }
}

/** What can be read from the primary key: values in full, and the names of those that it has a part
 * of, such as the day of a time. */
function keyValues(
  { primary }: Model,
  item: Item,
): { readonly recoverable: ReadonlyMap<string, unknown>; readonly hinted: ReadonlySet<string> } {
  const recoverable = new Map<string, unknown>()
  const hinted = new Set<string>()
  for (const part of [...primary.hash, ...primary.sort]) {
    const found = matchPart(part, getOwn(item, part.name)) ?? {}
    for (const [each, value] of Object.entries(found)) {
      if (recoverableNames(part).includes(each)) recoverable.set(each, value)
      else hinted.add(each)
    }
  }
  return { recoverable, hinted }
}

/** Key attributes that can't be computed, because an attribute is not as it should be, are left
 * out. */
function computeKeys(
  { primary, derived }: Model,
  { values, unclear }: Known,
  problems: InputIssue[],
): readonly ComputedKey[] {
  const keys: ComputedKey[] = []
  const compute = (name: string, template: KeyTemplate, isPrimary: boolean): void => {
    try {
      keys.push({ name, text: template.render(values), isPrimary })
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      for (const issue of error.issues) problems.push(issue)
    }
  }
  for (const { name, template } of primaryTemplates(primary)) {
    const isKnown = template.names.every((each) => Object.hasOwn(values, each))
    if (isKnown) compute(name, template, true)
  }
  for (const { name, template, uses } of derived) {
    if (uses.some(({ names }) => names.some((each) => unclear.has(each)))) continue
    if (uses.some((use) => isInIndex(use, values))) compute(name, template, false)
    else keys.push({ name, text: undefined, isPrimary: false })
  }
  return keys
}
