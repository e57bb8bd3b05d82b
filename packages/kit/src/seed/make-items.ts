import { type Environment, itemSizeBytes, type Model, type Schema } from 'singletable/tools'
import { makeValue } from './make-value.ts'
import { type ModelSeed, planSeed } from './seed-plan.ts'
import type { SeededRandom } from './seeded-random.ts'

/** An input for an entity. */
export interface SeedItem {
  readonly entity: string
  readonly input: Record<string, unknown>
}

/** Of the items of a model so many are kept for others to refer to. */
const KEPT_MAX = 20_000
const KEY_TRIES_MAX = 50

export interface MakeItemsOptions {
  /** In all, more or less. */
  readonly count: number
  /** Of each model; default one. */
  readonly least?: number | undefined
  readonly random: SeededRandom
  readonly environment: Environment
}

/** Makes up items for a schema: the same for the same seed. Items that name others name ones that were made before. */
export function* makeItems(
  schema: Schema,
  { count, least, random, environment }: MakeItemsOptions,
): Generator<SeedItem, void, undefined> {
  const made = new Map<Model, Record<string, unknown>[]>()
  for (const seed of planSeed(schema, count, least)) {
    const kept: Record<string, unknown>[] = []
    made.set(seed.model, kept)
    const keys = new Set<string>()
    for (let number = 1; number <= seed.count; number++) {
      const input = makeInput(seed, { made, random, environment, number, keys })
      if (input === undefined) break
      if (kept.length < KEPT_MAX) kept.push(input)
      yield { entity: seed.model.name, input }
    }
  }
}

interface Making {
  readonly made: ReadonlyMap<Model, readonly Record<string, unknown>[]>
  readonly random: SeededRandom
  readonly environment: Environment
  readonly number: number
  readonly keys: Set<string>
}

/** An input with a key that no other has; undefined if there seem to be no more keys. */
function makeInput(seed: ModelSeed, making: Making): Record<string, unknown> | undefined {
  for (let attempt = 0; attempt < KEY_TRIES_MAX; attempt++) {
    const input = tryInput(seed, making)
    const key = JSON.stringify(seed.keys.map((name) => String(input.get(name))))
    if (making.keys.has(key)) continue
    making.keys.add(key)
    fillUp(seed.model, input, making)
    return Object.fromEntries(input)
  }
  return undefined
}

function tryInput({ model, keys, parents }: ModelSeed, making: Making): Map<string, unknown> {
  const { made, random, environment, number } = making
  const input = new Map<string, unknown>()
  const named = new Map<string, Record<string, unknown>>()
  for (const parent of parents) {
    const list = made.get(parent.model) ?? []
    // What an earlier one has settled stays: the post decides whose post it is.
    if (list.length === 0 || parent.keys.every((name) => input.has(name))) continue
    // A part that is settled already limits which ones are left to name.
    const fitting = list.filter((item) =>
      [...parent.links].every(([key, name]) => !input.has(name) || input.get(name) === item[key]),
    )
    const item = random.pick(fitting.length > 0 ? fitting : list)
    named.set(parent.model.name, item)
    for (const [key, name] of parent.links) if (!input.has(name)) input.set(name, item[key])
  }
  const inKeys = new Set(model.indexes.flatMap(({ names }) => names))
  for (const attribute of model.attributes.values()) {
    const { name, definition } = attribute
    const isKept =
      attribute === model.version || attribute === model.createdAt || attribute === model.updatedAt
    const isMade = definition.counts !== undefined || attribute.from !== undefined
    if (input.has(name) || isKept || isMade) continue
    const { copyOf } = definition
    const [from = '', copied = ''] = (
      typeof copyOf === 'object' ? copyOf.from : (copyOf ?? '')
    ).split('.')
    const source = named.get(from)
    if (source && Object.hasOwn(source, copied)) {
      input.set(name, source[copied])
      continue
    }
    const isOwnKey =
      (keys.includes(name) && keys.at(-1) === name) || definition.unique !== undefined
    const place = { model, random, environment, number, isOwnKey, isInKey: inKeys.has(name) }
    input.set(name, makeValue(attribute, place))
  }
  return input
}

/** Makes the longest free text as long as `stats.itemBytes` asks for. */
function fillUp(model: Model, input: Map<string, unknown>, { environment }: Making): void {
  const wanted = model.schema.definition.models[model.name]?.stats?.itemBytes
  if (wanted === undefined) return
  const inKeys = new Set(model.indexes.flatMap(({ names }) => names))
  const free = [...model.attributes.values()].filter(
    ({ name, definition: { type, enum: members, validate, maxBytes, copyOf, unique } }) =>
      type === String &&
      !inKeys.has(name) &&
      !(members || validate || maxBytes || copyOf || unique) &&
      typeof input.get(name) === 'string',
  )
  const longest = free.sort(
    (a, b) => String(input.get(b.name)).length - String(input.get(a.name)).length,
  )[0]
  if (longest === undefined) return
  const { item } = model.encodeNew(Object.fromEntries(input), environment, 'seed')
  const missing = wanted - itemSizeBytes(item)
  const text = String(input.get(longest.name))
  if (missing <= 0) return
  const filled = `${text} `.repeat(1 + Math.ceil(missing / text.length))
  input.set(longest.name, filled.slice(0, text.length + missing))
}
