/** The shape of an access pattern as it is written in a schema. */

/** What is expected of a pattern in use; tools compute cost from it. */
export interface PatternExpectation {
  readonly rps?: number
  readonly peakRps?: number
  readonly itemsRead?: number
  readonly itemBytes?: number
  readonly distinctKeys?: number
  readonly skew?: number
}

/** What every pattern can say about itself. */
export interface PatternNotes {
  readonly title?: string
  readonly note?: string
  readonly owner?: string
  readonly status?: 'live' | 'planned' | 'deprecated'
  readonly expect?: PatternExpectation
  /** It is called right after a write and has to see what was written. */
  readonly afterWrite?: boolean
}

/** Values a filter compares an attribute with; a text that starts with `$` names a member of the pattern's input. */
export interface FilterDefinition {
  readonly [attribute: string]: unknown
}

/** How a filter can compare. */
export const FILTER_OPERATORS = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'between',
  'in',
  'contains',
  'beginsWith',
  'exists',
] as const

export type FilterOperator = (typeof FILTER_OPERATORS)[number]

/** The members of a range in a pattern's input. */
export const RANGE_BOUNDS = ['from', 'to', 'gt', 'lt', 'beginsWith'] as const

/** Fetches the whole items that what was found refers to. */
export interface ThenDefinition {
  readonly op: 'batchGet'
  readonly entity: string
}

export interface GetPattern extends PatternNotes {
  readonly op: 'get'
  readonly entity: string
  readonly by: readonly string[]
  readonly consistent?: boolean
  readonly project?: readonly string[]
}

export interface QueryPattern extends PatternNotes {
  readonly op: 'query'
  readonly entity: string | readonly string[]
  readonly index?: string
  readonly by: readonly string[]
  readonly range?: string
  readonly order?: 'asc' | 'desc'
  readonly limit?: number
  readonly consistent?: boolean
  readonly project?: readonly string[]
  readonly filter?: FilterDefinition
  readonly then?: ThenDefinition
}

export interface ManyPattern extends PatternNotes {
  readonly op: 'batchGet' | 'transactGet'
  readonly entity: string
  readonly by: readonly string[]
}

export interface PutPattern extends PatternNotes {
  readonly op: 'create' | 'put'
  readonly entity: string
}

export interface UpdatePattern extends PatternNotes {
  readonly op: 'update'
  readonly entity: string
  readonly by: readonly string[]
  readonly set?: readonly string[]
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
}

export interface DeletePattern extends PatternNotes {
  readonly op: 'delete'
  readonly entity: string
  readonly by: readonly string[]
}

/** A condition on an item that a transaction does not change. */
export interface CheckPattern extends PatternNotes {
  readonly op: 'check'
  readonly entity: string
  readonly by: readonly string[]
}

export type WritePattern = PutPattern | UpdatePattern | DeletePattern

export interface TransactPattern extends PatternNotes {
  readonly op: 'transact'
  readonly steps: { readonly [name: string]: WritePattern | CheckPattern }
}

/** A question that another service answers. */
export interface ExternalPattern extends PatternNotes {
  readonly op: 'external'
  readonly service: string
  readonly reason: string
}

/** A question that only reading the whole table answers. */
export interface ScanPattern extends PatternNotes {
  readonly op: 'scan'
  readonly entity?: string
  readonly reason: string
}

/** A named question the design answers, as data. */
export type PatternDefinition =
  | GetPattern
  | QueryPattern
  | ManyPattern
  | WritePattern
  | TransactPattern
  | ExternalPattern
  | ScanPattern
