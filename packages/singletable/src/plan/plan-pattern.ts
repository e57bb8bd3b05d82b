import { componentsOf } from '../schema/key-variables.ts'
import type { ModelIndex, Pattern } from '../schema/model.ts'
import type { AskedQuery, StepPattern } from '../schema/pattern-definition.ts'
import { costOf, type PatternCost, type PatternReading } from './pattern-cost.ts'
import { askedByPattern } from './pattern-question.ts'
import { requestsOf } from './pattern-requests.ts'
import { describeGaps } from './read/completeness.ts'
import { type Decision, decideRead } from './read/decide-read.ts'
import type { FanOut } from './read/fan-out.ts'
import { valuesOf } from './read/key-condition.ts'
import { LAST } from './read/key-range.ts'
import { modelsInPartition } from './read/shared-partition.ts'
import type { Where } from './where.ts'

/** The condition on one key attribute, with the input's members in place of values. */
export type KeyPlan =
  | { readonly eq: string }
  | { readonly beginsWith: string }
  | {
      readonly between: readonly [string, string]
      /** What it is without a range in the input. */
      readonly else?: { readonly beginsWith: string }
    }

/**
 * How an access pattern is carried out, whatever its input: plain data that can be printed, kept
 * and compared.
 */
export interface PatternPlan {
  readonly pattern: string
  /** DynamoDB's operation; `none` for what another service answers. */
  readonly op: string
  readonly index: string | null
  readonly entities: readonly string[]
  /**
   * By key attribute, with the input's members in place of values: `USER#${username}`. `null` where
   * a key is not known before the call, as of an item that is found by a unique value.
   */
  readonly key: { readonly [keyAttribute: string]: KeyPlan } | null
  readonly order: 'asc' | 'desc' | null
  readonly limit: number | null
  /**
   * The conditions, as the schema says them: on what is found, or of a write on the item that is
   * there.
   */
  readonly filter: object | null
  readonly consistency: 'eventual' | 'strong' | null
  /** Other models whose items can be in the same partition. */
  readonly sharesPartitionWith: readonly string[]
  /** Those of them that can be among the items read; they are paid for and left out. */
  readonly alsoReads: readonly string[]
  /** Items of its entities that match and are not in the index; only where there can be such. */
  readonly incomplete?: string
  /**
   * Requests of one call, as far as they can be known: one page of a query, up to a hundred items
   * of a batch.
   */
  readonly requests: number
  readonly cost: PatternCost | null
  /** The entity whose items are fetched by what was found. */
  readonly then?: string
  /**
   * The attributes of which a call gives lists; `requests` and `cost` are those of one value,
   * unless there is an input.
   */
  readonly in?: readonly string[]
  /** What it gives in place of items. */
  readonly gives?: 'count' | 'exists'
  readonly steps?: { readonly [step: string]: PatternPlan }
  /** Of a step: it is carried out for each element of a list. */
  readonly each?: true
  /** The attributes that have one value in all steps. */
  readonly shared?: readonly string[]
  readonly service?: string
  readonly reason?: string
}

/**
 * With an input, the plan shows the range of this call. `now` is the end of ranges that have none.
 */
