import { type Codec, type CodecPlace, unexpected } from './codec.ts'
import { digitRuns } from './shape.ts'

/** Outside these years ISO strings have another length. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

const ISO_PATTERN = '0000-00-00T00:00:00.000Z'
/** Milliseconds left until the last one, in as many digits as there can be. */
const DESCENDING_PATTERN = '000000000000000'

/** Dates as ISO strings in UTC, or, in descending order, as the time left until the last date. */
export function dateCodec({ descending, separator, invalid }: CodecPlace): Codec {
  const pattern = descending ? DESCENDING_PATTERN : ISO_PATTERN
  const width = pattern.length
  if (pattern.includes(separator)) {
    invalid('its text in a key contains the separator', 'choose another separator')
  }
  return {
    width,
    ordered: true,
    shape: [digitRuns(pattern)],
    print(value) {
      const ms = value instanceof Date ? value.getTime() : Number.NaN
      if (!(ms >= FIRST_MS && ms <= LAST_MS)) return undefined
      return descending ? String(LAST_MS - ms).padStart(width, '0') : (value as Date).toISOString()
    },
    read: (text) => new Date(descending ? LAST_MS - Number(text) : text),
    problem: unexpected('a valid Date in the years 0 to 9999'),
  }
}
