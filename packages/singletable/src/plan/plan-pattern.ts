import type { Pattern } from '../schema/model.ts'
import { costOf, type PatternCost } from './pattern-cost.ts'
import { type KeyPlan, planKey } from './pattern-keys.ts'
import { leakingModels, partitionMates } from './pattern-mates.ts'
import { patternGaps } from './pattern-question.ts'
import { requestsOf } from './pattern-requests.ts'
import { describeGaps } from './read/completeness.ts'

/** How an access pattern is carried out, whatever its input: plain data that can be printed, kept and compared. */
export interface PatternPlan {
  readonly pattern: string
  /** DynamoDB's operation; `none` for what another service answers. */
  readonly op: string
  readonly index: string | null
  readonly entities: readonly string[]
  /** By key attribute, with the input's members in place of values: `USER#${username}`. */
  readonly key: { readonly [keyAttribute: string]: KeyPlan } | null
  readonly order: 'asc' | 'desc' | null
  readonly limit: number | null
  /** As the schema says it. */
  readonly filter: object | null
  readonly consistency: 'eventual' | 'strong' | null
  /** Other models whose items can be in the same partition. */
  readonly partitionMates: readonly string[]
  /** Those of them that can be among the items read; they are paid for and left out. */
  readonly leaks: readonly string[]
  /** Items of its entities that match and are not in the index; only where there can be such. */
  readonly incomplete?: string
  /** Requests of one call, as far as they can be known: one page of a query, up to a hundred items of a batch. */
  readonly requests: number
  readonly cost: PatternCost | null
  /** The entity whose items are fetched by what was found. */
  readonly then?: string
  readonly steps?: { readonly [step: string]: PatternPlan }
  readonly service?: string
  readonly reason?: string
}

/** With an input, its range is told as this call would have it. */
export function planPattern(pattern: Pattern, input?: object): PatternPlan {
  const { definition, models, use, target, steps } = pattern
  const { op } = definition
  const isQuery = op === 'query'
  const isRead = isQuery || /[gG]et$|^scan$/.test(op)
  const isStrong = op === 'transactGet' || (definition as { consistent?: boolean }).consistent
  const { operation, requests } = requestsOf(pattern)
  const gaps = patternGaps(pattern)
  return {
    pattern: pattern.name,
    op: operation,
    index: use?.index.name ?? null,
    entities: models.map(({ name }) => name),
    key: use && op !== 'scan' ? planKey(pattern, input) : null,
    order: isQuery ? (definition.order ?? 'asc') : null,
    limit: (isQuery && definition.limit) || null,
    filter: (isQuery && definition.filter) || null,
    consistency: isRead ? (isStrong ? 'strong' : 'eventual') : null,
    partitionMates: use && op !== 'scan' ? partitionMates(pattern) : [],
    leaks: isQuery ? leakingModels(pattern) : [],
    ...(gaps.length > 0 && { incomplete: describeGaps(gaps) }),
    requests,
    cost: isRead ? costOf(pattern, isStrong === true) : null,
    // biome-ignore lint/suspicious/noThenProperty: it is the schema's own word, and no function.
    ...(target && { then: target.name }),
    ...(op === 'transact' && {
      steps: Object.fromEntries([...steps].map(([step, each]) => [step, planPattern(each)])),
    }),
    ...(op === 'external' && { service: definition.service }),
    ...((op === 'external' || op === 'scan') && { reason: definition.reason }),
  }
}
