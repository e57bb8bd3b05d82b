import type { AskedQuery, Model, Pattern } from 'singletable/tools'
import { attributeBytes, itemBytes, projectedNames } from '../../cost/item-bytes.ts'
import type { Design } from './design.ts'

/** What patterns read of a model's items through one index. */
export interface IndexNeed {
  readonly model: Model
  readonly patterns: readonly string[]
  /** The names of the attributes; undefined if a pattern reads whole items. */
  readonly attributes: ReadonlySet<string> | undefined
  /** Bytes of a whole item. */
  readonly wholeBytes: number
  /** Bytes of what is needed, with the keys that every index holds. */
  readonly neededBytes: number
}

/** Of each model that patterns read through the index. */
export function indexNeeds(design: Design, name: string): readonly IndexNeed[] {
  const { schema } = design
  const index = schema?.indexes.get(name)
  if (schema === undefined || index === undefined) return []
  return [...schema.models.values()].flatMap((model): IndexNeed[] => {
    const readers = readersOf(design, model, name)
    if (readers.length === 0) return []
    const needs = readers.map(([pattern, definition]) => neededBy(pattern, definition, model))
    const isWhole = needs.includes(undefined)
    const attributes = new Set(needs.flatMap((each) => [...(each ?? [])]))
    const wholeBytes = itemBytes(design, model).value
    const held = new Set([
      ...projectedNames(model, { ...index, project: 'keys' }),
      schema.params.typeField,
      ...(model.ttl ? [model.ttl.stored] : []),
      ...[...attributes].map((each) => model.attributes.get(each)?.stored ?? each),
    ])
    const bytes = [...attributeBytes(design, model).bytes]
      .filter(([stored]) => held.has(stored))
      .reduce((sum, [, size]) => sum + size, 0)
    return [
      {
        model,
        patterns: readers.map(([pattern]) => pattern.name),
        attributes: isWhole ? undefined : attributes,
        wholeBytes,
        neededBytes: isWhole ? wholeBytes : Math.min(wholeBytes, Math.round(bytes)),
      },
    ]
  })
}

/** The patterns that query a model through an index. */
export function readersOf(
  { schema }: Design,
  model: Model,
  index: string,
): readonly (readonly [Pattern, AskedQuery])[] {
  return [...(schema?.patterns.values() ?? [])].flatMap((pattern) => {
    const { definition, models, use } = pattern
    const isReader =
      definition.op === 'query' && use?.index.name === index && models.includes(model)
    return isReader ? [[pattern, definition] as const] : []
  })
}

/** Undefined if it is whole items. */
function neededBy(
  { target, filter }: Pattern,
  { select }: AskedQuery,
  model: Model,
): readonly string[] | undefined {
  const filtered = filter.map(({ attribute }) => attribute)
  // What is fetched afterwards is found by the keys, or by what another model's key is made of.
  if (target === model) return filtered
  const read = target ? target.primary.names : select
  return read && [...read, ...filtered]
}
