/** The shape of an access pattern as it is written in a schema. */

/** What is expected of a pattern in use; tools compute cost from it. */
export interface PatternExpectation {
  /** Calls per second. */
  readonly rps?: number
  /** Calls per second in the busiest time. */
  readonly peakRps?: number
  /** How many items one call reads. */
  readonly itemsRead?: number
  /** The size of an average item. */
  readonly itemBytes?: number
  /** How many partition keys the calls are spread over. */
  readonly distinctKeys?: number
  /** The share of the calls that go to the busiest partition key. */
  readonly skew?: number
}

/** What every pattern can say about itself. */
export interface PatternNotes {
  /** The question in words. */
  readonly title?: string
  /** What a reader should know of it. */
  readonly note?: string
  /** Who needs it. */
  readonly owner?: string
  /** `live` unless given. */
  readonly status?: 'live' | 'planned' | 'deprecated'
  /** How it is used; tools compute cost from it. */
  readonly expect?: PatternExpectation
  /** It is called right after a write and has to see what was written. */
  readonly afterWrite?: boolean
}

/**
 * Values that attributes are compared with: one for equality, or `{ gte: 10 }` and the like. A text
 * that starts with `$` names a member of the pattern's input; with `?` at its end (`'$status?'`)
 * the comparison is left out where the call does not give it.
 */
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
  /** What kind of question or write it is. */
  readonly op: 'batchGet'
  /** The model of the items that are fetched. */
  readonly entity: string
}

export interface GetPattern extends PatternNotes {
  /** What kind of question or write it is. */
  readonly op: 'get'
  /** The model it is about. */
  readonly entity: string
  /** The attributes of the key, which the call gives. */
  readonly by: readonly string[]
  /** Sees every write that was finished before; costs twice as much, and no global index has it. */
  readonly consistent?: boolean
  /** Only these attributes are given. */
  readonly select?: readonly string[]
  /** The same as `select`, by its earlier name. */
  readonly project?: readonly string[]
}

/** One item by the values of attributes that are unique. */
export interface GetByUniquePattern extends PatternNotes {
  /** What kind of question or write it is. */
  readonly op: 'getByUnique'
  /** The model it is about. */
  readonly entity: string
  /** The attributes that are unique, by themselves or together; the call gives their values. */
  readonly by: readonly string[]
  /** Only these attributes are given. */
  readonly select?: readonly string[]
  /** The same as `select`, by its earlier name. */
  readonly project?: readonly string[]
}

export interface QueryPattern extends QuestionPattern {
  /** What kind of question or write it is. */
  readonly op: 'query'
  /** The model that is read, or several that share a partition key. */
  readonly entity: string | readonly string[]
  /** The order of the sort keys; ascending unless given. */
  readonly order?: 'asc' | 'desc'
  /** How many items a call gives at most. */
  readonly limit?: number
  /** Only these attributes are given. */
  readonly select?: readonly string[]
  /** The same as `select`, by its earlier name. */
  readonly project?: readonly string[]
  /** Fetches the items that those found refer to. */
  readonly then?: ThenDefinition
}

/** How many items there are, or whether there is one. */
export interface CountPattern extends QuestionPattern {
  /** What kind of question or write it is. */
  readonly op: 'count' | 'exists'
  /** The model it is about. */
  readonly entity: string
}

/** What queries, counts and questions for existence have. */
interface QuestionPattern extends PatternNotes {
  /** The index that is read; the primary one unless given. */
  readonly index?: string
  /**
   * The attributes that the call gives: those of the partition key, then of the sort key from the
   * left.
   */
  readonly by: readonly string[]
  /**
   * Attributes of the partition key of which the call gives a list: the partitions of all its
   * values are read, and merged by sort key.
   */
  readonly in?: readonly string[]
  /**
   * Attributes of `by` whose case does not count; the key must have them as `${name:lower}`. All
   * others are equal only if their case is, too.
   */
  readonly ignoreCase?: readonly string[]
  /** The attribute that comes next in the sort key: the call may give bounds for it. */
  readonly range?: string
  /** Sees every write that was finished before; costs twice as much, and no global index has it. */
  readonly consistent?: boolean
  /** Conditions on other attributes. What they leave out is read and paid for. */
  readonly where?: FilterDefinition
  /** The same as `where`, by its earlier name. */
  readonly filter?: FilterDefinition
}

export interface ManyPattern extends PatternNotes {
  /** What kind of question or write it is. */
  readonly op: 'batchGet' | 'transactGet'
  /** The model it is about. */
  readonly entity: string
  /** The attributes of the key, which the call gives. */
  readonly by: readonly string[]
}

export interface PutPattern extends ConditionalPattern {
  /** What kind of question or write it is. */
  readonly op: 'create' | 'put'
  /** The model it is about. */
  readonly entity: string
}

/** What writes have; those that create items have no item to compare. */
interface ConditionalPattern extends PatternNotes {
  /** Writes only if the item that is there has these values. */
  readonly where?: FilterDefinition
}

