import type { TextBounds } from '../algebra/text-range.ts'
import type { Design } from './design.ts'

/** A range of sort keys with an open end that a recorded request asked for. */
export interface RecordedRange {
  /** Where it was seen, in words. */
  readonly place: string
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
/** Greater than every longer string with the same beginning. */
const LAST = '\u{10ffff}'

export function recordedRanges(design: Design): readonly RecordedRange[] {
  return (design.recording?.shapes ?? []).flatMap(({ operation, index, key }) =>
    operation === 'Query' && key !== null
      ? rangesIn(key, {
          place: `a query that was recorded on ${index ?? 'primary'}`,
          index: index ?? 'primary',
        })
      : [],
  )
}

/** The open ranges of a key condition such as `pk = USER#${…} AND sk > ORDER#2024-01-01`. */
function rangesIn(
  key: string,
  seen: Pick<RecordedRange, 'place' | 'index'>,
): readonly RecordedRange[] {
  const conditions = key.split(' AND ')
  const equal = new Map(
    conditions.flatMap((condition) => {
      const [, name, text] = EQUALITY.exec(condition) ?? []
      return name === undefined || text === undefined ? [] : [[name, text] as const]
    }),
  )
  return conditions.flatMap((condition): readonly RecordedRange[] => {
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
