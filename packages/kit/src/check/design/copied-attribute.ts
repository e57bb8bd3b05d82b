import type { SchemaDefinition } from 'singletable/tools'

/** An attribute that repeats one of another model, by `copyOf`. */
export interface CopiedAttribute {
  /** The model that has the copy, and the copy. */
  readonly model: string
  readonly attribute: string
  /** What is copied. */
  readonly source: string
  readonly sourceAttribute: string
}

/** All of a schema, as they are written. */
export function copiedAttributes({ models }: SchemaDefinition): readonly CopiedAttribute[] {
  return Object.entries(models ?? {}).flatMap(([model, { attributes }]) =>
    Object.entries(attributes ?? {}).flatMap(([attribute, { copyOf }]): CopiedAttribute[] => {
      const from = typeof copyOf === 'object' ? copyOf.from : copyOf
      const [, source, sourceAttribute] = /^([^.]*)\.(.*)$/s.exec(String(from ?? '')) ?? []
      return source === undefined || sourceAttribute === undefined
        ? []
        : [{ model, attribute, source, sourceAttribute }]
    }),
  )
}
