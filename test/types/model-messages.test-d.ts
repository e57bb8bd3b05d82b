import { defineSchema } from 'singletable'

/** Mistakes in models that are compile errors at the model. */

const attributes = { id: { type: String, required: true }, open: { type: Boolean } } as const
const indexes = { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk' } } as const

export const right = (): unknown =>
  defineSchema({
    indexes,
    models: {
      Task: {
        key: { pk: 'TASK#${id}', sk: 'TASK' },
        index: { gsi1pk: 'OPEN' },
        when: { gsi1: { open: true, createdAt: 'x' } },
        attributes,
      },
    },
    params: { timestamps: true },
  })

export const withoutSortKey = (): unknown =>
  defineSchema({
    indexes,
    models: {
      // @ts-expect-error: the key needs 'sk', an attribute of the primary index
      Task: { key: { pk: 'TASK#${id}' }, attributes },
      Note: { key: { pk: 'NOTE#${id}', sk: 'NOTE' }, attributes },
    },
  })

export const unknownInWhen = (): unknown =>
  defineSchema({
    indexes,
    models: {
      Note: { key: { pk: 'NOTE#${id}', sk: 'NOTE' }, attributes },
      // @ts-expect-error: when asks for 'opne', which is not an attribute
      Task: {
        key: { pk: 'TASK#${id}', sk: 'TASK' },
        index: { gsi1pk: 'OPEN' },
        when: { gsi1: { opne: true } },
        attributes,
      },
    },
  })

export const unknownOption = (): unknown =>
  defineSchema({
    indexes,
    models: {
      Task: {
        key: { pk: 'TASK#${id}', sk: 'TASK' },
        // @ts-expect-error: did you mean to write 'required'?
        attributes: { id: { type: String, requird: true } },
      },
    },
  })
