import { addIssue, addWrongType } from '../input-issues.ts'
import type { Codec } from '../model.ts'
import { refuseStored, StoredValueProblem } from '../stored-value-problem.ts'

const ISO_LENGTH = '0000-00-00T00:00:00.000Z'.length
const DATE_LENGTH = '0000-00-00'.length

/** Dates as ISO texts in UTC, whose order is that of the dates. */
export const isoDateCodec: Codec = {
  tag: 'S',
  encode(value, issues) {
    if (!isDate(value)) return addWrongType(issues, value, 'a Date')
    const ms = value.getTime()
    // Other years are written longer, and would not order among these.
    const text = Number.isNaN(ms) ? '' : value.toISOString()
    return text.length === ISO_LENGTH
      ? { S: text }
      : addIssue(issues, ms ? 'is a Date outside the years 0 to 9999' : 'is an invalid Date')
  },
  decode(value) {
    const text = value.S ?? refuseStored(value, 'S')
    // Without a zone, text would mean another time in each place it is read.
    const date = new Date(text.endsWith('Z') || text.length === DATE_LENGTH ? text : Number.NaN)
    if (!Number.isNaN(date.getTime())) return date
    throw new StoredValueProblem('is no ISO date in UTC')
  },
}

/** Dates as milliseconds since 1970. */
export const millisecondsCodec: Codec = epochCodec(1)

/** Dates as seconds since 1970, as time to live wants them. */
export const secondsCodec: Codec = epochCodec(1000)

function epochCodec(unitMs: number): Codec {
  return {
    tag: 'N',
    encode(value, issues) {
      if (!isDate(value)) return addWrongType(issues, value, 'a Date')
      const ms = value.getTime()
      return Number.isNaN(ms)
        ? addIssue(issues, 'is an invalid Date')
        : { N: String(Math.floor(ms / unitMs)) }
    },
    decode(value) {
      const date = new Date(Number(value.N ?? refuseStored(value, 'N')) * unitMs)
      if (!Number.isNaN(date.getTime())) return date
      throw new StoredValueProblem('is no time that a Date can hold')
    },
  }
}

function isDate(value: unknown): value is Date {
  return value instanceof Date
}
