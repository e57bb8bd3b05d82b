/**
 * A value of a source. Numbers are their text, so that no digit is lost; null means that there is
 * none.
 */
export type Cell =
  | string
  | boolean
  | null
  | Uint8Array
  | readonly unknown[]
  | { readonly [name: string]: unknown }

/** A row of a source, or an item of a table. */
export interface Row {
  readonly cells: Readonly<Record<string, Cell>>
  /** The file and the line, or the table and the key. */
  readonly where: string
}

/** What a column holds, as far as attributes are concerned. */
export type ColumnKind =
  | 'text'
  | 'integer'
  | 'bigint'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'time'
  | 'binary'
  | 'json'
  | 'list'

export interface Column {
  readonly name: string
  readonly kind: ColumnKind
  readonly isRequired: boolean
  /** Of an enumeration. */
  readonly values?: readonly string[] | undefined
}

export interface ForeignKey {
  readonly columns: readonly string[]
  readonly table: string
  readonly references: readonly string[]
}

/** A table of a source, as it is declared or as its rows look. */
export interface SourceTable {
  readonly name: string
  readonly columns: readonly Column[]
  readonly primaryKey: readonly string[]
  readonly unique: readonly (readonly string[])[]
  readonly foreignKeys: readonly ForeignKey[]
}
