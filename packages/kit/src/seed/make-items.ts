import {
  type Attribute,
  type Environment,
  isCounted,
  itemSizeBytes,
  type Model,
  type Schema,
  SingletableError,
} from 'singletable/tools'
import { componentsOf, keyNamesOf, withCopies } from './accepts-value.ts'
import { keyOf, keyText } from './item-key.ts'
import { KeySet } from './key-set.ts'
import { isProse } from './likely-value.ts'
import { makeValue, UnseedableError } from './make-value.ts'
import { bucketWindow, type TimeWindow } from './sample-time.ts'
import { type ModelSeed, planSeed, type SeedParent } from './seed-plan.ts'
import type { SeededRandom } from './seeded-random.ts'

/** An input for an entity. */
export interface SeedItem {
  readonly entity: string
  readonly input: Readonly<Record<string, unknown>>
}

/** This many items of a model can be referenced by others. */
const KEPT_MAX = 50_000
const KEY_TRIES_MAX = 50
/** An optional attribute is missing in one of this many items. */
const MISSING_IN = 5
/** Items that share a partition of an index, and values of an attribute in its key. */
const SHARED_BY = 4
const VARIETY_MIN = 2
const VARIETY_MAX = 40
const BUCKETS_MAX = 14

export interface MakeItemsOptions {
  /** The total number of items. */
  readonly count: number
  /** The minimum for each model; defaults to one. */
  readonly least?: number | undefined
  readonly random: SeededRandom
  readonly environment: Environment
  /** Called for a model when no items, or no more items, can be made. */
  readonly onUnseedable?: ((model: string, reason: string) => void) | undefined
}

/**
 * Makes items for a schema; equal seeds make equal items. An item only references items that were
 * made before it. If a model runs out of keys, the other models get more items, so that the total
 * is right.
 */
export function* makeItems(
  schema: Schema,
  { count, least, random, environment, onUnseedable = () => {} }: MakeItemsOptions,
): Generator<SeedItem, void, undefined> {
  const made = new Map<Model, MadeItems>()
  const seeds = planSeed(schema, count, least)
  const makers: ModelMaker[] = []
  let missing = 0
  for (const seed of seeds) {
    const maker = new ModelMaker(seed, seeds, { made, random, environment, onUnseedable })
    makers.push(maker)
    const before = maker.count
    yield* maker.make(seed.count)
    missing += seed.count - (maker.count - before)
  }
  for (const maker of [...makers].sort((a, b) => b.count - a.count)) {
    if (missing === 0) return
    const before = maker.count
    yield* maker.make(missing)
    missing -= maker.count - before
  }
}

interface Making {
  readonly made: Map<Model, MadeItems>
  readonly random: SeededRandom
  readonly environment: Environment
  readonly onUnseedable: (model: string, reason: string) => void
}

type Row = Readonly<Record<string, unknown>>

/** What other models need to know about the items of a model. */
class MadeItems {
  readonly rows: Row[] = []
  readonly #names: readonly string[]
  /** By attribute names: the rows by the values of these attributes. */
  readonly #byValues = new Map<string, Map<string, Row[]>>()

  constructor(names: readonly string[]) {
    this.#names = names
  }

