import { defineSchema } from 'singletable'

/** A table with the same items in other regions. */
export const replicasSchema = defineSchema({
  indexes: { primary: { hash: 'pk' }, byName: { hash: 'name' } },
  models: {
    Note: {
      key: { pk: 'NOTE#${id}' },
      attributes: { id: { type: String, required: true }, name: { type: String } },
    },
  },
  table: {
    stream: 'new-and-old',
    replicas: ['eu-central-1', 'eu-west-2'],
    encryption: { kmsKey: 'alias/notes' },
    onDemandThroughput: {
      maxReadRequestUnits: 400,
      maxWriteRequestUnits: 100,
      indexes: { byName: { maxReadRequestUnits: 50, maxWriteRequestUnits: 20 } },
    },
    warmThroughput: {
      readUnitsPerSecond: 13_000,
      writeUnitsPerSecond: 5000,
      indexes: { byName: { readUnitsPerSecond: 12_500, writeUnitsPerSecond: 4500 } },
    },
    tags: { team: 'content' },
  },
})
