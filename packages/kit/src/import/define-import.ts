import type { SchemaDefinition } from 'singletable'
import type { Cell } from './row.ts'
import type { ImportSource } from './sources.ts'

/** A value that is made of columns. */
export interface Computed {
  readonly columns: readonly string[]
  readonly make: (...cells: never[]) => unknown
}

/**
 * A value made of columns by a function, which gets their cells: strings, numbers as their text,
 * and null. What it gives is a value of the attribute.
 */
export function columns<const TNames extends readonly string[]>(
  names: TNames,
  make: (...cells: { [TAt in keyof TNames]: Cell }) => unknown,
): Computed {
  return { columns: names, make }
}

/** Items of one model that are made of the rows of one source. */
export interface Emit<TAttribute extends string = string> {
  /** The name of the source. */
  readonly from: string
  /**
   * Rows of other sources, by the column that has their key: with `{ users: 'user_id' }` the column
   * `users.email` is that of the user. Their own key is the column `id`, unless it is given.
   */
  readonly join?: {
    readonly [source: string]: string | { readonly on: string; readonly key: string }
  }
  /** Only rows for which this is true become items. */
  readonly where?: Computed
  /** By attribute: a column, whose text is read as the attribute's type says, or `columns(…)`. */
  readonly set: { readonly [TName in TAttribute]?: string | Computed }
}

type Models<TSchema extends SchemaDefinition> = TSchema['models']
type AttributesOf<TModel> = TModel extends { readonly attributes: infer TAttributes }
  ? Extract<keyof TAttributes, string>
  : string

export interface ImportMapping<TSchema extends SchemaDefinition> {
  readonly sources: { readonly [name: string]: ImportSource }
  /** By model: what its items are made of. */
  readonly emit: {
    readonly [TModel in keyof Models<TSchema>]?:
      | Emit<AttributesOf<Models<TSchema>[TModel]>>
      | readonly Emit<AttributesOf<Models<TSchema>[TModel]>>[]
  }
  /** Columns that are left out on purpose, each with the reason: `'users.legacy': 'not used'`. */
  readonly drop?: { readonly [column: string]: string }
}

/** A mapping of rows to items, as `singletable import` runs it. */
export interface ImportDefinition {
  readonly format: typeof IMPORT_FORMAT
  readonly schema: SchemaDefinition
  readonly sources: { readonly [name: string]: ImportSource }
  readonly emit: { readonly [model: string]: readonly Emit[] }
  readonly drop: { readonly [column: string]: string }
}

export const IMPORT_FORMAT = 'singletable-import:1'

/**
 * Says which rows become which items. Every column of every source is used or dropped with a
 * reason; one that is neither is an error.
 */
export function defineImport<const TSchema extends SchemaDefinition>(
  schema: TSchema,
  mapping: ImportMapping<TSchema>,
): ImportDefinition {
  const emits = Object.entries(mapping.emit).map(([model, emit]) => [model, [emit ?? []].flat()])
  return {
    format: IMPORT_FORMAT,
    schema,
    sources: mapping.sources,
    emit: Object.fromEntries(emits),
    drop: mapping.drop ?? {},
  }
}
