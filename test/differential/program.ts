import type { TableDesign } from './table-design.ts'

/** One request of a program. `%T` in it stands for the name of the table. */
export interface Step {
  readonly operation: string
  readonly request: Readonly<Record<string, unknown>>
  /** Ask for the next page until there is none. */
  readonly follow?: true
  /** Scan each of the request's TotalSegments, each to its end. */
  readonly everySegment?: true
}

/** A table and what is done to it: plain JSON, to be printed, changed and run again. */
export interface Program {
  readonly table: TableDesign
  readonly steps: readonly Step[]
}

export const TABLE = '%T'
