import { defineSchema } from 'singletable'

const text = { type: String, required: true } as const

/** Files in folders, with all their versions. */
export const filesSchema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    // A path is a list of names; in the key they are separated, so that a folder is a range of keys.
    File: {
      key: { pk: 'DISK#${disk}', sk: 'FILE#${path}' },
      attributes: {
        disk: text,
        path: { type: Array, items: { type: String }, required: true, encode: true },
        fileId: { type: String, generate: 'ulid' },
        content: text,
        // Counted up by every write, and compared before it.
        version: { type: Number, version: true },
      },
    },
    // Every version that ever was, the newest first. The file itself is the latest.
    Version: {
      key: { pk: 'VERSIONS#${fileId}', sk: 'V#${version:pad(6):desc}' },
      attributes: {
        fileId: text,
        version: { type: Number, required: true },
        content: text,
        author: text,
      },
    },
  },
  params: { timestamps: true },
})
