import type { SchemaDefinition } from 'singletable'
import { didYouMean } from 'singletable/tools'
import { TransferError } from '../transfer/transfer-error.ts'
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

type Join = string | { readonly on: string; readonly key: string }

/** Items of one model that are made of the rows of one source. */
export interface Emit<TAttribute extends string = string, TSource extends string = string> {
  /** The name of the source. */
  readonly from: TSource
  /**
   * Rows of other sources, by the column that has their key: with `{ users: 'user_id' }` the column
   * `users.email` is that of the user. Their own key is the column `id`, unless it is given.
   */
  readonly join?: string extends TSource
    ? { readonly [source: string]: Join }
    : { readonly [TName in TSource]?: Join }
  /** Only rows for which this is true become items. */
  readonly where?: Computed
  /** By attribute: a column, whose text is read as the attribute's type says, or `columns(…)`. */
  readonly set: { readonly [TName in TAttribute]?: string | Computed }
}

type Models<TSchema extends SchemaDefinition> = TSchema['models']
type AttributesOf<TModel> = TModel extends { readonly attributes: infer TAttributes }
  ? Extract<keyof TAttributes, string>
  : string

type Sources = { readonly [name: string]: ImportSource }

export interface ImportMapping<
  TSchema extends SchemaDefinition,
  TSources extends Sources = Sources,
> {
  readonly sources: TSources
  /** By model: what its items are made of. */
  readonly emit: {
    readonly [TModel in keyof Models<TSchema>]?:
      | Emit<AttributesOf<Models<TSchema>[TModel]>, keyof TSources & string>
      | readonly Emit<AttributesOf<Models<TSchema>[TModel]>, keyof TSources & string>[]
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
export function defineImport<
  const TSchema extends SchemaDefinition,
  const TSources extends Sources,
>(schema: TSchema, mapping: ImportMapping<TSchema, TSources>): ImportDefinition {
  // The names that the types of a mapping allow are strings to whoever reads it.
  const emit = mapping.emit as { readonly [model: string]: Emit | readonly Emit[] | undefined }
  const emits = Object.entries(emit).map(([model, each]) => [model, [each ?? []].flat()])
  return {
    format: IMPORT_FORMAT,
    schema,
    sources: mapping.sources,
    emit: Object.fromEntries(emits),
    drop: mapping.drop ?? {},
  }
}

/** Refuses a mapping of sources that it does not have. */
export function requireSources({ sources, emit }: ImportDefinition): void {
  const known = Object.keys(sources)
  for (const [model, list] of Object.entries(emit)) {
    const named = list.flatMap(({ from, join = {} }) => [from, ...Object.keys(join)])
    const unknown = named.find((name) => !known.includes(name))
    if (unknown === undefined) continue
    throw new TransferError(`There is no source "${unknown}"${didYouMean(unknown, known)}.`, {
      where: `import mapping, emit.${model}`,
      fix: `name one of ${known.join(', ')}`,
    })
  }
}
