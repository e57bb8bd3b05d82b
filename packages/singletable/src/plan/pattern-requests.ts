import { recoverableFromKey } from '../schema/compile-copies.ts'
import { isLasting } from '../schema/is-lasting.ts'
import type { Model, ModelIndex, Pattern } from '../schema/model.ts'
import type { AskedPattern, AskedUpdate } from '../schema/pattern-definition.ts'
import { BATCH_GET_KEYS_MAX } from '../values/limits.ts'
import { itemsFetched } from './pattern-cost.ts'
import { type FanOut, partitionsOf } from './read/fan-out.ts'

/** DynamoDB's operation, and how many requests one call takes at least. */
export interface PatternRequests {
  readonly operation: string
  readonly requests: number
}

const OPERATIONS: { readonly [op in AskedPattern['op']]: string } = {
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

/**
 * What is written together with other items goes in a transaction; what depends on the item as it
 * is is read first. Costs and documents are made of this without any values, so it must agree with
 * what `planPut`, `planDelete` and `planUpdate` decide with them.
 */
export function requestsOf(pattern: Pattern, fan?: FanOut): PatternRequests {
  const { definition, models } = pattern
  const operation = OPERATIONS[definition.op]
  const [model] = models
  const { derivedItems } = model ?? {}
  const isAccompanied =
    derivedItems &&
    derivedItems.copies.length + derivedItems.unique.length + derivedItems.counters.length > 0
  switch (definition.op) {
    case 'external':
      return { operation, requests: 0 }
    case 'get':
      return { operation, requests: definition.unique ? 2 : 1 }
    case 'query':
      return { operation, requests: queryRequests(pattern, fan) }
    case 'create':
      return { operation: isAccompanied ? OPERATIONS.transact : operation, requests: 1 }
    case 'put':
    case 'delete': {
      // A put without a version of an item that has one makes a new item. A transaction gives
      // nothing back, and a delete gives what it deletes.
      const readsFirst =
        definition.op === 'delete'
          ? isAccompanied && !definition.given
          : derivedItems &&
            !model!.version &&
            !(derivedItems.fixed && derivedItems.counted.length === 0)
      return {
        operation: isAccompanied ? OPERATIONS.transact : operation,
        requests: readsFirst ? 2 : 1,
      }
    }
    case 'update':
      return updateRequests(definition, model!)
    default:
      return { operation, requests: 1 }
  }
}

/** One to each partition, and what is fetched afterwards. */
function queryRequests(pattern: Pattern, fan: FanOut | undefined): number {
  const { target } = pattern
  const fetches = target ? Math.ceil(itemsFetched(pattern) / BATCH_GET_KEYS_MAX) : 0
  return partitionsOf(fan) + fetches
}

/** As `planUpdate` does it, as far as no value decides. */
function updateRequests(
  { set = [], add = [], remove = [], given = [], creates = false }: AskedUpdate,
  model: Model,
): PatternRequests {
  const { attributes, derivedItems, derived, updatedAt, version } = model
  const kept = [updatedAt, version].flatMap((attribute) => attribute?.name ?? [])
  const changed = [...set, ...add, ...remove, ...kept]
  const isNeeded = (name: string): boolean | undefined =>
    derivedItems?.dependsOn.has(attributes.get(name)!.stored)
  if (changed.some(isNeeded) || (creates && derivedItems && derivedItems.dependsOn.size > 0)) {
    return { operation: OPERATIONS.transact, requests: given.length > 0 ? 1 : 2 }
  }
  const recoverable = recoverableFromKey(model)
  const known = [...recoverable, ...set, ...given, ...(updatedAt ? [updatedAt.name] : [])]
  const readsFirst = derived.some(({ template, uses }) => {
    const isTouched = uses.some(({ names }) =>
      names.some((name) => changed.includes(name) && !recoverable.includes(name)),
    )
    // What is removed takes the item out of the index, whatever else it has.
    const staying = uses.filter(({ names }) => !names.some((name) => remove.includes(name)))
    const isOpen = ({ names, when }: ModelIndex): boolean =>
      names.some(
        (name) =>
          !known.includes(name) &&
          (when?.has(name) ||
            template.names.includes(name) ||
            !isLasting(model, attributes.get(name)!)),
      )
    return isTouched && staying.length > 0 && staying.every(isOpen)
  })
  return { operation: OPERATIONS.update, requests: readsFirst ? 2 : 1 }
}
