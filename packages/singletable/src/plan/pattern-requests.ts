import type { Model, Pattern } from '../schema/model.ts'
import type {
  PatternDefinition,
  QueryPattern,
  UpdatePattern,
} from '../schema/pattern-definition.ts'
import { itemsRead, shardsRead } from './pattern-cost.ts'

/** DynamoDB's operation, and how many requests one call takes at least. */
export interface PatternRequests {
  readonly operation: string
  readonly requests: number
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

/** What is written together with other items goes in a transaction; what depends on the item as it is is read first. */
export function requestsOf(pattern: Pattern): PatternRequests {
  const { definition, models } = pattern
  const operation = OPERATIONS[definition.op]
  const [model] = models
  const { companions } = model ?? {}
  const isAccompanied =
    companions &&
    companions.copies.length + companions.unique.length + companions.counters.length > 0
  switch (definition.op) {
    case 'external':
      return { operation, requests: 0 }
    case 'query':
      return { operation, requests: queryRequests(pattern, definition) }
    case 'create':
      return { operation: isAccompanied ? OPERATIONS.transact : operation, requests: 1 }
    case 'put':
    case 'delete': {
      // A put without a version of an item that has one makes a new item. A transaction gives nothing back, and a delete gives what it deletes.
      const readsFirst =
        definition.op === 'delete'
          ? isAccompanied
          : companions && !model!.version && !(companions.fixed && companions.counted.length === 0)
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

/** One to each shard, and what is fetched afterwards. */
function queryRequests(pattern: Pattern, definition: QueryPattern): number {
  const { models, target } = pattern
  const fetches = target ? Math.ceil((itemsRead(definition, models[0]) ?? 1) / 100) : 0
  return shardsRead(pattern) + fetches
}

function updateRequests(
  { by, set = [], add = [], remove = [] }: UpdatePattern,
  { attributes, companions, indexes }: Model,
): PatternRequests {
  const changed = [...set, ...add, ...remove]
  if (changed.some((name) => companions?.touching.has(attributes.get(name)!.stored))) {
    return { operation: OPERATIONS.transact, requests: 2 }
  }
  const readsFirst = indexes.slice(1).some(({ names }) => {
    const isTouched = names.some((name) => changed.includes(name))
    return isTouched && !names.every((name) => by.includes(name) || set.includes(name))
  })
  return { operation: OPERATIONS.update, requests: readsFirst ? 2 : 1 }
}
