import { diffShapes, printIndex } from './diff-shapes.ts'
import { InfraError } from './infra-error.ts'
import { type TableShape, withGlobalIndexes } from './table-shape.ts'

/** What one deployment does. */
export type StepAction =
  | { readonly kind: 'create' | 'delete'; readonly index: string }
  | { readonly kind: 'settings'; readonly what: readonly string[] }

/** One deployment on the way from a table to another. */
export interface Step {
  readonly number: number
  readonly count: number
  readonly change: StepAction
  readonly before: TableShape
  /** The whole table as it is after the step. */
  readonly shape: TableShape
}

/** DynamoDB's default quota. */
const GLOBAL_INDEXES_MAX = 20

/**
 * The deployments that make one table of another. CloudFormation creates or deletes one global
 * index in an update, so each is a step of its own; indexes that are new come first and those that
 * nobody needs any more last, so that reads are served all the time.
 */
export function planSteps(from: TableShape, to: TableShape): readonly Step[] {
  const differences = diffShapes(from, to)
  const lasting = differences.filter(({ kind }) => kind === 'replace')
  if (lasting.length > 0) {
    throw new InfraError(
      `No update can do this: ${lasting.map(({ text }) => text).join('; ')}.`,
      'create another table with the new definition and move the items there',
    )
  }
  const settings = differences.filter(({ kind }) => kind === 'setting').map(({ aspect }) => aspect)
  const changes: StepAction[] =
    settings.length > 0 ? [{ kind: 'settings', what: [...new Set(settings)] }] : []
  changes.push(...indexChanges(from, to))
  const steps: Step[] = []
  let before = from
  for (const [index, change] of changes.entries()) {
    const shape = applyChange(before, to, change)
    steps.push({ number: index + 1, count: changes.length, change, before, shape })
    before = shape
  }
  return steps
}

/** A step in one line, for people. */
export function describeStep({ number, count, change }: Step): string {
  const what =
    change.kind === 'settings'
      ? `changes ${change.what.join(', ')}`
      : `${change.kind}s the index "${change.index}"`
  return `Step ${number}/${count} ${what}.`
}

function indexChanges(from: TableShape, to: TableShape): readonly StepAction[] {
  const known = new Map(from.global.map((index) => [index.name, index]))
  const wanted = new Set(to.global.map(({ name }) => name))
  const created: StepAction[] = []
  const replaced: StepAction[] = []
  for (const index of to.global) {
    const old = known.get(index.name)
    if (old === undefined) created.push({ kind: 'create', index: index.name })
    else if (printIndex(old, from) !== printIndex(index, to)) {
      replaced.push({ kind: 'delete', index: index.name }, { kind: 'create', index: index.name })
    }
  }
  const deleted: StepAction[] = from.global
    .filter(({ name }) => !wanted.has(name))
    .map(({ name }) => ({ kind: 'delete', index: name }))
  // Where there is no room for both, old indexes have to go first.
  const isFull = from.global.length + created.length > GLOBAL_INDEXES_MAX
  return isFull ? [...deleted, ...created, ...replaced] : [...created, ...replaced, ...deleted]
}

function applyChange(before: TableShape, to: TableShape, change: StepAction): TableShape {
  if (change.kind === 'settings') {
    const wanted = new Map(to.global.map((index) => [index.name, index]))
    // An index that will go has the capacity of the table until then.
    const global = before.global.map((index) => {
      const { capacity, maximum, warm } = wanted.get(index.name) ?? { capacity: to.capacity }
      return { ...index, capacity, maximum, warm: warm ?? index.warm }
    })
    return withGlobalIndexes(to, global, before.keys)
  }
  const index = to.global.find(({ name }) => name === change.index)
  const others = before.global.filter(({ name }) => name !== change.index)
  const global = change.kind === 'create' && index ? [...others, index] : others
  // In the order of the schema, so that the last step gives the text that there is without steps.
  const order = new Map(to.global.map(({ name }, position) => [name, position]))
  const sorted = [...global].sort(
    (a, b) => (order.get(a.name) ?? order.size) - (order.get(b.name) ?? order.size),
  )
  return withGlobalIndexes(before, sorted, [...before.keys, ...to.keys])
}
