import type { AttributeDefinition } from 'singletable/tools'
import { type TtlProblem, ttlProblems } from '../../design/ttl-values.ts'
import type { Notice, Rule } from '../rule.ts'

/** As seconds this is the year 5138; as milliseconds 1973. */
const MILLISECONDS_MIN = 100_000_000_000

export const ttlType: Rule = {
  code: 'W06',
  name: 'ttl-type',
  severity: 'error',
  source: 'schema',
  title: 'A time to live is not in epoch seconds.',
  explanation: `DynamoDB deletes an item some time after the moment that its time-to-live attribute names, as a number of seconds since 1970. Anything else is ignored, or means a time
in the far future: milliseconds name a day in fifty thousand years, and the item stays forever.

  wrong   expires: { type: String, ttl: true }
          expires: { type: Number, ttl: true, default: () => Date.now() + 3_600_000 }
  right   expires: { type: Date, ttl: true, default: () => new Date(Date.now() + 3_600_000) }

A Date is stored as seconds by the library. Values written by other programs are checked in a sample of the table (--sample).`,
  *check(design) {
    for (const [model, { attributes }] of Object.entries(design.definition.models ?? {})) {
      for (const [name, definition] of Object.entries(attributes ?? {})) {
        if (!definition.ttl) continue
        const place = { model, attribute: name }
        if (definition.type !== Date && definition.type !== Number) {
          yield {
            message: `${model}.${name} must be epoch seconds; its type is ${typeName(definition)}.`,
            fix: 'write type: Date, which is stored as seconds, or type: Number',
            place,
            edits: [{ path: ['models', model, 'attributes', name, 'type'], code: 'Date' }],
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
    yield* ttlProblems(design).map(storedNotice)
  },
}

function storedNotice({ attribute, kind, items, value, year }: TtlProblem): Notice {
  const have = items === 1 ? '1 item has' : `${items} items have`
  return kind === 'no-number'
    ? {
        message: `${attribute} must be epoch seconds; ${have} another type, such as ${value}.`,
        fix: 'write numbers of seconds, and fix what is stored; DynamoDB never deletes these items',
        place: { attribute },
      }
    : {
        message: `${attribute} must be epoch seconds; ${value} is the year ${year} (${have} such a value).`,
        fix: 'divide by 1000, and fix what is stored',
        place: { attribute },
      }
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
