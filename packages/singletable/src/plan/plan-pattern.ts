import type { Model } from '../schema/model.ts'
import type { Pattern } from '../schema/pattern.ts'
import type { PatternDefinition, PatternExpectation } from '../schema/pattern-definition.ts'
import { getOwn } from '../values/own.ts'
import { type KeyPlan, planKey } from './pattern-keys.ts'
import { leakingModels, partitionMates } from './pattern-mates.ts'

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
  /** Requests of one call, as far as they can be known: one page of a query, up to a hundred items of a batch. */
  readonly requests: number
  readonly cost: PatternCost | null
  /** The entity whose items are fetched by what was found. */
  readonly then?: string
  readonly steps?: { readonly [step: string]: PatternPlan }
  readonly service?: string
  readonly reason?: string
}

/** What one call costs, computed from what the schema expects; `null` where it says nothing of sizes. */
export interface PatternCost {
  /** Read units: an eventually consistent read of 4 KB is half of one. */
  readonly rru: number
  /** How the figure comes about. */
  readonly basis: string
}

const OPERATIONS: { readonly [op in PatternDefinition['op'] | 'check']: string } = {
  get: 'GetItem',
  query: 'Query',
  batchGet: 'BatchGetItem',
  transactGet: 'TransactGetItems',
  create: 'PutItem',
  put: 'PutItem',
  update: 'UpdateItem',
  delete: 'DeleteItem',
  transact: 'TransactWriteItems',
  scan: 'Scan',
  check: 'ConditionCheck',
  external: 'none',
}

/** With an input, its range is told as this call would have it. */
export function planPattern(pattern: Pattern, input?: object): PatternPlan {
  const { definition, models, use, target, steps } = pattern
  const { op } = definition
  const isQuery = op === 'query'
  const isRead = isQuery || /[gG]et$|^scan$/.test(op)
  const isStrong = op === 'transactGet' || (definition as { consistent?: boolean }).consistent
  return {
    pattern: pattern.name,
    op: OPERATIONS[op],
    index: use?.index.name ?? null,
    entities: models.map(({ name }) => name),
    key: use && op !== 'scan' ? planKey(pattern, input) : null,
    order: isQuery ? (definition.order ?? 'asc') : null,
    limit: (isQuery && definition.limit) || null,
    filter: (isQuery && definition.filter) || null,
    consistency: isRead ? (isStrong ? 'strong' : 'eventual') : null,
    partitionMates: use && op !== 'scan' ? partitionMates(pattern) : [],
    leaks: isQuery ? leakingModels(pattern) : [],
    requests: requestsOf(pattern),
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

function requestsOf({ definition, models: [model], target, use }: Pattern): number {
  if (definition.op === 'external') return 0
  if (definition.op === 'query') {
    const { by } = definition
    const shards = use!.hash
      .flatMap(({ template }) => template?.parts ?? [])
      .map((part) =>
        typeof part === 'object' && !part.by?.every(({ name }) => by.includes(name))
          ? (part.count ?? 1)
          : 1,
      )
    const fetches = target ? Math.ceil((itemsRead(definition, model) ?? 1) / 100) : 0
    return Math.max(1, ...shards) + fetches
  }
  if (definition.op !== 'update' || model === undefined) return 1
  // Keys of an index that depend on more than is given are computed from the item, which is read first.
  const { by, set = [], add = [], remove = [] } = definition
  const readsFirst = model.indexes.slice(1).some(({ names }) => {
    const touched = names.some((name) => [...set, ...add, ...remove].includes(name))
    return touched && !names.every((name) => by.includes(name) || set.includes(name))
  })
  return readsFirst ? 2 : 1
}

/** What is known of an item's size and number stands in the pattern, or else with the model. */
function costOf({ definition, models, target }: Pattern, isStrong: boolean): PatternCost | null {
  const { op } = definition
  const [model] = models
  const count = itemsRead(definition, model)
  const bytes = expectation(definition).itemBytes ?? bytesOf(model)
  if (count === undefined || bytes === undefined) return null
  const units = op === 'transactGet' ? 2 : isStrong ? 1 : 0.5
  // A query is charged for its sum, items by key each for itself.
  const blocks = op === 'query' || op === 'scan' ? blocksOf(count * bytes) : count * blocksOf(bytes)
  const rru = blocks * units
  const basis = `${count} × ${bytes} B → ${blocks * 4} KB → ${rru} RRU`
  const more = target && bytesOf(target)
  if (more === undefined) return target ? null : { rru, basis }
  const fetched = count * blocksOf(more) * 0.5
  return { rru: rru + fetched, basis: `${basis}, and ${count} × ${more} B by key → ${fetched} RRU` }
}

function blocksOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 4096))
}

function expectation(definition: { readonly expect?: PatternExpectation }): PatternExpectation {
  return definition.expect ?? {}
}

function itemsRead(
  definition: Pattern['definition'],
  model: Model | undefined,
): number | undefined {
  const { itemsRead } = expectation(definition)
  if (itemsRead !== undefined) return itemsRead
  if (definition.op === 'scan') return statsOf(model)?.count
  if (definition.op !== 'query') return 1
  return (definition.filter ? undefined : definition.limit) ?? statsOf(model)?.perPartition?.average
}

function bytesOf(model: Model | undefined): number | undefined {
  return statsOf(model)?.itemBytes
}

function statsOf(model: Model | undefined) {
  return model && getOwn(model.schema.definition.models, model.name)?.stats
}
