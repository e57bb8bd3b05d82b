import {
  type DerivedAction,
  type Item,
  keyFromItem,
  type Rewrite,
  RewriteProblem,
  rewriteItem,
  ServiceError,
  sameValue,
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
  // Writes whose condition does not hold, and that are not needed then.
  const needless = new Set<string>()
  for (let conflicts = 0; ; conflicts++) {
    let actions: readonly DerivedAction['action'][]
    try {
      const rewrite = rewriteItem(versions, item)
      if (rewrite === undefined) return { changed: false, conflicts }
      requireRepeatable(versions, rewrite)
      const { own, derived } = writesOf(rewrite, { tableName, now: versions.environment.now() })
      const wanted = derived.filter((each) => !needless.has(textOf(each)))
      const left = rewrite.isSame ? await missing(context, wanted) : wanted
      actions =
        rewrite.isSame && left.length === 0 ? [] : [...own, ...left.map(({ action }) => action)]
      if (actions.length > TRANSACTION_ACTIONS_MAX) {
        throw new RewriteProblem(
          `needs ${actions.length} writes, and a transaction takes ${TRANSACTION_ACTIONS_MAX}`,
        )
      }
      if (actions.length === 0) return { changed: await context.count(item, isDry), conflicts }
      if (isDry) return { changed: true, conflicts }
      const failed = await sendActions(context, actions)
      if (failed === undefined) return { changed: true, conflicts }
      const optional = left[failed - own.length]
      if (optional?.isOptional) {
        needless.add(textOf(optional))
        continue
      }
      // The first action is about the item that was read; another one met an item of somebody else.
      if (failed > 0) {
        const { Put, Update, Delete } = actions[failed]!
        const Key = Put ? keyFromItem(versions.after.primary, Put.Item) : (Update ?? Delete)?.Key
        throw new RewriteProblem(
          Put
            ? `would overwrite an existing item: ${printKey(Key)}`
            : `needs an item that does not exist: ${printKey(Key)}`,
        )
      }
    } catch (error) {
      if (!(error instanceof RewriteProblem)) throw error
      return { changed: false, conflicts, problem: error.message }
    }
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

/**
 * A run that was interrupted takes the steps again, and every run makes several passes: steps that
 * change what they gave would change an item twice.
 */
function requireRepeatable(versions: Versions, { after: [own], isSame }: Rewrite): void {
  const again = own && !isSame ? rewriteItem(versions, own.item) : undefined
  if (again === undefined || again.isSame) return
  throw new RewriteProblem(
    'would be changed again by a second run: make steps leave converted items as they are, for example with { isConverted }',
  )
}

/** Sends the writes of an item; gives the position of the one that was refused. */
async function sendActions(
  { transport, rate }: ItemContext,
  actions: readonly DerivedAction['action'][],
): Promise<number | undefined> {
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
    if (error.name === 'ConditionalCheckFailedException') return 0
    // Such as an item that is too large with what others added to it.
    if (error.name === 'ValidationException') throw new RewriteProblem(error.message)
    if (error.name !== 'TransactionCanceledException') throw error
    const reasons = error.CancellationReasons ?? []
    const invalid = reasons.find(({ Code }) => Code === 'ValidationError')
    if (invalid) throw new RewriteProblem(invalid.Message ?? error.message)
    // Without a failed condition it met another transaction, or too much traffic: it is tried again.
    return Math.max(
      0,
      reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed'),
    )
  }
}

function textOf({ action }: DerivedAction): string {
  return JSON.stringify(action)
}

/** `["USER#1","PROFILE"]` */
export function printKey(key: Item = {}): string {
  return JSON.stringify(Object.values(key).map(({ S, N, B }) => S ?? N ?? B))
}

/** Of the writes that follow from an item which stays as it is, those that are not in the table yet. */
async function missing(
  { transport, tableName, versions }: ItemContext,
  derived: readonly DerivedAction[],
): Promise<readonly DerivedAction[]> {
  const left: DerivedAction[] = []
  for (const each of derived) {
    const { Put, Delete } = each.action
    const Key = Put ? keyFromItem(versions.after.primary, Put.Item) : Delete?.Key
    if (Key === undefined) continue
    const { Item } = await sendPatiently(transport, 'GetItem', {
      TableName: tableName,
      Key,
      ConsistentRead: true,
    })
    const isDone = Put ? Item && sameValue(Item, Put.Item) : Item === undefined
    if (!isDone) left.push(each)
  }
  return left
}
