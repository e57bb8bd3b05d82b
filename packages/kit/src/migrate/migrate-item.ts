import {
  CONTROL_TYPE,
  type DerivedAction,
  type Item,
  keyFromItem,
  type Merge,
  mergeItem,
  mergeKeys,
  type Rewrite,
  RewriteProblem,
  rewriteItem,
  ServiceError,
  sameValue,
  TRANSACTION_ACTIONS_MAX,
  type Transport,
  type Versions,
  versionOf,
  writesOf,
} from 'singletable/tools'
import { countOf } from '../text/counts.ts'
import { pauseAfter, sendPatiently } from '../transfer/send-patiently.ts'
import type { ItemCounter } from './count-items.ts'
import { type Failure, failureOf } from './failures.ts'
import { printKey } from './print-key.ts'
import type { UndoLog } from './undo-log.ts'

export interface ItemContext {
  readonly transport: Transport
  readonly tableName: string
  readonly versions: Versions
  /** Brings the counters of an item up to date; gives whether one was wrong. */
  readonly count: ItemCounter
  /** What was lost, if there is a log of it. */
  readonly undo?: UndoLog | undefined
  /** How many writes an item may need; default: what a transaction takes. */
  readonly actionsMax?: number
  /** Looks only, and writes nothing. */
  readonly isDry: boolean
}

export interface ItemOutcome {
  readonly changed: boolean
  readonly conflicts: number
  readonly failure?: Failure | undefined
}

/** What has to be written for an item. */
interface Planned {
  readonly actions: readonly PlannedAction[]
  /** Only the version of the item is written, which is not a change of the item. */
  readonly isOnlyVersion: boolean
}

interface PlannedAction extends DerivedAction {
  /** It is on an item that was read: if that has changed since, everything is read again. */
  readonly isRead?: boolean
}

/**
 * Somebody who writes an item all the time must not hold a migration up for ever; the next pass
 * tries again.
 */
const CONFLICTS_MAX = 20

/** Brings an item to the newer schema, whatever others do to it at the same time. */
export async function migrateItem(context: ItemContext, read: Item): Promise<ItemOutcome> {
  const { transport, tableName, versions, isDry, actionsMax = TRANSACTION_ACTIONS_MAX } = context
  let item = read
  // Writes whose condition does not hold, and that are not needed then.
  const needless = new Set<string>()
  for (let conflicts = 0; ; conflicts++) {
    try {
      const plan = await planActions(context, item, needless)
      if (plan === undefined) return { changed: false, conflicts }
      const { actions: planned, isOnlyVersion } = plan
      if (planned.length > actionsMax) {
        throw new RewriteProblem(
          `needs ${countOf(planned.length, 'write')}, and a transaction takes ${actionsMax}`,
        )
      }
      if (planned.length === 0 || (isOnlyVersion && isDry)) {
        return { changed: await context.count(item, isDry), conflicts }
      }
      if (isDry) return { changed: true, conflicts }
      const failed = await sendActions(
        context,
        planned.map(({ action }) => action),
      )
      if (failed === undefined) {
        return { changed: !isOnlyVersion || (await context.count(item, isDry)), conflicts }
      }
      const refused = planned[failed]!
      if (refused.isOptional) {
        needless.add(textOf(refused))
        continue
      }
      if (!refused.isRead) {
        const { Put, Update, Delete } = refused.action
        const Key = Put ? keyFromItem(versions.after.primary, Put.Item) : (Update ?? Delete)?.Key
        throw new RewriteProblem(
          Put
            ? `would overwrite an existing item: ${printKey(Key)}`
            : `needs an item that does not exist: ${printKey(Key)}`,
        )
      }
    } catch (error) {
      if (!(error instanceof RewriteProblem)) throw error
      const failure = failureOf(versions, read, error.message, error.step)
      return { changed: false, conflicts, failure }
    }
    if (conflicts >= CONFLICTS_MAX) {
      const failure = failureOf(versions, read, 'was changed by others again and again')
      return { changed: false, conflicts, failure }
    }
    await pauseAfter(1)
    const found = await sendPatiently(transport, 'GetItem', {
      TableName: tableName,
      Key: keyFromItem(versions.after.primary, item),
      ConsistentRead: true,
    })
    if (found.Item === undefined) return { changed: false, conflicts: conflicts + 1 }
    item = found.Item
  }
}

/**
 * All writes for an item, in one transaction; undefined for one that the migration does not know.
 */