export function planPattern(pattern: Pattern, input?: object, now?: number): PatternPlan {
  const { definition, models, use, target, steps } = pattern
  const { op } = definition
  const isQuery = op === 'query'
  const isRead = isQuery || /[gG]et$|^scan$/.test(op)
  const isStrong = op === 'transactGet' || (definition as { consistent?: boolean }).consistent
  const decision = isQuery ? decideRead(askedByPattern(pattern, { input, now })) : undefined
  const reading = {
    others: decision?.others ?? [],
    fan: fanOf(pattern, decision, input, now),
    limit: limitOf(pattern, decision),
  }
  const { operation, requests } = requestsOf(pattern, reading.fan)
  return {
    pattern: pattern.name,
    op: operation,
    index: use?.index.name ?? null,
    entities: models.map(({ name }) => name),
    key:
      use && op !== 'scan' && !(op === 'get' && definition.unique)
        ? planKey(pattern, use, decision, input)
        : null,
    order: isQuery ? (definition.order ?? 'asc') : null,
    limit: (isQuery && definition.limit) || null,
    filter: (definition as { readonly where?: object }).where ?? null,
    consistency: isRead ? (isStrong ? 'strong' : 'eventual') : null,
    sharesPartitionWith:
      use && op !== 'scan' ? modelsInPartition(models, use).map(({ name }) => name) : [],
    alsoReads: reading.others.map(({ name }) => name),
    ...(decision?.gaps.length && { incomplete: describeGaps(decision.gaps) }),
    requests,
    cost: isRead ? costOf(pattern, reading) : null,
    // biome-ignore lint/suspicious/noThenProperty: it is the schema's own word, and no function.
    ...(target && { then: target.name }),
    ...(isQuery && definition.in && { in: definition.in }),
    ...(isQuery && definition.gives && { gives: definition.gives }),
    ...((definition as StepPattern).each && { each: true as const }),
    ...(op === 'transact' && definition.shared && { shared: definition.shared }),
    ...(op === 'transact' && {
      steps: Object.fromEntries([...steps].map(([step, each]) => [step, planPattern(each)])),
    }),
    ...(op === 'external' && { service: definition.service }),
    ...((op === 'external' || op === 'scan') && { reason: definition.reason }),
  }
}

/** What a query pattern reads, whatever its input: for who computes what it costs. */
export function readingOf(pattern: Pattern, now?: number): PatternReading {
  const decision = decideRead(askedByPattern(pattern, { now }))
  const { others, matches } = decision
  return { others, fan: matches[0]?.fan, limit: limitOf(pattern, decision) }
}

/**
 * A limit counts what passes the filter; where that leaves out items, more is read and paid for.
 */
function limitOf({ definition }: Pattern, decision: Decision | undefined): number | undefined {
  const { limit, where } = definition as AskedQuery
  return decision?.limits && where === undefined ? limit : undefined
}

/**
 * The partitions of a call. Buckets of time are counted by the values of the range, and lists have
 * values of their own.
 */
function fanOf(
  pattern: Pattern,
  decision: Decision | undefined,
  input: object | undefined,
  now: number | undefined,
): FanOut | undefined {
  const { range, in: listed } = pattern.definition as AskedQuery
  const isBucketed =
    listed !== undefined ||
    componentsOf(pattern.use?.hash ?? []).some(({ name, unit }) => unit && name === range)
  const real =
    decision && input && isBucketed
      ? decideRead(askedByPattern(pattern, { input, isReal: true, now }))
      : decision
  return real?.matches[0]?.fan
}

type KeyPlans = { readonly [keyAttribute: string]: KeyPlan }

/** The key condition of a pattern; the whole primary key, unless it is a query. */
function planKey(
  pattern: Pattern,
  { hash, sort }: ModelIndex,
  decision: Decision | undefined,
  input: object | undefined,
): KeyPlans {
  const key: { [keyAttribute: string]: KeyPlan } = {}
  // Of a partition key, shards and buckets of time are counted up.
  for (const { name, template } of decision ? hash : [...hash, ...sort]) {
    key[name] = { eq: template?.source ?? `\${${name}}` }
  }
  if (decision === undefined) return key
  const { range } = pattern.definition as { readonly range?: string }
  const ranged =
    range !== undefined && input === undefined
      ? decideRead(askedByPattern(pattern, { withRange: true })).sort
      : decision.sort
  for (const [at, condition] of ranged.entries()) {
    const { name } = sort[at]!
    const planned = keyPlan(condition)
    const plain = decision.sort[at] && keyPlan(decision.sort[at])
    key[name] =
      'between' in planned && plain && 'beginsWith' in plain
        ? { ...planned, else: { beginsWith: plain.beginsWith } }
        : planned
  }
  return key
}

function keyPlan(condition: Where): KeyPlan {
  const { operator } = condition
  const [low = '', high = low] = valuesOf(condition).map(({ S = '' }) => S)
  if (operator === '=') return { eq: low }
  if (operator === 'begins_with') return { beginsWith: low }
  if (operator.startsWith('>')) return { between: [low, LAST] }
  return { between: operator.startsWith('<') ? ['', high] : [low, high] }
}