  add(input: ReadonlyMap<string, unknown>): void {
    // Items that nothing references are not kept: they are most of a large table.
    if (this.#names.length === 0 || this.rows.length >= KEPT_MAX) return
    const row: Row = Object.fromEntries(this.#names.map((name) => [name, input.get(name)]))
    this.rows.push(row)
    for (const [names, rows] of this.#byValues) addTo(rows, valuesText(row, names.split(' ')), row)
  }

  /** The rows that have these values. */
  having(values: ReadonlyMap<string, unknown>): readonly Row[] {
    if (values.size === 0) return this.rows
    const names = [...values.keys()].sort()
    const key = names.join(' ')
    let rows = this.#byValues.get(key)
    if (rows === undefined) {
      rows = new Map()
      for (const row of this.rows) addTo(rows, valuesText(row, names), row)
      this.#byValues.set(key, rows)
    }
    return rows.get(valuesText(Object.fromEntries(values), names)) ?? []
  }
}

function addTo(rows: Map<string, Row[]>, key: string, row: Row): void {
  const list = rows.get(key)
  if (list) list.push(row)
  else rows.set(key, [row])
}

function valuesText(row: Row, names: readonly string[]): string {
  return names.map((name) => String(row[name])).join('\u0000')
}

/** How an attribute gets its value. */
interface AttributePlan {
  readonly attribute: Attribute
  readonly isOwnKey: boolean
  readonly canBeMissing: boolean
  readonly variety: number | undefined
  readonly window: TimeWindow | undefined
  /** The model and attribute whose value it repeats. */
  readonly copied: readonly [model: string, attribute: string] | undefined
}

/** Makes the items of one model. */
class ModelMaker {
  /** How many items it has made. */
  count = 0
  readonly #seed: ModelSeed
  readonly #making: Making
  readonly #keys = new KeySet()
  readonly #plans: readonly AttributePlan[]
  readonly #links: ReadonlySet<string>
  /** Whether its key consists only of the key of a parent: one item for each parent. */
  readonly #isOneEach: boolean
  readonly #padded: Attribute | undefined
  #isDone = false

  constructor(seed: ModelSeed, seeds: readonly ModelSeed[], making: Making) {
    this.#seed = seed
    this.#making = making
    const { model, keys, parents } = seed
    making.made.set(model, new MadeItems(namesFor(seed, seeds)))
    this.#links = new Set(parents.flatMap((parent) => parent.keys))
    const [first] = parents
    this.#isOneEach =
      first !== undefined && keys.length > 0 && keys.every((key) => first.keys.includes(key))
    this.#plans = planAttributes(seed, seeds, this.#links)
    this.#padded = paddedAttribute(model)
  }

  /** Makes this many more items, or fewer if there are no more keys. */
  *make(count: number): Generator<SeedItem, void, undefined> {
    const { model } = this.#seed
    for (let made = 0; made < count && !this.#isDone; made++) {
      let input: Map<string, unknown> | undefined
      try {
        input = this.#next()
      } catch (error) {
        if (!(error instanceof UnseedableError)) throw error
        this.#isDone = true
        this.#making.onUnseedable(model.name, error.message)
        return
      }
      this.#isDone = input === undefined || this.#seed.keys.length === 0
      if (input === undefined) return
      this.count++
      this.#making.made.get(model)?.add(input)
      yield { entity: model.name, input: Object.fromEntries(input) }
    }
  }

  /** An input with new keys and unique values; undefined if there seem to be no more. */
  #next(): Map<string, unknown> | undefined {
    const { model } = this.#seed
    for (let attempt = 0; attempt < KEY_TRIES_MAX; attempt++) {
      const input = this.#try(attempt)
      if (!this.#keys.add(this.#keyText(input))) continue
      const isTaken = (model.derivedItems?.unique ?? []).some(
        ({ name, attributes, ignoreCase }) => {
          const values = attributes.map((each) => each.name)
          if (!values.every((each) => input.has(each))) return false
          const text = textOf(input, values)
          return !this.#keys.add(`${name} ${ignoreCase ? text.toLowerCase() : text}`)
        },
      )
      if (isTaken) continue
      this.#pad(input)
      return input
    }
    return undefined
  }

  /** Different values can have the same key: two times of one day, two cases of one name. */
  #keyText(input: ReadonlyMap<string, unknown>): string {
    const { model, keys } = this.#seed
    const { hash, sort } = model.schema.primary
    try {
      const key = keyOf(model, Object.fromEntries(input), this.#making.environment)
      return keyText(key, [...hash, ...sort])
    } catch (error) {
      // The item will be refused when it is written, with the reason.
      if (!SingletableError.is(error)) throw error
      return textOf(input, keys)
    }
  }

  #try(attempt: number): Map<string, unknown> {
    const { model } = this.#seed
    const { random, environment } = this.#making
    const input = new Map<string, unknown>()
    const named = new Map<string, Row>()
    for (const parent of this.#seed.parents) this.#name(parent, input, named, attempt)
    for (const plan of this.#plans) {
      const { attribute, copied, canBeMissing, isOwnKey, variety, window } = plan
      const { name } = attribute
      if (input.has(name)) continue
      const source = copied && named.get(copied[0])
      if (copied && source && source[copied[1]] !== undefined) {
        input.set(name, source[copied[1]])
        continue
      }
      if (canBeMissing && this.count > 0 && random.below(MISSING_IN) === 0) continue
      const number = this.count + 1
      const place = { model, random, environment, number, isOwnKey, variety, window }
      input.set(name, makeValue(attribute, place))
    }
    for (const [name, value] of input) if (value === undefined) input.delete(name)
    return input
  }

  /**
   * Makes the item reference a parent. Values that an earlier parent set stay: the post determines
   * its author.
   */
  #name(
    parent: SeedParent,
    input: Map<string, unknown>,
    named: Map<string, Row>,
    attempt: number,
  ): void {
    const { model } = this.#seed
    const { made, random } = this.#making
    const items = made.get(parent.model)
    const isOpen = parent.keys.some((name) => !input.has(name))
    if (items === undefined) return
    const settled = new Map(
      [...parent.links]
        .filter(([, name]) => input.get(name) !== undefined)
        .map(([key, name]) => [key, input.get(name)]),
    )
    const fitting = items.having(settled)
    const canBeMissing = parent.keys.every((name) => canBeLeftOut(this.#seed, name))
    const isOfItself = parent.model === model
    if (fitting.length === 0) {
      if (!parent.counts || !isOpen) return
      if (!canBeMissing) {
        throw new UnseedableError(
          isOfItself
            ? `The first ${model.name} would have to reference another one by ${parent.keys.join(' and ')}, and there is none`
            : `${model.name} is counted by ${parent.model.name}, of which there is none`,
        )
      }
      for (const name of parent.keys) if (!input.has(name)) input.set(name, undefined)
      return
    }
    // Some items have no parent of their own model.
    if (isOfItself && isOpen && canBeMissing && random.below(2) === 0) {
      for (const name of parent.keys) if (!input.has(name)) input.set(name, undefined)
      return
    }
    const row =
      this.#isOneEach && attempt === 0 && settled.size === 0
        ? (fitting[this.count % fitting.length] ?? random.pick(fitting))
        : random.pick(fitting)
    named.set(parent.model.name, row)
    for (const [key, name] of parent.links) if (!input.has(name)) input.set(name, row[key])
    // What the parent references too has the same value: the rating of a ride is about its driver.
    for (const [name, value] of Object.entries(row)) {
      if (this.#links.has(name) && !input.has(name) && value !== undefined && !isOfItself) {
        input.set(name, value)
      }
    }
  }

  /** Lengthens a string until the item has the size of `stats.itemBytes`. */
  #pad(input: Map<string, unknown>): void {
    const { model } = this.#seed
    const wanted = model.schema.definition.models[model.name]?.stats?.itemBytes
    const text = input.get(this.#padded?.name ?? '')
    if (wanted === undefined || this.#padded === undefined || typeof text !== 'string') return
    const { environment } = this.#making
    const { item } = model.encodeNew(Object.fromEntries(input), environment, 'seed')
    const missing = wanted - itemSizeBytes(item)
    if (missing <= 0) return
    const filled = `${text} `.repeat(1 + Math.ceil(missing / text.length))
    input.set(this.#padded.name, filled.slice(0, text.length + missing))
  }
}

function textOf(input: ReadonlyMap<string, unknown>, names: readonly string[]): string {
  return JSON.stringify(
    names.map((name) => {
      const value = input.get(name)
      return value instanceof Date ? value.getTime() : String(value)
    }),
  )
}

/**
 * The attributes of a model that other models use: its key, its own references, and values that are
 * repeated.
 */
function namesFor(
  { model, keys, parents }: ModelSeed,
  seeds: readonly ModelSeed[],
): readonly string[] {
  const repeated = seeds.flatMap((seed) =>
    [...seed.model.attributes.values()].flatMap((attribute) => {
      const [from, name] = copiedFrom(attribute) ?? []
      return from === model.name && name !== undefined ? [name] : []
    }),
  )
  const isNamed = seeds.some((seed) => seed.parents.some((parent) => parent.model === model))
  if (!isNamed && repeated.length === 0) return []
  return [...new Set([...keys, ...parents.flatMap((parent) => parent.keys), ...repeated])]
}

function copiedFrom({ definition: { copyOf } }: Attribute): AttributePlan['copied'] {
  const from = typeof copyOf === 'object' ? copyOf.from : copyOf
  if (from === undefined) return undefined
  const [model = '', attribute = ''] = from.split('.')
  return [model, attribute]
}

function planAttributes(
  seed: ModelSeed,
  seeds: readonly ModelSeed[],
  links: ReadonlySet<string>,
): readonly AttributePlan[] {
  const { model, keys, parents, count } = seed
  const own = keys.filter((key) => !links.has(key))
  const above = seeds.find((each) => each.model === parents[0]?.model)?.count ?? 1
  const shared = sharedNames(model)
  return [...model.attributes.values()]
    .filter(
      (each) =>
        each !== model.version &&
        each !== model.createdAt &&
        each !== model.updatedAt &&
        !isCounted(each.definition) &&
        each.from === undefined,
    )
    .map((attribute): AttributePlan => {
      const { name, definition } = attribute
      const isShared = shared.has(name)
      // If it is only a part of the key, and is in an index too, several items share its value: the
      // tag of several posts.
      const isTogether = isShared && keys.length > 1
      const isOwnKey =
        (keys.includes(name) && (own.at(-1) ?? keys.at(-1)) === name && !isTogether) ||
        definition.unique !== undefined
      const unit = componentsOf(name, model).find((each) => each.unit !== undefined)?.unit
      const perParent = keys.includes(name) ? count / above : count
      const few = (most: number, least: number): number =>
        Math.max(least, Math.min(most, Math.ceil(perParent / SHARED_BY)))
      return {
        attribute,
        isOwnKey,
        canBeMissing: canBeLeftOut(seed, name),
        variety:
          isShared && !isOwnKey
            ? Math.max(few(VARIETY_MAX, VARIETY_MIN), keys.includes(name) ? 2 * perParent : 0)
            : undefined,
        window: unit && bucketWindow(unit, few(BUCKETS_MAX, 1), definition.start),
        copied: copiedFrom(attribute),
      }
    })
}

/**
 * Whether the attribute can be missing: it is not required, not generated, and not part of the key.
 */
function canBeLeftOut({ model, keys }: ModelSeed, name: string): boolean {
  const attribute = model.attributes.get(name)
  return (
    attribute !== undefined &&
    !attribute.definition.required &&
    attribute.supply === undefined &&
    !keys.includes(name)
  )
}

/**
 * The attributes in partition keys of indexes and copies: items must share their values, or each
 * would be alone in its partition.
 */
function sharedNames(model: Model): ReadonlySet<string> {
  return new Set(
    withCopies(model).flatMap((each) =>
      each.indexes
        .filter((use) => use !== model.primary)
        .flatMap(({ hash }) =>
          hash.flatMap(({ template, attribute }) => template?.names ?? [attribute?.name ?? '']),
        ),
    ),
  )
}

/** The attribute that is lengthened: one with sentences and without other constraints. */
function paddedAttribute(model: Model): Attribute | undefined {
  const inKeys = keyNamesOf(model)
  return [...model.attributes.values()].find(
    ({ name, definition: { type, enum: members, validate, maxBytes, copyOf, unique, examples } }) =>
      type === String &&
      isProse(name) &&
      !inKeys.has(name) &&
      !(members || validate || maxBytes || copyOf || unique || examples),
  )
}
