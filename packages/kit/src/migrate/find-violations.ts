import { createHash } from 'node:crypto'
import type { CountItems } from 'singletable/migrations'
import {
  derivedOf,
  keyFromItem,
  type Rewrite,
  RewriteProblem,
  rewriteItem,
  writesOf,
} from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { type ItemContext, printKey } from './migrate-item.ts'
import { scanPages } from './scan-pages.ts'

export interface CheckContext extends ItemContext {
  readonly signal: AbortSignal
}

const LISTED_MAX = 20
/** The kinds of steps that give items another key, or make new ones. */
const MOVES: readonly string[] = ['rekey', 'renameModel', 'splitModel']
/** Two of these find the keys that may be needed twice, however many items there are. */
const FILTER_BYTES = 2 ** 24

/**
 * Looks for items that new copies, unique values and counters can't be made of: those that need the
 * same guard or copy, and those whose parent is missing. Nothing is written. Undefined if it was
 * interrupted.
 */
export async function findViolations(
  context: CheckContext,
): Promise<readonly string[] | undefined> {
  const { steps, after } = context.versions
  const moves = context.isDry && steps.some(({ kind }) => MOVES.includes(kind))
  const isMoved = (model: string): boolean =>
    steps.some((step) => ['rekey', 'renameModel'].includes(step.kind) && step.model === model)
  // The parent of an item that is counted can be under its old key, until it has moved.
  const counts = steps.filter((step) => step.kind === 'countItems' && !isMoved(step.model))
  const found = [
    ...(moves || steps.some(({ kind }) => kind === 'derivedItems') ? await findTwice(context) : []),
    ...(counts.length > 0 ? await findOrphans(context, counts as readonly CountItems[]) : []),
  ]
  if (context.signal.aborted) return undefined
  const more = found.length - LISTED_MAX
  const listed = found.slice(0, LISTED_MAX)
  return more > 0 ? [...listed, `and ${more} more`] : listed

  /** Items that need the same guard or copy, and, before they move, those that need the same key. */
  async function findTwice({ tableName }: CheckContext): Promise<readonly string[]> {
    const needed = (rewrite: Rewrite | undefined, key: string): readonly string[] => {
      // What no step changes keeps its key.
      if (rewrite === undefined) return moves ? [placed(key)] : []
      return [
        ...rewrite.after.flatMap(({ item }) =>
          moves ? [placed(printKey(keyFromItem(after.primary, item)))] : [],
        ),
        ...writesOf(rewrite, { tableName, now: 0 }).derived.flatMap(({ action: { Put } }) =>
          Put ? [printKey(keyFromItem(after.primary, Put.Item))] : [],
        ),
      ]
    }
    const once = new Uint8Array(FILTER_BYTES)
    const twice = new Uint8Array(FILTER_BYTES)
    let isAny = false
    await eachRewrite(context, (rewrite, itemKey) => {
      for (const key of needed(rewrite, itemKey)) {
        const [at, bit] = placeOf(key)
        if (once[at]! & bit) twice[at]! |= bit
        if (once[at]! & bit) isAny = true
        once[at]! |= bit
      }
    })
    if (!isAny) return []
    const owners = new Map<string, string>()
    const problems: string[] = []
    await eachRewrite(context, (rewrite, key) => {
      for (const each of needed(rewrite, key)) {
        const [at, bit] = placeOf(each)
        if (!(twice[at]! & bit)) continue
        const other = owners.get(each)
        if (other) problems.push(`${[other, key].sort().join(' and ')} both need ${each}`)
        else owners.set(each, key)
      }
    })
    return problems.sort()
  }
}

/** Items that are to be counted by a parent that does not exist. */
async function findOrphans(
  context: CheckContext,
  counts: readonly CountItems[],
): Promise<readonly string[]> {
  const { transport, tableName } = context
  const problems: string[] = []
  // The children of a parent often follow each other.
  let parent = { text: '', exists: true }
  await eachRewrite(context, async (rewrite, key) => {
    for (const { model, item } of rewrite?.after ?? []) {
      for (const write of derivedOf(model, item, { tableName, now: 0 })) {
        if (write.kind !== 'count') continue
        const {
          attribute,
          parent: { name },
        } = write
        if (!counts.some((step) => step.model === name && step.attribute === attribute.name))
          continue
        const text = printKey(write.key)
        if (text !== parent.text) {
          const request = { TableName: tableName, Key: write.key, ConsistentRead: true }
          const { Item } = await sendPatiently(transport, 'GetItem', request)
          parent = { text, exists: Item !== undefined }
        }
        if (!parent.exists) problems.push(`${key} is counted by ${text}, which does not exist`)
      }
    }
  })
  return problems.sort()
}

/** What becomes of every item of the table. */
async function eachRewrite(
  { transport, tableName, versions, signal }: CheckContext,
  visit: (rewrite: Rewrite | undefined, key: string) => void | Promise<void>,
): Promise<void> {
  await scanPages({ transport, tableName, signal }, async (items) => {
    for (const item of items) {
      try {
        const key = printKey(keyFromItem(versions.after.primary, item))
        await visit(rewriteItem(versions, item), key)
      } catch (error) {
        // The pass that writes reports it.
        if (!(error instanceof RewriteProblem)) throw error
      }
    }
  })
}

/** Items and what follows from them are claimed apart: a guard is there before its owner moves. */
function placed(key: string): string {
  return `the key ${key}`
}

function placeOf(key: string): readonly [at: number, bit: number] {
  const hash = createHash('sha1').update(key).digest().readUInt32BE()
  return [(hash >>> 3) % FILTER_BYTES, 1 << (hash & 7)]
}
