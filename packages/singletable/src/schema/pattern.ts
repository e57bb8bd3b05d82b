import type { Model, ModelIndex } from './model.ts'
import type { CheckPattern, PatternDefinition } from './pattern-definition.ts'

/** An access pattern made ready for use: its names resolved and its keys checked once, when the schema is. */
export interface Pattern {
  /** `placeOrder`, or for a step of a transaction `placeOrder.order`. */
  readonly name: string
  readonly definition: PatternDefinition | CheckPattern
  /** The models of its entities, in their order; none if it has no entity. */
  readonly models: readonly Model[]
  /** The index as the first of them uses it. */
  readonly use: ModelIndex | undefined
  /** The members of its input, and whether each must be there; `undefined` where the model itself says so. */
  readonly input: ReadonlyMap<string, boolean> | undefined
  readonly filter: readonly FilterTest[]
  /** What is fetched by key after a query. */
  readonly target: Model | undefined
  readonly steps: ReadonlyMap<string, Pattern>
}

/** A pattern while it is compiled. */
export type PatternDraft = { -readonly [TName in keyof Pattern]: Pattern[TName] }

/** One comparison of a filter; all of them must hold. */
export interface FilterTest {
  readonly attribute: string
  readonly operator: FilterOperator
  /** What the attribute is compared with: as many as the operator takes. */
  readonly operands: readonly FilterOperand[]
  /** The one operand is the whole list of `in`. */
  readonly whole: boolean
}

/** A value of the definition, or the name of a member of the input. */
export type FilterOperand =
  | { readonly value: unknown; readonly input?: undefined }
  | { readonly value: undefined; readonly input: string }

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
