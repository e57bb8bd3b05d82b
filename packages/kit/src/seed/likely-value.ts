import type { SeededRandom } from './seeded-random.ts'
import {
  CATEGORIES,
  CITIES,
  COLORS,
  COMPANY_ENDINGS,
  COUNTRIES,
  COUNTRY_CODES,
  CURRENCIES,
  FAMILY_NAMES,
  FILE_ENDINGS,
  GIVEN_NAMES,
  LANGUAGES,
  MATERIALS,
  MEDIA_TYPES,
  STATES,
  STREET_ENDINGS,
  THINGS,
  TIME_ZONES,
  WORDS,
} from './words.ts'

/** What the value is for, as far as names show it. */
export interface Naming {
  /** The name of the attribute, or of the member of an object. */
  readonly name: string
  /** The name of the model, or of the attribute that contains the object. */
  readonly owner: string
  readonly random: SeededRandom
  /** The number of the item within its model, from 1. */
  readonly number: number
  /** Whether the value must be different in every item. */
  readonly isOwn: boolean
  /**
   * How many different values there should be, so that items share them; undefined if that does not
   * matter.
   */
  readonly variety?: number | undefined
}

const PROSE =
  /^(text|body|content|contents|description|comment|note|notes|message|bio|summary|about|details|abstract|review|caption|instructions|reason|remark|remarks|answer|question|payload|html|markdown|story|feedback|biography|excerpt)$/
const PERSON =
  /^(user|rider|driver|customer|client|author|member|person|people|employee|player|student|teacher|patient|doctor|guest|contact|owner|admin|subscriber|follower|artist|passenger|buyer|seller|sender|recipient|editor|manager|full|display|host|reviewer|assignee|creator|profile)$/
const COMPANY =
  /^(org|organization|organisation|company|team|tenant|workspace|vendor|supplier|brand|business|agency|employer|store|shop)$/
const THING = /^(product|item|article|good|goods|part|asset|variant)$/

/** Cached by name: every item needs the same few. */
const knownWords = new Map<string, readonly string[]>()

/** The words of a name: `riderName` is `rider`, `name`. */
export function wordsOf(name: string): readonly string[] {
  const words = knownWords.get(name) ?? splitName(name)
  knownWords.set(name, words)
  return words
}

