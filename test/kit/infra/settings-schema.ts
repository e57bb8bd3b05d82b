import { defineSchema } from 'singletable'
import { provisionedLaterSchema } from './provisioned-later-schema.ts'

/** The counters with a bound of their cost, a key of their own and a shorter past. */
export const settingsSchema = defineSchema({
  ...provisionedLaterSchema,
  table: {
    stream: 'new',
    onDemandThroughput: { maxWriteRequestUnits: 500 },
    warmThroughput: { readUnitsPerSecond: 20_000, writeUnitsPerSecond: 8000 },
    pointInTimeRecovery: { recoveryPeriodInDays: 7 },
    encryption: 'aws-managed',
  },
})
