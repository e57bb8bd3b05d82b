import { addIssue, addWrongType } from '../input-issues.ts'
import type { Codec } from '../model.ts'
import { refuseStored, StoredValueProblem } from '../stored-value-problem.ts'

const ISO_LENGTH = '0000-00-00T00:00:00.000Z'.length

/**
 * Dates as the time since 1970 in units of this many milliseconds, or as ISO strings in UTC, which
 * sort as the dates do.
 */
export function dateCodec(unitMs?: number): Codec {
  const tag = unitMs ? 'N' : 'S'
  return {
    tag,
    encode(value, issues) {
      if (!(value instanceof Date)) return addWrongType(issues, value, 'a Date')
      const ms = value.getTime()
      if (Number.isNaN(ms)) return addIssue(issues, 'is an invalid Date')
      if (unitMs) return { N: String(Math.floor(ms / unitMs)) }
      const text = value.toISOString()
      // Other years are written longer, and would not order among these.
      return text.length === ISO_LENGTH
        ? { S: text }
        : addIssue(issues, 'is a Date outside the years 0 to 9999')
    },
    decode(value) {
      const text = value[tag] ?? refuseStored(value, tag)
      // Without a zone, text would mean another time in each place it is read; a day alone is one
      // in UTC.
      const isUtc = /Z$|^.{10}$/.test(text)
      const date = new Date(unitMs ? Number(text) * unitMs : isUtc ? text : Number.NaN)
      if (!Number.isNaN(date.getTime())) return date
      throw new StoredValueProblem(
        unitMs ? 'is not a time that a Date can hold' : 'is not an ISO date in UTC',
      )
    },
  }
}
