import type { Migration } from 'singletable/migrations'
import { pathOf } from './merge-snapshots.ts'

type Step = Migration['steps'][number]

/** What steps change of the items of a model. */
interface StepTouch {
  /** Items become items of other models, or parts of them, or are deleted. */
  isRestructured: boolean
  /** Code reads or keys are made of any attribute, so that each of them may matter. */
  isWhole: boolean
  readonly attributes: Set<string>
}

/** What a version of the schema changes of a model. */
interface SchemaTouch {
  /** Keys, copies or unique values: what items are found by. */
  isWhole: boolean
  /** Attributes that other items don't depend on, and that are new and need no value. */
  readonly added: Set<string>
  readonly changed: Set<string>
}

/** What a migration depends on or changes, by model. */
export interface TouchedParts {
  readonly steps: ReadonlyMap<string, StepTouch>
  readonly schema: ReadonlyMap<string, SchemaTouch>
  /** Indexes that steps create or drop. */
  readonly indexes: ReadonlySet<string>
  /** Settings change by which all items and what follows from them is written. */
  readonly hasOtherParams: boolean
}

/** Members of a model that say nothing about stored items. */
const ONLY_NOTES = ['stats']
/** Members of an attribute by which it is more than a value of its item. */
const ROLES = ['value', 'unique', 'counts', 'sums', 'copyOf', 'from', 'compute', 'version', 'ttl']
const RESTRUCTURING = ['renameModel', 'splitModel', 'mergeModel', 'deleteModel', 'custom']

export function touchedParts(
  { steps }: Migration,
  changes: ReadonlyMap<string, unknown>,
  before: ReadonlyMap<string, unknown>,
): TouchedParts {
  const schema = new Map<string, SchemaTouch>()
  for (const [unit, value] of changes) {
    const [root, model, member = '', attribute] = pathOf(unit)
    if (root !== 'models' || model === undefined || ONLY_NOTES.includes(member)) continue
    const touch = entry(schema, model, () => ({
      isWhole: false,
      added: new Set<string>(),
      changed: new Set<string>(),
    }))
    if (attribute === undefined || hasRole(value) || hasRole(before.get(unit))) touch.isWhole = true
    if (attribute === undefined) continue
    if (before.has(unit) || isRequired(value)) touch.changed.add(attribute)
    else touch.added.add(attribute)
    for (const other of [value, before.get(unit)].flatMap(modelsNamedBy)) {
      entry(schema, other, () => ({
        isWhole: true,
        added: new Set(),
        changed: new Set(),
      })).isWhole = true
    }
  }
  const byModel = new Map<string, StepTouch>()
  const indexes = new Set<string>()
  for (const step of steps) {
    if ('index' in step) indexes.add(step.index)
    else touchModels(byModel, step)
  }
  const hasOtherParams = [...changes.keys()].some((unit) => pathOf(unit)[0] === 'params')
  return { steps: byModel, schema, indexes, hasOtherParams }
}

/** The parts that two migrations can't both change, as people call them: `User.plan`. */
export function sharedParts(a: TouchedParts, b: TouchedParts): readonly string[] {
  const shared = new Set([
    ...meetings(a, b),
    ...meetings(b, a),
    ...[...a.indexes]
      .filter((index) => b.indexes.has(index))
      .map((index) => `the index "${index}"`),
  ])
  return [...shared]
}

/** Where the steps of one meet the steps of the other, or its changes of the schema. */
function meetings({ steps }: TouchedParts, other: TouchedParts): readonly string[] {
  if (other.hasOtherParams) return [...steps.keys()]
  const shared: string[] = []
  for (const [model, touch] of steps) {
    const theirs = other.steps.get(model)
    const schema = other.schema.get(model)
    const isMet =
      theirs !== undefined && (isAll(touch) || isAll(theirs))
        ? true
        : schema !== undefined &&
          (touch.isRestructured || schema.isWhole || (touch.isWhole && schema.changed.size > 0))
    if (isMet) shared.push(model)
    else {
      const names = [
        ...(theirs?.attributes ?? []),
        ...(schema?.added ?? []),
        ...(schema?.changed ?? []),
      ]
      const both = new Set(names.filter((name) => touch.attributes.has(name)))
      shared.push(...[...both].map((name) => `${model}.${name}`))
    }
  }
  return shared
}

function isAll({ isRestructured, isWhole }: StepTouch): boolean {
  return isRestructured || isWhole
}

function touchModels(
  byModel: Map<string, StepTouch>,
  step: Exclude<Step, { index: string }>,
): void {
  const of = (model: string): StepTouch =>
    entry(byModel, model, () => ({
      isRestructured: false,
      isWhole: false,
      attributes: new Set<string>(),
    }))
  const own = of(step.model)
  if (RESTRUCTURING.includes(step.kind)) {
    const others = 'to' in step ? [step.to] : 'into' in step ? [step.into].flat() : []
    for (const model of [step.model, ...others]) of(model).isRestructured = true
    return
  }
  switch (step.kind) {
    case 'addAttribute':
      own.attributes.add(step.attribute)
      // A function can read all attributes.
      own.isWhole ||= typeof step.value === 'function'
      return
    case 'removeAttribute':
    case 'checkAttribute':
      own.attributes.add(step.attribute)
      return
    case 'renameAttribute':
      own.attributes.add(step.from).add(step.to)
      return
    default:
      own.isWhole = true
  }
}

function hasRole(attribute: unknown): boolean {
  return ROLES.some((role) => Object.hasOwn(Object(attribute), role))
}

function isRequired(attribute: unknown): boolean {
  return Object(attribute).required === true
}

/** The models whose items an attribute counts, adds up or repeats. */
function modelsNamedBy(attribute: unknown): readonly string[] {
  const { counts, sums, copyOf } = Object(attribute) as Readonly<Record<string, unknown>>
  const names = [counts, Object(counts).model, sums, Object(sums).of, copyOf, Object(copyOf).from]
  return names.flatMap((name) => (typeof name === 'string' ? [name.split('.')[0] ?? ''] : []))
}

function entry<T>(map: Map<string, T>, key: string, create: () => T): T {
  const found = map.get(key) ?? create()
  map.set(key, found)
  return found
}
