import {
  type Item,
  keyFromItem,
  type Rewrite,
  RewriteProblem,
  rewriteItem,
  ServiceError,
  TRANSACTION_ACTIONS_MAX,
  type Transport,
  type Versions,
  writesOf,
} from 'singletable/tools'
import { pauseAfter, sendPatiently } from '../transfer/send-patiently.ts'
import type { ItemCounter } from './count-items.ts'
import type { RateLimit } from './rate-limit.ts'

export interface ItemContext {
  readonly transport: Transport
  readonly tableName: string
  readonly versions: Versions
  readonly rate: RateLimit
  /** Brings the counters of an item up to date; gives whether one was wrong. */
  readonly count: ItemCounter
  /** Looks only, and writes nothing. */
  readonly isDry: boolean
}

export interface ItemOutcome {
  readonly changed: boolean
  readonly conflicts: number
  readonly problem?: string | undefined
}

/** Somebody who writes an item all the time must not hold a migration up for ever; the next pass tries again. */
const CONFLICTS_MAX = 20

/** Brings an item to the newer schema, whatever others do to it at the same time. */
export async function migrateItem(context: ItemContext, read: Item): Promise<ItemOutcome> {
  const { transport, tableName, versions, rate, isDry } = context
  let item = read
  for (let conflicts = 0; ; conflicts++) {
    let rewrite: Rewrite | undefined
    let actions: ReturnType<typeof writesOf>
    try {
      rewrite = rewriteItem(versions, item)
      if (rewrite === undefined) return { changed: false, conflicts }
      actions = writesOf(rewrite, { tableName, now: versions.environment.now() })
    } catch (error) {
      if (!(error instanceof RewriteProblem)) throw error
      return { changed: false, conflicts, problem: error.message }
    }
    if (rewrite.isSame) actions = await missing(context, actions)
    if (actions.length === 0) return { changed: await context.count(item, isDry), conflicts }
    if (actions.length > TRANSACTION_ACTIONS_MAX) {
      const problem = `needs ${actions.length} writes, and a transaction takes ${TRANSACTION_ACTIONS_MAX}`
      return { changed: false, conflicts, problem }
    }
    if (isDry) return { changed: true, conflicts }
    const failure = await sendActions(context, actions)
    if (failure === undefined) return { changed: true, conflicts }
    if (failure.isProblem) return { changed: false, conflicts, problem: failure.reason }
    if (conflicts >= CONFLICTS_MAX) {
      return { changed: false, conflicts, problem: 'was changed by others again and again' }
    }
    await pauseAfter(1)
    const found = await sendPatiently(transport, 'GetItem', {
      TableName: tableName,
      Key: keyFromItem(versions.after.primary, item),
      ConsistentRead: true,
      ReturnConsumedCapacity: 'TOTAL',
    })
    await rate.spend(found.ConsumedCapacity?.CapacityUnits)
    if (found.Item === undefined) return { changed: false, conflicts: conflicts + 1 }
    item = found.Item
  }
}

interface Failure {
  /** Trying again would not help. */
  readonly isProblem: boolean
  readonly reason: string
}

/** Sends the writes of an item; gives why they were refused. */
async function sendActions(
  { transport, rate, versions }: ItemContext,
  actions: ReturnType<typeof writesOf>,
): Promise<Failure | undefined> {
  const [first] = actions
  try {
    if (actions.length === 1 && first?.Update) {
      const { ConsumedCapacity } = await sendPatiently(transport, 'UpdateItem', {
        ...first.Update,
        ReturnConsumedCapacity: 'TOTAL',
      })
      await rate.spend(ConsumedCapacity?.CapacityUnits)
      return undefined
    }
    const { ConsumedCapacity = [] } = await sendPatiently(transport, 'TransactWriteItems', {
      TransactItems: [...actions],
      ReturnConsumedCapacity: 'TOTAL',
    })
    await rate.spend(ConsumedCapacity[0]?.CapacityUnits)
    return undefined
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.name === 'ConditionalCheckFailedException') {
      return { isProblem: false, reason: error.message }
    }
    if (error.name !== 'TransactionCanceledException') throw error
    const reasons = error.CancellationReasons ?? []
    const at = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed')
    // The first action is about the item that was read; another one met an item of somebody else.
    if (at < 0 || at === 0) return { isProblem: false, reason: error.message }
    const { Put, Update } = actions[at] ?? {}
    const Key = Put ? keyFromItem(versions.after.primary, Put.Item) : Update?.Key
    return { isProblem: true, reason: `meets an item that is there already: ${printKey(Key)}` }
  }
}

/** `["USER#1","PROFILE"]` */
export function printKey(key: Item = {}): string {
  return JSON.stringify(Object.values(key).map(({ S, N, B }) => S ?? N ?? B))
}

/** Of the writes that follow from an item which stays as it is, those that are not in the table yet. */
async function missing(
  { transport, tableName, versions }: ItemContext,
  actions: ReturnType<typeof writesOf>,
): Promise<ReturnType<typeof writesOf>> {
  const left: ReturnType<typeof writesOf>[number][] = []
  for (const action of actions) {
    const Key = action.Put
      ? keyFromItem(versions.after.primary, action.Put.Item)
      : action.Delete?.Key
    if (Key === undefined) continue
    const { Item } = await sendPatiently(transport, 'GetItem', {
      TableName: tableName,
      Key,
      ConsistentRead: true,
    })
    const isDone = action.Put ? Item && sameItem(Item, action.Put.Item) : Item === undefined
    if (!isDone) left.push(action)
  }
  return left
}

function sameItem(a: Item, b: Item): boolean {
  const text = (item: Item): string =>
    JSON.stringify(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
  return text(a) === text(b)
}