/** What writes have that find an item by its key. */
interface VersionedPattern extends ConditionalPattern {
  /**
   * Writes only if the item has the version that the call gives, under the name of the attribute.
   */
  readonly ifVersion?: boolean
}

interface GivenPattern extends VersionedPattern {
  /**
   * Attributes whose current values the call gives under `given`, so that nothing has to be read
   * first. If they are others by now, nothing is written.
   */
  readonly given?: readonly string[]
}

export interface UpdatePattern extends GivenPattern {
  /**
   * What kind of question or write it is: `update` changes an item that exists, `upsert` makes it
   * if there is none.
   */
  readonly op: 'update' | 'upsert'
  /** The model it is about. */
  readonly entity: string
  /** The attributes of the key, which the call gives. */
  readonly by: readonly string[]
  /** The attributes whose new values the call gives. */
  readonly set?: readonly string[]
  /** The numbers and sets that the call adds to. */
  readonly add?: readonly string[]
  /** The attributes that are taken away. */
  readonly remove?: readonly string[]
}

export interface DeletePattern extends GivenPattern {
  /** What kind of question or write it is. */
  readonly op: 'delete'
  /** The model it is about. */
  readonly entity: string
  /** The attributes of the key, which the call gives. */
  readonly by: readonly string[]
}

/** A condition on an item that a transaction does not change. */
export interface CheckPattern extends VersionedPattern {
  /** What kind of question or write it is. */
  readonly op: 'check'
  /** The model it is about. */
  readonly entity: string
  /** The attributes of the key, which the call gives. */
  readonly by: readonly string[]
}

export type WritePattern = PutPattern | UpdatePattern | DeletePattern

/** A write or a check in a transaction. */
export type StepPattern = (WritePattern | CheckPattern) & {
  /** The call gives a list, and the step is carried out for each of its elements. */
  readonly each?: boolean
}

export interface TransactPattern extends PatternNotes {
  /** What kind of question or write it is. */
  readonly op: 'transact'
  /**
   * Attributes that have one value in all steps: the call gives it once, next to the steps, or it
   * is generated once.
   */
  readonly shared?: readonly string[]
  /** The writes and checks, by name; all are carried out, or none. */
  readonly steps: { readonly [name: string]: StepPattern }
}

/** A question that another service answers. */
export interface ExternalPattern extends PatternNotes {
  /** What kind of question or write it is. */
  readonly op: 'external'
  /** What answers it. */
  readonly service: string
  /** Why the table does not answer it by a key. */
  readonly reason: string
}

/** A question that only reading the whole table answers. */
export interface ScanPattern extends PatternNotes {
  /** What kind of question or write it is. */
  readonly op: 'scan'
  /** The model it is about. */
  readonly entity?: string
  /** Why the table does not answer it by a key. */
  readonly reason: string
}

/** A named question the design answers, as data. */
export type PatternDefinition =
  | GetPattern
  | GetByUniquePattern
  | QueryPattern
  | CountPattern
  | ManyPattern
  | WritePattern
  | TransactPattern
  | ExternalPattern
  | ScanPattern

/**
 * A query after reading: also a count, or a question for existence, which are queries that give
 * something else.
 */
export interface AskedQuery extends Omit<QueryPattern, 'project' | 'filter'> {
  readonly gives?: 'count' | 'exists'
}

/** A get after reading: also one by unique values. */
export interface AskedGet extends Omit<GetPattern, 'project'> {
  readonly unique?: boolean
}

/** An update after reading: also an upsert. */
export interface AskedUpdate extends Omit<UpdatePattern, 'op'> {
  readonly op: 'update'
  readonly creates?: boolean
}

export type AskedWrite = PutPattern | AskedUpdate | DeletePattern

/** A pattern in the words that everything after the schema knows. */
export type AskedPattern =
  | AskedGet
  | AskedQuery
  | AskedUpdate
  | Exclude<
      PatternDefinition | CheckPattern,
      GetPattern | GetByUniquePattern | QueryPattern | CountPattern | UpdatePattern
    >

/**
 * Replaces earlier words by those of today, and kinds of patterns that are another one with an
 * option by that.
 */
export function askedPattern(written: PatternDefinition | CheckPattern): AskedPattern {
  const { project, filter, ...rest } = written as GetPattern & { readonly filter?: unknown }
  const { op } = written
  return {
    ...rest,
    ...(project !== undefined && { select: project }),
    ...(filter !== undefined && { where: filter }),
    ...(op === 'count' && { op: 'query', gives: op, select: [] }),
    ...(op === 'exists' && { op: 'query', gives: op, select: [], limit: 1 }),
    ...(op === 'upsert' && { op: 'update', creates: true }),
    ...(op === 'getByUnique' && { op: 'get', unique: true, consistent: true }),
    // What is written need not be what the types ask for; what is wrong is refused where it is
    // compiled.
  } as AskedPattern
}
