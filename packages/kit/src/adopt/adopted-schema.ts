import {
  type AttributeDefinition,
  compileSchema,
  type IndexDefinition,
  type SchemaDefinition,
} from 'singletable/tools'
import { printSchema } from './print-schema.ts'

/** A schema that was made from a model of another library. */
export interface AdoptedSchema {
  /** Ready for `new Table()`. */
  readonly definition: SchemaDefinition
  /** The same as a TypeScript file, with the notes in it. */
  readonly source: string
  /** What could not be taken over, or works in another way here. */
  readonly notes: readonly string[]
}

/** A part of a schema while it is put together. */
export type Draft<T> = { -readonly [TName in keyof T]: T[TName] }
export type Attributes = { [name: string]: Draft<AttributeDefinition> }

export interface SchemaDraft {
  readonly indexes: { [name: string]: IndexDefinition }
  readonly models: { [name: string]: ModelDraft }
  readonly params: { [name: string]: unknown }
  readonly notes: string[]
  readonly table?: object
}

export interface ModelDraft {
  readonly key: { [keyAttribute: string]: string }
  readonly index: { [keyAttribute: string]: string }
  shortKeys?: string[]
  type?: string
  readonly attributes: Attributes
}

/** Checks what was put together, and prints it. A schema that this library would refuse throws its
 * `DefinitionError`. */
export function finishSchema({
  indexes,
  models,
  params,
  notes,
  table,
}: SchemaDraft): AdoptedSchema {
  const definition = {
    indexes,
    models: Object.fromEntries(
      Object.entries(models).map(([name, { key, type, index, shortKeys, attributes }]) => [
        name,
        {
          key,
          ...(Object.keys(index).length > 0 && { index }),
          ...(shortKeys && { shortKeys }),
          ...(type !== undefined && type !== name && { type }),
          attributes,
        },
      ]),
    ),
    params,
    ...(table && Object.keys(table).length > 0 && { table }),
    // Whether it has a primary index is checked at once.
  } as unknown as SchemaDefinition
  compileSchema(definition)
  return { definition, source: printSchema(definition, notes), notes }
}

/** Values that other libraries put into keys without a look at them. */
export function keepRaw(attributes: Attributes, name: string): void {
  const attribute = attributes[name]
  const isRaw = attribute?.type === String || attribute?.type === Number
  if (attribute && isRaw && !attribute.enum && attribute.pad === undefined) attribute.encode = 'raw'
}

/** A default as data: one that a function makes only if that makes the same each time. */
export function defaultOf(given: unknown, at: string, notes: string[]): unknown {
  if (typeof given !== 'function') return given
  try {
    const [one, other] = [given(), given()]
    if (JSON.stringify(one) === JSON.stringify(other)) return one
  } catch {
    // It needs more than we know.
  }
  notes.push(`${at}: its default is a function; write it by hand, or use generate.`)
  return undefined
}
