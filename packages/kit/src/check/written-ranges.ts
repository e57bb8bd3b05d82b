import type { TextBounds } from './algebra/text-range.ts'
import type { Design } from './design.ts'
import type { Place } from './rule.ts'

/** A range of sort keys with an open end that somebody asked for: in recorded requests, or in code past the library. */
export interface WrittenRange {
  /** Where it was seen, in words. */
  readonly place: string
  readonly at: Place
  readonly index: string
  /** The key attribute that has the range. */
  readonly attribute: string
  /** By key attribute: what it is equal to, with `${…}` for values that are not known. */
  readonly equal: ReadonlyMap<string, string>
  /** What the bound begins with, up to the last separator or the first value that is not known. */
  readonly head: string
  /** What is in the range whatever the values are that are not known. */
  readonly zone: TextBounds
}

const COMPARISON = /^(\S+) (>=|>|<=|<) (.+)$/
const EQUALITY = /^(\S+) = (.+)$/
/** Greater than every text that goes on after the same beginning. */
const LAST = '\u{10ffff}'

export function writtenRanges(design: Design): readonly WrittenRange[] {
  const recorded = (design.recording?.shapes ?? []).flatMap(({ operation, index, key }) =>
    operation === 'Query' && key !== null
      ? rangesIn(key, {
          place: `a query that was recorded on ${index ?? 'primary'}`,
          at: {},
          index: index ?? 'primary',
        })
      : [],
  )
  const inCode = (design.code?.calls ?? []).flatMap(({ kind, through, text, file, line }) => {
    const condition = kind === 'query' && through === 'sdk' ? conditionIn(text) : undefined
    if (condition === undefined) return []
    return rangesIn(condition.key, {
      place: `${file}:${line}`,
      at: { file, line },
      index: condition.index,
    })
  })
  return [...recorded, ...inCode]
}

/** The open ranges of a key condition such as `pk = USER#${…} AND sk > ORDER#2024-01-01`. */
function rangesIn(
  key: string,
  seen: Pick<WrittenRange, 'place' | 'at' | 'index'>,
): readonly WrittenRange[] {
  const conditions = key.split(' AND ')
  const equal = new Map(
    conditions.flatMap((condition) => {
      const [, name, text] = EQUALITY.exec(condition) ?? []
      return name === undefined || text === undefined ? [] : [[name, text] as const]
    }),
  )
  return conditions.flatMap((condition): readonly WrittenRange[] => {
    const [, attribute, operator = '', bound = ''] = COMPARISON.exec(condition) ?? []
    if (attribute === undefined) return []
    const known = bound.split('${')[0] ?? ''
    const isUpper = operator.startsWith('<')
    const low = known === bound ? bound : known + LAST
    return [
      {
        ...seen,
        attribute,
        equal,
        head: headOf(known),
        zone: isUpper ? { high: known } : { low },
      },
    ]
  })
}

/** Up to the last sign that separates; all of it, if it ends so. */
function headOf(text: string): string {
  return /^.*[^\p{L}\p{N}.:-]/u.exec(text)?.[0] ?? text
}

/** The key condition of a query through the SDK, with its literal values put in; undefined where the code does not show it. */
function conditionIn(text: string): { readonly key: string; readonly index: string } | undefined {
  const expression = /KeyConditionExpression: *(["'`])(.*?)\1/.exec(text)?.[2]
  if (expression === undefined) return undefined
  const index = /IndexName: *(["'`])(.*?)\1/.exec(text)?.[2] ?? 'primary'
  const key = expression
    .replace(/\s+/g, ' ')
    .replace(/#\w+/g, (name) => literalOf(text, name) ?? name)
    .replace(/:\w+/g, (name) => literalOf(text, name)?.replace(/\$\{[^}]*\}/g, '${…}') ?? '${…}')
  return { key, index }
}

/** What stands for a name in the maps of names and values: `':sk': 'ORDER#'`. */
function literalOf(text: string, name: string): string | undefined {
  const at = ['"', "'"]
    .map((quote) => text.indexOf(`${quote}${name}${quote}`))
    .find((each) => each >= 0)
  const value = at === undefined ? undefined : text.slice(at + name.length + 2)
  return value === undefined ? undefined : /^ *: *(["'`])(.*?)\1/.exec(value)?.[2]
}
