import type {
  Attribute,
  AttributeDefinition,
  Codec,
  ElementDefinition,
  Environment,
  MemberDefinition,
  Model,
} from 'singletable/tools'
import { acceptsContent, acceptsValue, componentsOf } from './accepts-value.ts'
import { likelyNumber, likelyText, type Naming, wordsOf } from './likely-value.ts'
import { FAR, startedWindow, type TimeWindow, windowOf } from './sample-time.ts'
import {
  type Candidate,
  fromJsonSchema,
  numbersToTry,
  stringsToTry,
  TIMES_TO_TRY,
} from './search-values.ts'
import type { SeededRandom } from './seeded-random.ts'
import { hintsOf } from './validator-hints.ts'
import { WORDS } from './words.ts'

/** An attribute for which no value was found. */
export class UnseedableError extends Error {}

export interface ValuePlace {
  readonly model: Model
  readonly random: SeededRandom
  readonly environment: Environment
  /** The number of the item within its model, from 1. */
  readonly number: number
  /** Whether the value must be different in every item. */
  readonly isOwnKey: boolean
  /**
   * How many different values there should be, so that items share them; undefined if that does not
   * matter.
   */
  readonly variety?: number | undefined
  /** The period that times are in; undefined takes it from the attribute's name. */
  readonly window?: TimeWindow | undefined
}

/** Attempts for each value before the search: a validator may accept only some values. */
const LIKELY_TRIES = 8
const FOUND_TRIES = 24
/** Attempts for each candidate of the search. */
const SAMPLES = 3

/** Makes a value that the attribute's codec, validator and keys accept. */
export function makeValue(attribute: Attribute, place: ValuePlace): unknown {
  const { definition, name } = attribute
  const { model, random, number, environment } = place
  if (definition.generate && attribute.supply) return attribute.supply(environment)
  const isTimed = componentsOf(name, model).some(({ unit }) => unit !== undefined)
  const naming = {
    name,
    owner: (model.source ?? model).name,
    random,
    number,
    isOwn: place.isOwnKey,
    variety: place.variety,
  }
  let source = sources.get(attribute)
  if (source === undefined) {
    const accepts = (value: unknown): boolean => acceptsValue(attribute, model, value)
    source = new ValueSource(definition, attribute.codec, { accepts, isTimed })
    sources.set(attribute, source)
  }
  const made = source.make(naming, place.window)
  if (made !== undefined) return made.value
  // A default of the schema is good enough if the value need not be unique.
  const supplied = place.isOwnKey ? undefined : attribute.supply?.(environment)
  if (supplied !== undefined && acceptsValue(attribute, model, supplied)) return supplied
  throw new UnseedableError(
    `No value was found for ${model.name}.${name} that its definition accepts`,
  )
}

/** The search runs once for each attribute. */
const sources = new WeakMap<Attribute, ValueSource>()

/** Makes values for one definition and tries them. */
class ValueSource {
  readonly #definition: AttributeDefinition | ElementDefinition
  readonly #accepts: (value: unknown) => boolean
  /** Whether it is a string or a number that keys treat as a time. */
  readonly #isTimed: boolean
  readonly #members: Sources
  /** The members of each variant, if it is a union. */
  readonly #variants: ReadonlyMap<string, Sources>
  readonly #element: ValueSource | undefined
  /** The elements, if it is a tuple. */
  readonly #elements: readonly ValueSource[]
  /** The candidates that the search found; undefined before it ran. */
  #found: readonly Candidate[] | undefined
  #isLikelyRefused = false

