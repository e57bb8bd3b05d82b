import type { Migration } from 'singletable/migrations'
import { type Item, keyFromItem, modelOf, type Versions } from 'singletable/tools'
import { type Counts, NO_COUNTS } from './counts.ts'
import { printKey } from './print-key.ts'

type Step = Migration['steps'][number]

/** An item that can't be migrated. */
export interface Failure {
  readonly key: Item
  /** The name of its model, by the older schema if that knows it. */
  readonly entity: string | undefined
  /** Undefined if no single step fails, as for an item that becomes too large. */
  readonly step: string | undefined
  /** Follows the key of the item in a sentence. */
  readonly reason: string
}

/** Takes all failures, where `Counts` keeps only the first ones. */
export interface FailureLog {
  readonly file: string
  /** How many it has. */
  readonly count: number
  add(failure: Failure): void
}

/** The failure of an item; `step` is the one that fails, if that is known. */
export function failureOf(
  { before, after }: Versions,
  item: Item,
  reason: string,
  step?: Step,
): Failure {
  const entity = (modelOf({ schema: before }, item) ?? modelOf({ schema: after }, item))?.name
  const key = keyFromItem(after.primary, item)
  return { key, entity, step: step && describeStep(step), reason }
}

export function countsOfFailures(failures: readonly Failure[]): Counts {
  return {
    ...NO_COUNTS,
    problems: failures.length,
    examples: failures.map(({ key, reason }) => `${printKey(key)} ${reason}`),
  }
}

/** How many are not among the examples. */
export function unlisted({ examples }: Counts, count: number): number {
  return Math.max(0, count - examples.length)
}

/** A step as it is written, without its code. */
export function describeStep(step: Step): string {
  const { kind, ...members } = step
  const words = Object.values(members).filter(
    (member) => typeof member === 'string' || typeof member === 'number',
  )
  return `${kind}(${words.join(', ')})`
}
