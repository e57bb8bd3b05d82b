import { defineSchema } from 'singletable'
import { provisionedSchema } from './provisioned-schema.ts'

/** The counters later: on demand, with one index more, one with another projection, and
 * protected. */
export const provisionedLaterSchema = defineSchema({
  ...provisionedSchema,
  indexes: {
    primary: { hash: 'id' },
    byOwner: { hash: 'owner', sort: 'id', project: 'keys' },
    byName: { hash: 'name' },
  },
  table: { stream: 'new', pointInTimeRecovery: false },
})