  constructor(
    definition: AttributeDefinition | ElementDefinition,
    codec: Codec,
    { accepts = (value) => acceptsContent(codec, value), isTimed = false }: Trial = {},
  ) {
    this.#definition = definition
    this.#accepts = accepts
    this.#isTimed = isTimed
    const { schema = {}, variants = {}, items, values, elements = [], type } = definition
    this.#members = sourcesOf(schema, codec)
    this.#variants = new Map(
      Object.entries(variants).map(([variant, members]) => [variant, sourcesOf(members, codec)]),
    )
    this.#elements = elements.flatMap((element, at) => {
      const inside = codec.elements?.[at]
      return inside ? [new ValueSource(element, inside)] : []
    })
    const isMany = type === Array || type === Set || type === 'record'
    this.#element =
      isMany && codec.element
        ? new ValueSource(items ?? values ?? { type: String }, codec.element)
        : undefined
  }

  /** A value in an object, because it can be anything; undefined if none was found. */
  make(naming: Naming, window?: TimeWindow): { readonly value: unknown } | undefined {
    const { random } = naming
    const { examples, enum: members, const: only } = this.#definition
    if (only !== undefined) return { value: only }
    const listed = examples && examples.length > 0 ? examples : members
    if (listed && listed.length > 0) {
      const value = random.pick(listed)
      return this.#accepts(value) ? { value } : this.#first(listed)
    }
    for (let attempt = 0; attempt < LIKELY_TRIES && !this.#isLikelyRefused; attempt++) {
      const value = this.#likely(naming, window, attempt)
      if (this.#accepts(value)) return { value }
    }
    this.#found ??= this.#search(naming)
    if (this.#found.length === 0) return undefined
    this.#isLikelyRefused = true
    for (let attempt = 0; attempt < FOUND_TRIES; attempt++) {
      const value = random.pick(this.#found)(naming)
      if (this.#accepts(value)) return { value }
    }
    return undefined
  }

  #first(values: readonly unknown[]): { readonly value: unknown } | undefined {
    const value = values.find((each) => this.#accepts(each))
    return value === undefined ? undefined : { value }
  }

  #likely(naming: Naming, window: TimeWindow | undefined, attempt: number): unknown {
    const { type, ttl } = this.#definition as AttributeDefinition
    const { random, name, number, isOwn } = naming
    const words = wordsOf(name)
    const isTime = this.#isTimed || /^(at|date|time|timestamp)$/.test(words.at(-1) ?? '')
    switch (type) {
      case String: {
        if (isTime) {
          const text = new Date(this.#timeMs(naming, window)).toISOString()
          return words.at(-1) === 'date' && !this.#isTimed ? text.slice(0, 10) : text
        }
        const { maxBytes } = this.#definition
        return likelyText(naming).slice(0, maxBytes)
      }
      case Number:
        if (ttl) return Math.floor(this.#timeMs(naming, FAR) / 1000)
        if (isTime) return this.#timeMs(naming, window)
        return likelyNumber(naming)
      case BigInt:
        return BigInt(Math.floor(likelyNumber(naming)))
      case 'decimal':
        return isOwn ? String(number) : likelyNumber(naming).toFixed(2)
      case Boolean:
        return random.next() < 0.5
      case Date:
        return new Date(this.#timeMs(naming, ttl ? FAR : window))
      case Uint8Array:
        return Uint8Array.from({ length: [8, 16, 32, 12, 64, 1, 4, 24][attempt] ?? 8 }, () =>
          random.below(256),
        )
      case Array:
      case Set: {
        const length = [1 + random.below(3), 1 + random.below(3), 1, 2, 3, 0, 5, 10][attempt] ?? 1
        const inside = { ...naming, isOwn: false, variety: undefined }
        const list = Array.from({ length }, () =>
          this.#element ? this.#element.make(inside)?.value : random.pick(WORDS),
        )
        return type === Set ? new Set(list) : list
      }
      case Object:
        return objectOf(this.#members, naming)
      case 'record': {
        const { keys = [random.pick(WORDS), `${random.pick(WORDS)}2`] } = this.#definition
        const element = this.#element
        return element && objectOf(new Map(keys.map((key) => [key, element])), naming)
      }
      case 'tuple':
        return this.#elements.map((element) => element.make({ ...naming, isOwn: false })?.value)
      case 'union': {
        const [variant, members] = random.pick([...this.#variants])
        const { discriminator = '' } = this.#definition
        return { [discriminator]: variant, ...objectOf(members, naming) }
      }
      default:
        return random.pick(WORDS)
    }
  }

  #timeMs({ random, name }: Naming, window: TimeWindow | undefined): number {
    const { start } = this.#definition as AttributeDefinition
    const { fromMs, spanMs } = window ?? startedWindow(windowOf(wordsOf(name)), start)
    return fromMs + 1000 * random.below(Math.max(1, Math.floor(spanMs / 1000)))
  }

  /** Tries all candidates once and returns those whose values were accepted. */
  #search(naming: Naming): readonly Candidate[] {
    return this.#candidates().filter((candidate) =>
      Array.from({ length: SAMPLES }, () => candidate(naming)).some(this.#accepts),
    )
  }

  #candidates(): readonly Candidate[] {
    const { type, validate } = this.#definition
    const hints = hintsOf(validate)
    const { schema } = hints
    const described: readonly Candidate[] = schema
      ? [(naming) => fromJsonSchema(schema, naming)]
      : []
    switch (type) {
      case String:
        return [...described, ...stringsToTry(hints)]
      case Number:
        return [...described, ...this.#numbers(numbersToTry(hints))]
      case BigInt:
        return this.#numbers(numbersToTry(hints)).map(
          (each) => (naming) => BigInt(Math.floor(Number(each(naming)))),
        )
      case 'decimal':
        return this.#numbers(numbersToTry(hints)).map((each) => (naming) => String(each(naming)))
      case Date:
        return TIMES_TO_TRY.map((ms) => () => new Date(ms))
      default:
        return described
    }
  }

  /** Numbers that were accepted, and all between the smallest and the largest of them. */
  #numbers(numbers: readonly number[]): readonly Candidate[] {
    const { type } = this.#definition
    const isTaken = (each: number): boolean =>
      this.#accepts(
        type === BigInt ? BigInt(Math.floor(each)) : type === 'decimal' ? String(each) : each,
      )
    const taken = numbers.filter(isTaken)
    const low = Math.min(...taken)
    const high = Math.max(...taken)
    const isWide = taken.length > 0 && high - low > 1
    const between: Candidate = ({ random }) => Math.ceil(low) + random.below(high - low + 1)
    return [
      ...taken.map((each) => () => each),
      ...(isWide ? Array(taken.length).fill(between) : []),
    ]
  }
}

type Sources = ReadonlyMap<string, ValueSource>

/** Makers for the members of an object, without those that the schema generates itself. */
function sourcesOf(members: { readonly [name: string]: MemberDefinition }, codec: Codec): Sources {
  return new Map(
    Object.entries(members).flatMap(([name, member]) => {
      const inside = codec.members?.get(name)?.codec
      const isMade = member.generate !== undefined
      return inside && !isMade ? [[name, new ValueSource(member, inside)] as const] : []
    }),
  )
}

function objectOf(members: Sources, naming: Naming): Record<string, unknown> {
  const { name: owner } = naming
  return Object.fromEntries(
    [...members].flatMap(([name, source]) => {
      const made = source.make({ ...naming, name, owner, isOwn: false, variety: undefined })
      return made ? [[name, made.value] as const] : []
    }),
  )
}

interface Trial {
  readonly accepts?: (value: unknown) => boolean
  readonly isTimed?: boolean
}
