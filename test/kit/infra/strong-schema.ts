import { defineSchema } from 'singletable'
import { replicasSchema } from './replicas-schema.ts'

/** The same, strongly consistent, with a witness. */
export const strongSchema = defineSchema({
  ...replicasSchema,
  table: { replicas: ['eu-central-1'], witness: 'eu-west-2', multiRegionConsistency: 'strong' },
})
