import type { AskedUpdate, Model, Pattern } from 'singletable/tools'
import type { Figure } from './figure.ts'
import type { IndexWrite, WrittenPart } from './index-writes.ts'

/** An item that is written, before it is known whether in a transaction. */
export interface CostedWrite {
  readonly what: string
  readonly model: Model
  readonly itemBytes: Figure
  readonly indexes: readonly IndexWrite[]
}

/** What a pattern changes of its item, by stored names. */
export function partOf(definition: Pattern['definition'], model: Model): WrittenPart {
  return definition.op === 'update' ? changedBy(definition, model) : 'whole'
}

function changedBy(
  { set = [], add = [], remove = [] }: AskedUpdate,
  { attributes, updatedAt, version }: Model,
): ReadonlySet<string> {
  const named = [...set, ...add, ...remove].map((name) => attributes.get(name)?.stored ?? name)
  const kept = [updatedAt, version].flatMap((attribute) => (attribute ? [attribute.stored] : []))
  return new Set([...named, ...kept])
}