function splitName(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

/** Whether an attribute with this name contains sentences, which can have any length. */
export function isProse(name: string): boolean {
  return PROSE.test(wordsOf(name).at(-1) ?? '')
}

/** A likely string for an attribute with this name. */
export function likelyText(naming: Naming): string {
  const { name, owner, random, number, isOwn } = naming
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  const has = (pattern: RegExp): boolean => words.some((word) => pattern.test(word))
  /** A word from a list; with the item's number if every item needs its own. */
  const one = (from: readonly string[]): string => {
    const at = random.below(naming.variety ?? from.length)
    const round = Math.floor(at / from.length)
    const word = from[at % from.length] ?? ''
    if (isOwn) return `${word}${number}`
    return round === 0 ? word : `${word}${round + 1}`
  }
  const person = (): string =>
    `${random.pick(GIVEN_NAMES)} ${random.pick(FAMILY_NAMES)}${isOwn ? ` ${number}` : ''}`
  const handle = (): string => `${random.pick(GIVEN_NAMES).toLowerCase()}${number}`
  if (has(/^e?mails?$/)) return `${handle()}@example.com`
  if (has(/^(url|uri|link|website|homepage|avatar|webhook)$/)) {
    return `https://example.com/${random.pick(WORDS)}${number}`
  }
  if (has(/^(phone|mobile|tel|telephone|fax)$/)) return `+1555${digits(random, 7)}`
  if (/^(username|handle|login|nickname|nick)$/.test(words.join(''))) return handle()
  if (/^(id|key|uuid|guid|ref|reference)$/.test(last)) return idOf(naming)
  if (/^(first|given|middle)name$/.test(words.join(''))) return one(GIVEN_NAMES)
  if (/^(last|family|sur)name$/.test(words.join(''))) return one(FAMILY_NAMES)
  if (last === 'surname' || last === 'lastname') return one(FAMILY_NAMES)
  if (last === 'firstname') return one(GIVEN_NAMES)
  if (last === 'name' || last === 'names' || last === 'label') {
    const whose = words.length > 1 ? words.slice(0, -1) : wordsOf(owner)
    const of = (pattern: RegExp): boolean => whose.some((word) => pattern.test(word))
    if (of(/^(file|image|photo|attachment)$/)) {
      return `${one(WORDS)}.${random.pick(FILE_ENDINGS)}`
    }
    if (of(/^city|town$/)) return one(CITIES)
    if (of(/^country$/)) return one(COUNTRIES)
    if (of(COMPANY)) return `${capital(one(WORDS))} ${random.pick(COMPANY_ENDINGS)}`
    if (of(THING)) return `${random.pick(MATERIALS)} ${one(THINGS)}`
    if (of(PERSON)) return person()
    return `${capital(random.pick(WORDS))} ${one(WORDS)}`
  }
  if (PERSON.test(last) && words.length === 1 && !isOwn) return person()
  if (/^(title|subject|headline|heading)$/.test(last)) return sentence(random, 3, 5).slice(0, -1)
  if (/^(city|town|location)$/.test(last)) return one(CITIES)
  if (last === 'country') return one(COUNTRIES)
  if (last === 'code' && words.includes('country')) return one(COUNTRY_CODES)
  if (/^(currency)$/.test(last) || words.includes('currency')) return one(CURRENCIES)
  if (/^(language|lang|locale)$/.test(last)) return one(LANGUAGES)
  if (/^(timezone|zone|tz)$/.test(last)) return one(TIME_ZONES)
  if (/^(zip|zipcode|postcode|postal)$/.test(last)) return digits(random, 5)
  if (/^(address|street|line1|line)$/.test(last)) {
    return `${1 + random.below(180)} ${capital(random.pick(WORDS))} ${random.pick(STREET_ENDINGS)}`
  }
  if (/^colou?r$/.test(last)) return one(COLORS)
  if (/^(category|categories|genre|department|topic|section|tag|tags|segment|group)$/.test(last)) {
    return one(CATEGORIES)
  }
  if (/^(status|state|stage|phase)$/.test(last)) return one(STATES)
  if (/^(slug)$/.test(last)) return `${random.pick(WORDS)}-${random.pick(WORDS)}-${number}`
  if (last === 'sku') return `SKU-${1000 + number}`
  if (last === 'plate') return `${capitals(random, 2)}-${digits(random, 4)}`
  if (/^(code|voucher|coupon)$/.test(last)) return `${random.pick(WORDS).toUpperCase()}${number}`
  if (/^(token|hash|secret|checksum|digest|etag|signature|password)$/.test(last)) {
    return hex(random, 32)
  }
  if (last === 'ip') return `203.0.113.${1 + random.below(254)}`
  if (last === 'version' || last === 'release') return `1.${random.below(9)}.${random.below(20)}`
  if (/^(mime|mimetype)$/.test(last) || /contenttype|mediatype/.test(words.join(''))) {
    return one(MEDIA_TYPES)
  }
  if (/^(file|filename|path)$/.test(last)) return `${one(WORDS)}.${random.pick(FILE_ENDINGS)}`
  if (PROSE.test(last)) return sentence(random, 6, 12)
  if (isOwn) return idOf(naming)
  if (THING.test(last)) return `${random.pick(MATERIALS)} ${one(THINGS)}`
  return one(WORDS)
}

/** A likely number for an attribute with this name. */
export function likelyNumber({ name, random, number, isOwn }: Naming): number {
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  const between = (low: number, high: number): number => low + random.below(high - low + 1)
  const decimals = (low: number, high: number, places: number): number =>
    Number((low + random.next() * (high - low)).toFixed(places))
  if (isOwn) return number
  if (words.some((word) => /^(lat|latitude)$/.test(word))) return decimals(-55, 65, 5)
  if (words.some((word) => /^(lng|lon|long|longitude)$/.test(word))) return decimals(-170, 175, 5)
  if (words.some((word) => /^(cents|pence)$/.test(word))) return 50 * between(2, 400)
  if (
    /^(price|amount|total|subtotal|cost|fee|fare|balance|tax|revenue|budget|tip|charge|payout)$/.test(
      last,
    )
  ) {
    return between(2, 199) + random.pick([0, 0.49, 0.5, 0.95, 0.99])
  }
  if (/^(salary|income)$/.test(last)) return 1000 * between(20, 150)
  if (/^(quantity|qty|seats|guests|rooms|units)$/.test(last)) return between(1, 8)
  if (/^(stars|rating|score|grade|priority|level|rank)$/.test(last)) return between(1, 5)
  if (/^(percent|percentage|discount|progress)$/.test(last)) return 5 * between(1, 20)
  if (/^(stock|inventory|capacity)$/.test(last)) return between(0, 250)
  if (last === 'age') return between(18, 80)
  if (last === 'year') return between(1995, 2026)
  if (last === 'month') return between(1, 12)
  if (/^(day|days)$/.test(last)) return between(1, 28)
  if (/^(hour|hours)$/.test(last)) return between(0, 23)
  if (/^(minute|minutes|seconds)$/.test(last)) return between(0, 59)
  if (/^(size|bytes|length)$/.test(last)) return between(1_000, 5_000_000)
  if (/^(km|miles|distance|weight|kg|height|width|temperature|speed)$/.test(last)) {
    return decimals(1, 90, 1)
  }
  return random.below(1_000)
}

/** Words and a number that no other item of the model has. */
function idOf({ random, number }: Naming): string {
  return `${random.pick(WORDS)}${number}`
}

/** A sentence of some words. */
export function sentence(random: SeededRandom, least: number, most: number): string {
  const words = Array.from({ length: least + random.below(most - least + 1) }, () =>
    random.pick(WORDS),
  )
  return `${capital(words.join(' '))}.`
}

export function digits(random: SeededRandom, count: number): string {
  return Array.from({ length: count }, () => random.below(10)).join('')
}

export function hex(random: SeededRandom, count: number): string {
  return Array.from({ length: count }, () => random.below(16).toString(16)).join('')
}

export function capitals(random: SeededRandom, count: number): string {
  return Array.from({ length: count }, () => String.fromCharCode(65 + random.below(26))).join('')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
