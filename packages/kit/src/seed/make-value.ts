import type {
  Attribute,
  AttributeDefinition,
  Environment,
  MemberDefinition,
  Model,
} from 'singletable/tools'
import { acceptsValue } from './accepts-value.ts'
import type { SeededRandom } from './seeded-random.ts'

/** An attribute whose values can't be made up. */
export class UnseedableError extends Error {}

export interface ValuePlace {
  readonly model: Model
  readonly random: SeededRandom
  readonly environment: Environment
  /** Counts the items of the model, from 1 on. */
  readonly number: number
  /** The value has to differ from those of all other items. */
  readonly isOwnKey: boolean
  /** The value is part of some key. */
  readonly isInKey: boolean
}

const WORDS =
  'amber birch cedar delta ember fjord grove haven iris jade koral lumen maple north ocean pearl quartz river stone tide umber vale willow yarrow zephyr'.split(
    ' ',
  )
const START_MS = Date.UTC(2025, 0, 1)
const YEAR_MS = 365 * 24 * 3600 * 1000
const TRIES_MAX = 24

/** Makes up a value that the attribute's codec and validator take. */
export function makeValue(attribute: Attribute, place: ValuePlace): unknown {
  const { definition, name } = attribute
  if (definition.generate && attribute.supply) return attribute.supply(place.environment)
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    const value = candidate(definition, name, place, attempt)
    if (acceptsValue(attribute, place.model, value)) return value
  }
  // What the schema itself gives is good enough, where it need not differ.
  const supplied = place.isOwnKey ? undefined : attribute.supply?.(place.environment)
  if (supplied !== undefined && acceptsValue(attribute, place.model, supplied)) return supplied
  throw new UnseedableError(
    `No value was found for ${place.model.name}.${name} that its definition takes; give it a default that it takes`,
  )
}

function candidate(
  definition: MemberDefinition & Pick<AttributeDefinition, 'pad' | 'ttl'>,
  name: string,
  place: ValuePlace,
  attempt: number,
): unknown {
  const { random, number } = place
  if (definition.const !== undefined) return definition.const
  if (definition.enum && definition.enum.length > 0) return random.pick(definition.enum)
  const inner = { ...place, isOwnKey: false }
  const membersOf = (schema: { readonly [name: string]: MemberDefinition }): object =>
    Object.fromEntries(
      Object.entries(schema)
        // What the schema makes by itself is left to it.
        .filter(([, member]) => member.generate === undefined)
        .map(([member, inside]) => [member, candidate(inside, member, inner, attempt)]),
    )
  switch (definition.type) {
    case String:
      return text(name, place, attempt).slice(0, definition.maxBytes)
    case Number: {
      const limit = Math.min(10_000, 10 ** digitsOf(name, definition.pad, place.model))
      if (definition.ttl)
        return Math.floor((START_MS + 75 * YEAR_MS) / 1000) + random.below(1_000_000)
      return place.isOwnKey ? number % limit : random.below(limit)
    }
    case BigInt:
      return BigInt(place.isOwnKey ? number : random.below(1_000))
    case 'decimal':
      return `${random.below(1_000)}.${random.below(90) + 10}`
    case Boolean:
      return random.next() < 0.5
    case Date:
      // What expires does so after everybody who looks at made-up data is gone.
      if (definition.ttl) return new Date(START_MS + 75 * YEAR_MS + random.below(1_000_000) * 1000)
      return new Date(START_MS + random.below(YEAR_MS / 1000) * 1000)
    case Uint8Array:
      return Uint8Array.from({ length: 8 }, () => random.below(256))
    case Array: {
      const { items = { type: String } } = definition
      return Array.from({ length: 1 + random.below(3) }, () =>
        candidate(items, name, inner, attempt),
      )
    }
    case Set: {
      const { items = { type: String } } = definition
      return new Set(
        Array.from({ length: 1 + random.below(3) }, () => candidate(items, name, inner, attempt)),
      )
    }
    case Object:
      return membersOf(definition.schema ?? {})
    case 'record': {
      const { values = { type: String }, keys = [random.pick(WORDS), `${random.pick(WORDS)}-2`] } =
        definition
      return membersOf(Object.fromEntries(keys.map((key) => [key, values])))
    }
    case 'tuple':
      return definition.elements?.map((element) => candidate(element, name, inner, attempt))
    case 'union': {
      const [variant, members] = random.pick(Object.entries(definition.variants ?? {}))
      return { [definition.discriminator ?? '']: variant, ...membersOf(members) }
    }
    default:
      return random.pick(WORDS)
  }
}

/** Texts of several shapes, the likeliest for the name first: a validator takes one of them. */
function text(
  name: string,
  { random, number, isOwnKey, isInKey }: ValuePlace,
  attempt: number,
): string {
  const word = random.pick(WORDS)
  const plain = `${word}${number}`
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => random.below(16).toString(16)).join('')
  const email = `${plain}@example.com`
  const shapes = [
    /mail/i.test(name)
      ? email
      : /url|link|website/i.test(name) && !isInKey
        ? `https://example.com/${plain}`
        : isOwnKey || isInKey
          ? plain
          : sentence(random, /name|title/i.test(name) ? 2 : 8),
    plain,
    email,
    `https://example.com/${plain}`,
    `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
    String(100_000 + random.below(900_000)),
    new Date(START_MS + random.below(YEAR_MS / 1000) * 1000).toISOString(),
    `+1555${1_000_000 + random.below(9_000_000)}`,
    `${word}-${random.pick(WORDS)}`,
    word.toUpperCase(),
    `${word.slice(0, 2).toUpperCase()}`,
    hex(24),
  ]
  return shapes[attempt % shapes.length] ?? plain
}

function sentence(random: SeededRandom, words: number): string {
  const text = Array.from({ length: words }, () => random.pick(WORDS)).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The fewest digits that a template has room for. */
function digitsOf(name: string, pad: number | undefined, model: Model): number {
  const widths = model.indexes.flatMap(({ hash, sort }) =>
    [...hash, ...sort].flatMap(({ template }) =>
      (template?.parts ?? []).flatMap((part) =>
        typeof part !== 'string' && part.name === name && part.width !== undefined
          ? [part.width]
          : [],
      ),
    ),
  )
  return Math.min(9, pad ?? 9, ...widths)
}
