import { type AttributeDefinition, getOwn } from 'singletable/tools'
import type { Design } from '../../design.ts'
import type { Notice, Rule } from '../../rule.ts'

/** As seconds this is the year 5138; as milliseconds 1973. */
const MILLISECONDS_MIN = 100_000_000_000

export const ttlType: Rule = {
  code: 'W06',
  name: 'ttl-type',
  severity: 'error',
  source: 'schema',
  title: 'A time to live that is not in epoch seconds.',
  explanation: `DynamoDB deletes an item some time after the moment that its time-to-live attribute names, as a number of seconds since 1970. Anything else it takes for no time at all, or for one
that is far away: milliseconds name a day in fifty thousand years, and the item stays forever.

  wrong   expires: { type: String, ttl: true }
          expires: { type: Number, ttl: true, default: () => Date.now() + 3_600_000 }
  right   expires: { type: Date, ttl: true, default: () => new Date(Date.now() + 3_600_000) }

A Date is stored as seconds by the library. Values written by others are looked at in a sample of the table (--sample).`,
  *check(design) {
    const names = new Set<string>()
    for (const [model, { attributes }] of Object.entries(design.definition.models ?? {})) {
      for (const [name, definition] of Object.entries(attributes ?? {})) {
        if (!definition.ttl) continue
        names.add(definition.map ?? name)
        const place = { model, attribute: name }
        if (definition.type !== Date && definition.type !== Number) {
          yield {
            message: `${model}.${name} must be epoch seconds; its type is ${typeName(definition)}.`,
            fix: 'write type: Date, which is stored as seconds, or type: Number',
            place,
          }
        } else if (definition.type === Number && givesMilliseconds(definition.default)) {
          yield {
            message: `${model}.${name} must be epoch seconds; its default gives milliseconds.`,
            fix: 'divide by 1000 and round down, or write type: Date, which is stored as seconds',
            place,
          }
        }
      }
    }
    yield* storedNotices(design, names)
  },
}

/** One for each kind of wrong value of an attribute, with the first of them. */
function* storedNotices({ sample }: Design, names: ReadonlySet<string>): Iterable<Notice> {
  for (const name of names) {
    let texts = 0
    let milliseconds = 0
    let firstText = ''
    let firstNumber = 0
    for (const item of sample?.items ?? []) {
      const value = getOwn(item, name)
      if (value === undefined) continue
      const seconds = Number(value.N)
      if (value.N === undefined) {
        if (texts++ === 0) firstText = JSON.stringify(value)
      } else if (seconds >= MILLISECONDS_MIN) {
        if (milliseconds++ === 0) firstNumber = seconds
      }
    }
    const place = { attribute: name }
    if (texts > 0) {
      yield {
        message: `${name} must be epoch seconds; ${itemsHave(texts)} another type, such as ${firstText}.`,
        fix: 'write numbers of seconds, and mend what is stored; DynamoDB never deletes these items',
        place,
      }
    }
    if (milliseconds > 0) {
      yield {
        message: `${name} must be epoch seconds; ${firstNumber} is the year ${yearOf(firstNumber)} (${itemsHave(milliseconds)} such a value).`,
        fix: 'divide by 1000, and mend what is stored',
        place,
      }
    }
  }
}

function itemsHave(count: number): string {
  return count === 1 ? '1 item has' : `${count} items have`
}

/** Also of times that no Date can hold. */
function yearOf(seconds: number): number {
  return Math.floor(1970 + seconds / (365.2425 * 86_400))
}

function givesMilliseconds(supplied: unknown): boolean {
  const value = typeof supplied === 'function' ? suppliedBy(() => supplied()) : supplied
  return typeof value === 'number' && value >= MILLISECONDS_MIN
}

/** A default that can't be made here is none of this rule's business. */
function suppliedBy(supply: () => unknown): unknown {
  try {
    return supply()
  } catch {
    return undefined
  }
}

function typeName({ type }: AttributeDefinition): string {
  return typeof type === 'function' ? type.name : String(type)
}
