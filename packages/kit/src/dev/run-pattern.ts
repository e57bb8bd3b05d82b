import type { SchemaDefinition, Table } from 'singletable'
import { type Pattern, type PatternPlan, planPattern } from 'singletable/tools'
import { chooseInput } from '../examples/choose-input.ts'
import type { Sample } from '../examples/read-sample.ts'

/** What an access pattern does, and what it came to on the items that are there. */
export interface PatternReport {
  readonly name: string
  readonly title: string | undefined
  readonly plan: PatternPlan
  readonly outcome: PatternOutcome
}

export type PatternOutcome =
  /** It is shown and not run. */
  | { readonly kind: 'plan' }
  /** No item can answer it. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly input: unknown; readonly error: unknown }
  | PatternAnswer

export interface PatternAnswer {
  readonly kind: 'answered'
  readonly input: unknown
  /** The items by entity, as many as one call gives. */
  readonly groups: ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>
  readonly consumed: number | undefined
  readonly requests: number
  readonly itemsRead: number
  /** It ended at the limit of the pattern, or at one of ours. */
  readonly hasMore: boolean
}

/** A pattern's function, as it is called without types: the library checks what it is given. */
type LoosePattern = (input: unknown, options?: object) => { measure(): Promise<LooseRun> }

/**
 * Results of patterns that declare no limit: a table may have more items than anybody wants to see.
 */
const RESULTS_MAX = 1000

interface LooseRun {
  readonly requests: number
  readonly itemsRead: number
  readonly consumed: number | undefined
  readonly result: {
    readonly count?: number
    readonly exists?: boolean
    readonly item?: Readonly<Record<string, unknown>> | undefined
    readonly items?: readonly (Readonly<Record<string, unknown>> | undefined)[]
    readonly groups?: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
  }
}

/** Runs a pattern that reads, with an input that some items answer. Patterns that write, and those
 * of other services, are only planned. */
export async function runPattern(
  table: Table<SchemaDefinition>,
  pattern: Pattern,
  sample: Sample,
): Promise<PatternReport> {
  const { name, definition } = pattern
  const report = { name, title: definition.title, plan: planPattern(pattern) }
  // The types of a schema that is loaded at run time say nothing.
  const patterns = table.patterns as unknown as Readonly<Record<string, LoosePattern>>
  const call = patterns[name]
  const { op, limit = RESULTS_MAX } = { limit: undefined, ...definition }
  const isPaged = op === 'query' ? !('gives' in definition) : op === 'scan'
  // A scan without an entity can be described, but there is nothing that it could give.
  if (
    call === undefined ||
    !(isPaged || /^query$|[gG]et$/.test(op)) ||
    pattern.models.length === 0
  ) {
    return { ...report, outcome: { kind: 'plan' } }
  }
  const input = chooseInput(pattern, sample)
  if (input === undefined) return { ...report, outcome: { kind: 'nothing' } }
  try {
    const { result, requests, itemsRead, consumed } = await call(
      input,
      isPaged ? { limit } : {},
    ).measure()
    const { count, exists, item } = result
    const given =
      result.items ??
      (pattern.definition.op === 'query' ? [exists === undefined ? { count } : { exists }] : [item])
    const entity = pattern.target?.name ?? pattern.models[0]?.name ?? ''
    const groups = result.groups
      ? new Map(Object.entries(result.groups).filter(([, items]) => items.length > 0))
      : new Map([[entity, given.filter((each) => each !== undefined)]])
    const hasMore = isPaged && [...groups.values()].flat().length >= limit
    const answer = { input, groups, consumed, requests, itemsRead, hasMore }
    return { ...report, outcome: { kind: 'answered', ...answer } }
  } catch (error) {
    return { ...report, outcome: { kind: 'failed', input, error } }
  }
}