async function planActions(
  context: ItemContext,
  item: Item,
  needless: ReadonlySet<string>,
): Promise<Planned | undefined> {
  const { tableName, versions, undo } = context
  const isControl = item[versions.after.params.typeField]?.S === CONTROL_TYPE
  const restored = undo?.isDown && isControl ? undo.restored(item, versions) : undefined
  const logged = undo?.isDown && !isControl ? await undo.find(item) : undefined
  const computed = restored ?? rewriteItem(versions, item, logged)
  if (computed === undefined) return undefined
  const rewrite = marked(computed)!
  if (!restored) requireRepeatable(versions, rewrite)
  const site = { tableName, now: versions.environment.now() }
  const own = writesOf(rewrite, site)
  const target = marked(rewrite.merge && (await findTarget(context, rewrite.merge)))
  const merged = target && writesOf(target, site)
  const targetKey = target && keyFromItem(versions.after.primary, target.before)
  const derived = [
    // A transaction writes an item once, and the target is written already.
    ...own.derived.filter(({ action }) => !targetKey || !sameValue(action.Update?.Key, targetKey)),
    ...(merged?.derived ?? []),
  ].filter((each) => !needless.has(textOf(each)))
  const left = rewrite.isSame ? await missing(context, derived) : derived
  const isOnlyVersion = rewrite.isSame && left.length === 0
  if (isOnlyVersion && !rewrite.isVersioned) return { actions: [], isOnlyVersion }
  const lossy = undo && !undo.isDown ? [rewrite, target].filter((each) => each?.isLossy) : []
  const actions = [
    ...[own, merged].flatMap((writes) =>
      (writes?.own ?? []).map((action, at) => ({ action, isOptional: false, isRead: at === 0 })),
    ),
    ...lossy.map((each) => ({ action: undo!.recordOf(each!), isOptional: false })),
    ...(logged ? [{ action: undo!.removalOf(item), isOptional: false }] : []),
    ...left,
  ]
  return { actions, isOnlyVersion }

  function marked(each: Rewrite | undefined): Rewrite | undefined {
    if (undo === undefined || each === undefined) return each
    if (!undo.isDown) return undo.marked(each)
    return logged && each.before === item ? undo.unmarked(each, logged) : each
  }
}

/** The item that another one becomes part of, and what becomes of it. */
async function findTarget(
  { transport, tableName, versions }: ItemContext,
  merge: Merge,
): Promise<Rewrite> {
  const keys = mergeKeys(versions, merge)
  for (const Key of keys) {
    const { Item } = await sendPatiently(transport, 'GetItem', {
      TableName: tableName,
      Key,
      ConsistentRead: true,
    })
    if (Item) return mergeItem(versions, merge, Item)
  }
  throw new RewriteProblem(`belongs to an item that does not exist: ${printKey(keys[0])}`)
}

/**
 * A run that was interrupted takes the steps again, and every run makes several passes: steps that
 * change what they gave would change an item twice.
 */
function requireRepeatable(versions: Versions, { before, after: [own], isSame }: Rewrite): void {
  const { version } = versions
  const was = version && versionOf(before, version.attribute)
  // By its version, an item is not rewritten like one that is converted for the first time.
  const isHad = was !== undefined && version?.isHad(was)
  const second = isHad ? versions : { ...versions, version: undefined }
  const again = own && !isSame ? rewriteItem(second, own.item) : undefined
  if (again === undefined || again.isSame) return
  throw new RewriteProblem(
    'would be changed again by a second run: make steps leave converted items as they are, for example with { isConverted }',
  )
}

/** Sends the writes of an item; gives the position of the one that was refused. */
async function sendActions(
  { transport }: ItemContext,
  actions: readonly DerivedAction['action'][],
): Promise<number | undefined> {
  const [first] = actions
  try {
    if (actions.length === 1 && first?.Update) {
      await sendPatiently(transport, 'UpdateItem', first.Update)
      return undefined
    }
    await sendPatiently(transport, 'TransactWriteItems', { TransactItems: [...actions] })
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
    // Without a failed condition it met another transaction, or too much traffic: it is tried
    // again.
    return Math.max(
      0,
      reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed'),
    )
  }
}

function textOf({ action }: DerivedAction): string {
  return JSON.stringify(action)
}

/**
 * Of the writes that follow from an item which stays as it is, those that are not in the table yet.
 */
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
