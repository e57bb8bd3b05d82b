import {
  type KeyPart,
  keyVariables,
  type Model,
  type ModelIndex,
  type PatternPlan,
} from 'singletable/tools'
import type { ItemMaker } from '../../packages/kit/src/check/exercise/item-maker.ts'
import type { Values } from '../../packages/kit/src/check/exercise/item-values.ts'
import { acceptsValue } from '../../packages/kit/src/seed/accepts-value.ts'
import { type Query, useOf } from './question.ts'
import type { ReferenceItem } from './reference-item.ts'

/** An item of another model, to be distinguished from the results. */
export interface NegativeExample {
  readonly model: Model
  readonly values: Values
}

/** Strings that come before and after nearly all others. */
const EXTREMES = ['!', '~']

/**
 * Items of the other models: of each that can share the partition several, with sort keys as near
 * to those of the results as they can be; of each other one that has the same ids.
 */
export function* negativesFor(
  query: Query,
  plan: PatternPlan,
  example: Values,
  reference: ReferenceItem,
  maker: ItemMaker,
): Generator<NegativeExample, void, undefined> {
  const [model] = query.models
  if (model === undefined) return
  const use = useOf(query, model)
  for (const other of model.schema.models.values()) {
    if (query.models.includes(other)) continue
    const theirs = other.indexes.find((each) => each.index === use.index)
    const isSharing = plan.sharesPartitionWith.includes(other.name) && theirs !== undefined
    const shared = acceptable(other, example)
    const copy = other.source?.derivedItems?.copies.find((each) => each.model === other)
    const conditions = [...((isSharing && theirs.when) || []), ...(copy?.when ?? [])]
    const required = conditions.map(([name, allowed]) => [name, allowed[0]] as const)
    const partition = isSharing ? readParts(use.hash, theirs.hash, example) : new Map()
    const fixed = new Map([...shared, ...required, ...acceptable(other, partition)])
    yield { model: other, values: maker.make(other, fixed) }
    if (!isSharing) continue
    for (const sort of sortValues(other, use, theirs, example, reference)) {
      const values = new Map([
        ...fixed,
        ...acceptable(other, sort),
        ...acceptable(other, partition),
      ])
      yield { model: other, values: maker.make(other, values) }
    }
  }
}

/** Values for what makes the sort key of a model in the same partition: the same text as a result
 * has, the values results are ordered by, and what comes first and last. */
function sortValues(
  other: Model,
  use: ModelIndex,
  theirs: ModelIndex,
  example: Values,
  { spread }: ReferenceItem,
): readonly Values[] {
  const names = keyVariables(theirs.sort)
  const all = (value: unknown): Values => new Map(names.map((name) => [name, value]))
  const ends = [spread[0], spread.at(-1)].filter((value) => value !== undefined)
  const literals = use.sort.flatMap(({ template }) =>
    (template?.parts ?? []).flatMap((part) =>
      typeof part === 'string' ? [part.replaceAll(other.schema.params.separator, '')] : [],
    ),
  )
  return [
    readParts(use.sort, theirs.sort, example),
    ...[...ends, ...literals, ...EXTREMES].map(all),
  ].filter(({ size }) => size > 0)
}

/** The values that would give the other model the same key strings. */
function readParts(
  ours: readonly KeyPart[],
  theirs: readonly KeyPart[],
  example: Values,
): Map<string, unknown> {
  const values = new Map<string, unknown>()
  const given = Object.fromEntries(example)
  for (const [position, part] of theirs.entries()) {
    const own = ours[position]
    const text = own?.template?.render(given) ?? example.get(own?.attribute?.name ?? '')
    if (!part.template) values.set(part.attribute.name, text)
    else if (typeof text === 'string') {
      for (const [name, value] of Object.entries(part.template.match(text) ?? {})) {
        values.set(name, value)
      }
    }
  }
  return values
}

/** Of some values those that are ones of a model's attributes. */
function acceptable(model: Model, values: Values): Values {
  const source = model.source ?? model
  return new Map(
    [...values].filter(([name, value]) => {
      const attribute = source.attributes.get(name)
      return attribute !== undefined && acceptsValue(attribute, source, value)
    }),
  )
}
