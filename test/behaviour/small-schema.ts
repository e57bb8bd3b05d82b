import { defineSchema } from 'singletable'

/** A small schema for tests of execution: a plain model, one with a version, one that expires. */
export const SmallSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byStatus: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    Note: {
      key: { pk: 'BOOK#${book}', sk: 'NOTE#${id}' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: 'NOTE#${book}#${id}' },
      attributes: {
        book: { type: String, required: true },
        id: { type: String, required: true },
        text: { type: String },
        status: { type: String, enum: ['open', 'done'] },
        count: { type: Number },
      },
    },
    Account: {
      key: { pk: 'ACCOUNT#${id}', sk: 'ACCOUNT' },
      attributes: {
        id: { type: String, required: true },
        balance: { type: Number, default: 0 },
        version: { type: Number, version: true },
      },
    },
    Session: {
      key: { pk: 'SESSION#${id}', sk: 'SESSION' },
      attributes: {
        id: { type: String, required: true },
        user: { type: String },
        expiresAt: { type: Date, ttl: true },
      },
    },
  },
})
